/** The status bar: storage, memory, traffic, cursor. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Stats, Storage } from '../../lib/index.ts';
import { byteCount, counted } from '../ui/figures.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { type Connection, openState } from './database/connection.ts';
import { isGone } from './database/storage_state.ts';
import { dialog } from './dialogs.ts';
import { isNarrow, view } from './layout_state.ts';
import { cursor } from './query/editor_host.ts';
import { running } from './query/running.ts';

const KINDS: Readonly<Record<Storage['kind'], { readonly icon: IconName; readonly name: string }>> = {
  opfs: { icon: 'disk', name: 'In this browser' },
  directory: { icon: 'folder', name: 'Directory' },
  files: { icon: 'folder', name: 'Picked files' },
  archive: { icon: 'memory', name: 'In memory' },
  memory: { icon: 'memory', name: 'In memory' },
  url: { icon: 'globe', name: 'Remote' },
  path: { icon: 'folder', name: 'Path' },
};

/** Of a database whose files were removed while it was open. */
const REMOVED = { icon: 'warning', name: 'Files removed – lost when you close this page' } as const;

const STATS_EVERY_MS = 2000;

export function StatusBar(): JSX.Element {
  const state = openState.value;
  const connection = state.kind === 'open' ? state.connection : undefined;
  return (
    <footer class="statusbar">
      {connection === undefined ? (
        <span>{state.kind === 'opening' ? 'Opening…' : 'No database is open'}</span>
      ) : (
        <StorageFacts connection={connection} />
      )}
      <span class="spread" />
      {running.value !== undefined && (
        <span class="status-item">
          <span class="spinner" />
          Running
        </span>
      )}
      {view.value === 'query' && connection !== undefined && !isNarrow.value && (
        <span class="status-item figures">
          Ln {cursor.value.line}, Col {cursor.value.column}
        </span>
      )}
    </footer>
  );
}

function StorageFacts({ connection }: { readonly connection: Connection }): JSX.Element {
  const { storage } = connection.database;
  const { icon, name } = isGone.value ? REMOVED : KINDS[storage.kind];
  const isKept = storage.persistent && !isGone.value;
  const isUnkept = !storage.persistent && !storage.readOnly;
  return (
    <>
      <span
        class="status-item"
        title={storage.notRevalidated ?? (isKept ? 'Kept after you close this page' : 'Lost when you close this page')}
      >
        <Icon name={icon} />
        <span class="truncate">
          {storage.notRevalidated === null ? name : 'Offline copy'}
          {isUnkept && ' – lost when you close this page'}
        </span>
      </span>
      {storage.readOnly && (
        <span class="status-item minor" title={storage.readOnlyReason ?? undefined}>
          <Icon name="lock" />
          Read-only
        </span>
      )}
      {storage.remote && storage.cache?.reason === null && (
        <button type="button" class="status-button" onClick={() => (dialog.value = { kind: 'offline' })}>
          Keep offline
        </button>
      )}
      {(isUnkept || storage.readOnly) && (
        <button type="button" class="status-button" onClick={() => (dialog.value = { kind: 'keep' })}>
          {isUnkept ? 'Keep in this browser' : 'Make an editable copy'}
        </button>
      )}
      <Memory connection={connection} />
    </>
  );
}

/** How files are read, and how much of them is in memory. */
function Memory({ connection }: { readonly connection: Connection }): JSX.Element {
  const stats = useSignal<Stats | undefined>(undefined);
  useEffect(() => {
    const read = async () => {
      stats.value = await connection.database.stats();
    };
    // While a statement runs this waits behind it; a database that is gone has no figures.
    const refresh = () => void read().catch(() => undefined);
    refresh();
    const timer = setInterval(refresh, STATS_EVERY_MS);
    return () => clearInterval(timer);
  }, [connection]);
  const budget = byteCount(connection.budgetBytes);
  const resident = stats.value?.counters.region_resident_bytes;
  return (
    <>
      <span
        class="status-item minor figures"
        title={`File pages in memory and their limit. Access mode: ${connection.mode}`}
      >
        {resident === undefined ? budget : `${byteCount(resident)} of ${budget}`} in memory
      </span>
      {connection.database.storage.remote && stats.value !== undefined && (
        <span class="status-item minor figures" title={trafficTitle(stats.value)}>
          {counted(stats.value.requests, 'request')} in {counted(stats.value.rounds, 'round')} ·{' '}
          {byteCount(stats.value.bytesFetched)}
          {stats.value.cache?.reason === null && ` · ${byteCount(stats.value.bytesFromCache)} cached`}
        </span>
      )}
    </>
  );
}

function trafficTitle({ cache }: Stats): string {
  const since = 'Requests and bytes since the database was opened';
  if (cache === null) return since;
  if (cache.reason !== null) return `${since}. Nothing is cached on disk: ${cache.reason}`;
  return `${since}; bytes from the disk cache (${byteCount(cache.usedBytes)} of ${byteCount(cache.limitBytes)} used)`;
}
