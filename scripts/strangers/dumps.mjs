// Dumps that a real server's programs write: a MariaDB server with the schema of `server_schema.sql` is dumped in many ways, each dump is
// imported by the package and by the command line, and each table's rows are compared with the server's, and what views, triggers and routines
// do.
//
// node scripts/strangers/dumps.mjs [--only NAME] [--keep DIRECTORY]        (after `npm run build`)
//
// Needs mariadbd, mariadb-install-db, mariadb and mariadb-dump (Debian: mariadb-server); `phpmyadmin` with `php-cli` and native Dolt are
// used where they are. The server runs in a scratch directory behind a socket, without a port. Not a part of `npm test`.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { findDolt } from '../dolt.mjs';
import { serverRows } from './server_rows.mjs';

/** @typedef {import('../../web/src/lib/index.ts').Database} Database */

/** The package, as it was built. */
const { open } = await import(new URL('../../dist/package/node/index.js', import.meta.url).href);
const VARVE = new URL('../../bin/varve.js', import.meta.url).pathname;
const SCHEMA = new URL('server_schema.sql', import.meta.url);

const { values } = parseArgs({ options: { only: { type: 'string' }, keep: { type: 'string' } } });

/** What dumps are made of, and how. @type {Readonly<Record<string, readonly string[]>>} */
const DUMPS = {
  default: ['strangers'],
  whole: ['--routines', '--events', '--triggers', 'strangers'],
  rows_apart: ['--skip-extended-insert', 'strangers'],
  complete_insert: ['--complete-insert', '--routines', 'strangers'],
  hex_blob: ['--hex-blob', 'strangers'],
  latin1: ['--default-character-set=latin1', '--routines', 'strangers'],
  utf8: ['--default-character-set=utf8', '--hex-blob', 'strangers'],
  single_transaction: ['--single-transaction', '--order-by-primary', '--routines', 'strangers'],
  no_options: ['--skip-opt', '--routines', 'strangers'],
  replace: ['--replace', '--skip-quote-names', '--tables', 'strangers', 'kinds', 'latin', 'keyless'],
  insert_ignore: ['--insert-ignore', '--skip-tz-utc', 'strangers'],
  compatible: ['--compatible=ansi', '--default-character-set=utf8mb4', 'strangers'],
  no_blobs_quoted: ['--skip-add-locks', '--skip-disable-keys', '--skip-comments', '--compact', 'strangers'],
  databases: ['--databases', '--routines', '--events', 'strangers', 'other ones'],
  add_drop_database: ['--add-drop-database', '--databases', 'other ones', 'strangers'],
  all_databases: ['--all-databases', '--routines', '--events'],
  flush_logs: ['--master-data=2', '--flush-privileges', '--dump-date', '--allow-keywords', 'strangers'],
};

const scratch = values.keep ?? mkdtempSync(join(tmpdir(), 'varve-dumps-'));
mkdirSync(scratch, { recursive: true });
chmodSync(scratch, 0o777);
const socket = join(scratch, 'socket');

/** @param {string} program @param {readonly string[]} args @param {string | Buffer} [input] */
function run(program, args, input) {
  return execFileSync(program, [...args], { input, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'pipe'] });
}
const AS_USER = userInfo().uid === 0 ? ['--user=nobody'] : [];
const CLIENT = ['--no-defaults', `--socket=${socket}`, '--user=root'];
/** @param {string} sql @param {readonly string[]} [more] */
const ask = (sql, more = []) =>
  run(
    'mariadb',
    [...CLIENT, '--default-character-set=utf8mb4', '--batch', '--raw', '--skip-column-names', ...more],
    sql,
  ).toString();

async function startServer() {
  const data = join(scratch, 'data');
  rmSync(data, { recursive: true, force: true });
  run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    ...AS_USER,
  ]);
  const options = [
    `--datadir=${data}`,
    `--socket=${socket}`,
    `--pid-file=${join(scratch, 'pid')}`,
    '--secure-file-priv=',
    '--log-bin',
  ];
  const child = spawn('mariadbd', ['--no-defaults', ...options, '--skip-networking', ...AS_USER], { stdio: 'ignore' });
  for (let tries = 0; ; tries++) {
    try {
      ask('SELECT 1');
      return child;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }
}

/** @typedef {{ name: string, type: string, isText: boolean }} Column */
/** @typedef {{ database: string, table: string, columns: Column[] }} Table */

