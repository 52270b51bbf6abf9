/** `varve serve` with native Dolt as its client, and with clients that mean no good. */
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchDirectory } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater } from '../../testing/native_dolt.ts';
import { remoteContext } from '../../testing/remotes.ts';
import { call, SERVICE, servers } from '../../testing/serving.ts';
import { openNodeRemote } from '../remotes/node_remotes.ts';
import { LocalDatabases, UpstreamDatabases } from './databases.ts';
import type { ServeOptions } from './server.ts';

const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const USER = { name: 'pusher', password: 'pass:wörd' };
const start = servers();
/** Like `test`, where native Dolt is. */
const withDolt = test.runIf(dolt !== null);

let database = '';
let made = 0;
beforeAll(() => {
  if (dolt !== null) database = makeDatabase(scratch, 'original', home);
});

async function started(folder: string, options: Partial<ServeOptions> = {}, writable = false): Promise<string> {
  return start(new LocalDatabases(folder, writable), options);
}

/** A folder with a copy of the database as `db`. */
function folderOf(): string {
  const folder = join(scratch, `folder-${made++}`);
  mkdirSync(folder);
  cpSync(database, join(folder, 'db'), { recursive: true });
  return folder;
}

const later = (cwd: string, ...args: string[]): Promise<string> => runDoltLater(cwd, home, USER.password, ...args);

withDolt('native Dolt clones, fetches and pushes; both sides have the same refs, and are whole', async () => {
  const folder = folderOf();
  const served = join(folder, 'db');
  const url = `${await started(folder, { user: USER }, true)}/db`;
  const clone = join(scratch, `clone-${made++}`);
  await later(scratch, 'clone', '--user', USER.name, url, clone);
  const refs = (cwd: string): string =>
    runDolt(
      cwd,
      home,
      'sql',
      '-r',
      'csv',
      '-q',
      'SELECT commit_hash FROM dolt_log; SELECT tag_name, tag_hash FROM dolt_tags',
    );
  expect(refs(clone)).toBe(refs(served));

  runDolt(served, home, 'sql', '-q', "INSERT INTO t VALUES (10, 'there'); CALL dolt_commit('-am', 'there')");
  await later(clone, 'pull', '--user', USER.name, 'origin', 'main');
  expect(refs(clone)).toBe(refs(served));

  runDolt(clone, home, 'sql', '-q', "INSERT INTO t VALUES (11, 'here'); CALL dolt_commit('-am', 'here')");
  runDolt(clone, home, 'branch', 'feature');
  await later(clone, 'push', '--user', USER.name, 'origin', 'main', 'feature');
  expect(refs(clone)).toBe(refs(served));
  expect(runDolt(served, home, 'branch')).toContain('feature');
  expect(runDolt(served, home, 'status')).toContain('nothing to commit');

  // The other side has a commit that this one does not know.
  runDolt(served, home, 'sql', '-q', "INSERT INTO t VALUES (12, 'first'); CALL dolt_commit('-am', 'first')");
  runDolt(clone, home, 'sql', '-q', "INSERT INTO t VALUES (13, 'late'); CALL dolt_commit('-am', 'late')");
  await expect(later(clone, 'push', '--user', USER.name, 'origin', 'main')).rejects.toThrow(
    /non-fast-forward|rejected/i,
  );
  for (const path of [served, clone]) expect(runDolt(path, home, 'fsck')).toMatch(/no problems/i);
});

withDolt('a new name is an empty remote, which the first push of native Dolt makes', async () => {
  const folder = join(scratch, `folder-${made++}`);
  mkdirSync(folder);
  const url = `${await started(folder, { user: USER }, true)}/fresh`;
  const copy = join(scratch, `copy-${made++}`);
  cpSync(database, copy, { recursive: true });
  runDolt(copy, home, 'remote', 'add', 'new', url);
  await later(copy, 'push', '--user', USER.name, 'new', 'main');
  expect(readdirSync(join(folder, 'fresh'))).toContain('manifest');
  const clone = join(scratch, `clone-${made++}`);
  await later(scratch, 'clone', '--user', USER.name, url, clone);
  expect(runDolt(clone, home, 'fsck')).toMatch(/no problems/i);
});

