/** The lines of the tree: databases, branches, tables and columns, as far as they are open. */
import type { JSX } from 'preact';
import { Icon, type IconName } from '../ui/icons.tsx';
import type { MenuGroup } from '../ui/menu.tsx';
import type { Catalog, Loaded, TableNode } from './catalog.ts';
import type { ColumnInfo, Place, Program } from './model.ts';

interface TreeActions {
  /** Shows a table's rows. */
  readonly onOpenTable: (place: Place, table: string) => void;
  readonly onInsertName: (name: string) => void;
  readonly onSelectBranch: (place: Place) => void;
  /** What can be done with a branch. */
  readonly branchMenu: (place: Place) => readonly MenuGroup[];
  /** What else can be done with a table. */
  readonly tableMenu: (place: Place, table: string, isView: boolean) => readonly MenuGroup[];
  /** Shows what it does. */
  readonly onOpenProgram: (place: Place, program: Program) => void;
  readonly programMenu: (place: Place, program: Program) => readonly MenuGroup[];
}

export interface TreeProps {
  readonly catalog: Catalog;
  /** Databases of the source that could not be read, and why. */
  readonly unreadable: readonly { readonly name: string; readonly message: string }[];
  readonly actions: TreeActions;
  /** Lower-case; tables whose name does not contain it are hidden, and branches that neither have it nor are open. */
  readonly filter: string;
}

/** A line of the tree. Lines are flat in the document; `level` says how deep they are. */
export interface Line {
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

export interface Folding {
  readonly isOpen: (id: string, initially: boolean) => boolean;
  readonly toggle: (id: string) => void;
}

export function treeLines(props: TreeProps, folding: Folding): Line[] {
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
      ...(isDirty ? { note: '●', noteTitle: 'Uncommitted changes' } : {}),
    };
    if (isOpen) return [line, ...contentLines(props, folding, here)];
    return name.toLowerCase().includes(filter) ? [line] : [];
  });
}

/** Tables and views, then what runs on them. */
function contentLines(props: TreeProps, folding: Folding, place: Place): Line[] {
  const { catalog, filter } = props;
  const loaded = catalog.tables(place).value;
  const id = `${place.database}/${place.branch}`;
  const pending = stateLine(`t:${id}`, 2, loaded);
  if (pending !== undefined) return [pending];
  const programs = catalog.programs(place).value;
  const isShown = ({ name }: { readonly name: string }) => name.toLowerCase().includes(filter);
  const lines = [
    ...tableLines(props, folding, place, (loaded?.kind === 'ready' ? loaded.value : []).filter(isShown)),
    ...programLines(props, place, (programs?.kind === 'ready' ? programs.value : []).filter(isShown)),
  ];
  if (lines.length > 0) return lines;
  return [{ id: `t:${id}`, level: 2, label: filter === '' ? 'No tables' : 'No match', tone: 'muted' }];
}

const PROGRAM_ICONS = { procedure: 'terminal', trigger: 'terminal', event: 'clock' } as const;

function programLines({ actions }: TreeProps, place: Place, programs: readonly Program[]): Line[] {
  return programs.map(program => ({
    id: `p:${place.database}/${place.branch}/${program.kind}/${program.name}`,
    level: 2,
    icon: PROGRAM_ICONS[program.kind],
    label: program.name,
    note: program.kind,
    onOpen: () => actions.onOpenProgram(place, program),
    menu: () => actions.programMenu(place, program),
  }));
}

function tableLines(props: TreeProps, folding: Folding, place: Place, tables: readonly TableNode[]): Line[] {
  const { catalog, actions } = props;
  const id = `${place.database}/${place.branch}`;
  return tables.flatMap(table => {
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
