/** The grid of a result, with search, menus and editing. */
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Column } from '../../../../lib/index.ts';
import type { EditedRows } from '../../../grid/edit/edited_rows.ts';
import { Grid } from '../../../grid/Grid.tsx';
import type { ResultGrid } from '../../../grid/result_grid.ts';
import type { ColumnOrder } from '../../../grid/rows.ts';
import type { Cell, Selection } from '../../../grid/selection.ts';
import { containsText } from '../../../sql/find_text.ts';
import { typedName } from '../../../sql/names.ts';
import { limitOf, orderOf, refined, tableOf } from '../../../sql/table_of.ts';
import { ContextMenu, type MenuPoint } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { copyResult, runInTab } from '../../actions.ts';
import { currentConnection } from '../../database/connection.ts';
import { showViewer } from '../../layout_state.ts';
import { addRow, deleteSelectedRows, nullSelected, pasteText, redoEdit, undoEdit } from '../edit/row_commands.ts';
import { saveEdits } from '../edit/row_edits.ts';
import { grid } from '../editor_host.ts';
import type { QueryTab } from '../query_tabs.ts';
import type { StatementRun } from '../statement_run.ts';
import { shortCopyMenu } from './CopyMenu.tsx';
import { editMenu, refineMenu, sortBy } from './cell_menus.ts';
import { type ForeignKey, foreignKeys, linkMenu } from './links.ts';
import { leaveFocus, takesFocus } from './result_focus.ts';
import { ViewerSplit } from './ViewerSplit.tsx';

interface GridPaneProps {
  readonly run: StatementRun;
  readonly tab: QueryTab;
  readonly pages: EditedRows;
  readonly cell: { value: Cell | undefined };
  readonly selection: { value: Selection | undefined };
}

