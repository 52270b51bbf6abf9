import type { JSX } from 'preact';
import { Icon, type IconName, Mark } from '../ui/icons.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { selectBranch } from './actions.ts';
import { commandById } from './commands.ts';
import { type Connection, currentConnection, openState } from './connection.ts';
import { isNarrow, isSideOpen, overlay, toggleSide, type View, view } from './layout_state.ts';
import { keyText } from './shortcuts.ts';
import { nextTheme, type Theme, theme } from './theme.ts';

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
const THEME_NAMES: Readonly<Record<Theme, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

const VIEWS: readonly { readonly id: View; readonly label: string; readonly icon: IconName }[] = [
  { id: 'query', label: 'Query', icon: 'terminal' },
  { id: 'log', label: 'Commits', icon: 'commit' },
];

export function TopBar(): JSX.Element {
  const connection = currentConnection();
  const isClosed = openState.value.kind === 'closed';
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
      <span class={isClosed ? 'brand' : 'brand compact'} title="Varve">
        <Mark />
        <span>Varve</span>
      </span>
      {!isClosed && (
        <nav class="segments views" aria-label="View">
          {VIEWS.map(({ id, label, icon }) => (
            <button
              key={id}
              type="button"
              class="segment"
              aria-label={label}
              aria-current={view.value === id ? 'page' : undefined}
              onClick={() => {
                view.value = id;
              }}
            >
              <Icon name={icon} />
              <span class="roomy-only">{label}</span>
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
        aria-label={`Theme: ${THEME_NAMES[theme.value]}`}
        title={`Theme: ${THEME_NAMES[theme.value]}`}
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
      <span class="truncate">{name}</span>
    </>
  );
  if (databases.length < 2) {
    const title = `${name}: open another database (${keyText('Mod+O')})`;
    return (
      <button type="button" class="button quiet place" title={title} onClick={openAnother}>
        {face}
      </button>
    );
  }
  const entries = databases.map(database => ({
    label: database,
    isChecked: database === name,
    onSelect: () => void selectBranch({ database, branch: '' }),
  }));
  const open = { label: 'Open another', icon: 'folder' as const, hint: keyText('Mod+O'), onSelect: openAnother };
  return (
    <MenuButton
      class="button quiet place"
      label={`Database ${name}: switch`}
      groups={[{ heading: 'Databases', entries }, { entries: [open] }]}
    >
      {face}
      <Icon name="chevronDown" class="small" />
    </MenuButton>
  );
}

function BranchButton({ connection }: { readonly connection: Connection }): JSX.Element {
  const { catalog } = connection;
  const place = catalog.place.value;
  const loaded = catalog.branches(place.database).value;
  const branches = loaded?.kind === 'ready' ? loaded.value : [];
  return (
    <MenuButton
      class="button quiet place"
      label={`Branch ${place.branch}: switch`}
      groups={[
        {
          heading: 'Branches',
          entries: branches.map(({ name, isDirty }) => ({
            label: name,
            ...(isDirty ? { hint: 'uncommitted changes' } : {}),
            isChecked: name === place.branch,
            onSelect: () => void selectBranch({ database: place.database, branch: name }),
          })),
        },
      ]}
    >
      <Icon name="branch" />
      <span class="truncate">{place.branch || 'no branch'}</span>
      <Icon name="chevronDown" class="small" />
    </MenuButton>
  );
}
