/** Branches that can be merged into the selected one, and what would come of it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toast } from '../../ui/toast.tsx';
import { type Connection, currentConnection } from '../connection.ts';
import { here } from '../here.ts';

export interface Candidate {
  readonly name: string;
  /** Commits that the selected branch does not have. */
  readonly ahead: number;
  /** Commits of the selected branch that this one does not have. */
  readonly behind: number;
}

/** Those with commits to merge come first, then by name; undefined until they are counted. */
export function useCandidates(connection: Connection | undefined, into: string): readonly Candidate[] | undefined {
  const found = useSignal<readonly Candidate[] | undefined>(undefined);
  const version = connection?.catalog.version.value;
  useEffect(
    () =>
      whileShown(async isShown => {
        if (connection === undefined || into === '') return;
        const database = await here(connection);
        const names = (await database.branches()).map(({ name }) => name).filter(name => name !== into);
        const marks = ['?', ...names.map(() => '?')].join(', ');
        const sql = `SELECT branch, commits_ahead, commits_behind FROM dolt_branch_status(${marks})`;
        const { rows } = await database.query(sql, [into, ...names]);
        const counts = rows.map(row => ({
          name: String(row.branch),
          ahead: Number(row.commits_ahead),
          behind: Number(row.commits_behind),
        }));
        if (isShown()) found.value = sorted(counts);
      }, sayFailure),
    [connection, into, version],
  );
  return found.value;
}

export function sorted(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates].sort(
    (a, b) => Number(a.ahead === 0) - Number(b.ahead === 0) || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
}

/** What the merge would leave to decide. */
export interface Forecast {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly isOfSchema: boolean }[];
}

/** Undefined until it is known, and where it cannot be told: the merge itself will say why. */
export function useForecast(candidate: Candidate | undefined, into: string): Forecast | undefined {
  const found = useSignal<Forecast | undefined>(undefined);
  const [name, diverged] = [candidate?.name, (candidate?.ahead ?? 0) > 0 && (candidate?.behind ?? 0) > 0];
  useEffect(() => {
    found.value = undefined;
    return whileShown(async isShown => {
      const connection = currentConnection();
      if (connection === undefined || name === undefined || !diverged) return;
      const database = await here(connection);
      const { rows } = await database.query('SELECT * FROM dolt_preview_merge_conflicts_summary(?, ?)', [into, name]);
      const tables = rows.map(row => ({
        name: String(row.table),
        rows: Number(row.num_data_conflicts ?? 0),
        isOfSchema: Number(row.num_schema_conflicts ?? 0) > 0,
      }));
      if (isShown()) found.value = { tables };
    });
  }, [name, diverged, into]);
  return found.value;
}

const sayFailure = (error: unknown) => toast(error instanceof Error ? error.message : String(error), 'failure');

/** For an effect: runs work whose answer counts as long as the effect does. */
function whileShown(
  work: (isShown: () => boolean) => Promise<void>,
  onFailure: (error: unknown) => void = () => undefined,
): () => void {
  let shown = true;
  work(() => shown).catch(onFailure);
  return () => {
    shown = false;
  };
}
