/** The side panel: schema, saved queries, statement history. */
import { useSignal } from '@preact/signals';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { SchemaTree } from '../schema/SchemaTree.tsx';
import { IconButton } from '../ui/icon_button.tsx';
import { Lazy } from '../ui/lazy.tsx';
import { onTabKey } from '../ui/tab_keys.ts';
import { insertName, openTable, refreshCatalog, selectBranch } from './actions.ts';
import { commandById } from './commands.ts';
import type { Connection } from './database/connection.ts';
import { type SidePanel, sidePanel } from './layout_state.ts';
import { branchMenu } from './menus/branch_menu.ts';
import { openProgram, programMenu } from './menus/program_menu.ts';
import { tableMenu } from './menus/table_menu.ts';
import { keyText } from './shortcuts.ts';

const loadSaved = () => import('./query/saved/SavedList.tsx').then(({ SavedList }) => SavedList);
const loadHistory = () => import('./query/saved/HistoryList.tsx').then(({ HistoryList }) => HistoryList);

const PANELS: readonly { readonly id: SidePanel; readonly label: string }[] = [
  { id: 'schema', label: 'Schema' },
  { id: 'saved', label: 'Saved' },
  { id: 'history', label: 'History' },
];

const FILTERS: Readonly<Record<SidePanel, string>> = {
  schema: 'Filter tables',
  saved: 'Filter queries',
  history: 'Filter statements',
};

/** What the filter leaves first: a table or a program, or else the branch that it found; a query. */
const FOUND = ['.tree-line[aria-level="3"]:has(.tree-open)', '.tree-line:has(.tree-open)', '.history-entry'];

/** From the filter into what it has found: Down goes there, Enter opens it. */
function onFilterKey(event: TargetedKeyboardEvent<HTMLInputElement>): void {
  if (event.isComposing || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return;
  const panel = event.currentTarget.closest('.sidebar');
  const [found] = FOUND.flatMap(selector => panel?.querySelector<HTMLElement>(selector) ?? []);
  if (found === undefined) return;
  event.preventDefault();
  if (event.key === 'ArrowDown') found.focus();
  // Without a filter there is nothing to open.
  else if (event.currentTarget.value.trim() !== '') (found.querySelector<HTMLElement>('.tree-open') ?? found).click();
}

export function Sidebar({ connection }: { readonly connection: Connection | undefined }): JSX.Element {
  const filter = useSignal('');
  const isSchema = sidePanel.value === 'schema';
  return (
    <div class="sidebar">
      <div class="sidebar-head">
        <div class="tablist" role="tablist" tabIndex={-1} aria-label="Side panel" onKeyDown={onTabKey}>
          {PANELS.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              class="tab"
              role="tab"
              tabIndex={sidePanel.value === id ? 0 : -1}
              aria-selected={sidePanel.value === id}
              onClick={() => {
                sidePanel.value = id;
              }}
            >
              {label}
            </button>
          ))}
        </div>
        {isSchema && (
          <>
            <IconButton
              icon="schema"
              label="Table diagram"
              keys={keyText('Alt+5')}
              isDisabled={connection === undefined}
              onPress={() => commandById('view-diagram')?.run()}
            />
            <IconButton icon="refresh" label="Refresh schema" onPress={() => void refreshCatalog()} />
          </>
        )}
      </div>
      <div class="sidebar-filter">
        <input
          class="field"
          type="search"
          placeholder={FILTERS[sidePanel.value]}
          aria-label={FILTERS[sidePanel.value]}
          value={filter.value}
          onInput={event => {
            filter.value = event.currentTarget.value;
          }}
          onKeyDown={onFilterKey}
        />
      </div>
      {sidePanel.value === 'saved' ? (
        <Lazy key="saved" load={loadSaved} props={{ connection, filter: filter.value.trim().toLowerCase() }} />
      ) : !isSchema ? (
        <Lazy key="history" load={loadHistory} props={{ filter: filter.value.trim().toLowerCase() }} />
      ) : connection === undefined ? (
        <div class="tree tree-coming" aria-busy="true">
          {[52, 40, 64, 48, 72, 56].map(width => (
            <span key={width} class="skeleton" style={{ width: `${width}%` }} />
          ))}
        </div>
      ) : (
        <SchemaTree
          catalog={connection.catalog}
          unreadable={connection.database.unreadable}
          filter={filter.value.trim().toLowerCase()}
          actions={{
            onOpenTable: openTable,
            onInsertName: insertName,
            onSelectBranch: place => void selectBranch(place),
            branchMenu,
            tableMenu,
            onOpenProgram: openProgram,
            programMenu,
          }}
        />
      )}
    </div>
  );
}
