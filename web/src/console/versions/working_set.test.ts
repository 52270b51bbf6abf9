import { expect, test } from 'vitest';
import type { Database } from '../../lib/index.ts';
import { eventually } from '../testing/eventually.ts';
import { WorkingSet } from './working_set.ts';

test('what is committed after the first reading and before somebody listens is read, too', async () => {
  let root = 'before';
  const database = {
    storage: { readOnly: false },
    query: async (sql: string) => ({ rows: [], rowArrays: () => (sql.includes('dolt_hashof_db') ? [[root]] : []) }),
    live: async (_sql: string, tell: () => void) => {
      root = 'after';
      tell();
      return { close: async () => {} };
    },
  };
  const set = new WorkingSet(database as unknown as Database);
  await set.start();
  await eventually(() => expect(set.state.value?.roots).toBe('after'));
  set.close();
});
