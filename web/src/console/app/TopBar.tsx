/** The top bar: database and branch menus, views, search, theme. */
import type { JSX } from 'preact';
import { counted, wholeNumber } from '../ui/figures.ts';
import { Icon, type IconName, Mark } from '../ui/icons.tsx';
import { LongName } from '../ui/long_name.tsx';
import { MenuButton, type MenuEntry } from '../ui/menu.tsx';
import { selectBranch } from './actions.ts';
import { commandById } from './commands.ts';
import { type Connection, currentConnection, openState } from './database/connection.ts';
import { dialog } from './dialogs.ts';
import { isNarrow, isSideOpen, overlay, toggleSide, VIEW_NAMES, type View, view } from './layout_state.ts';
import { keyText } from './shortcuts.ts';
import { nextTheme, type Theme, theme } from './theme.ts';
import { workingSet } from './versions/changes/working_set_state.ts';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
const THEME_NAMES: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

const VIEWS: readonly { readonly id: View; readonly icon: IconName }[] = [
  { id: 'query', icon: 'terminal' },
  { id: 'changes', icon: 'pencil' },
  { id: 'log', icon: 'commit' },
  { id: 'compare', icon: 'compare' },
];

export function TopBar(): JSX.Element {
  const connection = currentConnection();
  const isClosed = openState.value.kind === 'closed';
  // Where nothing is open the page itself has a title.
  const Brand = isClosed ? 'span' : 'h1';
  const changed = workingSet.value?.tableCount.value ?? 0;
  return (
    <header class="topbar">
      {!isClosed && (
        <button
          type="button"
          class="button quiet icon-only"
          aria-label="Side panel"
          aria-pressed={!isNarrow.value && isSideOpen.value}
          title={`Side panel (${keyText('Mod+B')})`}
          onClick={toggleSide}
        >
          <Icon name="panelLeft" />
        </button>
      )}
      <Brand class={isClosed ? 'brand' : 'brand compact'} title="Varve">
        <Mark />
        <span>Varve</span>
      </Brand>
      {!isClosed && (
        <nav class="segments views" aria-label="View">
          {VIEWS.map(({ id, icon }) => (
            <button
              key={id}
              type="button"
              class="segment"
              aria-label={VIEW_NAMES[id] + (id === 'changes' && changed > 0 ? ` ${counted(changed, 'table')}` : '')}
              aria-current={view.value === id ? 'page' : undefined}
              onClick={() => {
                view.value = id;
              }}
            >
              <Icon name={icon} />
              {/* A space, so that what is seen is a part of the name also where it is read as one text. */}
              <span class="roomy-only">{VIEW_NAMES[id]}</span> {id === 'changes' && <ChangeCount count={changed} />}
            </button>
          ))}
        </nav>
      )}
      <DatabaseButton />
      {connection !== undefined && <BranchButton connection={connection} />}
      <span class="spread" />
      <button
        type="button"
        class="button quiet find"
        title="Find a command or table"
        onClick={() => commandById('palette')?.run()}
      >
        <Icon name="search" />
        <span class="wide-only">Find</span>
        <kbd class="wide-only">{keyText('Mod+K')}</kbd>
      </button>
      <button
        type="button"
        class="button quiet icon-only wide-only"
        aria-label={`${THEME_NAMES[theme.value]} theme`}
        title={`${THEME_NAMES[theme.value]} theme`}
        onClick={nextTheme}
      >
        <Icon name={THEME_ICONS[theme.value]} />
      </button>
      <button
        type="button"
        class="button quiet icon-only wide-only"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (F1)"
        onClick={() => {
          overlay.value = 'shortcuts';
        }}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

/** Number of uncommitted tables; marked while a merge waits to be resolved. */
function ChangeCount({ count }: { readonly count: number }): JSX.Element | null {
  if (count === 0) return null;
  const isTroubled = (workingSet.value?.state.value?.troubles.length ?? 0) > 0;
  // The button has it in its name, in words.
  return (
    <span class={isTroubled ? 'change-count figures is-troubled' : 'change-count figures'} aria-hidden="true">
      {count}
    </span>
  );
}

const openAnother = () => {
  overlay.value = 'open';
};

function DatabaseButton(): JSX.Element | null {
  const state = openState.value;
  if (state.kind === 'closed') return null;
  const catalog = state.kind === 'open' ? state.connection.catalog : undefined;
  const name = catalog?.place.value.database || (state.kind === 'open' ? state.connection.label : state.label);
  const databases = catalog?.databases.value ?? [];
  const face = (
    <>
      <Icon name="database" />
      <LongName text={name} />
    </>
  );
  const entries = databases.map(database => ({
    label: database,
    isChecked: database === name,
    onSelect: () => void selectBranch({ database, branch: '' }),
  }));
  const ask = (kind: 'new-database' | 'clone' | 'remotes' | 'export' | 'keep') => () => {
    dialog.value = { kind };
  };
  const isOpen = state.kind === 'open';
  const actions: MenuEntry[] = [
    { label: 'Open another', icon: 'folder', hint: keyText('Mod+O'), onSelect: openAnother },
    { label: 'New database', icon: 'plus', onSelect: ask('new-database') },
    { label: 'Clone a remote', icon: 'download', onSelect: ask('clone') },
    { label: 'Remotes', icon: 'globe', isDisabled: !isOpen, onSelect: ask('remotes') },
    {
      label: 'Import a file',
      icon: 'upload',
      onSelect: () => {
        dialog.value = { kind: 'import', files: [] };
      },
    },
    { label: 'Export', icon: 'download', isDisabled: !isOpen, onSelect: ask('export') },
    { label: 'Keep a copy in this browser', icon: 'disk', isDisabled: !isOpen, onSelect: ask('keep') },
    {
      label: 'Check the files',
      icon: 'check',
      isDisabled: !isOpen,
      onSelect: () => commandById('verify')?.run(),
    },
  ];
  return (
    <MenuButton
      class="button quiet place"
      label={`Database ${name}`}
      groups={[...(entries.length > 1 ? [{ heading: 'Databases', entries }] : []), { entries: actions }]}
    >
      {face}
      <Icon name="chevronDown" class="small" />
    </MenuButton>
  );
}

/** More are found by typing. */
const BRANCHES_LISTED_MAX = 16;

function BranchButton({ connection }: { readonly connection: Connection }): JSX.Element {
  const { catalog } = connection;
  const place = catalog.place.value;
  const loaded = catalog.branches(place.database).value;
  const branches = loaded?.kind === 'ready' ? loaded.value : [];
  const canWrite = !connection.database.storage.readOnly;
  const writing: MenuEntry[] = [
    {
      label: 'New branch',
      icon: 'plus',
      onSelect: () => (dialog.value = { kind: 'new-branch', from: place.branch || 'HEAD' }),
    },
    {
      label: `Merge into ${place.branch}`,
      icon: 'merge',
      isDisabled: branches.length < 2 || place.branch === '',
      onSelect: () => (dialog.value = { kind: 'merge', branch: '' }),
    },
    {
      label: `Rebase ${place.branch}`,
      icon: 'rebase',
      isDisabled: place.branch === '',
      onSelect: () => (dialog.value = { kind: 'rebase', onto: '' }),
    },
  ];
  const switching: MenuEntry[] =
    branches.length > BRANCHES_LISTED_MAX
      ? [
          {
            label: `Switch to another of ${wholeNumber(branches.length)} branches`,
            icon: 'search',
            onSelect: () => (overlay.value = 'branches'),
          },
        ]
      : branches.map(({ name, isDirty }) => ({
          label: name,
          ...(isDirty ? { hint: 'uncommitted changes' } : {}),
          isChecked: name === place.branch,
          onSelect: () => void selectBranch({ database: place.database, branch: name }),
        }));
  return (
    <MenuButton
      class="button quiet place"
      label={place.branch === '' ? 'No branch: switch' : `Branch ${place.branch}: switch`}
      groups={[
        { heading: 'Branches', entries: switching },
        {
          entries: [
            ...(canWrite ? writing : []),
            {
              label: 'Branches and tags',
              icon: 'tag',
              onSelect: () => (dialog.value = { kind: 'branches' }),
            },
          ],
        },
      ]}
    >
      <Icon name="branch" />
      <LongName text={place.branch || 'no branch'} />
      <Icon name="chevronDown" class="small" />
    </MenuButton>
  );
}
