import type { TableChange } from './status.ts';

/** A line of the list of changes. */
export interface Selected {
  readonly group: 'trouble' | 'staged' | 'unstaged';
  readonly table: string;
}

export function sameSelection(a: Selected | undefined, b: Selected | undefined): boolean {
  return a?.group === b?.group && a?.table === b?.table;
}

export interface ChangeActions {
  readonly onStage: (tables: readonly string[]) => void;
  readonly onUnstage: (tables: readonly string[]) => void;
  readonly onDiscard: (change: TableChange) => void;
  readonly onDiscardAll: () => void;
  readonly onCommit: (message: string) => Promise<boolean>;
  readonly onAbortMerge: () => void;
  readonly onCompare: () => void;
}