withDolt('a server in front of another serves what that one has', async () => {
  const behind = `${await started(folderOf())}/db`;
  const context = { ...remoteContext(), canSuspend: true };
  const open = () => openNodeRemote({ url: behind, user: null, create: false }, context);
  const front = await start(new UpstreamDatabases('db', open));
  const clone = join(scratch, `clone-${made++}`);
  await later(scratch, 'clone', `${front}/db`, clone);
  expect(runDolt(clone, home, 'log', '--oneline')).toContain('rows');
  expect(runDolt(clone, home, 'fsck')).toMatch(/no problems/i);
  const pushed = later(clone, 'push', 'origin', 'main:other');
  await expect(pushed).rejects.toThrow(/read-only/);
});

withDolt('what is pushed to a server in front of another arrives there, unless another pusher was faster', async () => {
  const folder = folderOf();
  const behind = `${await started(folder, { user: USER }, true)}/db`;
  const context = { ...remoteContext({ user: USER.name, password: USER.password }), canSuspend: true };
  const open = () => openNodeRemote({ url: behind, user: USER.name, create: true }, context);
  const front = `${await start(new UpstreamDatabases('db', open, true), { user: USER })}/db`;
  const [first, second] = [join(scratch, `clone-${made++}`), join(scratch, `clone-${made++}`)];
  for (const clone of [first, second]) await later(scratch, 'clone', '--user', USER.name, front, clone);
  runDolt(first, home, 'commit', '--allow-empty', '-m', 'first');
  runDolt(second, home, 'commit', '--allow-empty', '-m', 'second');
  await later(first, 'push', '--user', USER.name, 'origin', 'main');
  await expect(later(second, 'push', '--user', USER.name, 'origin', 'main')).rejects.toThrow(
    /non-fast-forward|rejected/,
  );
  await later(second, 'push', '--user', USER.name, 'origin', 'main:other');
  const clone = join(scratch, `clone-${made++}`);
  await later(scratch, 'clone', '--user', USER.name, behind, clone);
  expect(runDolt(clone, home, 'log', '--oneline')).toContain('first');
  expect(runDolt(clone, home, 'log', '--oneline', 'remotes/origin/other')).toContain('second');
  expect(runDolt(clone, home, 'fsck')).toMatch(/no problems/i);
});

withDolt(
  'a wrong password, none, a read-only server and an unknown database are refused, each in its words',
  async () => {
    const folder = folderOf();
    const closed = await started(folder, { user: USER }, true);
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const root = (url: string, headers = {}) => call(url, 'Root', { repoPath: 'db' }, headers);
    expect((await root(closed)).status).toBe(401);
    expect((await root(closed, basic(`${USER.name}:wrong`))).status).toBe(401);
    expect((await root(closed, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await root(closed, basic(`${USER.name}:${USER.password}`))).status).toBe(200);

    const open = await started(folder);
    const message = { repoPath: 'db', tableFileDetails: [] };
    expect(await (await call(open, 'GetUploadLocations', message)).json()).toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('--writable'),
    });
    for (const repoPath of ['other', '../original', '.', '', 'db/.dolt', 'a\0b']) {
      expect(await (await call(open, 'Root', { repoPath })).json()).toMatchObject({ code: 'not_found' });
    }
  },
);

withDolt('addresses of files are sealed: what is changed, made up or of another file is no address', async () => {
  const url = await started(folderOf());
  const listed = await (await call(url, 'ListTableFiles', { repoPath: 'db' })).json();
  const address = new URL(listed.tableFileInfo[0].url);
  expect((await fetch(address)).status).toBe(200);
  const part = await fetch(address, { headers: { range: 'bytes=4-7' } });
  expect([part.status, part.headers.get('content-range'), (await part.arrayBuffer()).byteLength]).toEqual([
    206,
    expect.stringMatching(/^bytes 4-7\/\d+$/),
    4,
  ]);
  expect((await fetch(address, { headers: { range: 'bytes=999999999-' } })).status).toBe(416);
  expect((await fetch(address, { method: 'PUT', body: 'x' })).status).toBe(403);
  for (const [name, value] of [
    ['expires', '9999999999'],
    ['method', 'PUT'],
    ['seal', 'x'],
  ] as const) {
    const changed = new URL(address);
    changed.searchParams.set(name, value);
    expect((await fetch(changed)).status).toBe(400);
  }
  const other = new URL(address);
  other.pathname = other.pathname.replace(/[^/]+$/, 'manifest');
  expect((await fetch(other)).status).toBe(400);
  expect((await fetch(`${url}/files/db/../../../etc/passwd`)).status).toBe(400);
});

