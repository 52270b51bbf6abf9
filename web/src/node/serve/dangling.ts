/** Refuses pushes after which a chunk, or the root, would be missing. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addressBytes, addressText, EMPTY_ADDRESS } from '../../host/remotes/manifest_text.ts';
import { ADDRESS_BYTES } from './chunk_check.ts';
import type { CheckedFile } from './received_file.ts';
import { type ChunkLookup, Refusal, type Snapshot } from './served_database.ts';

/** Addresses that are looked up before other requests have their turn. */
const BATCH = 16_384;
/** Missing chunks that a message names. */
const NAMED_MAX = 10;

/**
 * Looks up what the chunks of new files refer to: in these files, and in those of the store.
 *
 * @throws Refusal in the words of native Dolt, which also answers with FAILED_PRECONDITION
 */
export async function refuseDangling(
  added: readonly CheckedFile[],
  store: Snapshot,
  lookup: ChunkLookup,
): Promise<void> {
  const missing = new Set<string>();
  for (const { outgoing } of added) {
    for (let at = 0; at < outgoing.length; at += BATCH * ADDRESS_BYTES) {
      const end = Math.min(outgoing.length, at + BATCH * ADDRESS_BYTES);
      for (const address of await absentOf(outgoing.subarray(at, end), added, store, lookup)) missing.add(address);
      if (missing.size > NAMED_MAX) break;
      await nextTurn();
    }
  }
  if (missing.size === 0) return;
  const named = [...missing].slice(0, NAMED_MAX).join(', ');
  const more = missing.size > NAMED_MAX ? ' and more' : '';
  throw new Refusal(
    `manifest update error: cannot add table files: table file not found, missing: ${named}${more}. Push again with these chunks`,
  );
}

/** @throws Refusal as {@link refuseDangling}, when no file has the chunk of the new root */
export async function refuseMissingRoot(
  root: string,
  added: readonly CheckedFile[],
  store: Snapshot,
  lookup: ChunkLookup,
): Promise<void> {
  const isMissing = root !== EMPTY_ADDRESS && (await absentOf(addressBytes(root), added, store, lookup)).length > 0;
  if (isMissing) throw new Refusal(`failed to commit: dangling ref: found dangling references to ${root}`);
}

async function absentOf(
  addresses: Uint8Array,
  added: readonly CheckedFile[],
  store: Snapshot,
  lookup: ChunkLookup,
): Promise<string[]> {
  const outside: Uint8Array[] = [];
  for (let at = 0; at < addresses.length; at += ADDRESS_BYTES) {
    const address = addresses.subarray(at, at + ADDRESS_BYTES);
    if (added.every(({ index }) => index.find(address) === null)) outside.push(address);
  }
  if (outside.length === 0) return [];
  const places = await lookup.find(store, outside);
  const absent = outside.filter((_, number) => places[number] === null).map(addressText);
  if (absent.length === 0) return [];
  const ghosts = store.ghosts?.() ?? new Set();
  return absent.filter(address => !ghosts.has(address));
}
