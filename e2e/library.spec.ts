// The npm package in a browser, loaded as `tsc` wrote it, without a bundler.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker as Thread } from 'node:worker_threads';
import { serve } from '../scripts/static_server.mjs';
import type * as Varve from '../web/src/lib/index.ts';
import { expect, root, sampleDirectory, sampleZip, test } from './fixtures.ts';

/** Where the package lies on the page of the `library` fixture; a variable, so that no type checker looks for it. */
const PACKAGE = '/package/lib/index.js';

const COUNT = 'SELECT COUNT(*) AS lots FROM accessions';
const LOTS = 3408;

test('a remote directory is queried with ranges, through suspended wasm', async ({ library, remote }) => {
  const answer = await library.evaluate(
    async ({ path, url, sql }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open(url);
      const { rows } = await database.query(sql);
      const { storage } = database;
      await database.close();
      return { rows, isRemote: storage.remote, hasJspi: 'Suspending' in WebAssembly };
    },
    { path: PACKAGE, url: remote.url, sql: COUNT },
  );
  expect(answer.hasJspi).toBe(true);
  expect(answer.isRemote).toBe(true);
  expect(Number(answer.rows[0]?.lots)).toBe(LOTS);
});

test('a remote directory is queried without JSPI, through synchronous requests', async ({ library, remote }) => {
  const rows = await library.evaluate(
    async ({ path, url, sql }) => {
      const { open }: typeof Varve = await import(path);
      const worker = new Worker('/no_jspi_worker.js', { type: 'module' });
      const database = await open(url, { worker });
      const { rows } = await database.query(sql);
      await database.close();
      return rows;
    },
    { path: PACKAGE, url: remote.url, sql: COUNT },
  );
  expect(Number(rows[0]?.lots)).toBe(LOTS);
});

test('a host that ignores ranges still serves a database', async ({ library }) => {
  const host = await serve({ directory: sampleDirectory, cors: true, ranges: false });
  const rows = await library.evaluate(
    async ({ path, url, sql }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open(url);
      const { rows } = await database.query(sql);
      await database.close();
      return rows;
    },
    { path: PACKAGE, url: host.url, sql: COUNT },
  );
  await host.close();
  expect(Number(rows[0]?.lots)).toBe(LOTS);
});

test('a remote is asked for what a query touches, and never with HEAD', async ({ library }) => {
  const asked: string[] = [];
  const host = await serve({
    directory: sampleDirectory,
    cors: true,
    onRequest: request => asked.push(request.method ?? ''),
  });
  const fetchedBytes = await library.evaluate(
    async ({ path, url }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open(url);
      await database.query('SELECT * FROM accessions WHERE id = 17');
      await database.close();
      return performance
        .getEntriesByType('resource')
        .filter(entry => entry.name.startsWith(url))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
    },
    { path: PACKAGE, url: host.url },
  );
  await host.close();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(method => method !== 'GET' && method !== 'OPTIONS')).toEqual([]);
  expect(fetchedBytes).toBeLessThan(1_000_000);
});

test('a zip is opened from its bytes', async ({ library }) => {
  const rows = await library.evaluate(
    async ({ path, base64, sql }) => {
      const { open }: typeof Varve = await import(path);
      const archive = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
      const database = await open({ archive });
      const { rows } = await database.query(sql);
      await database.close();
      return rows;
    },
    { path: PACKAGE, base64: readFileSync(sampleZip).toString('base64'), sql: COUNT },
  );
  expect(Number(rows[0]?.lots)).toBe(LOTS);
});

test('LOAD DATA LOCAL reads the files that come along with it: picked, made, or as bytes', async ({ library }) => {
  const told = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ empty: 'loads' });
    await database.query('CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))');
    const load = (options: Varve.StatementOptions) =>
      database.query("LOAD DATA LOCAL INFILE 'seeds.csv' INTO TABLE t FIELDS TERMINATED BY ','", [], options).then(
        ({ affectedRows }) => affectedRows,
        (error: Error) => error.message,
      );
    const lines = Array.from({ length: 100_000 }, (_, id) => `${id},row ${id}\n`).join('');
    const answers = [
      await load({}),
      await load({ files: { 'other.csv': new Blob(['1,a']) } }),
      await load({ files: { 'seeds.csv': new File([lines], 'any.csv') } }),
      await load({ files: { 'seeds.csv': new TextEncoder().encode('100000,last') } }),
      await load({ files: { 'seeds.csv': { path: '/etc/passwd' } } }),
    ];
    const { rows } = await database.query('SELECT COUNT(*) AS n, MAX(name) AS last FROM t WHERE id >= 99999');
    await database.close();
    return { answers, rows: rows.map(row => [String(row.n), row.last]) };
  }, PACKAGE);
  expect(told.answers).toEqual([
    expect.stringContaining("File 'seeds.csv' not found"),
    expect.stringContaining("File 'seeds.csv' not found"),
    100_000,
    1,
    expect.stringContaining('paths are of Node only'),
  ]);
  expect(told.rows).toEqual([['2', 'row 99999']]);
});

