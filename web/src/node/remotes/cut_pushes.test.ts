/**
 * Pushes through a proxy that cuts, delays and drops connections, or answers what is no answer: a push has an outcome or a typed error, the remote
 * is whole afterwards, and the next try works. `VARVE_PUSH_FAULTS` says how many.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater, SqlServer } from '../../testing/native_dolt.ts';
import { type Random, randomly } from '../../testing/random.ts';
import { copyObjects, S3_KEYS, S3Server } from '../../testing/s3_server.ts';
import { VarveServer } from '../../testing/varve_server.ts';
import { clone, type Database, open, SqlError, VarveError } from '../index.ts';

const PUSHES = Number(process.env.VARVE_PUSH_FAULTS ?? 3);
const USER = 'tester';
const PASSWORD = 'a secret: or not';
const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
process.env.DOLT_REMOTE_PASSWORD = PASSWORD;
process.env.AWS_ACCESS_KEY_ID = S3_KEYS.accessKeyId;
process.env.AWS_SECRET_ACCESS_KEY = S3_KEYS.secretAccessKey;

const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** A proxy of TCP: requests of all kinds go through it. One connection in `every` goes wrong. */
class FaultyProxy {
  random: Random = () => 0;
  every = 1;
  /** Whether requests are cut, not only their answers. */
  cutsRequests = true;
  /** What went wrong. */
  faults = 0;
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer(socket => this.#forward(socket));
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }

  /** Ends what is open. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(client: Socket): void {
    this.#sockets.add(client);
    client.on('close', () => this.#sockets.delete(client));
    client.on('error', () => {});
    const { random } = this;
    const isWrong = random(this.every) === 0;
    const kind = isWrong ? random(6) : -1;
    if (isWrong) this.faults++;
    if (kind === 0) return void client.destroy();
    if (kind === 1) {
      const status = [416, 429, 500, 503][random(4)];
      client.once('data', () => client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`));
      return;
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    server.on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    // A request arrives in part, or its answer does; or either comes late.
    const limits = {
      up: kind === 2 && this.cutsRequests ? random(6000) : Infinity,
      down: kind === 3 || kind === 4 ? random(3000) : Infinity,
    };
    const delayMs = kind === 5 ? random(30) : 0;
    const pass = (from: Socket, to: Socket, limit: number): void => {
      let passed = 0;
      from.on('data', bytes => {
        const part = bytes.subarray(0, Math.max(0, limit - passed));
        passed += bytes.length;
        const send = (): void => {
          if (part.length > 0 && !to.destroyed) to.write(part);
          if (passed > limit) client.destroy();
        };
        if (delayMs > 0) setTimeout(send, delayMs);
        else send();
      });
    };
    pass(client, server, limits.up);
    pass(server, client, limits.down);
  }
}

interface Place {
  readonly url: string;
  readonly proxied: string;
  readonly proxy: FaultyProxy;
  readonly user?: string;
  /** What native Dolt clones. */
  cloned(): Promise<string>;
}

let made = 0;

function served(): string {
  const folder = join(scratch, `served-${made++}`);
  mkdirSync(folder);
  makeDatabase(folder, 'db', home);
  return folder;
}

async function before(endpoint: string): Promise<{ readonly proxy: FaultyProxy; readonly address: string }> {
  const proxy = new FaultyProxy(endpoint);
  stops.push(() => proxy.stop());
  return { proxy, address: await proxy.start() };
}

const PLACES: Record<string, () => Promise<Place | null>> = {
  async 's3://'() {
    const server = await S3Server.start('moto');
    if (server === null) return null;
    stops.push(() => server.stop());
    const bucket = `bucket-${made++}`;
    const url = await server.bucket(bucket);
    const first = await open({ path: makeDatabase(scratch, `first-${made++}`, home) });
    await first.addRemote('bucket', url);
    await first.push({ remote: 'bucket', refs: ['main'] });
    await first.close();
    const { proxy, address } = await before(server.endpoint);
    // moto takes a request whose headers are cut as one without a body, and stores an empty object: S3 does not.
    proxy.cutsRequests = false;
    const proxied = url.replace(server.endpoint, address);
    return { url, proxied, proxy, cloned: () => copyObjects(server, bucket, join(scratch, `objects-${made++}`)) };
  },
  async 'a native sql-server'() {
    const server = await SqlServer.start(served(), home);
    stops.push(() => server.stop());
    const { proxy, address } = await before(server.url);
    return { url: `${server.url}/db`, proxied: `${address}/db`, proxy, cloned: async () => `${server.url}/db` };
  },
  async 'varve serve'() {
    const server = await VarveServer.start(served(), USER, PASSWORD);
    stops.push(() => server.stop());
    const { proxy, address } = await before(server.url);
    const url = `${server.url}/db`;
    return { url, proxied: `${address}/db`, proxy, user: USER, cloned: async () => url };
  },
};

async function headOf(database: Database): Promise<string> {
  return String((await database.query("SELECT dolt_hashof('HEAD') AS head")).rows[0]?.head);
}

describe.each(Object.entries(PLACES))('%s', (name, start) => {
  withDolt(
    'a push that is cut leaves the remote whole, and the next one works',
    async () => {
      const place = await start();
      if (place === null) return;
      const { proxy } = place;
      const who = place.user === undefined ? {} : { user: place.user };
      const path = join(scratch, `ours-${made++}`);
      await (await clone(place.url, { path }, who)).close();
      const ours = await open({ path }, { networkTimeoutMs: 2000 });
      await ours.addRemote('proxied', place.proxied);
      let failed = 0;
      for (let seed = 1; seed <= PUSHES; seed++) {
        proxy.random = randomly(seed);
        proxy.every = 1 + (seed % 3);
        await ours.query(`INSERT INTO t VALUES (${100 + seed}, repeat('${seed} ', 50))`);
        const head = await ours.commit(`commit ${seed}`);
        try {
          expect(await ours.push({ ...who, remote: 'proxied' })).toMatchObject({ outcome: 'pushed' });
        } catch (error) {
          if (!(error instanceof VarveError || error instanceof SqlError))
            throw new Error(`seed ${seed}`, { cause: error });
          failed++;
        }
        proxy.cut();
        // Without the proxy: what is there is whole, and the same push is done, or was.
        const copy = join(scratch, 'copy');
        const there = await clone(place.url, { path: copy }, who);
        expect((await there.verify()).isWhole, `seed ${seed}`).toBe(true);
        await there.close();
        rmSync(copy, { recursive: true });
        await ours.push({ ...who, remote: 'origin' });
        const again = await clone(place.url, { path: copy }, { ...who, depth: 1 });
        expect(await headOf(again), `seed ${seed}`).toBe(head);
        await again.close();
        rmSync(copy, { recursive: true });
      }
      console.info(`${name}: ${failed} of ${PUSHES} pushes failed, ${proxy.faults} connections went wrong`);
      expect(proxy.faults).toBeGreaterThan(0);
      await ours.close();
      const native = join(scratch, `native-${made++}`);
      const user = place.user === undefined ? [] : ['--user', place.user];
      await runDoltLater(scratch, home, PASSWORD, 'clone', ...user, await place.cloned(), native);
      expect(runDolt(native, home, 'fsck')).toMatch(/no problems/i);
    },
    60_000 + 20_000 * PUSHES,
  );
});
