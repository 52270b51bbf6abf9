// Examples of the documentation: the TypeScript of every page runs, in order, with the sample in place of the URL that it names.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { withEngine } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { type Database, open, planRows, type Source, SqlError, VarveError } from './index.ts';

/** Whole stories: longer than a test is given, on a machine that does other things, too. */
const STORY = { timeout: 60_000 };
const root = fileURLToPath(new URL('../../..', import.meta.url));
const sample = join(root, 'web/public/sample/seed_bank');
const ADDRESS = 'https://example.org/data/seed_bank';

/** Pages with examples, each a program of its own. */
const PAGES = [
  'README.md',
  'docs/package.md',
  'docs/tutorial.md',
  ...readdirSync(join(root, 'docs/how-to')).map(name => `docs/how-to/${name}`),
];

/** The blocks of one language in a page, in their order. */
function examplesOf(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')), ([, code]) => code ?? '');
}

/** Places of a browser are in memory here. */
function openHere(source: Source): ReturnType<typeof open> {
  if (source === ADDRESS) return open(sample, { readOnly: true });
  if (typeof source === 'object' && 'empty' in source) return open(source);
  if (typeof source === 'object' && 'opfs' in source) return open({ memory: {}, create: true });
  throw new Error(`an example opens ${JSON.stringify(source)}`);
}

const withoutTypes = (names: string): string => names.replace(/\btype \w+,? ?/g, '');

const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => (...args: unknown[]) => Promise<void>;

async function runTypeScript(page: string): Promise<string[]> {
  const code = examplesOf(page, 'ts')
    .join('\n')
    .replace(/^import .* from 'varve';$/gm, '')
    .replace(
      /^import (.*) from ('.*');$/gm,
      (_, names: string, from) => `const ${withoutTypes(names)} = await load(${from});`,
    )
    // Node 20 does not know `using`.
    .replace(/await using (\w+) = (.*);$/gm, 'const $1 = opened($2);');
  const { code: plain } = await transformWithOxc(`async function example() {\n${code}\n}`, 'example.ts');
  const printed: string[] = [];
  const made: Database[] = [];
  const opened = (database: Database): Database => {
    made.push(database);
    return database;
  };
  const console = { log: (...values: unknown[]) => printed.push(values.map(String).join(' ')) };
  const load = (name: string): Promise<unknown> => import(name);
  const names = ['open', 'opened', 'planRows', 'SqlError', 'VarveError', 'console', 'load'];
  const given = [openHere, opened, planRows, SqlError, VarveError, console, load];
  await new AsyncFunction(...names, `${plain}\nawait example();`)(...given);
  for (const database of made.reverse()) await database.close();
  return printed;
}

const declarations = join(root, 'dist/package/lib/index.js');

/** A project of some years ago, with what its compiler checks. */
const STRANGER = `import { type Database, open, type Resolution, SqlError } from 'varve';
const database: Database = await open({ opfs: 'garden', create: true });
const { rows } = await database.query<{ id: number; plant: string }>('SELECT * FROM beds WHERE id = ?', [1]);
for (const { id, plant } of rows) console.log(id + 1, plant.toUpperCase());
for await (const row of database.stream('SELECT 1 AS one').rows()) console.log(row.one);
const resolutions: Resolution[] = [{ id: '1', take: 'ours' }];
console.log(resolutions, SqlError);
await database.close();
`;

/** What the compiler says of a module beside the package; nothing where all is well. */
function complaintsOf(source: string, options: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'varve-types-'));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(root, join(directory, 'node_modules/varve'));
  for (const name of ['kysely', 'drizzle-orm'])
    symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  const file = join(directory, 'stranger.ts');
  writeFileSync(file, source);
  const words = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', '', ...options];
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...words, file], { cwd: directory, stdio: 'pipe' });
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const withPackage = test.skipIf(!existsSync(declarations));
const withTypes = withPackage.each(['bundler', 'node16', 'nodenext']);

withTypes('the types hold where nothing newer than ES2022 is asked for, and modules are found as %s', STORY, found => {
  const module = found === 'bundler' ? 'esnext' : found;
  const resolution = ['--module', module, '--moduleResolution', found];
  expect(complaintsOf(STRANGER, ['--target', 'es2022', '--lib', 'es2022,dom', ...resolution])).toBe('');
});