test('the package comes in few files, and the engine once for all databases of a page', async ({ library }) => {
  const asked: string[] = [];
  library.on('request', request => asked.push(new URL(request.url()).pathname));
  await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    for (const empty of ['first', 'second']) await (await open({ empty })).close();
  }, PACKAGE);
  expect(asked.filter(path => path.endsWith('.wasm'))).toEqual(['/wasm/core_bg.wasm']);
  expect(new Set(asked.filter(path => path.endsWith('.js'))).size).toBeLessThanOrEqual(6);
});

test('the deferred module is fetched once, when a statement first needs it', async ({ library }) => {
  const asked: string[] = [];
  library.on('request', request => asked.push(new URL(request.url()).pathname));
  const deferred = () => asked.filter(path => path.endsWith('/deferred.wasm'));
  await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ empty: 'garden' });
    await database.query('SELECT 1');
    await database.close();
  }, PACKAGE);
  expect(deferred()).toEqual([]);
  const rows = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ empty: 'garden' });
    await database.query('CREATE TABLE beds (id INT PRIMARY KEY, place POINT)');
    await database.query('CREATE TRIGGER grows BEFORE INSERT ON beds FOR EACH ROW SET NEW.id = NEW.id * 2');
    await database.query("INSERT INTO beds VALUES (1, ST_GeomFromText('POINT(1 2)'))");
    const { rows } = await database.query('SELECT id, ST_X(place) AS x FROM beds');
    await database.close();
    return rows;
  }, PACKAGE);
  expect(rows).toEqual([{ id: 2, x: 1 }]);
  expect(deferred()).toHaveLength(1);
});

test('an order that is not built in is fetched when text is ordered by it', async ({ library }) => {
  const fetched: string[] = [];
  library.on('request', request => fetched.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  const answers = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ empty: 'words' });
    const ordered = async (collation: string) => {
      const words = "SELECT 'zebra' AS w UNION ALL SELECT 'ål' UNION ALL SELECT 'and'";
      const { rows } = await database.query(`SELECT w FROM (${words}) x ORDER BY w COLLATE ${collation}`);
      return rows.map(row => row.w);
    };
    const answers = {
      ofConnections: await ordered('utf8mb4_0900_ai_ci'),
      older: await ordered('utf8mb4_unicode_ci'),
      danish: await ordered('utf8mb4_da_0900_ai_ci'),
    };
    await database.close();
    return answers;
  }, PACKAGE);
  expect(answers).toEqual({
    ofConnections: ['ål', 'and', 'zebra'],
    older: ['ål', 'and', 'zebra'],
    danish: ['and', 'zebra', 'ål'],
  });
  expect(fetched.filter(name => name.startsWith('collations'))).toHaveLength(1);
});

test('a cross join of minutes is cancelled within 100 ms and the database goes on', async ({ library, remote }) => {
  const answer = await library.evaluate(
    async ({ path, url, sql }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open(url);
      await database.query(sql);
      const cancel = async () => {
        const controller = new AbortController();
        const endless = database.query(
          'SELECT COUNT(*) FROM accessions a, germination_tests b, holdings c WHERE a.seeds + b.sown + c.packets < 0',
          [],
          { signal: controller.signal },
        );
        const outcome = endless.then(
          () => 'finished',
          () => 'cancelled',
        );
        await new Promise(resolve => setTimeout(resolve, 500));
        const abortedAtMs = performance.now();
        controller.abort();
        const how = await outcome;
        const rejectedMs = performance.now() - abortedAtMs;
        // The rejection alone proves nothing: the worker must be free again.
        const { rows } = await database.query(sql);
        return { how, rejectedMs, answeredMs: performance.now() - abortedAtMs, rows };
      };
      // The best of many: others may have the processor at that moment.
      const tries = [];
      do tries.push(await cancel());
      while (tries.length < 25 && !tries.some(({ rejectedMs, answeredMs }) => rejectedMs < 100 && answeredMs < 250));
      await database.close();
      return tries;
    },
    { path: PACKAGE, url: remote.url, sql: COUNT },
  );
  expect(new Set(answer.map(({ how }) => how))).toEqual(new Set(['cancelled']));
  expect(new Set(answer.map(({ rows }) => Number(rows[0]?.lots)))).toEqual(new Set([LOTS]));
  expect(Math.min(...answer.map(({ rejectedMs }) => rejectedMs))).toBeLessThan(100);
  expect(Math.min(...answer.map(({ answeredMs }) => answeredMs))).toBeLessThan(250);
});

test('a statement that takes too long is stopped by its timeout', async ({ library, remote }) => {
  const message = await library.evaluate(
    async ({ path, url }) => {
      const { open }: typeof Varve = await import(path);
      const database = await open(url);
      const sql = 'SELECT COUNT(*) FROM accessions a, germination_tests b, holdings c WHERE a.seeds + b.sown < 0';
      try {
        await database.query(sql, [], { timeoutMs: 200 });
        return 'finished';
      } catch (error) {
        return String(error);
      } finally {
        await database.close();
      }
    },
    { path: PACKAGE, url: remote.url },
  );
  expect(message).not.toBe('finished');
});

