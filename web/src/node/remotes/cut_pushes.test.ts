/**
 * Pushes through a proxy that cuts, delays and drops connections, or answers what is no answer: a push has an outcome or a typed error, the remote
 * is whole afterwards, and the next try works. `VARVE_PUSH_FAULTS` says how many.
 */
import { rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scratchDirectory, withDolt } from '../../testing/built_engine.ts';
import { dolt, doltHome, makeDatabase, runDolt, runDoltLater } from '../../testing/native_dolt.ts';
import { type Random, randomly } from '../../testing/random.ts';
import { PASSWORD, type RemotePlace, RemotePlaces } from '../../testing/remote_places.ts';
import { clone, type Database, open, SqlError, VarveError } from '../index.ts';

const PUSHES = Number(process.env.VARVE_PUSH_FAULTS ?? 3);
const scratch = scratchDirectory();
const home = dolt === null ? '' : doltHome(scratch);
const places = new RemotePlaces(scratch, home);

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

interface Place extends RemotePlace {
  readonly proxied: string;
  readonly proxy: FaultyProxy;
}

/** The same place behind a proxy. */
async function behindProxy(place: RemotePlace & { readonly origin: string }): Promise<Place> {
  const proxy = new FaultyProxy(place.origin);
  places.atEnd(() => proxy.stop());
  return { ...place, proxy, proxied: place.url.replace(place.origin, await proxy.start()) };
}

const PLACES: Record<string, () => Promise<Place | null>> = {
  async 's3://'() {
    const bucket = await places.bucket();
    if (bucket === null) return null;
    const first = await open({ path: makeDatabase(places.path('first'), 'db', home) });
    await first.addRemote('bucket', bucket.url);
    await first.push({ remote: 'bucket', refs: ['main'] });
    await first.close();
    const place = await behindProxy(bucket);
    // moto takes a request whose headers are cut as one without a body, and stores an empty object: S3 does not.
    place.proxy.cutsRequests = false;
    return place;
  },
  'a native sql-server': async () => behindProxy(await places.sqlServer()),
  'varve serve': async () => behindProxy(await places.varveServe()),
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
      const path = places.path('ours');
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
      const native = places.path('native');
      const user = place.user === undefined ? [] : ['--user', place.user];
      await runDoltLater(scratch, home, PASSWORD, 'clone', ...user, await place.cloned(), native);
      expect(runDolt(native, home, 'fsck')).toMatch(/no problems/i);
    },
    60_000 + 20_000 * PUSHES,
  );
});
