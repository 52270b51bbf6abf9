/** Every action by name: the palette, the shortcuts and the help list are made of these. */
import { NEW_TABLE } from '../sql/templates.ts';
import type { IconName } from '../ui/icons.tsx';
import { askAndCloseTab, copyResult, newTab, refreshCatalog, run, writeInTab } from './actions.ts';
import { currentConnection } from './database/connection.ts';
import { dialog } from './dialogs.ts';
import {
  focusSide,
  isDrawerOpen,
  isViewerOpen,
  overlay,
  showSide,
  showViewer,
  toggleSide,
  toggleWrapping,
  view,
} from './layout_state.ts';
import { copyQueryLink } from './navigation/page_link.ts';
import { openSample } from './open/opening.ts';
import { compareAnswers } from './query/compare/comparing.ts';
import { addRow, deleteSelectedRows } from './query/edit/row_commands.ts';
import { saveEdits } from './query/edit/row_edits.ts';
import { editor, grid } from './query/editor_host.ts';
import { canReopen, reopenTab, showNeighbour, shownTab } from './query/query_tabs.ts';
import { toggleChart } from './query/results/result_focus.ts';
import { cancelRunning, running } from './query/running.ts';
import { forgetHistory } from './query/saved/history.ts';
import { savingProblem } from './query/saved/saved_queries.ts';
import { nextTheme, THEMES, theme } from './theme.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  /** As `Mod+Shift+Enter`; Mod is Cmd on a Mac and Ctrl elsewhere. */
  readonly keys?: string;
  /** The editor or the grid handles the keys itself while it has the focus. */
  readonly isLocal?: boolean;
  readonly isEnabled?: () => boolean;
  readonly run: () => void;
}

const canWrite = () => currentConnection()?.database.storage.readOnly === false;
const currentDatabase = () => currentConnection()?.catalog.place.peek().database ?? '';
const currentBranch = () => currentConnection()?.catalog.place.peek().branch || 'HEAD';
const isOpen = () => currentConnection() !== undefined;
const isRemote = () => currentConnection()?.database.storage.remote === true;

function shownRun() {
  const tab = shownTab.peek();
  return tab?.runs.peek()[tab.shownRun.peek()];
}

