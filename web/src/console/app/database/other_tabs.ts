/** What another tab commits is seen in this one: the tree, the log and the lists are read again. */
import { effect } from '@preact/signals';
import type { Database } from '../../../lib/index.ts';
import { running } from '../query/running.ts';
import { boundDatabase } from './bound_database.ts';
import { isChanging } from './changing.ts';
import type { Connection } from './connection.ts';
import { whileStored } from './while_stored.ts';

/** Other than before whenever anything was committed to the selected branch's working set, or to any branch. */
const STATE_SQL = "SELECT name, hash, dolt_hashof_db('WORKING') AS working FROM dolt_branches ORDER BY name";
/** Commits that come one after the other are one reason to read. */
const PAUSE_MS = 400;

/** Listens from now on to what is open. */
export const watchOtherTabs = (): (() => void) => whileStored(watch);

function watch(connection: Connection): () => void {
  const { catalog, session } = connection;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The state that the page shows. */
  let shown: string | undefined;
  let close = () => {};

  const read = async (state: string) => {
    // The page's own work reads again by itself.
    if (running.peek() !== undefined || isChanging.peek()) return later(state);
    if (isOver || state === shown) return;
    shown = state;
    await catalog.refresh(session).catch(() => undefined);
  };
  const later = (state: string) => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => void read(state), PAUSE_MS);
  };
  const end = effect(() => {
    void catalog.version.value;
    void boundDatabase(connection)
      .then(stateOf)
      .then(
        state => {
          shown = state;
        },
        () => undefined,
      );
  });
  void boundDatabase(connection)
    .then(database => database.live(STATE_SQL, ({ rows }) => later(JSON.stringify(rows))))
    .then(
      live => {
        close = () => void live.close();
        if (isOver) close();
      },
      () => undefined,
    );
  return () => {
    isOver = true;
    clearTimeout(timer);
    end();
    close();
  };
}

async function stateOf(database: Database): Promise<string> {
  return JSON.stringify((await database.query(STATE_SQL)).rows);
}
