/** What every transport promises of the directory of a remote: the same suite over each of them. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DirectoryWrites } from '../../host/files/file.ts';
import { settled, taken } from '../../host/files/settled.ts';
import { type Manifest, manifestText, parseManifest } from '../../host/remotes/manifest_text.ts';
import type { Credentials, OpenedRemote } from '../../host/remotes/remote_types.ts';
import { scratchDirectory } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater } from '../../testing/native_dolt.ts';
import { PASSWORD, type RemotePlace, RemotePlaces, USER } from '../../testing/remote_places.ts';
import { remoteContext } from '../../testing/remotes.ts';
import { S3_KEYS, S3Server } from '../../testing/s3_server.ts';
import { servers } from '../../testing/serving.ts';
import { LocalDatabases } from '../serve/databases.ts';
import { environmentCredentials } from './environment_credentials.ts';
import { openNodeRemote } from './node_remotes.ts';

const writesOf = ({ directory }: OpenedRemote): DirectoryWrites => directory.writes as DirectoryWrites;

const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);

interface Place extends RemotePlace {
  readonly credentials?: Credentials;
  /** The server is in this process, which therefore cannot block while it reads. */
  readonly isHere?: boolean;
}

/** Files that a pusher would upload, and the root that they lead to. */
interface Push {
  readonly root: string;
  readonly files: { readonly name: string; readonly chunks: number; readonly bytes: Uint8Array }[];
}

const places = new RemotePlaces(scratch, home);
const startServer = servers();

let made = 0;
let database = '';
/** What further commits would upload. */
const pushes: Push[] = [];
beforeAll(async () => {
  if (dolt === null) return;
  s3 = await S3Server.start('moto');
  signed = await S3Server.start('versitygw');
  for (const server of [s3, signed]) if (server !== null) places.atEnd(() => server.stop());
  database = makeDatabase(scratch, 'original', home);
  for (const name of ['second', 'other']) pushes.push(pushOf(name));
  // Where the server of S3 is not installed yet.
}, 300_000);

/** The files of the database after a further commit and a collection. */
function pushOf(name: string): Push {
  const copy = places.path('push');
  cpSync(database, copy, { recursive: true });
  runDolt(copy, home, 'sql', '-q', `INSERT INTO t VALUES (${100 + made}, '${name}')`);
  runDolt(copy, home, 'commit', '-am', name);
  runDolt(copy, home, 'gc');
  const noms = join(copy, '.dolt/noms');
  const manifests = [noms, join(noms, 'oldgen')].map(folder => ({
    folder,
    ...parseManifest(readFileSync(join(folder, 'manifest'), 'utf8')),
  }));
  const files = manifests.flatMap(({ folder, files: listed }) =>
    listed.map(({ id, chunks }) => {
      const file = existsSync(join(folder, `${id}.darc`)) ? `${id}.darc` : id;
      return { name: file, chunks, bytes: new Uint8Array(readFileSync(join(folder, file))) };
    }),
  );
  return { root: manifests[0]!.root, files };
}

let s3: S3Server | null = null;
let signed: S3Server | null = null;

async function bucketOf(server: S3Server | null): Promise<Place | null> {
  return server === null ? null : { ...(await places.bucketOf(server)), credentials: S3_KEYS };
}

/** `varve serve` in this process. */
async function serving(folder: string): Promise<Place> {
  const credentials = { user: USER, password: PASSWORD };
  const user = { name: USER, password: PASSWORD };
  const url = `${await startServer(new LocalDatabases(folder, true), { user })}/db`;
  return { url, user: USER, credentials, isHere: true, cloned: async () => url };
}

const PLACES: Record<string, () => Promise<Place | null>> = {
  's3://': () => bucketOf(s3),
  's3:// where signatures are checked': () => bucketOf(signed),
  async 'file://'() {
    const url = pathToFileURL(places.path('file')).href;
    return { url, cloned: async () => url };
  },
  'remotesapi of a native sql-server': () => places.sqlServer(places.folder(database)),
  async 'varve serve'() {
    const folder = places.path('served');
    mkdirSync(folder);
    return serving(folder);
  },
  'varve serve of a database': () => serving(places.folder(database)),
};

async function openAt({ url, user, credentials, isHere = false }: Place): Promise<OpenedRemote> {
  return openNodeRemote(
    { url, user: user ?? null, create: true },
    { ...remoteContext(credentials ?? null), canSuspend: isHere },
  );
}

async function read(remote: OpenedRemote, path: string): Promise<Uint8Array | null> {
  const file = remote.directory.open(path);
  if (file === null) return null;
  const bytes = new Uint8Array(file.length);
  if (remote.directory.suspends && file.readLater !== undefined) await file.readLater(0, bytes.length, () => bytes);
  else file.read(0, bytes);
  return bytes;
}

