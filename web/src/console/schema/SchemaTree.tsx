import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { counted } from '../ui/figures.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { LongName } from '../ui/long_name.tsx';
import { matched } from '../ui/media.ts';
import { ContextMenu, type MenuGroup, type MenuPoint } from '../ui/menu.tsx';
import type { Catalog, Loaded, TableNode } from './catalog.ts';
import { type ColumnInfo, type Place, shortCount } from './model.ts';

export interface TreeActions {
  /** Shows a table's rows. */
  readonly onOpenTable: (place: Place, table: string) => void;
  readonly onInsertName: (name: string) => void;
  readonly onSelectBranch: (place: Place) => void;
  /** What can be done with a branch. */
  readonly branchMenu: (place: Place) => readonly MenuGroup[];
  /** What else can be done with a table. */
  readonly tableMenu: (place: Place, table: string, isView: boolean) => readonly MenuGroup[];
}

interface TreeProps {
  readonly catalog: Catalog;
  /** Databases of the source that could not be read, and why. */
  readonly unreadable: readonly { readonly name: string; readonly message: string }[];
  readonly actions: TreeActions;
  /** Lower-case; tables whose name does not contain it are hidden, and branches that neither have it nor are open. */
  readonly filter: string;
}

/** A line of the tree. Lines are flat in the document; `level` says how deep they are. */
interface Line {
  readonly id: string;
  readonly level: number;
  readonly icon?: IconName;
  readonly label: string;
  readonly note?: string;
  readonly noteTitle?: string;
  /** Of rows, in the place of a note. It comes later than the line, and draws nothing but itself anew. */
  readonly count?: TableNode['rowCount'];
  readonly tone?: 'current' | 'muted' | 'failed';
  readonly isOpen?: boolean;
  readonly marks?: JSX.Element;
  readonly onToggle?: () => void;
  readonly onOpen?: () => void;
  readonly openLabel?: string;
  readonly menu?: () => readonly MenuGroup[];
}

interface OpenMenu {
  readonly line: Line;
  readonly at: MenuPoint;
}

/** Databases, their branches, tables and views with row counts, and columns. */
export function SchemaTree({ catalog, unreadable, actions, filter }: TreeProps): JSX.Element {
  /** Nodes that differ from how they start: databases and the current branch open, the rest closed. */
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const focused = useSignal('');
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const element = useRef<HTMLDivElement>(null);
  const seen = useSeen(element);
  const wantsFocus = useRef(false);

  const toggle = (id: string) => {
    const next = new Set(toggled.value);
    if (!next.delete(id)) next.add(id);
    toggled.value = next;
  };
  const isOpen = (id: string, initially: boolean) => toggled.value.has(id) !== initially;
  const lines = treeLines({ catalog, unreadable, actions, filter }, { isOpen, toggle });
  const focusedId = lines.some(line => line.id === focused.value) ? focused.value : (lines[0]?.id ?? '');

  // What was filtered begins at the top, however far down one was.
  useEffect(() => element.current?.scrollTo(0, 0), [filter]);

  const focusLine = (line: Line | undefined) => {
    if (line === undefined || line.id === focusedId) return;
    focused.value = line.id;
    wantsFocus.current = true;
  };
  // One that was out of sight is there from now on.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    element.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.closest('[role="menu"]') !== null) return;
    const at = lines.findIndex(line => line.id === focusedId);
    const line = lines[at];
    if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
        focusLine(lines[at + 1]);
        break;
      case 'ArrowUp':
        focusLine(lines[at - 1]);
        break;
      case 'Home':
        focusLine(lines[0]);
        break;
      case 'End':
        focusLine(lines.at(-1));
        break;
      case 'ArrowRight':
        if (line.isOpen === false) line.onToggle?.();
        else if (line.isOpen === true) focusLine(lines[at + 1]);
        break;
      case 'ArrowLeft':
        if (line.isOpen === true) line.onToggle?.();
        else focusLine(lines.slice(0, at).findLast(above => above.level < line.level));
        break;
      case 'Enter':
        (line.onOpen ?? line.onToggle)?.();
        break;
      case ' ':
        (line.onToggle ?? line.onOpen)?.();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div ref={element} class="tree" role="tree" aria-label="Schema" tabIndex={-1} onKeyDown={onKeyDown}>
      <div class="tree-lines" role="none" style={{ height: `${lines.length * linePx()}px` }}>
        {lines.map((line, index) =>
          line.id !== focusedId && (index < seen.first || index >= seen.end) ? null : (
            <TreeLine
              key={line.id}
              line={line}
              top={index * linePx()}
              isFocused={line.id === focusedId}
              onFocus={() => {
                focused.value = line.id;
              }}
              onMenu={at => {
                menu.value = { line, at };
              }}
            />
          ),
        )}
      </div>
      <ContextMenu
        label={menu.value?.line.label ?? 'Table'}
        at={menu.value?.at}
        groups={menu.value?.line.menu?.() ?? []}
        onClose={() => {
          menu.value = undefined;
        }}
      />
    </div>
  );
}

