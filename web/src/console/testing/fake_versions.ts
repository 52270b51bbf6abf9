import {
  type FetchResult,
  type LiveQuery,
  type MergeResult,
  type PullResult,
  type PushResult,
  VarveError,
  type View,
} from '../../lib/index.ts';

function refuse(): never {
  throw new VarveError('unsupported', 'The fake database has one version');
}

const LIVE: LiveQuery = { refresh: async () => {}, close: async () => {}, [Symbol.asyncDispose]: async () => {} };

/** Version control and transfers of the fake database: nothing ever differs, and nothing can be changed. */
export const fakeVersions = {
  log: refuse,
  branches: async () => [],
  at: async (): Promise<View> => refuse(),
  diff: refuse,
  commit: async (): Promise<string> => refuse(),
  merge: async (): Promise<MergeResult> => refuse(),
  abortMerge: async (): Promise<void> => refuse(),
  remotes: async () => [],
  addRemote: async (): Promise<void> => refuse(),
  removeRemote: async (): Promise<void> => refuse(),
  fetch: async (): Promise<FetchResult> => refuse(),
  pull: async (): Promise<PullResult> => refuse(),
  push: async (): Promise<PushResult> => refuse(),
  conflicts: refuse,
  resolve: async (): Promise<void> => refuse(),
  resolveRows: async (): Promise<void> => refuse(),
  transaction: async (): Promise<never> => refuse(),
  live: async (): Promise<LiveQuery> => LIVE,
  dump: refuse,
  exportRows: refuse,
  importRows: async () => refuse(),
  importSql: async () => refuse(),
  zip: refuse,
  copyTo: async (): Promise<void> => refuse(),
};