/** @returns {Table[]} */
function tablesOf() {
  const sql = `SELECT JSON_ARRAY(c.table_schema, c.table_name, c.column_name, c.data_type, c.character_set_name IS NOT NULL)
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE t.table_schema IN ('strangers', 'other ones') AND t.table_type = 'BASE TABLE' ORDER BY c.table_schema, c.table_name, c.ordinal_position`;
  /** @type {Map<string, Table>} */
  const tables = new Map();
  for (const line of ask(sql).trimEnd().split('\n')) {
    const [database, table, name, type, isText] = JSON.parse(line);
    /** @type {Table} */
    const known = tables.get(`${database}.${table}`) ?? { database, table, columns: [] };
    known.columns.push({ name, type, isText: Boolean(isText) });
    tables.set(`${database}.${table}`, known);
  }
  return [...tables.values()];
}

const quoteName = (/** @type {string} */ name) => `\`${name.replaceAll('`', '``')}\``;

/**
 * Expressions that are the same text here and there, with bytes in hexadecimal digits.
 *
 * @param {Table} table
 * @param {string} [charset] of a dump of the server, which has `?` for what is not in it; nothing for Varve
 */
function texts({ columns }, charset) {
  const isServer = charset !== undefined;
  return columns.map(({ name, type, isText }) => {
    const column = quoteName(name);
    // Without the zeros of ZEROFILL, which the server shows.
    if (type === 'bit' || type === 'year') return `${column} + 0`;
    if (/^(tiny|small|medium|big)?int/.test(type)) return isServer ? `${column} + 0` : column;
    if (type === 'date') return `DATE_FORMAT(${column}, '%Y-%m-%d')`;
    if (type === 'enum' || type === 'set') return `CONCAT(HEX(CONVERT(${column} USING utf8mb4)), ' ', ${column} + 0)`;
    const dumped = isServer ? `CONVERT(${column} USING ${charset})` : column;
    if (isText) return `HEX(CONVERT(${dumped} USING utf8mb4))`;
    if (/binary|blob|point|line|polygon|geom/.test(type)) return `HEX(${column})`;
    // Native Dolt makes no text of a time, and Varve no other one.
    return type === 'time' && !isServer ? column : `CAST(${column} AS CHAR)`;
  });
}

/** @param {Table} table @param {string} charset */
const serverQuery = (table, charset) =>
  `SELECT CONCAT_WS('|', ${texts(table, charset)
    .map(text => `IFNULL(${text}, 'NULL')`)
    .join(', ')}) FROM ${quoteName(table.table)}`;

/** @param {Table} table */
const varveQuery = table =>
  `SELECT ${texts(table)
    .map((text, at) => `${text} AS c${at}`)
    .join(', ')} FROM ${quoteName(table.table)}`;

/** Lines with numbers as all of their spellings read, and what they add up to. @param {readonly string[]} lines @param {Table} table */
function sumOf(lines, { columns }) {
  const plain = lines.map(line =>
    line
      .split('|')
      .map((text, at) => {
        const { type = '' } = columns[at] ?? {};
        if (/time/.test(type)) return text.replace(/\.?0+$/, fraction => (text.includes('.') ? '' : fraction));
        if (text === 'NULL' || !/float|double|decimal/.test(type)) return text;
        return type === 'decimal' ? text.replace(/^-(?=0*\.?0*$)/, '') : String(Number(text));
      })
      .join('|'),
  );
  return {
    count: lines.length,
    sum: createHash('sha256').update(plain.sort().join('\n')).digest('hex').slice(0, 16),
    lines: plain,
  };
}

/** @param {Table} table @param {string} charset */
const servers = (table, charset) =>
  sumOf(
    ask(`SET time_zone = '+00:00'; ${serverQuery(table, charset)}`, [`--database=${table.database}`])
      .split('\n')
      .slice(0, -1),
    table,
  );

/** The first value that differs. @param {readonly string[]} ours @param {readonly string[]} theirs @param {Table} table */
function firstApart(ours, theirs, { columns }) {
  const at = theirs.findIndex((line, index) => line !== ours[index]);
  const [found = [], wanted = []] = [ours[at]?.split('|'), theirs[at]?.split('|')];
  const column = wanted.findIndex((text, index) => text !== found[index]);
  return at < 0
    ? ''
    : `, first ${columns[column]?.name} of ${wanted[0]}: ${String(found[column]).slice(0, 200)} for ${String(wanted[column]).slice(0, 200)}`;
}

