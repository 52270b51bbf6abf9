import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Column } from '../../../lib/index.ts';
import { oneLine } from '../../grid/cells.ts';
import type { EditedRows } from '../../grid/edited_rows.ts';
import { Grid } from '../../grid/Grid.tsx';
import type { ResultGrid } from '../../grid/result_grid.ts';
import type { ColumnOrder, GridRows } from '../../grid/rows.ts';
import { type Cell, rectangle, type Selection } from '../../grid/selection.ts';
import { PlanView } from '../../plan/PlanView.tsx';
import { containsText } from '../../sql/find_text.ts';
import { typedName } from '../../sql/names.ts';
import { namesIn, refinedQuery } from '../../sql/refining.ts';
import { limitOf, orderOf, type Refinement, refined, tableOf } from '../../sql/table_of.ts';
import { isComparable, literal } from '../../sql/values.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { ContextMenu, type MenuGroup, type MenuPoint } from '../../ui/menu.tsx';
import { onTabKey } from '../../ui/tab_keys.ts';
import { toast } from '../../ui/toast.tsx';
import { copyResult, openTable, runInTab } from '../actions.ts';
import { type Connection, currentConnection, openState } from '../connection.ts';
import { dialog } from '../dialogs.ts';
import { isViewerOpen, overlay } from '../layout_state.ts';
import { Opening } from '../open/Opening.tsx';
import { keyText } from '../shortcuts.ts';
import { takesFocus } from './chart_toggle.ts';
import { EditBar } from './EditBar.tsx';
import type { Field } from './edit_target.ts';
import { grid } from './editor_host.ts';
import { FilterBar } from './FilterBar.tsx';
import { type ForeignKey, foreignKeys, linkMenu } from './links.ts';
import type { QueryTab } from './query_tabs.ts';
import { RunBar, shortCopyMenu } from './RunBar.tsx';
import { RunMessage, RunningNote } from './RunMessage.tsx';
import { showRefined } from './refining.ts';
import { addRow, deleteSelectedRows, duplicateRow, nullSelected, pasteText, revertSelected } from './row_commands.ts';
import { saveEdits } from './row_edits.ts';
import type { RunState, StatementRun } from './statement_run.ts';
import { ViewerSplit } from './ViewerSplit.tsx';