async function manifestOf(remote: OpenedRemote): Promise<Manifest | null> {
  const bytes = await read(remote, 'manifest');
  return bytes === null ? null : parseManifest(new TextDecoder().decode(bytes));
}

async function writeFile(remote: OpenedRemote, path: string, bytes: Uint8Array): Promise<void> {
  const writes = writesOf(remote);
  await settled(writes, () => {
    const file = writes.create('written.tmp');
    // In two pieces, as an engine writes.
    file.writes!.write(0, bytes.subarray(0, 100));
    file.writes!.write(Math.min(100, bytes.length), bytes.subarray(100));
    file.writes!.flush();
    file.close();
    writes.rename('written.tmp', path);
  });
}

/** Replaces the manifest by one with the files and root of a push. */
async function replaceManifest(remote: OpenedRemote, { root, files }: Push): Promise<void> {
  const before = (await manifestOf(remote)) ?? { gcGeneration: '0'.repeat(32), files: [] };
  const listed = files.map(({ name, chunks }) => ({ id: name.slice(0, 32), chunks }));
  const text = await manifestText({ ...before, root, files: [...before.files, ...listed] });
  await writeFile(remote, 'manifest', new TextEncoder().encode(text));
}

describe.each(Object.entries(PLACES))('%s', (_name, start) => {
  test.runIf(dolt !== null)('files are written and read back, the root moves, native Dolt clones it', async () => {
    const place = await start();
    if (place === null) return;
    const push = pushes[0]!;
    const writer = await openAt(place);
    await taken(writesOf(writer));
    for (const { name, bytes } of push.files) await writeFile(writer, name, bytes);
    await replaceManifest(writer, push);
    writer.directory.writes?.release();
    expect((await manifestOf(writer))?.root).toBe(push.root);
    await writer.close();

    const reader = await openAt(place);
    const manifest = await manifestOf(reader);
    expect(manifest?.root).toBe(push.root);
    for (const { name, bytes } of push.files) {
      expect(manifest?.files.map(({ id }) => id)).toContain(name.slice(0, 32));
      expect(Buffer.from((await read(reader, name)) ?? []).equals(bytes)).toBe(true);
    }
    expect(reader.directory.open('0'.repeat(32))).toBe(null);
    await reader.close();

    const clone = places.path('clone');
    const user = place.user === undefined ? [] : ['--user', place.user];
    await runDoltLater(scratch, home, PASSWORD, 'clone', ...user, await place.cloned(), clone);
    expect(runDolt(clone, home, 'log', '--oneline')).toContain('second');
    expect(runDolt(clone, home, 'fsck')).toMatch(/no problems/i);
    expect(readdirSync(clone)).toContain('.dolt');
  });

  test.runIf(dolt !== null)('of two writers that began on the same root the second is told that it moved', async () => {
    const place = await start();
    if (place === null) return;
    const [first, second] = [await openAt(place), await openAt(place)];
    const [left, right] = [pushes[0]!, pushes[1]!];
    for (const { name, bytes } of left.files) await writeFile(first, name, bytes);
    for (const { name, bytes } of right.files) await writeFile(second, name, bytes);
    if (place.url.startsWith('file:')) {
      // A lock: the second waits until the first has released it, and reads what it wrote.
      await taken(writesOf(first));
      await replaceManifest(first, left);
      first.directory.writes?.release();
      await first.close();
      await taken(writesOf(second));
      expect((await manifestOf(second))?.root).toBe(left.root);
    } else {
      await taken(writesOf(first));
      await taken(writesOf(second));
      await replaceManifest(first, left);
      await expect(replaceManifest(second, right)).rejects.toMatchObject({ kind: 'moved' });
      second.directory.writes?.release();
      await taken(writesOf(second));
      expect((await manifestOf(second))?.root).toBe(left.root);
      await replaceManifest(second, right);
      expect((await manifestOf(second))?.root).toBe(right.root);
      await first.close();
    }
    await second.close();
  });
});