export function ResultGridPane({ run, tab, pages, cell, selection }: GridPaneProps): JSX.Element {
  const menuAt = useSignal<(MenuPoint & { readonly canEdit: boolean }) | undefined>(undefined);
  const canEdit = pages.rules.value !== undefined;
  const links = useForeignKeys(run);
  const own = useRef<ResultGrid | undefined>(undefined);
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      if (body.current?.contains(document.activeElement)) leaveFocus();
    },
    [],
  );
  const order = orderIn(run.sql, pages.columns);
  // The viewer shows what was typed.
  void pages.version.value;
  const gridView = (
    // biome-ignore lint/a11y/noStaticElementInteractions: the copy event comes from the grid inside.
    <div
      ref={body}
      class="grid-host"
      onCopy={event => {
        if (isTyping(event)) return;
        event.preventDefault();
        copyResult(run, 'tsv', false);
      }}
      onPaste={event => {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (isTyping(event) || !canEdit || text === '') return;
        event.preventDefault();
        pasteText(pages, text);
      }}
      onKeyDown={event => {
        if (isTyping(event)) return;
        const isMod = event.ctrlKey || event.metaKey;
        const key = event.key.toLowerCase();
        if (isMod && key === 'c' && !event.altKey) copyResult(run, 'tsv', event.shiftKey);
        else if (event.altKey && !isMod && (key === 'arrowup' || key === 'arrowdown')) {
          const at = selection.value?.focus.column;
          if (at !== undefined) sortBy(tab, run, pages, at, key === 'arrowdown');
        } else if (canEdit && isMod && (key === 'delete' || key === 'backspace')) deleteSelectedRows(pages);
        else if (canEdit && event.altKey && event.code === 'Digit0') nullSelected(pages);
        else if (canEdit && key === 'insert' && !isMod) addRow(pages);
        else if (canEdit && isMod && !event.altKey && key === 'z' && !event.shiftKey) undoEdit(pages);
        else if (canEdit && isMod && !event.altKey && (key === 'z' || key === 'y')) redoEdit(pages);
        else if (canEdit && isMod && key === 's' && !event.shiftKey) void saveEdits(tab, run);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Grid
        pages={pages}
        rowCount={run.rowCount}
        version={pages.version}
        label={run.title}
        order={order}
        onSort={column => sortBy(tab, run, pages, column, order[0]?.column === column && !order[0].isDescending)}
        search={tab.search}
        onFindAll={findAllOf(run, pages)}
        onReady={made => {
          if (made === undefined) {
            run.gridPlace = own.current?.keep();
            // The grid of the next result may be there before this one goes.
            if (grid.peek() === own.current) grid.value = undefined;
          } else {
            if (run.gridPlace !== undefined) made.restore(run.gridPlace);
            grid.value = made;
            if (takesFocus()) made.focus();
          }
          own.current = made;
        }}
        onActive={active => {
          cell.value = active;
        }}
        onOpen={active => {
          cell.value = active;
          showViewer();
        }}
        onSelection={selected => {
          selection.value = selected;
        }}
        onMenu={(x, y) => {
          // An open menu stays as it is: nothing moves under the pointer.
          menuAt.value = { x, y, canEdit };
        }}
        onRefused={reason => {
          const editing = run.editing.peek();
          const said = reason !== '' ? reason : editing?.kind === 'refused' ? editing.reason : '';
          if (said !== '') toast(said);
        }}
      />
      <ContextMenu
        label="Selected cells"
        at={menuAt.value}
        groups={[
          {
            entries: [
              {
                label: 'Show the whole value',
                hint: 'Enter',
                icon: 'panelRight',
                onSelect: () => {
                  showViewer();
                },
              },
            ],
          },
          shortCopyMenu(run),
          ...(menuAt.value?.canEdit ? editMenu(pages, selection.value) : []),
          ...refineMenu(tab, run, pages, selection.value),
          ...linkMenu(run.sql, pages, selection.value, links.value),
        ]}
        onClose={() => {
          menuAt.value = undefined;
        }}
      />
    </div>
  );
  return (
    <ViewerSplit pages={pages} cell={cell.value} onGo={to => own.current?.show(to)}>
      {gridView}
    </ViewerSplit>
  );
}

/** Looks for a text in all rows of the table of which the result shows the first. */
function findAllOf(run: StatementRun, pages: EditedRows): ((text: string) => void) | undefined {
  const isCut = run.isClipped.value || (run.isFinished.value && limitOf(run.sql) === pages.fetchedCount);
  if (!isCut || tableOf(run.sql).kind !== 'table') return undefined;
  return text => {
    const columns = pages.columns.map(({ originalName, kind }) => ({ name: typedName(originalName), kind }));
    const where = containsText(columns, text);
    if (where === undefined) return toast('No column of the result has texts');
    void runInTab(run.title, `${refined(run.sql, { where })};`).then(({ search }) => {
      search.text.value = text;
      search.open();
    });
  };
}

/** The columns of the result by which its rows are in order. */
function orderIn(sql: string, columns: readonly Column[]): readonly ColumnOrder[] {
  const order: ColumnOrder[] = [];
  for (const { by, isDescending } of orderOf(sql)) {
    const name = typeof by === 'string' ? by.toLowerCase() : '';
    const column =
      typeof by === 'number'
        ? by - 1
        : columns.findIndex(one => one.name.toLowerCase() === name || one.originalName.toLowerCase() === name);
    if (columns[column] === undefined) break;
    order.push({ column, isDescending });
  }
  return order;
}

/** Known before the menu opens, so that it opens as it stays. */
function useForeignKeys(run: StatementRun): Signal<readonly ForeignKey[]> {
  const found = useSignal<readonly ForeignKey[]>([]);
  const connection = currentConnection();
  const version = connection?.catalog.version.value;
  const isFinished = run.isFinished.value;
  useEffect(() => {
    if (connection === undefined || !isFinished) return;
    foreignKeys(connection).then(
      keys => {
        found.value = keys;
      },
      () => undefined,
    );
  }, [connection, version, isFinished]);
  return found;
}

/** Keys and the clipboard belong to the field over a cell, or to the search, while one of them has the focus. */
function isTyping(event: Event): boolean {
  return event.target instanceof HTMLElement && event.target.closest('.cell-editor, .find-bar') !== null;
}
