import type { JSX } from 'preact';
import { wholeNumber } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { KindMark } from '../ui/kind_mark.tsx';
import { Counts } from '../ui/row_counts.tsx';
import { type ChangeActions, type Selected, sameSelection } from './selection.ts';
import type { TableChange } from './status.ts';

interface GroupProps {
  readonly title: string;
  readonly group: 'staged' | 'unstaged';
  readonly changes: readonly TableChange[];
  readonly selected: Selected | undefined;
  readonly canWrite: boolean;
  readonly actions: ChangeActions;
  readonly onSelect: (selected: Selected) => void;
}

/** Changed tables, with what can be done to each and to all. */
export function ChangeGroup(props: GroupProps): JSX.Element | null {
  const { title, group, changes, canWrite, actions } = props;
  if (changes.length === 0) return null;
  const isStaged = group === 'staged';
  const names = changes.flatMap(namesOf);
  return (
    <section class="change-group" aria-label={title}>
      <div class="change-group-head">
        <h3>
          {title} <span class="muted figures">{wholeNumber(changes.length)}</span>
        </h3>
        {canWrite && (
          <button
            type="button"
            class="button quiet small"
            onClick={() => (isStaged ? actions.onUnstage(names) : actions.onStage(names))}
          >
            {isStaged ? 'Unstage all' : 'Stage all'}
          </button>
        )}
      </div>
      <ul>
        {changes.map(change => (
          <ChangeLine key={change.table} {...props} change={change} />
        ))}
      </ul>
    </section>
  );
}

/** A renamed table is staged under both names. */
function namesOf({ table, tableBefore }: TableChange): readonly string[] {
  return tableBefore === undefined ? [table] : [tableBefore, table];
}

function ChangeLine(props: GroupProps & { readonly change: TableChange }): JSX.Element {
  const { change, group, selected, canWrite, actions, onSelect } = props;
  const own: Selected = { group, table: change.table };
  const isSelected = sameSelection(own, selected);
  const isStaged = group === 'staged';
  return (
    <li class={isSelected ? 'change-line is-selected' : 'change-line'}>
      <button type="button" class="change-main" aria-current={isSelected} onClick={() => onSelect(own)}>
        <KindMark kind={change.kind} />
        <span
          class="change-name truncate"
          title={change.tableBefore ? `${change.tableBefore} → ${change.table}` : change.table}
        >
          {change.table}
        </span>
        {SYSTEM_TABLES[change.table] !== undefined && (
          <span class="change-note muted truncate">{SYSTEM_TABLES[change.table]}</span>
        )}
        {change.hasSchema && change.kind === 'modified' && <span class="badge">schema</span>}
        <Counts rows={change.rows} />
      </button>
      {canWrite && (
        <span class="change-buttons">
          {!isStaged && change.kind !== 'renamed' && (
            <LineButton
              icon="undo"
              label={`Discard changes to ${change.table}`}
              onPress={() => actions.onDiscard(change)}
            />
          )}
          <LineButton
            icon={isStaged ? 'minus' : 'plus'}
            label={`${isStaged ? 'Unstage' : 'Stage'} ${change.table}`}
            onPress={() => (isStaged ? actions.onUnstage(namesOf(change)) : actions.onStage(namesOf(change)))}
          />
        </span>
      )}
    </li>
  );
}

/** What is kept in tables of Dolt's own. */
const SYSTEM_TABLES: Readonly<Record<string, string>> = {
  dolt_schemas: 'views, triggers, events',
  dolt_procedures: 'procedures',
  dolt_query_catalog: 'saved queries',
  dolt_docs: 'documents',
  dolt_ignore: 'ignored tables',
};

interface LineButtonProps {
  readonly icon: 'undo' | 'plus' | 'minus';
  readonly label: string;
  readonly onPress: () => void;
}

function LineButton({ icon, label, onPress }: LineButtonProps): JSX.Element {
  return (
    <button type="button" class="button quiet small icon-only" aria-label={label} title={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}
