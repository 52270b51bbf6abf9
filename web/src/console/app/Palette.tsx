/** The command palette: commands, tables, branches, columns. */
import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../ui/icons.tsx';
import { openTable, selectBranch } from './actions.ts';
import { commands } from './commands.ts';
import { currentConnection } from './database/connection.ts';
import { overlay, view } from './layout_state.ts';
import { openProgram } from './menus/program_menu.ts';
import { grid } from './query/editor_host.ts';
import { shownTab } from './query/query_tabs.ts';
import { rank } from './rank.ts';
import { keyText } from './shortcuts.ts';

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly hint: string;
  readonly run: () => void;
}

const SHOWN_MAX = 60;

/** What is found: everything, or branches alone. */
type Scope = 'all' | 'branches';

interface Words {
  readonly label: string;
  readonly field: string;
}

const WORDS: Readonly<Record<Scope, Words>> = {
  all: { label: 'Find a command or table', field: 'Command, table, branch or column' },
  branches: { label: 'Switch to a branch', field: 'Branch' },
};

function entries(scope: Scope): readonly Entry[] {
  return scope === 'all' ? allEntries() : branchEntries();
}

function branchEntries(): readonly Entry[] {
  const catalog = currentConnection()?.catalog;
  if (catalog === undefined) return [];
  const place = catalog.place.peek();
  const branches = catalog.branches(place.database).value;
  return (branches?.kind === 'ready' ? branches.value : []).map(({ name, isDirty }) => ({
    id: `branch:${name}`,
    title: name,
    icon: name === place.branch ? 'check' : 'branch',
    hint: isDirty ? 'uncommitted changes' : '',
    run: () => void selectBranch({ database: place.database, branch: name }),
  }));
}

function allEntries(): readonly Entry[] {
  const own = commands
    .filter(command => command.id !== 'palette' && (command.isEnabled?.() ?? true))
    .map(({ id, title, icon, keys, run }): Entry => {
      return { id, title, icon, hint: keys === undefined ? '' : keyText(keys), run };
    });
  const catalog = currentConnection()?.catalog;
  if (catalog === undefined) return own;
  const place = catalog.place.peek();
  const tables = catalog.tables(place).value;
  const programs = catalog.programs(place).value;
  return [
    ...own,
    ...(tables?.kind === 'ready' ? tables.value : []).map(
      ({ name, isView }): Entry => ({
        id: `table:${name}`,
        title: name,
        icon: isView ? 'view' : 'table',
        hint: isView ? 'view' : 'table',
        run: () => openTable(place, name),
      }),
    ),
    ...(programs?.kind === 'ready' ? programs.value : []).map(
      (program): Entry => ({
        id: `${program.kind}:${program.name}`,
        title: program.name,
        icon: 'terminal',
        hint: program.kind,
        run: () => openProgram(place, program),
      }),
    ),
    ...branchEntries().map(entry => ({ ...entry, hint: 'switch branch' })),
    ...columnEntries(),
  ];
}

/** Of the rows that are shown: in a wide table the way to a column is long. */
function columnEntries(): readonly Entry[] {
  const shown = grid.peek();
  const tab = shownTab.peek();
  const columns = tab?.runs.peek()[tab.shownRun.peek()]?.pages.peek()?.columns ?? [];
  if (shown === undefined || view.peek() !== 'query') return [];
  return columns.map(({ name }, column) => ({
    id: `column:${column}`,
    title: name,
    icon: 'index',
    hint: 'column',
    run: () => shown.goTo({ row: shown.position.row, column }),
  }));
}

/** Finds a command, a table or a branch by a few letters. */
export function Palette({ scope }: { readonly scope: Scope }): JSX.Element {
  const words = WORDS[scope];
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const text = useSignal('');
  const chosen = useSignal(0);
  const found = useComputed(() => rank(entries(scope), entry => entry.title, text.value).slice(0, SHOWN_MAX));
  // At once: what is typed right after the key belongs into the field.
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    list.current?.children[chosen.value]?.scrollIntoView({ block: 'nearest' });
  }, [chosen.value]);

  const isOver = useRef(false);
  // Not when the browser tells that it has closed: a shortcut that is pressed right after Escape would still find it open.
  const end = () => {
    if (isOver.current) return;
    isOver.current = true;
    overlay.value = undefined;
  };
  const runEntry = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    // Closing gives the focus back to where it was; the command may then move it on.
    dialog.current?.close();
    end();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = found.value.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) chosen.value = (chosen.value + step + count) % count;
    else if (event.key === 'Enter') runEntry(found.value[chosen.value]);
    else return;
    event.preventDefault();
  };

  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label={words.label}
      onClose={end}
      onCancel={() => {
        // It gives the focus back where it was, which it cannot when it is gone.
        dialog.current?.close();
        end();
      }}
      onClick={event => event.target === dialog.current && dialog.current?.close()}
      onKeyDown={onKeyDown}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          placeholder={words.field}
          aria-label={words.field}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={`${id}-${chosen.value}`}
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value;
            chosen.value = 0;
          }}
        />
      </div>
      <div ref={list} id={id} class="palette-list" role="listbox" aria-label="Found">
        {found.value.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys.
          <div
            key={entry.id}
            id={`${id}-${index}`}
            class="palette-entry"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen.value}
            onPointerMove={() => {
              chosen.value = index;
            }}
            onClick={() => runEntry(entry)}
          >
            <Icon name={entry.icon} />
            <span class="truncate">{entry.title}</span>
            <span class="hint">{entry.hint}</span>
          </div>
        ))}
        {found.value.length === 0 && <div class="palette-none muted">No matches.</div>}
      </div>
    </dialog>
  );
}
