// One foreign file: into a database, out as a dump, and in again, here and in native Dolt. What differs is reported by its kind.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** @typedef {import('../../web/src/lib/index.ts').Database} Database */
/** @typedef {{ open: typeof import('../../web/src/lib/index.ts').open, dolt?: string | undefined, scratch: string }} Tools */
/** @typedef {{ kind: string, detail: string }} Difference */

/** @type {Readonly<Record<string, { format: 'csv' | 'json' | 'jsonl', separator?: string }>>} */
const FORMS = {
  '.csv': { format: 'csv' },
  '.tsv': { format: 'csv', separator: '\t' },
  '.psv': { format: 'csv', separator: '|' },
  '.json': { format: 'json' },
  '.jsonl': { format: 'jsonl' },
  '.ndjson': { format: 'jsonl' },
};

/** Whether a file is one that goes in. @param {string} name */
export const isOfStrangers = name => /\.(sql|csv|tsv|psv|json|jsonl|ndjson|zip|tar\.gz|tgz)$/i.test(name);

/** What differs of a file. @param {string} file @param {Tools} tools @returns {Promise<Difference[]>} */
export async function roundTrip(file, { open, dolt, scratch }) {
  /** @type {Difference[]} */
  const found = [];
  /** @param {string} kind @param {unknown} error */
  const tell = (kind, error) => found.push({ kind, detail: error instanceof Error ? error.message : String(error) });
  const ending = extname(file).toLowerCase();
  const form = FORMS[ending];
  const isArchive = /\.(zip|tar\.gz|tgz)$/i.test(file);
  /** @type {Database} */
  let database;
  try {
    const bytes = readFileSync(file);
    database = isArchive
      ? await open({ archive: bytes, name: basename(file) })
      : await open({ memory: {}, create: true });
    if (form !== undefined) await database.importRows(bytes, { table: 't', create: true, allRows: true, ...form });
    else if (!isArchive) {
      const { warnings } = await database.importSql(bytes, {
        onError: (error, sql) =>
          tell('statement refused', `${error instanceof Error ? error.message : error}: ${sql.slice(0, 80)}`),
      });
      for (const { message } of warnings.first) tell('warning', message);
    }
  } catch (error) {
    return [{ kind: 'refused', detail: error instanceof Error ? error.message : String(error) }];
  }
  try {
    if (form?.format === 'csv')
      for (const detail of await valuesThatDiffer(file, database)) tell('value differs', detail);
    let dump = '';
    for await (const piece of database.dump()) dump += piece;
    const hashes = await hashesOf(database);
    const again = await open({ memory: {}, create: true });
    await again.importSql(dump).catch(error => tell('own dump refused', error));
    for (const detail of apart(hashes, await hashesOf(again))) tell('table differs after its dump', detail);
    await again.close();
    if (dolt !== undefined) {
      try {
        const native = nativeHashes(dolt, dump, Object.keys(hashes), scratch);
        for (const detail of apart(hashes, native)) tell('table differs in native Dolt', detail);
      } catch (error) {
        tell('dump refused by native Dolt', error);
      }
    }
  } catch (error) {
    tell('export failed', error);
  } finally {
    await database.close();
  }
  return found;
}

/** @param {Database} database @returns {Promise<Record<string, string>>} */
async function hashesOf(database) {
  const { rows } = await database.query("SHOW FULL TABLES WHERE table_type = 'BASE TABLE'");
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const row of rows) {
    const name = String(Object.values(row)[0]);
    const answer = await database.query('SELECT dolt_hashof_table(?) AS hash', [name]);
    hashes[name] = String(answer.rows[0]?.hash);
  }
  return hashes;
}

