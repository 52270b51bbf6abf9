// A database on a distant server: 30 ms are added to every answer. `node benches/web/remote.mjs [node|chromium]` prints time against a local
// copy, requests, rounds of waiting and bytes, at the first visit (an empty cache) and the second (a new process, a new page).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/process.mjs';
import { serve } from '../../scripts/static_server.mjs';
import { openBenchPage } from './chromium.mjs';
import { filesOf, makeArchive, makeCorpus } from './data.mjs';
import { median, show, table } from './statistics.mjs';

const DELAY_MS = 30;
const REPETITIONS = Number(process.env.REPETITIONS ?? 3);
const PLATFORMS = process.argv.length > 2 ? process.argv.slice(2) : ['node', 'chromium'];
const LOG = 'SELECT commit_hash, message FROM dolt_log LIMIT 1';
const STATEMENTS = {
  join:
    'SELECT COUNT(*), SUM(LENGTH(Text)) FROM translations JOIN sentences ON sentences.SentenceId = translations.TranslationId ' +
    'WHERE translations.SentenceId % 5000 = 0',
  'point select': 'SELECT Text FROM sentences WHERE SentenceId = 123456',
  'log -n 1': LOG,
};

/** Counts what clients ask of a server that answers late. A request begins a new round when it came after an answer had gone out. */
class Meter {
  #rounds = 0;
  #answered = 0;
  requests = 0;
  bytes = 0;
  /** Without these the same bytes would count twice. */
  paths = new Map();

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  count(request, response) {
    this.requests += 1;
    const round = this.#answered + 1;
    this.#rounds = Math.max(this.#rounds, round);
    response.on('finish', () => {
      this.#answered = Math.max(this.#answered, round);
      this.bytes += Number(response.getHeader('content-length') ?? 0);
      this.paths.set(request.url, (this.paths.get(request.url) ?? 0) + 1);
    });
  }

  get figures() {
    const { requests, bytes } = this;
    const immutable = [...this.paths].filter(([path]) => !/manifest|repo_state|ghost|v{32}/.test(path));
    return { requests, rounds: this.#rounds, bytes, immutable: immutable.reduce((sum, [, count]) => sum + count, 0) };
  }
}

/** @typedef {{ ms: number, openMs: number }} Visit */
/** @typedef {{ local: (directory: string, sql: string) => Promise<Visit>, remote: (url: string, sql: string) => Promise<Visit>, forget: () => Promise<void>, close: () => Promise<void> }} Client */

let meter = new Meter();
const server = await serve({
  directory: join(root, '.cache/bench'),
  cors: true,
  delayMs: DELAY_MS,
  onRequest: (request, response) => meter.count(request, response),
});
const corpus = await makeCorpus();
const corpusBytes = filesOf(corpus).reduce((sum, path) => sum + statSync(join(corpus, path)).size, 0);
try {
  for (const platform of PLATFORMS) await measure(platform, platform === 'node' ? nodeClient() : await pageClient());
} finally {
  await server.close();
}

/** @param {string} platform @param {Client} client */
async function measure(platform, client) {
  const rows = [
    ['', 'local', 'first', 'ratio', 'requests', 'rounds', 'kB', 'second', 'ratio', 'requests', 'of immutable', 'kB'],
  ];
  try {
    for (const [name, sql] of Object.entries(STATEMENTS)) rows.push(await row(client, name, 'corpus', sql));
    for (const chunks of [10_000, 1_000_000].filter(chunks => process.env.CHUNKS === '1' && makeArchive(chunks)))
      rows.push(await row(client, `log, ${chunks} chunks`, `archive-${chunks}`, LOG));
  } finally {
    await client.close();
  }
  const title = `${platform}: ${(corpusBytes / 1e6).toFixed(1)} MB, ${DELAY_MS} ms added to every answer; open and statement, medians of ${REPETITIONS} in ms`;
  process.stdout.write(`\n${title}\n\n${table(rows)}\n`);
}

/** @param {Client} client @param {string} name @param {string} database @param {string} sql */
async function row(client, name, database, sql) {
  const local = [];
  const first = [];
  const second = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    local.push({ ...(await client.local(database, sql)) });
    await client.forget();
    for (const visits of [first, second]) {
      meter = new Meter();
      const visit = await client.remote(`${server.url}${database}/`, sql);
      visits.push({ ...visit, ...meter.figures });
    }
  }
  const of = (visits, figure) => median(visits.map(visit => visit[figure]));
  const ms = visits => median(visits.map(visit => visit.openMs + visit.ms));
  const counts = visits => [String(of(visits, 'requests')), String(of(visits, 'rounds'))];
  const kilobytes = visits => (of(visits, 'bytes') / 1000).toFixed(0);
  return [
    name,
    `${show(ms(local))}`,
    `${show(ms(first))}`,
    `${(ms(first) / ms(local)).toFixed(2)}`,
    ...counts(first),
    kilobytes(first),
    `${show(ms(second))}`,
    `${(ms(second) / ms(local)).toFixed(2)}`,
    counts(second)[0],
    String(of(second, 'immutable')),
    kilobytes(second),
  ];
}

/** Each visit is a process of its own. @returns {Client} */
function nodeClient() {
  const folder = mkdtempSync(join(tmpdir(), 'varve-remote-'));
  const cache = join(folder, 'cache');
  const visit = async (source, sql) => {
    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const visitor = spawn(process.execPath, [join(root, 'benches/web/remote_visit.mjs'), source, sql], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pieces = [];
    visitor.stdout.on('data', piece => pieces.push(piece));
    const [status] = await once(visitor, 'close');
    if (status !== 0) throw new Error(`a visit ended with ${status}`);
    return JSON.parse(Buffer.concat(pieces).toString());
  };
  return {
    local: (database, sql) => visit(join(root, '.cache/bench', database), sql),
    remote: visit,
    forget: async () => rmSync(cache, { recursive: true, force: true }),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Each visit is a page of its own. @returns {Promise<Client>} */
async function pageClient() {
  const { bench, inFreshPage, close } = await openBenchPage();
  const stored = new Set();
  return {
    local: async (database, sql) => {
      if (!stored.has(database)) await bench('store', database, filesOf(join(root, '.cache/bench', database)));
      stored.add(database);
      return inFreshPage('visit', { opfs: database }, sql);
    },
    remote: (url, sql) => inFreshPage('visit', url, sql),
    forget: () => bench('forget', '.varve-cache'),
    close,
  };
}