test('something that is no database is refused in words', async ({ library }) => {
  const message = await library.evaluate(
    async ({ path }) => {
      const { open }: typeof Varve = await import(path);
      try {
        await open({ memory: { 'readme.txt': new TextEncoder().encode('nothing here') } });
        return 'opened';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    { path: PACKAGE },
  );
  expect(message).not.toBe('opened');
  expect(message.length).toBeGreaterThan(10);
});

test('a page on another origin than the package uses it, and so does a frame that may keep nothing', async ({
  page,
}) => {
  const host = await serve({ directory: join(root, 'dist'), cors: true });
  const frame = '<iframe sandbox="allow-scripts" srcdoc="<title>frame</title>"></iframe>';
  const own = await serve({ directory: join(root, 'dist'), also: { '/blank.html': `<!doctype html>${frame}` } });
  await page.goto(`${own.url}blank.html`);
  const use = async ({ path, source }: { path: string; source: Varve.Source }) => {
    const { open }: typeof Varve = await import(path);
    return open(source).then(
      async database => {
        const { rows } = await database.query("SELECT 'kale' AS plant");
        await database.close();
        return rows[0]?.plant;
      },
      error => (error as Varve.VarveError).code,
    );
  };
  const path = `${host.url}package/lib/index.js`;
  expect(await page.evaluate(use, { path, source: { opfs: 'elsewhere', create: true } })).toBe('kale');
  const [, inside] = page.frames();
  expect(await inside?.evaluate(use, { path, source: { empty: 'garden' } })).toBe('kale');
  expect(await inside?.evaluate(use, { path, source: { opfs: 'garden', create: true } })).toBe('unsupported');
  for (const server of [host, own]) await server.close();
});

test('a page that comes without HTTPS is told that it has no storage, and works with what needs none', async ({
  library,
}) => {
  const insecure = 'http://varve.test/';
  const served = new URL('/', library.url()).href;
  await library.route(`${insecure}**`, async route => {
    await route.fulfill({ response: await route.fetch({ url: route.request().url().replace(insecure, served) }) });
  });
  await library.goto(`${insecure}blank.html`);
  const told = await library.evaluate(async path => {
    const { open }: typeof Varve = await import(path);
    const database = await open({ empty: 'garden' });
    const said = (failing: Promise<unknown>) => failing.catch(error => `${error.code}: ${error.message}`);
    return {
      isSecure: isSecureContext,
      rows: (await database.query('SELECT 1 AS one')).rowArrays().map(row => row.map(String)),
      opened: await said(open({ opfs: 'garden', create: true })),
      copied: await said(database.copyTo({ opfs: 'garden' })),
    };
  }, PACKAGE);
  const refused = expect.stringMatching(
    /^unsupported: Browsers give storage only to pages served by HTTPS or from localhost/,
  );
  expect(told).toEqual({ isSecure: false, rows: [['1']], opened: refused, copied: refused });
});

test('where there are no workers, open says so', async ({ library }) => {
  const code = await library.evaluate(async path => {
    const program = `import { open } from ${JSON.stringify(new URL(path, location.href))};
      onconnect = async ({ ports: [port] }) => port.postMessage(await open({ empty: 'x' }).then(() => 'opened', error => error.code));`;
    const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
    const { port } = new SharedWorker(address, { type: 'module' });
    return new Promise(resolve => {
      port.onmessage = ({ data }) => resolve(data);
    });
  }, PACKAGE);
  expect(code).toBe('unsupported');
});

test('a worker that is not served is told, and not waited for', async ({ library }) => {
  const failure = await library.evaluate(async path => {
    const { open, VarveError }: typeof Varve = await import(path);
    const worker = new Worker('/nowhere.js', { type: 'module' });
    return open({ empty: 'garden' }, { worker }).then(
      () => undefined,
      error => (error instanceof VarveError ? { code: error.code, message: error.message } : undefined),
    );
  }, PACKAGE);
  expect(failure?.code).toBe('died');
  expect(failure?.message).toContain('the worker could not be started: its file is not served');
});

test('in Node a thread that is terminated ends its database, with what was asked and what is asked later', async ({
  remote,
}) => {
  const { open }: typeof Varve = await import(join(root, 'dist/package/node/index.js'));
  const started = new Promise<Thread>(resolve => process.once('worker', resolve));
  const database = await open(remote.url);
  const told: unknown[] = [];
  await database.live('SELECT COUNT(*) FROM sites', () => {}, { onError: error => void told.push(error) });
  const running = database.query('SELECT COUNT(*) FROM accessions a, accessions b, accessions c').catch(error => error);
  await (await started).terminate();
  const gone = { code: 'died', message: 'The engine stopped: its thread ended with code 1. Open the database again' };
  expect(await running).toMatchObject(gone);
  expect(await database.closed).toMatchObject(gone);
  expect(await database.query('SELECT 1').catch(error => error)).toMatchObject(gone);
  await expect.poll(() => told).toMatchObject([gone]);
  await database.close();
});