withDolt('an upload whose bytes are not those of its name is refused, and leaves nothing', async () => {
  const folder = join(scratch, `folder-${made++}`);
  mkdirSync(folder);
  const url = await started(folder, {}, true);
  const id = Buffer.alloc(20, 7);
  const location = async (contentLength: number): Promise<string> => {
    const tableFileDetails = [{ id: id.toString('base64'), contentLength: String(contentLength), suffix: '.darc' }];
    const answer = await (await call(url, 'GetUploadLocations', { repoPath: 'db', tableFileDetails })).json();
    return answer.locs[0].httpPost.url;
  };
  expect((await fetch(await location(3), { method: 'PUT', body: 'abc' })).status).toBe(400);
  expect((await fetch(await location(3), { method: 'PUT', body: 'longer' })).status).toBe(400);
  const noise = Buffer.alloc(1000, 1);
  expect((await fetch(await location(1000), { method: 'PUT', body: noise })).status).toBe(400);
  const commit = { repoPath: 'db', current: id.toString('base64'), last: Buffer.alloc(20).toString('base64') };
  expect(await (await call(url, 'Commit', commit)).json()).toMatchObject({ code: 'failed_precondition' });
  const chunkTableInfo = [{ hash: id.toString('base64'), chunkCount: 1 }];
  expect(await (await call(url, 'AddTableFiles', { repoPath: 'db', chunkTableInfo })).json()).toMatchObject({
    code: 'failed_precondition',
  });
  const left = existsSync(join(folder, 'db')) ? readdirSync(join(folder, 'db')) : [];
  expect(left.filter(name => name !== 'LOCK')).toEqual([]);
});

withDolt('pages of named origins may call, by gRPC-web; others may not', async () => {
  const url = await started(folderOf(), { origins: ['https://page.example'] });
  const preflight = (origin: string): Promise<Response> =>
    fetch(`${url}/${SERVICE}/Root`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
  const allowed = await preflight('https://page.example');
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://page.example']);
  const refused = await preflight('https://elsewhere.example');
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  const { webChannel } = await import('../../host/remotes/web_channel.ts');
  const { openService } = await import('../../host/remotes/service.ts');
  const context = { ...remoteContext(), canSuspend: true };
  const remote = await openService({ url: `${url}/db`, user: null, create: false }, context, webChannel);
  expect(remote.directory.list('')).toContain('manifest');
  expect(remote.assertsWorkingSet).toBe(true);
  await remote.close();
});

withDolt(
  'nonsense, messages that are too large and connections that break off leave the server as it was',
  async () => {
    const url = await started(folderOf());
    const { port } = new URL(url);
    for (const bytes of ['\0\0\0\0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense', 'GET / HTTP/9.9\r\n\r\n', 'PRI']) {
      await new Promise<void>(resolve => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes));
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
        socket.resume();
      });
    }
    const huge = await call(url, 'HasChunks', { repoPath: 'db', hashes: ['x'.repeat(5 * 1024 * 1024)] }).catch(
      () => null,
    );
    expect(huge?.ok ?? false).toBe(false);
    const many = { repoPath: 'db', hashes: Array.from({ length: 70_000 }, () => Buffer.alloc(20).toString('base64')) };
    expect((await call(url, 'HasChunks', many)).ok).toBe(false);
    expect(await (await call(url, 'HasChunks', { repoPath: 'db', hashes: ['AAAA'] })).json()).toMatchObject({
      code: 'invalid_argument',
    });
    const raw = await fetch(`${url}/${SERVICE}/Root`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: Buffer.alloc(100, 255),
    });
    await raw.arrayBuffer();
    const there = await call(url, 'HasChunks', { repoPath: 'db', hashes: [Buffer.alloc(20, 1).toString('base64')] });
    expect(await there.json()).toEqual({ absent: [0] });
  },
);

test.runIf(dolt === null)('skipped: native Dolt is missing', () => {});