/** A server of S3 whose answers may be other ones. */
async function faulty(fault: (request: IncomingMessage) => number | 'cut' | null): Promise<string> {
  const target = new URL(s3!.endpoint);
  const proxy = createServer((request, response) => {
    const wanted = fault(request);
    if (typeof wanted === 'number') {
      request.resume();
      response.writeHead(wanted).end();
      return;
    }
    const { method, url, headers } = request;
    const forwarded = httpRequest({ host: target.hostname, port: target.port, method, path: url, headers }, answer => {
      if (wanted === 'cut') {
        answer.resume();
        answer.on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  places.atEnd(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('s3:// where requests fail', () => {
  const open = (url: string, credentials: Credentials | null = S3_KEYS): Promise<OpenedRemote> =>
    openNodeRemote({ url, user: null, create: true }, { ...remoteContext(credentials), canSuspend: true });

  test.runIf(dolt !== null)('a busy server is asked again, and an answer that was cut off is looked for', async () => {
    if (s3 === null) return;
    const direct = await s3.bucket(`bucket-${made++}`);
    const faults: (number | 'cut' | null)[] = [];
    const endpoint = await faulty(request => (request.method === 'PUT' ? (faults.shift() ?? null) : null));
    const url = direct.replace(s3.endpoint, endpoint);
    const writer = await open(url);
    const push = pushes[0]!;
    for (const { name, bytes } of push.files) {
      faults.push(429, 503);
      await writeFile(writer, name, bytes);
      expect(faults).toEqual([]);
    }
    await taken(writesOf(writer));
    // The manifest arrives; the client does not hear of it, and finds its own at the second try.
    faults.push('cut');
    await replaceManifest(writer, push);
    expect((await manifestOf(writer))?.root).toBe(push.root);
    await writer.close();
    const reader = await open(direct);
    expect((await manifestOf(reader))?.root).toBe(push.root);
    await reader.close();
  });

  test.runIf(dolt !== null)('large files go in parts', async () => {
    if (s3 === null) return;
    const url = await s3.bucket(`bucket-${made++}`);
    const writer = await open(url);
    const bytes = new Uint8Array(16 * 1024 * 1024 + 5);
    for (let at = 0; at < bytes.length; at += 65_521) bytes[at] = at % 251;
    await writeFile(writer, `${'a'.repeat(32)}.darc`, bytes);
    await writer.close();
    const bucket = new URL(url).hostname;
    const stored = await s3.request(`/${bucket}/a/db/${'a'.repeat(32)}.darc`);
    expect(stored.headers.get('etag')).toMatch(/-2"$/);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.runIf(dolt !== null)('what is wrong is said, with what to do', async () => {
    if (s3 === null) return;
    const url = await s3.bucket(`bucket-${made++}`);
    await expect(open(url.replace(/bucket-\d+/, 'no-such-bucket'))).rejects.toThrow(/NoSuchBucket.*Check the name/);
    await expect(open('s3://key:secret@bucket/db')).rejects.toThrow(/no part of an address/);
    await expect(open('s3://bucket/db?path-stile=true')).rejects.toThrow(/no parameter path-stile/);
    await expect(open(url, { user: 'a', password: 'b' })).rejects.toThrow(/takes an access key/);
    if (signed !== null) {
      const other = await signed.bucket(`bucket-${made++}`);
      await expect(open(other, { ...S3_KEYS, secretAccessKey: 'wrong' })).rejects.toThrow(
        /SignatureDoesNotMatch.*access key/,
      );
    }
    const endpoint = await faulty(() => 403);
    await expect(open(url.replace(s3.endpoint, endpoint))).rejects.toThrow(/403.*Check the access key/);
    await expect(open(url.replace(s3.endpoint, endpoint), null)).rejects.toThrow(/No access key was given/);
    const unable = await faulty(request => (request.method === 'PUT' ? 501 : null));
    const writer = await open(url.replace(s3.endpoint, unable));
    await taken(writesOf(writer));
    await expect(replaceManifest(writer, pushes[0]!)).rejects.toThrow(/no conditional writes/);
    await writer.close();
  });
});

test('credentials come from the environment, or from the profile of the file', async () => {
  const home = join(scratch, 'aws');
  mkdirSync(join(home, '.aws'), { recursive: true });
  const text =
    '[default]\naws_access_key_id = A\naws_secret_access_key=B\n\n[other]\naws_access_key_id=C\naws_secret_access_key = D\naws_session_token = E\n';
  writeFileSync(join(home, '.aws/credentials'), text);
  const s3Request = { url: 's3://b/c', scheme: 's3', user: null };
  expect(await environmentCredentials(s3Request, {}, home)).toEqual({ accessKeyId: 'A', secretAccessKey: 'B' });
  expect(await environmentCredentials(s3Request, { AWS_PROFILE: 'other' }, home)).toEqual({
    accessKeyId: 'C',
    secretAccessKey: 'D',
    sessionToken: 'E',
  });
  const keys = { AWS_ACCESS_KEY_ID: 'F', AWS_SECRET_ACCESS_KEY: 'G' };
  expect(await environmentCredentials(s3Request, keys, home)).toEqual({ accessKeyId: 'F', secretAccessKey: 'G' });
  expect(await environmentCredentials(s3Request, {}, scratch)).toBe(null);
  const service = { url: 'http://h/d', scheme: 'http', user: 'u' };
  expect(await environmentCredentials(service, { DOLT_REMOTE_PASSWORD: 'p' }, home)).toEqual({
    user: 'u',
    password: 'p',
  });
  expect(await environmentCredentials({ ...service, user: null }, { DOLT_REMOTE_PASSWORD: 'p' }, home)).toBe(null);
});

test.runIf(dolt === null)('skipped: native Dolt is missing', () => {});
