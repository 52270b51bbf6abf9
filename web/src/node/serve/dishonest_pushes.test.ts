/** Pushes that would leave a database without a chunk, or with a damaged one, are refused, and nothing of them is listed. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressBytes, parseManifest, splitName } from '../../host/remotes/manifest_text.ts';
import { addressIn, type SentFile, withoutChunk, withSwapped, withUnsorted } from '../../testing/altered_files.ts';
import { scratchDirectory } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater } from '../../testing/native_dolt.ts';
import { type Random, randomly } from '../../testing/random.ts';
import { remoteContext } from '../../testing/remotes.ts';
import { call, servers } from '../../testing/serving.ts';
import { openNodeRemote } from '../remotes/node_remotes.ts';
import { LocalDatabases, UpstreamDatabases } from './databases.ts';

/** Attacks of each kind on each server. */
const ATTACKS = Number(process.env.VARVE_PUSH_ATTACKS ?? 12);
const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const start = servers();
/** Like `test`, where native Dolt is. */
const withDolt = test.runIf(dolt !== null);

/** What native Dolt's push of a second commit sends. */
interface Push {
  readonly current: string;
  readonly last: string;
  readonly files: readonly SentFile[];
}

/** A server, and the directory in which what it accepts is listed. */
interface Place {
  readonly url: string;
  readonly folder: string;
}

/** A remote as it is before the push. */
let before = '';
let push: Push;
beforeAll(() => {
  if (dolt === null) return;
  const database = makeDatabase(scratch, 'original', home);
  const remote = join(scratch, 'remote');
  before = join(scratch, 'before');
  runDolt(database, home, 'remote', 'add', 'there', pathToFileURL(remote).href);
  const values = Array.from({ length: 3000 }, (_, id) => `(${100 + id}, 'row ${id}')`).join(', ');
  runDolt(database, home, 'sql', '-q', `INSERT INTO t VALUES ${values}; CALL dolt_commit('-am', 'many')`);
  runDolt(database, home, 'push', 'there', 'main');
  cpSync(remote, before, { recursive: true });
  runDolt(database, home, 'sql', '-q', "UPDATE t SET name = 'new' WHERE id % 300 = 0; CALL dolt_commit('-am', 'new')");
  runDolt(database, home, 'push', 'there', 'main');
  push = pushBetween(before, remote);
});

function manifestIn(folder: string) {
  return parseManifest(readFileSync(join(folder, 'manifest'), 'utf8'));
}

function pushBetween(older: string, newer: string): Push {
  const [last, current] = [manifestIn(older), manifestIn(newer)];
  const known = new Set(last.files.map(({ id }) => id));
  const files = current.files
    .filter(({ id }) => !known.has(id))
    .map(({ id, chunks }) => {
      const name = existsSync(join(newer, id)) ? id : `${id}.darc`;
      return { name, chunks, bytes: new Uint8Array(readFileSync(join(newer, name))) };
    });
  return { current: current.root, last: last.root, files };
}

let made = 0;

const PLACES: Record<string, () => Promise<Place>> = {
  async 'a directory'() {
    const parent = join(scratch, `served-${made++}`);
    mkdirSync(parent);
    cpSync(before, join(parent, 'db'), { recursive: true });
    return { url: await start(new LocalDatabases(parent, true)), folder: join(parent, 'db') };
  },
  async 'an upstream remote'() {
    const folder = join(scratch, `upstream-${made++}`);
    cpSync(before, folder, { recursive: true });
    const context = { ...remoteContext(), canSuspend: true };
    const open = () => openNodeRemote({ url: pathToFileURL(folder).href, user: null, create: true }, context);
    return { url: await start(new UpstreamDatabases('db', open, true)), folder };
  },
};

function base64(address: string): string {
  return Buffer.from(addressBytes(address)).toString('base64');
}

function idOf({ name }: SentFile): string {
  return splitName(name)?.id ?? '';
}

/** Sends a file. The answer is the server's. */
async function send({ url }: Place, file: SentFile): Promise<{ readonly status: number; readonly words: string }> {
  const suffix = file.name.slice(32);
  const details = { id: base64(idOf(file)), contentLength: String(file.bytes.length), suffix };
  const answer = await call(url, 'GetUploadLocations', { repoPath: 'db', tableFileDetails: [details] });
  const { locs } = await answer.json();
  const sent = await fetch(locs[0].httpPost.url, { method: 'PUT', body: Buffer.from(file.bytes) });
  return { status: sent.status, words: await sent.text() };
}

function list({ url }: Place, procedure: 'AddTableFiles' | 'Commit', files: readonly SentFile[], root = push.current) {
  const chunkTableInfo = files.map(file => ({ hash: base64(idOf(file)), chunkCount: file.chunks }));
  const message = { repoPath: 'db', chunkTableInfo };
  if (procedure === 'AddTableFiles') return call(url, procedure, message);
  return call(url, procedure, { ...message, current: base64(root), last: base64(push.last) });
}