/** As `tree.css` has it: what is pressed by a finger is larger. */
const isByFinger = matched('(hover: none)');
const linePx = (): number => (isByFinger.value ? 32 : 24);
/** Beyond what is seen, so that a quick turn of the wheel finds lines. */
const MORE_LINES = 30;
/** What is seen goes on in steps of so many lines: most movements draw nothing anew. */
const STEP_LINES = 10;

interface Seen {
  readonly first: number;
  readonly end: number;
}

/** Which lines are drawn: of thousands of tables those that are seen, and some around them. */
function useSeen(element: { readonly current: HTMLElement | null }): Seen {
  const seen = useSignal<Seen>({ first: 0, end: 2 * MORE_LINES });
  useEffect(() => {
    const tree = element.current;
    if (tree === null) return;
    const look = () => {
      const top = Math.floor(tree.scrollTop / linePx() / STEP_LINES) * STEP_LINES;
      const first = Math.max(0, top - MORE_LINES);
      const end = top + STEP_LINES + Math.ceil(tree.clientHeight / linePx()) + MORE_LINES;
      const { first: from, end: to } = seen.peek();
      if (from !== first || to !== end) seen.value = { first, end };
    };
    // It looks at once, but not before the page is laid out anyway.
    const observer = new ResizeObserver(look);
    observer.observe(tree);
    tree.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      tree.removeEventListener('scroll', look);
    };
  }, []);
  return seen.value;
}

interface LineProps {
  readonly line: Line;
  readonly top: number;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly onMenu: (at: MenuPoint) => void;
}

function TreeLine({ line, top, isFocused, onFocus, onMenu }: LineProps): JSX.Element {
  const { level, icon, label, note, tone, onToggle, onOpen } = line;
  const isCurrent = tone === 'current';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys.
    <div
      class={`tree-line ${tone ?? ''}`}
      role="treeitem"
      data-line={line.id}
      aria-level={level + 1}
      aria-expanded={line.isOpen}
      aria-selected={isCurrent}
      tabIndex={isFocused ? 0 : -1}
      style={{ top: `${top}px`, paddingLeft: `${4 + level * 14 + (icon === undefined ? 6 : 0)}px` }}
      onFocus={onFocus}
      onClick={() => (onToggle ?? onOpen)?.()}
      onDblClick={() => onToggle !== undefined && onOpen?.()}
      onContextMenu={event => {
        if (line.menu === undefined) return;
        event.preventDefault();
        // By its key the menu has no place of its own.
        const box = event.currentTarget.getBoundingClientRect();
        onMenu(
          event.clientY > box.bottom || event.clientY < box.top
            ? { x: box.left + 24, y: box.bottom }
            : { x: event.clientX, y: event.clientY },
        );
      }}
    >
      <span class="tree-fold">
        {line.isOpen !== undefined && <Icon name={line.isOpen ? 'chevronDown' : 'chevronRight'} />}
      </span>
      {icon !== undefined && <Icon name={icon} class={isCurrent ? 'tree-icon is-current' : 'tree-icon'} />}
      <span class={isCurrent ? 'tree-label truncate is-current' : 'tree-label truncate'} title={label}>
        {tone === 'failed' ? label : <LongName text={label} />}
      </span>
      {line.marks}
      {note !== undefined && (
        <span class="tree-note figures truncate" title={line.noteTitle ?? note}>
          {note}
        </span>
      )}
      {line.count !== undefined && <RowCount count={line.count} />}
      {onOpen !== undefined && line.openLabel !== undefined && (
        <button
          type="button"
          class="tree-open"
          tabIndex={-1}
          aria-label={`${line.openLabel} ${label}`}
          title={line.openLabel}
          onClick={event => {
            event.stopPropagation();
            onOpen();
          }}
        >
          <Icon name="play" />
        </button>
      )}
    </div>
  );
}

function RowCount({ count }: { readonly count: TableNode['rowCount'] }): JSX.Element {
  const { value } = count;
  return (
    <span class="tree-note figures truncate" title={typeof value === 'number' ? counted(value, 'row') : ''}>
      {value === null ? '·' : value === undefined ? '' : shortCount(value)}
    </span>
  );
}

interface Folding {
  readonly isOpen: (id: string, initially: boolean) => boolean;
  readonly toggle: (id: string) => void;
}

function treeLines(props: TreeProps, folding: Folding): Line[] {
  const { catalog } = props;
  const place = catalog.place.value;
  const lines: Line[] = [];
  for (const database of catalog.databases.value) {
    const isCurrent = database === place.database;
    const id = `d:${database}`;
    const isOpen = folding.isOpen(id, isCurrent);
    lines.push({
      id,
      level: 0,
      icon: 'database',
      label: database,
      isOpen,
      onToggle: () => folding.toggle(id),
    });
    if (isOpen) lines.push(...branchLines(props, folding, database));
  }
  for (const { name, message } of props.unreadable) {
    lines.push({ id: `u:${name}`, level: 0, icon: 'error', label: `${name}: ${message}`, tone: 'failed' });
  }
  return lines;
}

