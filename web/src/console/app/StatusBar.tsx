import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Storage } from '../../lib/index.ts';
import { byteCount } from '../grid/cells.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { type Connection, openState } from './connection.ts';
import { cursor } from './editor_host.ts';
import { isNarrow, view } from './layout_state.ts';
import { running } from './running.ts';

const KINDS: Readonly<Record<Storage['kind'], { readonly icon: IconName; readonly name: string }>> = {
  opfs: { icon: 'disk', name: 'Browser storage' },
  directory: { icon: 'folder', name: 'Directory' },
  files: { icon: 'folder', name: 'Picked files' },
  archive: { icon: 'archive', name: 'Archive, in memory' },
  memory: { icon: 'memory', name: 'Memory' },
  url: { icon: 'globe', name: 'Remote' },
  path: { icon: 'folder', name: 'Path' },
};

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
  const { icon, name } = KINDS[storage.kind];
  return (
    <>
      <span
        class="status-item"
        title={storage.persistent ? 'The bytes outlive this page' : 'Gone when this page closes'}
      >
        <Icon name={icon} />
        {name}
      </span>
      {storage.readOnly && (
        <span class="status-item">
          <Icon name="lock" />
          Read-only
        </span>
      )}
      <Memory connection={connection} />
    </>
  );
}

interface MemoryFacts {
  readonly mode: string;
  readonly residentBytes: number;
  readonly budgetBytes: number;
}

function Memory({ connection }: { readonly connection: Connection }): JSX.Element | null {
  const facts = useSignal<MemoryFacts | undefined>(undefined);
  useEffect(() => {
    const read = async () => {
      const { counters, memoryBytes } = await connection.database.stats();
      facts.value = {
        mode: 'mmap',
        residentBytes: counters.region_resident_bytes ?? memoryBytes,
        budgetBytes: counters.region_budget_bytes ?? 0,
      };
    };
    const refresh = () => void read().catch(() => undefined);
    refresh();
    const timer = setInterval(refresh, STATS_EVERY_MS);
    return () => clearInterval(timer);
  }, [connection]);
  if (facts.value === undefined) return null;
  const { mode, residentBytes, budgetBytes } = facts.value;
  return (
    <span class="status-item figures" title="Pages of files kept in memory, and the most that may be">
      <Icon name="memory" />
      {mode} · {byteCount(residentBytes)}
      {budgetBytes > 0 && ` of ${byteCount(budgetBytes)}`}
    </span>
  );
}
