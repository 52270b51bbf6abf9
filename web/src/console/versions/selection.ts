import type { StashEntry, TableChange } from './status.ts';

const GROUPS = ['trouble', 'staged', 'unstaged'] as const;
type Group = (typeof GROUPS)[number];

/** A line of the list of changes. */
export interface Selected {
  readonly group: Group;
  readonly table: string;
}

export function sameSelection(a: Selected | undefined, b: Selected | undefined): boolean {
  return a?.group === b?.group && a?.table === b?.table;
}

export function groupNamed(name: string): Group | undefined {
  return GROUPS.find(group => group === name);
}

export interface StashActions {
  /** What it would change, row by row. */
  readonly onShow: (stash: StashEntry) => void;
  readonly onPop: (stash: StashEntry) => void;
  readonly onApply: (stash: StashEntry) => void;
  readonly onDrop: (stash: StashEntry) => void;
}

export interface ChangeActions {
  readonly onStage: (tables: readonly string[]) => void;
  readonly onUnstage: (tables: readonly string[]) => void;
  readonly onDiscard: (change: TableChange) => void;
  readonly onDiscardAll: () => void;
  /** In the place of the last commit when `isAmended`. */
  readonly onCommit: (message: string, isAmended: boolean) => Promise<boolean>;
  /** The message of the last commit. */
  readonly lastMessage: () => Promise<string>;
  readonly onUndoCommit: () => void;
  readonly onStash: () => void;
  readonly stashes: StashActions;
  readonly onAbortMerge: () => void;
  readonly onContinueRebase: () => void;
  readonly onAbortRebase: () => void;
  readonly onCompare: () => void;
}

/** A name as it is; commits are known by the start of their hash. Pure. */
export function shortRef(ref: string): string {
  return /^[0-9a-v]{32}$/.test(ref) ? ref.slice(0, 8) : ref;
}
