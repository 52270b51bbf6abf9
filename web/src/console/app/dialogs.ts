/** The dialog that is open over the page, and what it is about. */
import { signal } from '@preact/signals';
import type { QueryTab } from './query/query_tabs.ts';
import type { KeyValue } from './query/results/links.ts';
import type { StatementRun } from './query/statement_run.ts';

export type DialogRequest =
  | { readonly kind: 'new-database' }
  | { readonly kind: 'clone' }
  | { readonly kind: 'keep' }
  | { readonly kind: 'verify'; readonly database: string }
  | { readonly kind: 'offline' }
  | { readonly kind: 'import'; readonly files: readonly File[] }
  | { readonly kind: 'export'; readonly table?: string }
  /** With a name that is offered, if there is one. */
  | { readonly kind: 'new-branch'; readonly from: string; readonly name?: string }
  | { readonly kind: 'rename-branch'; readonly branch: string }
  | { readonly kind: 'new-tag'; readonly at: string }
  | { readonly kind: 'branches' }
  | { readonly kind: 'remotes' }
  | { readonly kind: 'merge'; readonly branch: string }
  | { readonly kind: 'stash' }
  | { readonly kind: 'rebase'; readonly onto: string }
  | { readonly kind: 'review-edits'; readonly run: StatementRun; readonly tab: QueryTab }
  | { readonly kind: 'save-query'; readonly tab: QueryTab }
  | { readonly kind: 'row-history'; readonly table: string; readonly key: readonly KeyValue[] }
  | TrustQuestion
  | Confirmation;

/** Asks before a link opens an address of another origin. */
export interface TrustQuestion {
  readonly kind: 'trust-origin';
  readonly url: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before something that cannot be undone. */
export interface Confirmation {
  readonly kind: 'confirm';
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly verb: string;
  readonly onConfirm: () => void;
  /** It was closed without. */
  readonly onCancel?: () => void;
}

export const dialog = signal<DialogRequest | undefined>(undefined);

export function closeDialog(): void {
  const open = dialog.peek();
  dialog.value = undefined;
  if (open?.kind === 'confirm' || open?.kind === 'trust-origin') open.onCancel?.();
}