function stateLine<T>(id: string, level: number, loaded: Loaded<T> | undefined): Line | undefined {
  if (loaded === undefined || loaded.kind === 'loading') return { id, level, label: 'Reading…', tone: 'muted' };
  if (loaded.kind === 'failed') return { id, level, label: loaded.message, tone: 'failed', icon: 'error' };
  return undefined;
}

function branchLines(props: TreeProps, folding: Folding, database: string): Line[] {
  const { catalog, actions, filter } = props;
  const place = catalog.place.value;
  const loaded = catalog.branches(database).value;
  const pending = stateLine(`b:${database}`, 1, loaded);
  // A database whose branches cannot be listed still has its tables.
  if (pending !== undefined && loaded?.kind !== 'failed') return [pending];
  const branches = loaded?.kind === 'ready' ? loaded.value : [{ name: place.branch, isDirty: false }];
  const ordered = [...branches].sort((a, b) => Number(b.name === place.branch) - Number(a.name === place.branch));
  // On a tag, a commit or a branch that is not known, no branch is the current one; one of them is opened all the same.
  const isAnyCurrent = ordered.some(({ name }) => name === place.branch);
  const first = ordered.find(({ name }) => name === 'main')?.name ?? ordered[0]?.name;
  return ordered.flatMap(({ name, isDirty }): Line[] => {
    const here: Place = { database, branch: name };
    const isHere = database === place.database;
    const isCurrent = isHere && name === place.branch;
    const id = `b:${database}/${name}`;
    const isOpen = folding.isOpen(id, isHere && name === (isAnyCurrent ? place.branch : first));
    const line: Line = {
      id,
      level: 1,
      icon: 'branch',
      label: name === '' ? 'no branch' : name,
      isOpen,
      onToggle: () => folding.toggle(id),
      ...(isCurrent ? { tone: 'current' } : { onOpen: () => actions.onSelectBranch(here), openLabel: 'Switch to' }),
      ...(name === '' ? {} : { menu: () => actions.branchMenu(here) }),
      ...(isDirty ? { note: '●', noteTitle: 'Has changes that are not committed' } : {}),
    };
    if (isOpen) return [line, ...tableLines(props, folding, here)];
    return name.toLowerCase().includes(filter) ? [line] : [];
  });
}

function tableLines(props: TreeProps, folding: Folding, place: Place): Line[] {
  const { catalog, actions, filter } = props;
  const loaded = catalog.tables(place).value;
  const id = `${place.database}/${place.branch}`;
  const pending = stateLine(`t:${id}`, 2, loaded);
  if (pending !== undefined) return [pending];
  const all = loaded?.kind === 'ready' ? loaded.value : [];
  const shown = filter === '' ? all : all.filter(table => table.name.toLowerCase().includes(filter));
  if (shown.length === 0) {
    return [{ id: `t:${id}`, level: 2, label: all.length === 0 ? 'No tables' : 'No match', tone: 'muted' }];
  }
  return shown.flatMap(table => {
    const lineId = `t:${id}/${table.name}`;
    const isOpen = folding.isOpen(lineId, false);
    const line: Line = {
      id: lineId,
      level: 2,
      icon: table.isView ? 'view' : 'table',
      label: table.name,
      isOpen,
      onToggle: () => {
        if (!isOpen) void catalog.readColumns(place, table);
        folding.toggle(lineId);
      },
      onOpen: () => actions.onOpenTable(place, table.name),
      openLabel: 'Show rows of',
      menu: () => actions.tableMenu(place, table.name, table.isView),
      ...(table.isView ? { note: 'view' } : { count: table.rowCount }),
    };
    return isOpen ? [line, ...columnLines(table, lineId, actions)] : [line];
  });
}

function columnLines(table: TableNode, parent: string, actions: TreeActions): Line[] {
  const loaded = table.columns.value;
  const pending = stateLine(`${parent}/…`, 3, loaded);
  if (pending !== undefined) return [pending];
  const columns = loaded?.kind === 'ready' ? loaded.value : [];
  return columns.map(column => ({
    id: `${parent}/${column.name}`,
    level: 3,
    label: column.name,
    note: column.type,
    noteTitle: [column.type, column.isNullable ? '' : 'not null', column.extra].filter(part => part !== '').join(' '),
    marks: <KeyMark column={column} />,
    onOpen: () => actions.onInsertName(column.name),
  }));
}

const KEY_TITLES: Readonly<Record<ColumnInfo['key'], string>> = {
  primary: 'Primary key',
  unique: 'Unique',
  index: 'Indexed',
  none: '',
};

function KeyMark({ column }: { readonly column: ColumnInfo }): JSX.Element | null {
  if (column.key === 'none') return null;
  return (
    <span
      class={`key-mark ${column.key}`}
      role="img"
      aria-label={KEY_TITLES[column.key]}
      title={KEY_TITLES[column.key]}
    >
      <Icon name={column.key === 'primary' ? 'key' : 'index'} />
    </span>
  );
}
