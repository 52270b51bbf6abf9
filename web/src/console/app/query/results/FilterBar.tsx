import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Column } from '../../../../lib/index.ts';
import { OPERATOR_NAMES, type Operator, takesValue } from '../../../sql/conditions.ts';
import { choicesOf } from '../../../sql/values.ts';
import { IconButton } from '../../../ui/icon_button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { toast } from '../../../ui/toast.tsx';
import { grid } from '../editor_host.ts';
import { type QueryTab, shownTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';
import { showRefined } from './refining.ts';
import { ANY_COLUMN, type FilterLine, operatorsOfColumn } from './row_filter.ts';

interface BarProps {
  readonly tab: QueryTab;
  readonly run: StatementRun;
  readonly columns: readonly Column[];
}

/** Conditions over the rows of a result, which become a part of its query. */
export function FilterBar({ tab, run, columns }: BarProps): JSX.Element {
  const { filter } = tab;
  const lines = filter.lines.value;
  const form = useRef<HTMLFormElement>(null);
  // At once: what is typed right after the key belongs into the field.
  useLayoutEffect(() => {
    const last = [...(form.current?.querySelectorAll('.filter-line') ?? [])].at(-1);
    (last?.querySelector('input') ?? last?.querySelector('select'))?.focus();
  }, [filter.wishes.value]);
  const ask = () => {
    const sql = filter.query();
    if (sql === undefined) {
      const found = lines.map(line => filter.conditionOf(line)).find(one => one !== undefined && 'problem' in one);
      toast(
        found !== undefined && 'problem' in found
          ? found.problem
          : 'Two columns have the same name. Rename one with AS',
        'failure',
      );
      return;
    }
    showRefined(tab, run, sql);
  };
  const close = () => {
    filter.close();
    grid.peek()?.focus();
  };
  return (
    <form
      ref={form}
      class="filter-bar"
      aria-label="Filter rows"
      onSubmit={event => {
        event.preventDefault();
        ask();
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      {lines.map((line, index) => (
        <Line
          key={index}
          line={line}
          index={index}
          columns={columns}
          problem={problemOf(filter.conditionOf(line))}
          onChange={changed => filter.change(index, changed)}
          onRemove={lines.length > 1 ? () => filter.remove(index) : undefined}
        />
      ))}
      <div class="filter-buttons">
        <button type="button" class="button quiet small" onClick={() => filter.add()}>
          <Icon name="plus" />
          Condition
        </button>
        <span class="spread" />
        {filter.isAsked && (
          <button
            type="button"
            class="button quiet small"
            onClick={() => {
              filter.clear();
              ask();
              // The button goes: the keys stay in the filter.
              shownTab.peek()?.filter.open();
            }}
          >
            Show all
          </button>
        )}
        <button type="submit" class="button small primary" title="Run the query with these conditions (Enter)">
          Filter
        </button>
        <IconButton icon="close" label="Close the filter" keys="Escape" onPress={close} />
      </div>
    </form>
  );
}

function problemOf(condition: ReturnType<QueryTab['filter']['conditionOf']>): string | undefined {
  return condition !== undefined && 'problem' in condition ? condition.problem : undefined;
}

interface LineProps {
  readonly line: FilterLine;
  readonly index: number;
  readonly columns: readonly Column[];
  readonly problem: string | undefined;
  readonly onChange: (line: FilterLine) => void;
  readonly onRemove: (() => void) | undefined;
}

function Line({ line, index, columns, problem, onChange, onRemove }: LineProps): JSX.Element {
  const column = columns[line.column];
  const operators = operatorsOfColumn(column);
  const choices = choicesOf(column?.type ?? '');
  const chooseColumn = (at: number) => {
    const possible = operatorsOfColumn(columns[at]);
    const [first = 'contains'] = possible;
    onChange({ ...line, column: at, operator: possible.includes(line.operator) ? line.operator : first });
  };
  return (
    <div class="filter-line">
      <span class="muted">{index === 0 ? 'where' : 'and'}</span>
      <select
        class="field"
        aria-label="Column"
        value={String(line.column)}
        onChange={event => chooseColumn(Number(event.currentTarget.value))}
      >
        <option value={ANY_COLUMN}>any column</option>
        {columns.map(({ name }, at) => (
          <option key={at} value={at}>
            {name}
          </option>
        ))}
      </select>
      <select
        class="field"
        aria-label="Comparison"
        value={line.operator}
        onChange={event => onChange({ ...line, operator: event.currentTarget.value as Operator })}
      >
        {operators.map(operator => (
          <option key={operator} value={operator}>
            {OPERATOR_NAMES[operator]}
          </option>
        ))}
      </select>
      {takesValue(line.operator) && (
        <input
          class="field"
          aria-label="Value"
          aria-invalid={problem !== undefined}
          title={problem}
          placeholder={line.operator === 'one_of' ? 'value, value, …' : ''}
          list={choices.length > 0 ? `filter-choices-${index}` : undefined}
          spellcheck={false}
          autocomplete="off"
          value={line.text}
          onInput={event => onChange({ ...line, text: event.currentTarget.value })}
        />
      )}
      {choices.length > 0 && (
        <datalist id={`filter-choices-${index}`}>
          {choices.map(choice => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {onRemove !== undefined && <IconButton icon="close" label="Remove the condition" onPress={onRemove} />}
      {problem !== undefined && (
        <span class="filter-problem" role="status">
          {problem}
        </span>
      )}
    </div>
  );
}