/** @param {string} dolt @param {string} dump @param {readonly string[]} tables @param {string} scratch @returns {Record<string, string>} */
function nativeHashes(dolt, dump, tables, scratch) {
  const cwd = join(scratch, 'native');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  /** @param {string[]} args @param {string} [input] */
  const run = (args, input) =>
    execFileSync(dolt, args, { cwd, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  run(['init', '--name', 'someone', '--email', 'someone@example.com']);
  run(['sql'], dump);
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const name of tables) {
    const text = name.replaceAll("'", "''");
    hashes[name] = run(['sql', '-r', 'csv', '-q', `SELECT dolt_hashof_table('${text}')`]).split('\n')[1] ?? '';
  }
  writeFileSync(join(scratch, 'last.sql'), dump);
  return hashes;
}

/** @param {Record<string, string>} some @param {Record<string, string>} others */
function apart(some, others) {
  const names = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...names].filter(name => some[name] !== others[name]);
}

/** Ctrl+Z, behind the last line of texts of DOS. */
const END_OF_TEXT = '\x1a';

/** Values of a CSV file that do not come out as they went in; the order of rows is no matter. @param {string} file @param {Database} database */
async function valuesThatDiffer(file, database) {
  const bytes = readFileSync(file);
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  // Comments, the line that names the separator for Excel, and the end of a text for DOS are no rows.
  const source = new TextDecoder(encoding)
    .decode(bytes)
    .replace(/^"?sep=."?\r?\n/i, '')
    .replace(/^(?:# [^\n]*\n)+/, '')
    .replace(new RegExp(`${END_OF_TEXT}$`), '');
  let out = '';
  for await (const piece of database.exportRows({ table: 't', format: 'csv' })) out += piece;
  const came = rowsOf(out, ',').slice(1);
  const width = rowsOf(out, ',')[0]?.length ?? 0;
  // What cuts lines into as many fields as the table has columns; what a line lacks is NULL.
  const widths = (/** @type {string} */ one) => rowsOf(source, one).map(row => row.length);
  const separators = [',', ';', '\t', '|', ' ', '~', '^', '\x01'];
  const separator =
    separators.find(one => widths(one).every(found => found === width)) ??
    separators.find(one => Math.max(...widths(one)) === width) ??
    ',';
  const went = rowsOf(source, separator)
    .slice(1)
    .map(row => [...row, ...Array(Math.max(0, width - row.length)).fill('')]);
  if (went.length !== came.length) return [`${went.length} rows went in, ${came.length} came out`];
  const left = new Map();
  for (const row of came) left.set(keyOf(row), (left.get(keyOf(row)) ?? 0) + 1);
  const missing = went.filter(row => {
    const count = left.get(keyOf(row)) ?? 0;
    left.set(keyOf(row), count - 1);
    return count <= 0;
  });
  return missing.slice(0, 3).map(row => JSON.stringify(row).slice(0, 120));
}

/** @param {readonly string[]} row */
const keyOf = row => JSON.stringify(row.map(plain));

/** A value as all of its spellings read: numbers by their digits, times with all of their parts. @param {string} text */
function plain(text) {
  const number = /^-?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (number !== null && /\d/.test(text) && !/^-?0\d/.test(text)) {
    const [, whole = '', fraction = '', exponent = '0'] = number;
    const digits = `${whole}${fraction}`.replace(/^0+/, '');
    const places = Number(exponent) - fraction.length;
    const cut = digits.replace(/0+$/, '');
    return cut === '' ? '0' : `${text.startsWith('-') ? '-' : ''}${cut}e${places + digits.length - cut.length}`;
  }
  const time = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?$/.exec(text);
  if (time === null) return text;
  const [, date, minute = '00:00', second = '00', part = ''] = time;
  return `${date} ${minute}:${second}.${part.replace(/0+$/, '')}`;
}

/** @param {string} text @param {string} separator */
function rowsOf(text, separator) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {string[]} */
  let row = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[++at] !== '"') break;
        field += text[at];
      }
      // Blanks after the closing quote are no part of the field.
      while (text[at] === ' ' && separator !== ' ') at++;
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
    row.push(field + text.slice(start, at));
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push('');
      else continue;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