export function ResultsPane({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const runs = tab.runs.value;
  const run = runs[tab.shownRun.value];
  const comparison = tab.comparison.value;
  const connection = currentConnection();
  if (comparison !== undefined && connection !== undefined) {
    return (
      <section class="results" aria-label="Results">
        <Lazy load={loadComparison} props={{ connection, tab, comparison }} />
      </section>
    );
  }
  if (run === undefined) return <NothingRun />;
  return (
    <section class="results" aria-label="Results">
      {runs.length > 1 && <RunTabs tab={tab} />}
      <RowFilterPane run={run} tab={tab} />
      <RunResult key={run.id} run={run} tab={tab} />
    </section>
  );
}

const loadChart = () => import('./ChartPane.tsx').then(({ ChartPane }) => ChartPane);
const loadComparison = () => import('./ComparisonPane.tsx').then(({ ComparisonPane }) => ComparisonPane);

function NothingRun(): JSX.Element {
  const connection = currentConnection();
  if (openState.value.kind === 'opening') {
    return (
      <section class="results" aria-label="Results">
        <Opening />
      </section>
    );
  }
  return (
    <section class="results" aria-label="Results">
      <div class="empty">
        <p>
          <kbd>{keyText('Mod+Enter')}</kbd> runs the statement at the cursor or the selection,{' '}
          <kbd>{keyText('Mod+Shift+Enter')}</kbd> runs all. Double-click a table in the side panel to see its rows.
        </p>
        {connection?.isSample ? <BringYourOwn /> : connection !== undefined && <FirstTables connection={connection} />}
      </div>
    </section>
  );
}

/** More are found in the tree. */
const FIRST_TABLES_MAX = 8;

/** The way in for somebody who has just come with a database. */
function FirstTables({ connection: { catalog, database } }: { readonly connection: Connection }): JSX.Element | null {
  const place = catalog.place.value;
  const loaded = catalog.tables(place).value;
  if (loaded?.kind !== 'ready') return null;
  if (loaded.value.length === 0 && database.storage.readOnly) return null;
  return (
    <div class="first-steps">
      {loaded.value.slice(0, FIRST_TABLES_MAX).map(({ name, isView }) => (
        <button
          key={name}
          type="button"
          class="button small"
          aria-label={`Show the rows of ${name}`}
          onClick={() => openTable(place, name)}
        >
          <Icon name={isView ? 'view' : 'table'} />
          <span class="truncate">{name}</span>
        </button>
      ))}
      {loaded.value.length === 0 && <ImportButton />}
    </div>
  );
}

function ImportButton(): JSX.Element {
  return (
    <button type="button" class="button small" onClick={() => (dialog.value = { kind: 'import', files: [] })}>
      <Icon name="upload" />
      Import a dump or CSV
    </button>
  );
}

/** For somebody who came with data and sees the sample's. */
function BringYourOwn(): JSX.Element {
  return (
    <div class="first-steps">
      <p>This is a sample. It runs in this page, and so does yours.</p>
      <button type="button" class="button small" onClick={() => (overlay.value = 'open')}>
        <Icon name="folder" />
        Open a database
      </button>
      <ImportButton />
    </div>
  );
}

const STATE_ICONS: Readonly<Record<RunState, IconName | undefined>> = {
  waiting: 'clock',
  running: undefined,
  done: 'check',
  failed: 'error',
  cancelled: 'stop',
  skipped: 'more',
};

function RunTabs({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const shown = tab.shownRun.value;
  // The last of many statements, or the one that failed, is not out of sight.
  useEffect(() => {
    list.current?.children[shown]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, tab]);
  return (
    <div
      ref={list}
      class="run-tabs"
      role="tablist"
      tabIndex={-1}
      aria-label="Results of statements"
      onKeyDown={onTabKey}
    >
      {tab.runs.value.map((run, index) => {
        const icon = STATE_ICONS[run.state.value];
        return (
          <button
            key={run.id}
            type="button"
            class="tab"
            role="tab"
            tabIndex={index === tab.shownRun.value ? 0 : -1}
            aria-selected={index === tab.shownRun.value}
            title={run.sql.slice(0, 600)}
            onClick={() => {
              tab.shownRun.value = index;
            }}
          >
            {icon === undefined ? (
              <span class="spinner" />
            ) : (
              <span class={`run-state ${run.state.value}`}>
                <Icon name={icon} />
              </span>
            )}
            <span class="truncate">{run.title}</span>
          </button>
        );
      })}
    </div>
  );
}

function RunResult({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element {
  const cell = useSignal<Cell | undefined>(undefined);
  const selection = useSignal<Selection | undefined>(undefined);
  const pages = run.pages.value;
  const isPlan = pages !== undefined && pages.columns.length === 1 && pages.columns[0]?.name === 'plan';
  const asGrid = useSignal(false);
  const isFailed = run.error.value !== undefined;
  const hasRows = useComputed(() => {
    void pages?.version.value;
    return run.rowCount.value > 0 || (pages?.rowCount ?? 0) > 0;
  });
  const body =
    pages === undefined || isFailed || (!hasRows.value && run.isFinished.value) ? (
      <RunMessage run={run} pages={pages} />
    ) : isPlan && run.isFinished.value && !asGrid.value ? (
      <PlanOf pages={pages} />
    ) : !isPlan && tab.chart.value !== undefined ? (
      // Rows that are still to come would make the chart another one many times a second.
      run.isFinished.value && <Lazy load={loadChart} props={{ tab, run, pages }} />
    ) : (
      <ResultGridPane run={run} tab={tab} pages={pages} cell={cell} selection={selection} />
    );
  return (
    <>
      <div class="result-body">
        {body}
        {pages !== undefined && <RunningNote run={run} />}
      </div>
      <EditBar run={run} tab={tab} />
      <RunBar
        run={run}
        selection={selection}
        tab={tab}
        isPlan={isPlan}
        asGrid={asGrid}
        hasGrid={pages !== undefined && pages.columns.length > 0 && !isFailed && (!isPlan || asGrid.value)}
      />
    </>
  );
}

/** The filter stays while other rows come, so that the focus does. */
function RowFilterPane({ run, tab }: { readonly run: StatementRun; readonly tab: QueryTab }): JSX.Element | null {
  const columns = run.pages.value?.columns;
  const known = useRef<readonly Column[]>([]);
  if (columns !== undefined) {
    known.current = columns;
    tab.filter.follow(run.sql, columns);
  }
  if (!tab.filter.isOpen.value || known.current.length === 0) return null;
  return <FilterBar tab={tab} run={run} columns={known.current} />;
}

function PlanOf({ pages }: { readonly pages: GridRows }): JSX.Element {
  const lines = useMemo(
    () => Array.from({ length: pages.rowCount }, (_, row) => pages.text(row, 0) ?? ''),
    [pages, pages.rowCount],
  );
  return <PlanView lines={lines} />;
}

interface GridPaneProps {
  readonly run: StatementRun;
  readonly tab: QueryTab;
  readonly pages: EditedRows;
  readonly cell: { value: Cell | undefined };
  readonly selection: { value: Selection | undefined };
}

function ResultGridPane({ run, tab, pages, cell, selection }: GridPaneProps): JSX.Element {
  const menuAt = useSignal<(MenuPoint & { readonly canEdit: boolean }) | undefined>(undefined);
  const canEdit = pages.rules.value !== undefined;
  const links = useForeignKeys(run);
  const own = useRef<ResultGrid | undefined>(undefined);
  // The viewer shows what was typed.
  void pages.version.value;
  const gridView = (
    // biome-ignore lint/a11y/noStaticElementInteractions: the copy event comes from the grid inside.
    <div
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
        else if (canEdit && isMod && (key === 'delete' || key === 'backspace')) deleteSelectedRows(pages);
        else if (canEdit && event.altKey && event.code === 'Digit0') nullSelected(pages);
        else if (canEdit && key === 'insert' && !isMod) addRow(pages);
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
        order={orderIn(run.sql, pages.columns)}
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
          isViewerOpen.value = true;
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
                  isViewerOpen.value = true;
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

/** Other rows of the same query, or these in another order: a statement that can be read and changed. */
function refineMenu(
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
  const withPart = (part: Refinement) => (sql: string) => refinedQuery(sql, pages.columns, part);
  if (withPart({})(run.sql) === undefined) return [];
  const ask = (part: Refinement) => () => {
    const sql = withPart(part)(run.sql) ?? run.sql;
    tab.filter.refine(run.sql, sql, withPart(part));
    showRefined(tab, run, sql);
  };
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
      ],
    },
  ];
}

function fieldAt(run: StatementRun, column: number): Field | undefined {
  const editing = run.editing.value;
  return editing?.kind === 'table' ? editing.fields[column] : undefined;
}

/** What can be done to the selected cells and their rows. */
function editMenu(pages: EditedRows, selection: Selection | undefined): readonly MenuGroup[] {
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
          label: isDeleted ? 'Keep after all' : isMany ? 'Delete the rows' : 'Delete the row',
          hint: keyText('Mod+Delete'),
          icon: isDeleted ? 'undo' : 'trash',
          onSelect: () => deleteSelectedRows(pages),
        },
      ],
    },
  ];
}