export const commands: readonly Command[] = [
  {
    id: 'run',
    title: 'Run the statement at the cursor',
    icon: 'play',
    keys: 'Mod+Enter',
    isEnabled: isOpen,
    run: () => run('statement'),
  },
  {
    id: 'run-all',
    title: 'Run all statements',
    icon: 'playAll',
    keys: 'Mod+Shift+Enter',
    isEnabled: isOpen,
    run: () => run('all'),
  },
  {
    id: 'explain',
    title: 'Explain the statement',
    icon: 'plan',
    keys: 'Mod+Alt+Enter',
    isEnabled: isOpen,
    run: () => run('explain'),
  },
  {
    id: 'compare-answers',
    title: 'Compare results at two commits',
    icon: 'compare',
    keys: 'Alt+Shift+D',
    isEnabled: isOpen,
    run: () => void compareAnswers(),
  },
  {
    id: 'chart',
    title: 'Toggle chart',
    icon: 'chart',
    keys: 'Alt+C',
    isEnabled: () => shownRun()?.pages.value !== undefined,
    run: () => {
      const tab = shownTab.peek();
      if (tab !== undefined) toggleChart(tab);
    },
  },
  {
    id: 'filter',
    title: 'Filter rows',
    icon: 'filter',
    keys: 'Mod+Shift+F',
    isEnabled: () => shownRun()?.pages.value !== undefined,
    run: () => shownTab.peek()?.filter.open(),
  },
  {
    id: 'cancel',
    title: 'Cancel the running statement',
    icon: 'stop',
    keys: 'Mod+.',
    isEnabled: () => running.value !== undefined,
    run: cancelRunning,
  },
  {
    id: 'palette',
    title: 'Find a command or table',
    icon: 'command',
    keys: 'Mod+K',
    run: () => (overlay.value = 'palette'),
  },
  { id: 'open', title: 'Open a database', icon: 'folder', keys: 'Mod+O', run: () => (overlay.value = 'open') },
  { id: 'sample', title: 'Open the sample database', icon: 'sample', run: () => void openSample() },
  { id: 'new-tab', title: 'New query tab', icon: 'plus', keys: 'Alt+N', run: newTab },
  {
    id: 'close-tab',
    title: 'Close the query tab',
    icon: 'close',
    keys: 'Alt+W',
    run: () => {
      const tab = shownTab.peek();
      if (tab !== undefined) askAndCloseTab(tab);
    },
  },
  {
    id: 'reopen-tab',
    title: 'Reopen closed query tab',
    icon: 'undo',
    keys: 'Alt+Shift+W',
    isEnabled: () => canReopen.value,
    run: () => {
      view.value = 'query';
      reopenTab();
    },
  },
  {
    id: 'save-query',
    title: 'Save the query in the database',
    icon: 'bookmark',
    keys: 'Mod+Shift+S',
    isEnabled: () => savingProblem(shownTab.peek()) === undefined,
    run: () => {
      const tab = shownTab.peek();
      if (tab !== undefined) dialog.value = { kind: 'save-query', tab };
    },
  },
  {
    id: 'new-table',
    title: 'Write CREATE TABLE',
    icon: 'table',
    isEnabled: canWrite,
    run: () => writeInTab(NEW_TABLE),
  },
  {
    id: 'format',
    title: 'Format the script or the selection',
    icon: 'format',
    keys: 'Alt+Shift+F',
    run: () => {
      view.value = 'query';
      editor.peek()?.format();
    },
  },
  {
    id: 'wrap',
    title: 'Toggle word wrap',
    icon: 'wrap',
    keys: 'Alt+Z',
    run: toggleWrapping,
  },
  {
    id: 'copy-link',
    title: 'Copy a link to the query',
    icon: 'link',
    isEnabled: () => shownTab.value?.text.value.trim() !== '',
    run: () => void copyQueryLink(shownTab.peek()),
  },
  {
    id: 'saved',
    title: 'Show the saved queries',
    icon: 'bookmark',
    run: () => showSide('saved'),
  },
  { id: 'next-tab', title: 'Next query tab', icon: 'chevronRight', keys: 'Alt+]', run: () => showNeighbour(1) },
  {
    id: 'previous-tab',
    title: 'Previous query tab',
    icon: 'chevronRight',
    keys: 'Alt+[',
    run: () => showNeighbour(-1),
  },
  { id: 'view-query', title: 'Go to query', icon: 'terminal', keys: 'Alt+1', run: () => (view.value = 'query') },
  {
    id: 'view-changes',
    title: 'Go to changes',
    icon: 'pencil',
    keys: 'Alt+2',
    isEnabled: isOpen,
    run: () => (view.value = 'changes'),
  },
  {
    id: 'view-log',
    title: 'Go to commits',
    icon: 'commit',
    keys: 'Alt+3',
    isEnabled: isOpen,
    run: () => (view.value = 'log'),
  },
  {
    id: 'view-compare',
    title: 'Compare two commits',
    icon: 'compare',
    keys: 'Alt+4',
    isEnabled: isOpen,
    run: () => (view.value = 'compare'),
  },
  {
    id: 'view-diagram',
    title: 'Show table diagram',
    icon: 'schema',
    keys: 'Alt+5',
    isEnabled: isOpen,
    run: () => {
      view.value = 'diagram';
      isDrawerOpen.value = false;
    },
  },
  {
    id: 'new-database',
    title: 'New database',
    icon: 'plus',
    run: () => (dialog.value = { kind: 'new-database' }),
  },
  {
    id: 'clone',
    title: 'Clone a remote',
    icon: 'download',
    run: () => (dialog.value = { kind: 'clone' }),
  },
  {
    id: 'import',
    title: 'Import a file',
    icon: 'upload',
    run: () => (dialog.value = { kind: 'import', files: [] }),
  },
  {
    id: 'export',
    title: 'Export',
    icon: 'download',
    isEnabled: isOpen,
    run: () => (dialog.value = { kind: 'export' }),
  },
  {
    id: 'keep',
    title: 'Keep a copy in this browser',
    icon: 'disk',
    isEnabled: isOpen,
    run: () => (dialog.value = { kind: 'keep' }),
  },
  {
    id: 'offline',
    title: 'Keep the database offline',
    icon: 'download',
    isEnabled: isRemote,
    run: () => (dialog.value = { kind: 'offline' }),
  },
  {
    id: 'verify',
    title: 'Check the files of the database',
    icon: 'check',
    isEnabled: isOpen,
    run: () => (dialog.value = { kind: 'verify', database: currentDatabase() }),
  },
  {
    id: 'new-branch',
    title: 'New branch',
    icon: 'branch',
    isEnabled: canWrite,
    run: () => (dialog.value = { kind: 'new-branch', from: currentBranch() }),
  },
  {
    id: 'merge',
    title: 'Merge a branch',
    icon: 'merge',
    isEnabled: canWrite,
    run: () => (dialog.value = { kind: 'merge', branch: '' }),
  },
  {
    id: 'rebase',
    title: 'Rebase the branch',
    icon: 'rebase',
    isEnabled: canWrite,
    run: () => (dialog.value = { kind: 'rebase', onto: '' }),
  },
  {
    id: 'stash',
    title: 'Stash all changes',
    icon: 'archive',
    isEnabled: canWrite,
    run: () => (dialog.value = { kind: 'stash' }),
  },
  {
    id: 'switch-branch',
    title: 'Switch to a branch',
    icon: 'branch',
    keys: 'Alt+B',
    isEnabled: isOpen,
    run: () => (overlay.value = 'branches'),
  },
  {
    id: 'branches',
    title: 'Branches and tags',
    icon: 'branch',
    isEnabled: isOpen,
    run: () => (dialog.value = { kind: 'branches' }),
  },
  {
    id: 'remotes',
    title: 'Remotes: fetch, pull, push',
    icon: 'globe',
    isEnabled: isOpen,
    run: () => (dialog.value = { kind: 'remotes' }),
  },
  { id: 'focus-editor', title: 'Focus the editor', icon: 'terminal', keys: 'Alt+E', run: () => editor.peek()?.focus() },
  { id: 'focus-grid', title: 'Focus the result', icon: 'table', keys: 'Alt+R', run: () => grid.peek()?.focus() },
  { id: 'focus-side', title: 'Focus the side panel', icon: 'panelLeft', keys: 'Alt+T', run: focusSide },
  { id: 'side', title: 'Toggle side panel', icon: 'panelLeft', keys: 'Mod+B', run: toggleSide },
  {
    id: 'viewer',
    title: 'Toggle value viewer',
    icon: 'panelRight',
    keys: 'Mod+I',
    run: () => showViewer(!isViewerOpen.value),
  },
  {
    id: 'history',
    title: 'Show statement history',
    icon: 'clock',
    keys: 'Alt+H',
    run: () => showSide('history', 'schema'),
  },
  { id: 'forget-history', title: 'Clear statement history', icon: 'clock', run: forgetHistory },
  {
    id: 'refresh',
    title: 'Refresh schema',
    icon: 'refresh',
    isEnabled: isOpen,
    run: () => void refreshCatalog(),
  },
  {
    id: 'copy',
    title: 'Copy the selection',
    icon: 'copy',
    keys: 'Mod+C',
    isLocal: true,
    isEnabled: () => shownRun()?.pages.value !== undefined,
    run: () => {
      const shown = shownRun();
      if (shown !== undefined) copyResult(shown, 'tsv', false);
    },
  },
  {
    id: 'edit-cell',
    title: 'Edit the cell',
    icon: 'pencil',
    keys: 'F2',
    isLocal: true,
    isEnabled: () => grid.peek()?.selection !== undefined,
    run: () => {
      const cell = grid.peek()?.selection?.focus;
      if (cell !== undefined) grid.peek()?.edit(cell);
    },
  },
  {
    id: 'add-row',
    title: 'Add a row to the result',
    icon: 'plus',
    keys: 'Insert',
    isLocal: true,
    isEnabled: () => shownRun()?.pages.value?.rules.value !== undefined,
    run: () => {
      const pages = shownRun()?.pages.peek();
      if (pages !== undefined) addRow(pages);
    },
  },
  {
    id: 'delete-rows',
    title: 'Delete the selected rows',
    icon: 'trash',
    keys: 'Mod+Delete',
    isLocal: true,
    isEnabled: () => shownRun()?.pages.value?.rules.value !== undefined,
    run: () => {
      const pages = shownRun()?.pages.peek();
      if (pages !== undefined) deleteSelectedRows(pages);
    },
  },
  {
    id: 'save-edits',
    title: 'Save the edits of the result',
    icon: 'check',
    keys: 'Mod+S',
    isEnabled: () => shownRun()?.pages.value?.isDirty === true,
    run: () => {
      const [tab, shown] = [shownTab.peek(), shownRun()];
      if (tab !== undefined && shown !== undefined) void saveEdits(tab, shown);
    },
  },
  { id: 'theme', title: 'Change the theme', icon: 'sun', run: nextTheme },
  ...THEMES.map(
    (name): Command => ({
      id: `theme-${name}`,
      title: `Theme: ${name === 'auto' ? 'system' : name}`,
      icon: name === 'dark' ? 'moon' : name === 'light' ? 'sun' : 'auto',
      run: () => (theme.value = name),
    }),
  ),
  { id: 'shortcuts', title: 'Keyboard shortcuts', icon: 'help', keys: 'F1', run: () => (overlay.value = 'shortcuts') },
];

export function commandById(id: string): Command | undefined {
  return commands.find(command => command.id === id);
}
