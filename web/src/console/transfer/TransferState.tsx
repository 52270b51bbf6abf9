import type { JSX } from 'preact';
import { byteCount, counted } from '../ui/figures.ts';

/** How far an import or export is. */
export interface TransferState {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  /** Of the file that is read; undefined for one that is written. */
  readonly totalBytes: number | undefined;
  /** Of the tables that are written, where they were counted. */
  readonly totalRows?: number | undefined;
}

export const NOTHING_YET: TransferState = { table: '', rows: 0, bytes: 0, totalBytes: undefined };

export function TransferProgressBar({ state }: { readonly state: TransferState }): JSX.Element {
  const { table, rows, bytes, totalBytes, totalRows = 0 } = state;
  // All of it was read: the rest is writing the tree, whose duration is unknown.
  const isRead = totalBytes !== undefined && bytes >= totalBytes && bytes > 0;
  const size =
    totalBytes === undefined || isRead ? byteCount(bytes) : `${byteCount(bytes)} of ${byteCount(totalBytes)}`;
  const facts = [rows > 0 ? counted(rows, 'row') : '', size, isRead ? `writing ${table}`.trim() : table];
  const part = totalBytes === undefined ? rows / totalRows : bytes / (totalBytes || 1);
  const isKnown = !isRead && (totalBytes !== undefined || totalRows > 0);
  return (
    <div class="transfer-progress" role="status">
      {isKnown ? <progress value={Math.min(1, part)} /> : <progress />}
      <span class="muted figures truncate">{facts.filter(part => part !== '').join(' · ')}</span>
    </div>
  );
}