/** What of the tables differs, and which are not there. @param {Database} database @param {readonly Table[]} tables @param {Map<Table, ReturnType<typeof sumOf>>} wanted */
async function compare(database, tables, wanted) {
  const found = [];
  await database.query("SET time_zone = '+00:00'");
  for (const table of tables) {
    try {
      const answer = await database.query(varveQuery(table));
      const rows = answer
        .rowArrays()
        .map((/** @type {unknown[]} */ row) => row.map(value => (value === null ? 'NULL' : String(value))).join('|'));
      const sum = sumOf(rows, table);
      const server = /** @type {ReturnType<typeof sumOf>} */ (wanted.get(table));
      if (sum.sum === server.sum) continue;
      found.push(`${table.table}: ${sum.count} rows of ${server.count}${firstApart(sum.lines, server.lines, table)}`);
    } catch (error) {
      found.push(`${table.table}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return found;
}

/** Imports it by the package. @param {string | Uint8Array} dump @param {readonly Table[]} tables @param {Map<Table, ReturnType<typeof sumOf>>} wanted @param {(database: Database) => Promise<void>} [more] */
async function imported(dump, tables, wanted, more) {
  const database = await open({ empty: 'strangers' });
  /** @type {string[]} */
  const refused = [];
  const { warnings } = await database.importSql(dump, {
    onError: (/** @type {Error} */ error, /** @type {string} */ sql, /** @type {number} */ line) => {
      refused.push(`line ${line}: ${error.message} -- ${sql.replace(/\s+/g, ' ').slice(0, 120)}`);
    },
  });
  await more?.(database);
  const differ = [];
  for (const name of new Set(tables.map(table => table.database))) {
    await database.query(`USE ${quoteName(name)}`).catch((/** @type {Error} */ error) => differ.push(error.message));
    differ.push(
      ...(await compare(
        database,
        tables.filter(table => table.database === name),
        wanted,
      )),
    );
  }
  await database.close();
  return {
    refused,
    warnings: warnings.first.map(
      (/** @type {{ line: number, message: string }} */ { line, message }) => `line ${line}: ${message}`,
    ),
    differ,
  };
}

/** Imports it by the command line, into a database on the disk. @param {string} file @param {readonly Table[]} tables @param {Map<Table, ReturnType<typeof sumOf>>} wanted */
async function importedByCommand(file, tables, wanted) {
  const path = join(scratch, 'by_command', 'strangers');
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  run('node', [VARVE, 'init', path, '--name', 'someone', '--email', 'someone@example.com']);
  const told = spawnSync('node', [VARVE, 'import', path, file, '--continue'], { encoding: 'utf8' }).stderr;
  const database = await open({ path });
  const differ = await compare(
    database,
    tables.filter(table => table.database === 'strangers'),
    wanted,
  );
  await database.close();
  return { told, differ };
}

/** What routines, triggers and views do: statements, and queries that show what became of them. */
const BEHAVIOURS = [
  'SELECT COUNT(*) FROM log',
  'SELECT id, name, children, total FROM b_over ORDER BY id LIMIT 20',
  'SELECT name, total FROM a_over_view ORDER BY name, total LIMIT 20',
  'SELECT id, parent, place FROM with_window ORDER BY id LIMIT 20',
  'SELECT i FROM with_cte ORDER BY i',
  'CALL count_children((SELECT MIN(parent) FROM a_children), @n)',
  'SELECT @n',
  'SET @m = 250',
  'CALL many_ways(@m)',
  'SELECT @m',
  'INSERT INTO a_children (id, parent, amount) SELECT 900000, MIN(parent), 12.3456 FROM a_children',
  'SELECT amount FROM a_children WHERE id = 900000',
  'UPDATE a_children SET amount = amount + 1 WHERE id = 900000',
  'UPDATE a_children SET amount = amount WHERE id = 900000',
  'DELETE FROM a_children WHERE id = 900000',
  'SELECT what FROM log ORDER BY id',
  "UPDATE changeable SET `na``me` = 'by view' WHERE id = (SELECT MIN(id) FROM `z parents`)",
  'SELECT `na``me` FROM `z parents` ORDER BY id LIMIT 3',
  'UPDATE changeable SET id = 5000 WHERE id = (SELECT MIN(id) FROM `z parents`)',
  "SELECT event_name, event_type, interval_value, interval_field, status, on_completion, event_comment FROM information_schema.events WHERE event_schema = 'strangers'",
  "SELECT trigger_name, action_timing, event_manipulation, event_object_table FROM information_schema.triggers WHERE trigger_schema = 'strangers' ORDER BY 1",
  "SELECT routine_name, routine_type, sql_data_access FROM information_schema.routines WHERE routine_schema = 'strangers' AND routine_type = 'PROCEDURE' ORDER BY 1",
];

/** Runs them here and on the server, whose changes are taken back. @param {string | Uint8Array} dump */
async function compareBehaviours(dump) {
  const database = await open({ empty: 'strangers' });
  await database.importSql(dump, { onError: () => {} });
  await database.query('USE strangers');
  const mark = 'next statement';
  const script = BEHAVIOURS.map(sql => `${sql};\nSELECT '${mark}';\n`).join('');
  const told = ask(`START TRANSACTION;\n${script}ROLLBACK;\n`, ['--database=strangers', '--force']);
  const answers = told.split(`${mark}\n`);
  let apart = 0;
  for (const [at, sql] of BEHAVIOURS.entries()) {
    const server = answers[at]?.trimEnd() ?? '';
    const here = await database.query(sql).then(
      (/** @type {import("../../web/src/lib/index.ts").Result} */ answer) =>
        answer.columns.length === 0 ? '' : rowsText(answer.rowArrays()),
      (/** @type {Error} */ error) => `error: ${error.message}`,
    );
    // As native Dolt, Varve shows the sum of decimals without the zeros at its end.
    const withoutZeros = (/** @type {string} */ text) =>
      text.replace(/(\.\d*?)0+(?=[\t\n]|$)/g, '$1').replace(/\.(?=[\t\n]|$)/g, '');
    if (withoutZeros(here) === withoutZeros(server) || (here.startsWith('error') && server === '')) continue;
    apart++;
    console.log(`  differs: ${sql}: ${JSON.stringify(here.slice(0, 300))} for ${JSON.stringify(server.slice(0, 300))}`);
  }
  await database.close();
  console.log(`behaviours: ${apart} of ${BEHAVIOURS.length} statements differ`);
}

/** @param {readonly unknown[][]} rows */
function rowsText(rows) {
  return rows.map(row => row.map(value => (value === null ? 'NULL' : String(value))).join('\t')).join('\n');
}

/** @param {string} name @param {Awaited<ReturnType<typeof imported>>} result @param {string} [how] */
function print(name, { refused, warnings, differ }, how = '') {
  console.log(
    `${name}${how}: ${differ.length} tables differ, ${refused.length} statements refused, ${warnings.length} warnings`,
  );
  for (const [kind, lines] of Object.entries({ differs: differ, refused, warning: warnings }))
    for (const line of lines) console.log(`  ${kind}: ${line.slice(0, 700)}`);
}

/** `--tab` writes a script and a file of rows for each table. @param {readonly Table[]} tables @param {Map<Table, ReturnType<typeof sumOf>>} wanted */
async function importedFiles(tables, wanted) {
  const directory = join(scratch, 'tab');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  chmodSync(directory, 0o777);
  run('mariadb-dump', [...CLIENT, `--tab=${directory}`, '--default-character-set=utf8mb4', 'strangers']);
  const files = readdirSync(directory);
  const scripts = files.filter(file => file.endsWith('.sql')).map(file => readFileSync(join(directory, file)));
  const off = Buffer.from('SET foreign_key_checks = 0;\n');
  return imported(Buffer.concat([off, ...scripts]), tables, wanted, async database => {
    await database.query('SET foreign_key_checks = 0');
    for (const { table } of tables) {
      // As the server names files.
      const file = `${table.replace(/[^\w]/g, one => `@${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}.txt`;
      if (!files.includes(file)) continue;
      await database
        .query(`LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${quoteName(table)}`, [], {
          files: { rows: { path: join(directory, file) } },
        })
        .catch((/** @type {Error} */ error) => console.log(`  tab: ${table}: ${error.message}`));
    }
  });
}

/** Files that are no dumps in SQL, or not yet. */
async function otherFiles() {
  const dump = run('mariadb-dump', [...CLIENT, '--hex-blob', 'strangers', 'keyless']);
  return { gz: gzipSync(dump), xml: run('mariadb-dump', [...CLIENT, '--xml', 'strangers', 'keyless']) };
}

/** What phpMyAdmin's page of exports writes, asked as a browser would ask; undefined where it is not installed. @returns {Promise<Buffer | undefined>} */
async function phpMyAdminDump() {
  const installed = '/usr/share/phpmyadmin';
  if (!existsSync(installed) || spawnSync('php', ['-v']).status !== 0) return undefined;
  const root = join(scratch, 'phpmyadmin');
  if (!existsSync(root)) cpSync(installed, root, { recursive: true, dereference: true });
  mkdirSync(join(root, 'tmp'), { recursive: true });
  const vendor = join(root, 'libraries', 'vendor_config.php');
  const config = join(root, 'config.inc.php');
  writeFileSync(
    vendor,
    readFileSync(vendor, 'utf8')
      .replace(/'configFile' => .*/, `'configFile' => '${config}',`)
      .replace(/'tempDir' => .*/, `'tempDir' => '${root}/tmp/',`),
  );
  const settings = {
    auth_type: 'config',
    host: 'localhost',
    socket,
    user: 'root',
    password: '',
    AllowNoPassword: true,
  };
  const lines = Object.entries(settings).map(
    ([key, value]) => `$cfg['Servers'][1]['${key}'] = ${typeof value === 'string' ? `'${value}'` : value};`,
  );
  writeFileSync(config, `<?php\n$cfg['blowfish_secret'] = '${'x'.repeat(32)}';\n${lines.join('\n')}\n`);
  // A free port of this machine alone.
  const server = spawn('php', ['-d', `session.save_path=${root}/tmp`, '-S', '127.0.0.1:0', '-t', root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const address = await new Promise((resolve, reject) => {
      let told = '';
      server.stderr.on('data', data => {
        told += data;
        const found = /\((http:[^)]+)\) started/.exec(told);
        if (found !== null) resolve(found[1]);
      });
      server.once('exit', () => reject(new Error(told)));
    });
    const page = await fetch(`${address}/index.php?route=/database/export&db=strangers`);
    const cookie = page.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ');
    const form = await page.text();
    const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
    const fields = new URLSearchParams({
      db: 'strangers',
      token,
      export_type: 'database',
      export_method: 'quick',
      quick_or_custom: 'custom',
      what: 'sql',
      output_format: 'sendit',
      filename_template: 'dump',
      charset: 'utf-8',
      compression: 'none',
      single_table: '',
    });
    const on = [
      'include_comments',
      'procedure_function',
      'create_trigger',
      'create_view',
      'auto_increment',
      'backquotes',
      'hex_for_binary',
      'utc_time',
      'if_not_exists',
      'disable_fk',
    ];
    for (const name of on) fields.set(`sql_${name}`, 'something');
    fields.set('sql_create_table', 'something');
    fields.set('sql_structure_or_data', 'structure_and_data');
    fields.set('sql_type', 'INSERT');
    fields.set('sql_insert_syntax', 'both');
    fields.set('sql_max_query_size', '50000');
    const tables = ask("SELECT table_name FROM information_schema.tables WHERE table_schema = 'strangers'")
      .trimEnd()
      .split('\n');
    for (const kind of ['table_select[]', 'table_structure[]', 'table_data[]'])
      for (const table of tables) fields.append(kind, table);
    const answer = await fetch(`${address}/index.php?route=/export`, {
      method: 'POST',
      body: fields,
      headers: { cookie },
    });
    const dump = Buffer.from(await answer.arrayBuffer());
    writeFileSync(join(scratch, 'php_my_admin.sql'), dump);
    return dump;
  } finally {
    server.kill();
  }
}

/** What native Dolt makes of the dump, dumped by it. @param {Map<Table, ReturnType<typeof sumOf>>} wanted @param {readonly Table[]} tables */
async function importDoltDump(wanted, tables) {
  const dolt = findDolt();
  if (dolt === undefined) return console.log('dolt_dump: left out, native Dolt is not installed');
  const cwd = join(scratch, 'dolt');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const inDolt = (/** @type {string[]} */ args, /** @type {Buffer | undefined} */ input = undefined) =>
    execFileSync(dolt, args, { cwd, input, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'pipe'] });
  inDolt(['init', '--name', 'someone', '--email', 'someone@example.com']);
  // Views over tables that it has not taken would end its dump.
  try {
    inDolt(
      ['sql', '--continue'],
      run('mariadb-dump', [
        ...CLIENT,
        '--hex-blob',
        '--skip-triggers',
        'strangers',
        ...tables.map(({ table }) => table),
      ]),
    );
  } catch {
    // It leaves out what it does not take.
  }
  inDolt(['dump', '--force', '--file-name', 'dump.sql']);
  const dump = readFileSync(join(cwd, 'dump.sql'));
  const known = tables.filter(({ table }) => dump.includes(`CREATE TABLE ${quoteName(table)}`));
  const hash = (/** @type {string} */ table) =>
    inDolt(['sql', '-r', 'csv', '-q', `SELECT dolt_hashof_table('${table.replaceAll("'", "''")}')`])
      .toString()
      .split('\n')[1];
  const native = known.map(({ table }) => [table, hash(table)]);
  /** @type {string[]} */
  const apart = [];
  const result = await imported(dump, [], wanted, async database => {
    for (const [table, hash] of native) {
      const { rows } = await database
        .query('SELECT dolt_hashof_table(?) AS hash', [table])
        .catch(() => ({ rows: [{ hash: 'none' }] }));
      if (rows[0]?.hash !== hash) apart.push(`${table}: ${rows[0]?.hash} for ${hash}`);
    }
  });
  print(`dolt_dump of ${known.length} tables`, { ...result, differ: apart });
}

const server = await startServer();
try {
  ask(readFileSync(SCHEMA, 'utf8'));
  ask(serverRows());
  const tables = tablesOf();
  const ofStrangers = tables.filter(({ database }) => database === 'strangers');
  for (const [name, options] of Object.entries(DUMPS)) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const dump = run('mariadb-dump', [...CLIENT, ...options]);
    const file = join(scratch, `${name}.sql`);
    writeFileSync(file, dump);
    const charset = /--default-character-set=(\w+)/.exec(options.join(' '))?.[1] ?? 'utf8mb4';
    const wanted = new Map(tables.map(table => [table, servers(table, charset)]));
    const isOfBoth = options.includes('other ones') || options.includes('--all-databases');
    const listed = options.includes('--tables') ? options.slice(options.indexOf('--tables') + 2) : undefined;
    const these = isOfBoth ? tables : ofStrangers.filter(({ table }) => listed?.includes(table) ?? true);
    print(name, await imported(dump, these, wanted));
    if (isOfBoth) continue;
    const { differ, told } = await importedByCommand(file, these, wanted);
    print(name, { refused: told === '' ? [] : [told], warnings: [], differ }, ' by varve import');
  }
  const charset = 'utf8mb4';
  const wanted = new Map(tables.map(table => [table, servers(table, charset)]));
  const isWanted = (/** @type {string} */ name) => values.only === undefined || name.includes(values.only);
  if (isWanted('two_parts')) {
    const parts = ['--no-data', '--no-create-info'].map(part =>
      run('mariadb-dump', [...CLIENT, '--hex-blob', '--skip-triggers', part, 'strangers']),
    );
    print('two_parts', await imported(Buffer.concat(parts), ofStrangers, wanted));
  }
  if (isWanted('behaviours')) {
    const whole = ['--routines', '--events', '--triggers', '--hex-blob', 'strangers'];
    await compareBehaviours(run('mariadb-dump', [...CLIENT, ...whole]));
  }
  // The server writes texts in one charset, and so no bytes.
  const ofTexts = ofStrangers.filter(({ columns }) => !columns.some(({ type }) => /bit|binary|blob|point/.test(type)));
  if (isWanted('tab')) print('tab', await importedFiles(ofTexts, wanted));
  for (const [name, dump] of Object.entries(await otherFiles())) {
    if (!isWanted(name)) continue;
    try {
      print(name, await imported(dump, [], wanted));
    } catch (error) {
      console.log(`${name}: refused: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (isWanted('php_my_admin')) {
    const dump = await phpMyAdminDump();
    if (dump === undefined) console.log('php_my_admin: left out, phpmyadmin or php is not installed');
    else print('php_my_admin', await imported(dump, ofStrangers, wanted));
  }
  if (isWanted('dolt_dump'))
    await importDoltDump(wanted, ofStrangers).catch(error => console.log(`dolt_dump: refused: ${error.message}`));
} finally {
  server.kill();
  await new Promise(resolve => server.once('exit', resolve));
  if (values.keep === undefined) rmSync(scratch, { recursive: true, force: true });
}
