/** What the menu of selected cells offers. */
import { oneLine } from '../../../grid/cells.ts';
import type { EditedRows } from '../../../grid/edit/edited_rows.ts';
import { rectangle, type Selection } from '../../../grid/selection.ts';
import { countingQuery, namesIn, refinedQuery } from '../../../sql/refining.ts';
import type { Refinement } from '../../../sql/table_of.ts';
import { isComparable, literal } from '../../../sql/values.ts';
import type { MenuGroup } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { runInTab } from '../../actions.ts';
import { keyText } from '../../shortcuts.ts';
import type { Field } from '../edit/edit_target.ts';
import { addRow, deleteSelectedRows, duplicateRow, nullSelected, revertSelected } from '../edit/row_commands.ts';
import { grid } from '../editor_host.ts';
import type { QueryTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';
import { showRefined } from './refining.ts';

/** Other rows of the same query, or these in another order: a statement that can be read and changed. */
export function refineMenu(
  tab: QueryTab,
  run: StatementRun,
  pages: EditedRows,
  selection: Selection | undefined,
): readonly MenuGroup[] {
  if (selection === undefined || !run.isFinished.value) return [];
  const { row, column: at } = selection.focus;
  const column = pages.columns[at];
  if (column === undefined) return [];
  const { type } = fieldAt(run, at) ?? column;
  const name = namesIn(run.sql, pages.columns)[at] ?? '';
  if (refinedQuery(run.sql, pages.columns, {}) === undefined) return [];
  const ask = (part: Refinement) => () => refine(tab, run, pages, part);
  const counting = countingQuery(run.sql, pages.columns, at);
  const value = pages.original(row, at);
  const shown = value === null ? 'NULL' : oneLine(value ?? '').slice(0, 24);
  const canCompare = value !== undefined && isComparable(type);
  const is = value === null ? `${name} IS NULL` : `${name} = ${literal(type, value ?? '')}`;
  // Rows without a value are other rows too.
  const isNot = value === null ? `${name} IS NOT NULL` : `NOT (${name} <=> ${literal(type, value ?? '')})`;
  return [
    {
      heading: column.name,
      entries: [
        { label: 'Sort ascending', icon: 'sortUp', onSelect: ask({ orderBy: name }) },
        { label: 'Sort descending', icon: 'sortDown', onSelect: ask({ orderBy: `${name} DESC` }) },
        ...(canCompare
          ? [
              { label: `Only ${shown || 'empty'}`, icon: 'filter' as const, onSelect: ask({ where: is }) },
              { label: `All but ${shown || 'empty'}`, icon: 'filter' as const, onSelect: ask({ where: isNot }) },
            ]
          : []),
        { label: 'Filter…', icon: 'filter', onSelect: () => tab.filter.open(at) },
        ...(isComparable(type) && counting !== undefined
          ? [
              {
                label: 'Count values',
                icon: 'chart' as const,
                onSelect: () => void runInTab(`${column.name} of ${run.title}`, `${counting};`),
              },
            ]
          : []),
      ],
    },
  ];
}

function refine(tab: QueryTab, run: StatementRun, pages: EditedRows, part: Refinement): void {
  const withPart = (sql: string) => refinedQuery(sql, pages.columns, part);
  const sql = withPart(run.sql);
  if (sql === undefined) {
    toast('Only query results with unique column names can be sorted');
    return;
  }
  tab.filter.refine(run.sql, sql, withPart);
  showRefined(tab, run, sql);
}

/** The same rows in the order of a column. */
export function sortBy(
  tab: QueryTab,
  run: StatementRun,
  pages: EditedRows,
  column: number,
  isDescending: boolean,
): void {
  const name = namesIn(run.sql, pages.columns)[column];
  if (name === undefined || !run.isFinished.peek()) return;
  refine(tab, run, pages, { orderBy: isDescending ? `${name} DESC` : name });
}

function fieldAt(run: StatementRun, column: number): Field | undefined {
  const editing = run.editing.value;
  return editing?.kind === 'table' ? editing.fields[column] : undefined;
}

/** What can be done to the selected cells and their rows. */
export function editMenu(pages: EditedRows, selection: Selection | undefined): readonly MenuGroup[] {
  if (selection === undefined) return [];
  const area = rectangle(selection);
  const { row, column } = selection.focus;
  const isMany = area.endRow - area.firstRow > 1;
  const isOne = !isMany && area.endColumn - area.firstColumn === 1;
  const isDeleted = pages.isDeleted(row);
  return [
    {
      entries: [
        {
          label: 'Edit',
          hint: 'F2',
          icon: 'pencil',
          isDisabled: pages.refusal(row, column) !== undefined,
          onSelect: () => grid.peek()?.edit({ row, column }),
        },
        { label: 'Set to NULL', hint: keyText('Alt+0'), icon: 'minus', onSelect: () => nullSelected(pages) },
        ...(pages.isDirty
          ? [
              {
                label: isOne ? 'Revert the cell' : 'Revert the cells',
                icon: 'undo' as const,
                onSelect: () => revertSelected(pages),
              },
            ]
          : []),
      ],
    },
    {
      entries: [
        { label: 'Add a row', hint: 'Insert', icon: 'plus', onSelect: () => addRow(pages) },
        { label: 'Duplicate the row', icon: 'copy', isDisabled: isMany, onSelect: () => duplicateRow(pages, row) },
        {
          label: isDeleted ? 'Restore' : isMany ? 'Delete the rows' : 'Delete the row',
          hint: keyText('Mod+Delete'),
          icon: isDeleted ? 'undo' : 'trash',
          onSelect: () => deleteSelectedRows(pages),
        },
      ],
    },
  ];
}
