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
  return (
    <div class="transfer-progress" role="status">
      {totalBytes === undefined ? <progress /> : <progress max={totalBytes || 1} value={Math.min(bytes, totalBytes)} />}
      <span class="muted figures truncate">
        {[rows > 0 ? counted(rows, 'row') : '', byteCount(bytes), table].filter(part => part !== '').join(' · ')}
      </span>
    </div>
  );
}
