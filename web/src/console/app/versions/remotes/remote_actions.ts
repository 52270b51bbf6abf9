/** Remotes: what they have, and what is sent to them. */
import { computed, signal } from '@preact/signals';
import {
  allowRemoteFolder,
  type Database,
  type LazyClone,
  type RemoteOptions,
  type RemoteProgress,
  remoteFolderName,
} from '../../../../lib/index.ts';
import { byteCount } from '../../../ui/figures.ts';
import { messageOf } from '../../../ui/message_of.ts';
import { toast } from '../../../ui/toast.tsx';
import { change } from '../../database/changing.ts';
import { forgetCredentials } from '../../database/credentials.ts';
import type { RemoteState } from './use_remotes.ts';

/** What goes on, for one remote; undefined when nothing does. */
export const exchange = signal<{ readonly remote: string; readonly verb: string; readonly told: string } | undefined>(
  undefined,
);
export const isExchanging = computed(() => exchange.value !== undefined);

/** A push that was rejected, until another one succeeds. */
export const rejected = signal<{ readonly remote: string; readonly branch: string } | undefined>(undefined);

let cancelling = new AbortController();

export function cancelExchange(): void {
  cancelling.abort(new Error('Cancelled'));
}

/** Asks for the permission that a folder wants anew after a reload: at once, for browsers ask on a click only. */
async function isAllowed(url: string, mode: 'read' | 'readwrite'): Promise<boolean> {
  try {
    if (await allowRemoteFolder(url, mode)) return true;
    const what = mode === 'read' ? 'read' : 'change';
    toast(`No permission to ${what} the folder ${remoteFolderName(url)}. Allow it when the browser asks`, 'failure');
  } catch (error) {
    toast(messageOf(error), 'failure');
  }
  return false;
}

/** Runs one at a time, shows its progress, and says what failed. */
async function exchanging<T>(
  { name: remote, url }: Pick<RemoteState, 'name' | 'url'>,
  verb: 'Fetching' | 'Pulling' | 'Pushing' | 'Completing',
  work: (database: Database, options: RemoteOptions) => Promise<T>,
): Promise<T | undefined> {
  if (isExchanging.peek() || !(await isAllowed(url, verb === 'Pushing' ? 'readwrite' : 'read'))) return undefined;
  cancelling = new AbortController();
  exchange.value = { remote, verb, told: '' };
  const onProgress = ({ bytes, bytesTotal }: RemoteProgress): void => {
    if (bytes === 0) return;
    const told = bytesTotal > 0 ? `${byteCount(bytes)} of ${byteCount(bytesTotal)}` : byteCount(bytes);
    exchange.value = { remote, verb, told };
  };
  try {
    const { signal } = cancelling;
    const done = await change(database =>
      work(database, { remote, signal, onProgress }).catch(error => {
        if (!signal.aborted) throw error;
        toast(`${verb} was cancelled`);
        return undefined;
      }),
    );
    if (done === undefined) forgetCredentials();
    return done?.value;
  } finally {
    exchange.value = undefined;
  }
}

export async function fetchRemote(remote: RemoteState): Promise<void> {
  const fetched = await exchanging(remote, 'Fetching', (database, options) => database.fetch(options));
  if (fetched === undefined) return;
  const { updates } = fetched;
  if (updates.length === 0) toast(`Nothing new in ${remote.name}`);
  else toast(`Fetched ${updates.map(({ name }) => name).join(', ')}`);
}

export async function pullRemote(remote: RemoteState): Promise<void> {
  const { name, branch } = remote;
  const pulled = await exchanging(remote, 'Pulling', (database, options) => database.pull({ ...options, branch }));
  if (pulled === undefined) return;
  if (rejected.peek()?.remote === name && pulled.outcome !== 'conflicts') rejected.value = undefined;
  if (pulled.outcome === 'conflicts')
    toast(`${name}/${branch} conflicts with this branch: resolve the conflicts under Changes`, 'failure');
  else toast(pulled.outcome === 'up_to_date' ? 'Already up to date' : `Merged ${name}/${branch}`);
}

export async function pushRemote(remote: RemoteState, branch: string): Promise<void> {
  const pushed = await exchanging(remote, 'Pushing', (database, options) =>
    database.push({ ...options, refs: [branch], setUpstream: true }),
  );
  if (pushed === undefined) return;
  rejected.value = pushed.outcome === 'rejected' ? { remote: remote.name, branch } : undefined;
  if (pushed.outcome === 'pushed') toast(`Pushed ${branch} to ${remote.name}`);
  else if (pushed.outcome === 'up_to_date') toast(`${remote.name} is up to date with ${branch}`);
}

/** What `exchange` calls the completion of a lazy clone, which is of no remote by name. */
export const COMPLETION = '';

/** Fetches what a lazy clone lacks. What came before it is cancelled stays. */
export async function completeClone({ url }: LazyClone): Promise<void> {
  const completed = await exchanging({ name: COMPLETION, url }, 'Completing', async (database, options) => {
    const { signal, onProgress } = options;
    await database.completeClone({ signal, onProgress });
    return true;
  });
  if (completed) toast('Complete: all rows are in this browser');
}

export async function addRemote(name: string, url: string): Promise<boolean> {
  return (await change(database => database.addRemote(name, url))) !== undefined;
}

export async function removeRemote(name: string): Promise<void> {
  const done = await change(database => database.removeRemote(name));
  if (done !== undefined) toast(`Removed ${name}. Its data was not deleted`);
}
