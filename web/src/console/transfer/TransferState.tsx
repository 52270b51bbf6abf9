import type { JSX } from 'preact';
import { byteCount, counted } from '../ui/figures.ts';

/** How far an import or export is. */
export interface TransferState {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  /** Of the file that is read; undefined for one that is written. */
  readonly totalBytes: number | undefined;
}

export const NOTHING_YET: TransferState = { table: '', rows: 0, bytes: 0, totalBytes: undefined };

export function TransferProgressBar({ state }: { readonly state: TransferState }): JSX.Element {
  const { table, rows, bytes, totalBytes } = state;
  // All of it was read: what is left is to make a tree of the rows, and nobody knows how long that takes.
  const isRead = totalBytes !== undefined && bytes >= totalBytes && bytes > 0;
  const facts = [rows > 0 ? counted(rows, 'row') : '', byteCount(bytes), isRead ? `writing ${table}` : table];
  return (
    <div class="transfer-progress" role="status">
      {totalBytes === undefined || isRead ? <progress /> : <progress max={totalBytes || 1} value={bytes} />}
      <span class="muted figures truncate">{facts.filter(part => part !== '').join(' · ')}</span>
    </div>
  );
}