function namesIn({ folder }: Place): string[] {
  return readdirSync(folder)
    .filter(name => name !== 'LOCK')
    .sort();
}

/** The chunks of the push that the new root leads to. */
function needed(): { readonly file: SentFile; readonly entry: number }[] {
  const chunks = push.files.flatMap(file => Array.from({ length: file.chunks }, (_, entry) => ({ file, entry })));
  // Beside the root native Dolt writes its map of names, which the root has in itself, too: nothing refers to that chunk.
  return chunks.filter(({ file, entry }) => file.chunks > 2 || addressIn(file, entry) === push.current);
}

function anyOf<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)] as T;
}

describe.each(Object.entries(PLACES))('%s', (_, begin) => {
  withDolt(
    'a push without one of its chunks is refused, with the name of the chunk and the code of native Dolt',
    async () => {
      const place = await begin();
      const manifest = readFileSync(join(place.folder, 'manifest'), 'utf8');
      for (let seed = 1; seed <= ATTACKS; seed++) {
        const random = randomly(seed);
        const { file, entry } = anyOf(random, needed());
        const missing = addressIn(file, entry);
        const altered = withoutChunk(file, entry);
        const files = push.files.map(other => (other === file ? altered : other));
        for (const sent of files) expect(await send(place, sent), `seed ${seed}`).toEqual({ status: 200, words: '' });
        const refused = await (await list(place, 'Commit', files)).json();
        expect(refused, `seed ${seed}`).toMatchObject({ code: 'failed_precondition' });
        const words =
          missing === push.current
            ? `failed to commit: dangling ref: found dangling references to ${missing}`
            : `cannot add table files: table file not found, missing: ${missing}`;
        expect(refused.message, `seed ${seed}`).toContain(words);
        // Nor without a new root, to which nothing refers.
        if (missing !== push.current) {
          const added = await (await list(place, 'AddTableFiles', files)).json();
          expect(added, `seed ${seed}`).toMatchObject({ code: 'failed_precondition' });
        }
        expect(readFileSync(join(place.folder, 'manifest'), 'utf8'), `seed ${seed}`).toBe(manifest);
      }
    },
  );

  withDolt('a file that is damaged, cut, or named otherwise is refused when it comes, and leaves nothing', async () => {
    const place = await begin();
    const names = namesIn(place);
    for (let seed = 1; seed <= ATTACKS; seed++) {
      const random = randomly(seed);
      const file = anyOf(
        random,
        push.files.filter(({ chunks }) => chunks > 1),
      );
      const flipped = Buffer.from(file.bytes);
      // The footer of a table file has the length of its chunks, which is read by nothing.
      const at = random(flipped.length - 20);
      flipped[at] = (flipped[at] as number) ^ (1 << random(8));
      const one = random(file.chunks);
      const other = (one + 1 + random(file.chunks - 1)) % file.chunks;
      const attacks: Record<string, SentFile> = {
        flipped: { ...file, bytes: flipped },
        cut: { ...file, bytes: file.bytes.subarray(0, random(file.bytes.length)) },
        'without its beginning': { ...file, bytes: file.bytes.subarray(1 + random(file.bytes.length - 1)) },
        swapped: withSwapped(file, one, other),
        'with an index that is not sorted': withUnsorted(file, one, other),
        'named as another': { ...file, name: 'a'.repeat(32) + file.name.slice(32) },
      };
      for (const [attack, sent] of Object.entries(attacks)) {
        const answer = await send(place, sent);
        expect(answer.status, `seed ${seed}: ${attack}: ${answer.words}`).toBe(400);
        expect(answer.words, `seed ${seed}: ${attack}`).toMatch(/damaged|another content/);
        const listed = await (await list(place, 'AddTableFiles', [sent])).json();
        expect(listed, `seed ${seed}: ${attack}`).toMatchObject({ code: 'failed_precondition' });
      }
      expect(namesIn(place), `seed ${seed}`).toEqual(names);
    }
  });

  withDolt('the same push as it was sent is accepted, and is whole for native Dolt', async () => {
    const place = await begin();
    for (const file of push.files) expect(await send(place, file)).toEqual({ status: 200, words: '' });
    expect(await (await list(place, 'Commit', push.files)).json()).toEqual({ success: true });
    const clone = join(scratch, `clone-${made++}`);
    await runDoltLater(scratch, home, '', 'clone', `${place.url}/db`, clone);
    expect(runDolt(clone, home, 'log', '--oneline')).toContain('new');
    expect(runDolt(clone, home, 'fsck')).toMatch(/no problems/i);
  });
});

test.runIf(dolt === null)('skipped: native Dolt is missing', () => {});
