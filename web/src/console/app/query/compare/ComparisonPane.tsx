import type { JSX } from 'preact';
import type { AnswerDiff } from '../../../grid/diff/answer_diff.ts';
import { counted, wholeNumber } from '../../../ui/figures.ts';
import { IconButton } from '../../../ui/icon_button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { MenuButton, type MenuEntry } from '../../../ui/menu.tsx';
import { RangeFields } from '../../../versions/RangeFields.tsx';
import type { Connection } from '../../database/connection.ts';
import { useRefs } from '../../database/use_refs.ts';
import { ColumnsButton, countsText, DiffGrid, useNarrowing } from '../../versions/compare/DiffGrid.tsx';
import { closeComparison, type QueryTab } from '../query_tabs.ts';
import { ViewerButton } from '../results/ViewerButton.tsx';
import type { AnswerComparison } from './answer_comparison.ts';

interface PaneProps {
  readonly connection: Connection;
  readonly tab: QueryTab;
  readonly comparison: AnswerComparison;
}

/** In the place of a result: what differs between the answers of a query at two commits. */
export function ComparisonPane({ connection, tab, comparison }: PaneProps): JSX.Element {
  const refs = useRefs(connection);
  // A choice of columns opens the comparison.
  const narrowing = useNarrowing(comparison, 'all');
  const { range, answers } = comparison;
  const count = answers.value?.to.rowCount ?? 0;
  return (
    <>
      <div class="compare-head answers-head">
        <RangeFields
          range={range.value}
          refs={[...refs, 'HEAD', 'HEAD~1', 'WORKING']}
          onChange={next => comparison.compare(next)}
        />
        <IconButton icon="close" label="Back to result" onPress={() => closeComparison(tab)} />
      </div>
      <div class="result-body">
        <DiffGrid
          source={comparison}
          label="Rows that differ"
          isNarrowed={narrowing.isNarrowed}
          nothing={`Both results are the same: ${counted(count, 'row')}.`}
        />
      </div>
      <div class="run-bar">
        <ComparisonFacts comparison={comparison} />
        <span class="spread" />
        <KeyMenu comparison={comparison} />
        <ColumnsButton source={comparison} narrowing={narrowing} />
        <ViewerButton />
      </div>
    </>
  );
}

function ComparisonFacts({ comparison }: { readonly comparison: AnswerComparison }): JSX.Element {
  const answers = comparison.answers.value;
  const isKnown = answers !== undefined && comparison.error.value === undefined && !comparison.isRunning.value;
  return (
    <div class="run-facts figures" role="status">
      {comparison.isRunning.value && (
        <>
          <span class="spinner" />
          <span>Comparing…</span>
        </>
      )}
      {isKnown && (
        <>
          <strong>{countsText(comparison.rows.value?.counts) || 'No rows differ'}</strong>
          <span class="fact minor">
            <span class="fact-label">of</span> {wholeNumber(answers.from.rowCount)} <span class="fact-label">and</span>{' '}
            {wholeNumber(answers.to.rowCount)} <span class="fact-label">rows</span>
          </span>
        </>
      )}
    </div>
  );
}

/** Which columns say that a row here is the one there. */
function KeyMenu({ comparison }: { readonly comparison: AnswerComparison }): JSX.Element | null {
  const answers = comparison.answers.value;
  const rows = comparison.rows.value;
  if (answers === undefined || rows === undefined || comparison.error.value !== undefined) return null;
  const key = comparison.key.value;
  const shared = answers.pairs.flatMap(({ from, to }, index) => (from >= 0 && to >= 0 ? [index] : []));
  const entries = shared.map((index): MenuEntry => {
    const isChecked = key.includes(index);
    const next = isChecked
      ? key.filter(one => one !== index)
      : shared.filter(one => one === index || key.includes(one));
    const label = rows.columns[index]?.name ?? '';
    return { label, isChecked, isToggle: true, onSelect: () => comparison.matchBy(next) };
  });
  return (
    <MenuButton
      class="button small quiet key-menu"
      label="Match rows by"
      align="end"
      isDisabled={comparison.isRunning.value}
      groups={[{ heading: 'Rows with equal values in these columns are compared', entries }]}
    >
      <Icon name="key" />
      <span class="roomy-only truncate">Match by {keyText(rows, key, shared.length)}</span>
    </MenuButton>
  );
}

function keyText(rows: AnswerDiff, key: readonly number[], all: number): string {
  if (key.length === 0) return 'order';
  return key.length === all && all > 1 ? 'all columns' : key.map(index => rows.columns[index]?.name).join(', ');
}