withPackage.each(PAGES)('the examples of %s have the types that they say', STORY, page => {
  const options = '--target esnext --lib esnext,dom --module esnext --moduleResolution bundler --skipLibCheck';
  // Those that need a remote or a click are only compiled.
  const others = examplesOf(page, 'typescript').filter(block => !block.includes('declare const'));
  expect(complaintsOf([...examplesOf(page, 'ts'), ...others].join('\n'), options.split(' '))).toBe('');
});

test('who knows no `exports` of a package finds the entry of browsers', () => {
  const { main, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(main).toBe(exports['.'].default);
});

withEngine.each(PAGES)('the TypeScript of %s runs', STORY, async page => {
  const printed = await runTypeScript(page);
  for (const expected of PRINTED[page] ?? []) expect(printed).toContainEqual(expect.stringMatching(expected));
});

/** Some of what pages print. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/^NSB-00017$/, /^modified/],
  'docs/tutorial.md': [/Replace kale$/, /^merged/],
  'docs/how-to/query.md': [/^id int unsigned/, /^true$/, /nmae.*name/],
  'docs/how-to/version.md': [/^conflicts/, /^merged/, /^true$/],
  'docs/how-to/query-builders.md': [/^medlar$/, /^medlar,mulberry$/],
  'docs/how-to/import-export.md': [/CREATE TABLE/],
};

withEngine('the commands of the README', STORY, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'varve-readme-'));
  try {
    writeFileSync(join(directory, 'beds.csv'), 'id,plant\n1,kale\n');
    writeFileSync(join(directory, 'report.sql'), 'SELECT COUNT(*) AS beds FROM beds');
    const path = join(directory, 'database');
    let output = '';
    const print = (text: string): void => {
      output += text;
    };
    const run = async (words: readonly string[]): Promise<number> => {
      const args = words.map(word =>
        word === 'path/to/database'
          ? path
          : word === ADDRESS
            ? sample
            : word.replace(/^beds.csv$/, join(directory, word)),
      );
      return runCommandLine(args, {
        open,
        output: { out: print, error: print },
        input: (async function* () {
          yield 'SELECT COUNT(*) AS lots FROM accessions';
        })() as unknown as NodeJS.ReadableStream,
        useColor: false,
      });
    };
    expect(await run(['init', path])).toBe(0);
    expect(await run(['branch', path, 'feature'])).toBe(0);
    const lines = examplesOf('README.md', 'sh').join('').split('\n');
    const commands = lines.filter(line => line.startsWith('npx varve ')).map(wordsOf);
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      // A shell without a terminal runs what is piped into it, which is of the sample.
      if (command.length === 2 && command[0] === 'sql') continue;
      output = '';
      expect({ command, status: await run(command), output }).toMatchObject({ command, status: 0 });
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** Of a line for a shell: without its first two, its comment and where its input comes from. */
function wordsOf(line: string): string[] {
  const plain = line.replace(/ #.*$/, '').replace(/ < \S+$/, '');
  return Array.from(
    plain.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  ).slice(2);
}

withEngine('every method of a database, and every code of an error, is documented', async () => {
  const pages = PAGES.map(page => readFileSync(join(root, page), 'utf8')).join('\n');
  await using database = await open({ empty: 'methods' });
  const methods = new Set<string>();
  for (let one = Object.getPrototypeOf(database); one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) {
      const { value } = Object.getOwnPropertyDescriptor(one, name) ?? {};
      if (typeof value === 'function' && name !== 'constructor' && !INTERNAL.has(name)) methods.add(name);
    }
  }
  expect(methods.size).toBeGreaterThan(20);
  expect([...methods].filter(name => !new RegExp(`\\.${name}\\(|\`${name}\\b`).test(pages))).toEqual([]);
  const codes = readFileSync(join(root, 'web/src/protocol/messages.ts'), 'utf8').split('type FailureCode =')[1] ?? '';
  for (const [, code] of codes.matchAll(/\| '(\w+)'/g)) expect(pages).toContain(`| \`${code}\` |`);
});

/** What subclasses see; the declarations hide it. */
const INTERNAL = new Set(['start']);
