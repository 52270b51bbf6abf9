import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { isBuilt, withEngine } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { open } from './index.ts';

const FIXTURES = '../shared/fixtures';
const SAMPLE = 'web/public/sample/seed_bank';
/** The fixtures lie beside the repository. */
const withFixtures = test.skipIf(!isBuilt || !existsSync(FIXTURES));

interface Case {
  readonly fixture: string;
  readonly damaged_file: string;
  readonly cli: { readonly fsck: { readonly exit: number; readonly stdout: string } };
}

async function varve(...args: readonly string[]) {
  let output = '';
  let errors = '';
  const out = (text: string): void => {
    output += text;
  };
  const error = (text: string): void => {
    errors += text;
  };
  const input = Readable.from([]) as NodeJS.ReadableStream;
  const status = await runCommandLine(args, { open, output: { out, error }, input, useColor: false });
  return { status, output, errors };
}

withFixtures('fsck ends as native Dolt does, and names the file', async () => {
  const cases = JSON.parse(readFileSync(`${FIXTURES}/j_damaged.json`, 'utf8')) as readonly Case[];
  expect(cases.length).toBeGreaterThan(37);
  for (const { fixture, damaged_file, cli } of cases) {
    const { status, output, errors } = await varve('fsck', `${FIXTURES}/${fixture}.tar.gz`);
    // Without `repo_state.json` there are still its files, and they are whole.
    // Native Dolt opens an older state without a word where the manifest names a root that the journal has not.
    const isCut = fixture.startsWith('j_a_truncated');
    if (isCut) expect(output).toContain('the manifest names root 465f7se8hhuj8rs9itmreurrnf21645a');
    const expected = fixture.endsWith('_missing_repo_state') ? 0 : isCut ? 1 : cli.fsck.exit;
    const isExpected = status === expected;
    expect(isExpected, `${fixture}: ${status}, native Dolt ${cli.fsck.exit}: ${output}${errors}`).toBe(true);
    if (status === 0) expect(output).toMatch(/\nNo problems found\.\n$/);
    else expect(output + errors).not.toContain('No problems found');
    const commits = /Commit objects found: .*\n/.exec(cli.fsck.stdout)?.[0];
    if (commits !== undefined && output !== '') expect(output, fixture).toContain(commits);
    const isOfFile =
      /_flipped_|_truncated_|_garbage_tail|_missing_file/.test(fixture) && !fixture.includes('journal_index');
    const name = damaged_file.split('/').at(-1)?.replace('.darc', '') ?? '';
    if (status === 1 && isOfFile) expect(output + errors, fixture).toContain(name);
  }
});

withFixtures('what is damaged is told with what it is needed for', async () => {
  await using database = await open({ archive: readFileSync(`${FIXTURES}/j_c_flipped_data.tar.gz`) });
  const { isWhole, problems, problemCount, commits, reachableCommits } = await database.verify();
  const file = '.dolt/noms/oldgen/s7ega4eul1ad3rn480cgjc7ufsooriq7';
  expect({ isWhole, problemCount, commits, reachableCommits }).toEqual({
    isWhole: false,
    problemCount: 1,
    commits: 30,
    reachableCommits: 30,
  });
  expect(problems).toEqual([
    {
      flaw: 'damaged',
      address: 'oa4mso1o3is7sqi34pttuhsca3sr0osm',
      file,
      offset: 71152,
      owner: '5eu391dg95plvvpuabsudm3s5cmacrgu',
      table: 'authors',
      message: `${file}: chunk record has a wrong checksum at byte 71152`,
    },
  ]);
});

withFixtures('opening tells that the newest commit is lost, and what was opened', async () => {
  const path = mkdtempSync(join(tmpdir(), 'varve-lost-'));
  execFileSync('tar', ['xzf', resolve(`${FIXTURES}/j_a_truncated_half.tar.gz`), '-C', path]);
  const journal = join(path, 'journal/.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv');
  const before = readFileSync(journal);
  {
    await using database = await open({ path: join(path, 'journal') });
    expect(database.storage).toMatchObject({ readOnly: true, readOnlyReason: expect.stringContaining('acceptLoss') });
    expect(database.storage.warnings).toMatchObject([
      {
        kind: 'missing_root',
        database: 'journal',
        file: '.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv',
        offset: 37089,
        droppedBytes: 18,
        expectedRoot: '465f7se8hhuj8rs9itmreurrnf21645a',
        openedRoot: expect.stringMatching(/^[0-9a-v]{32}$/),
      },
    ]);
    await expect(database.query('CREATE TABLE more (a INT)')).rejects.toMatchObject({ errno: 1290 });
    expect((await database.query('SELECT COUNT(*) FROM books')).rowArrays()).toEqual([[60n]]);
  }
  expect(readFileSync(journal)).toEqual(before);
  {
    await using database = await open({ path: join(path, 'journal') }, { acceptLoss: true });
    await database.query('CREATE TABLE more (a INT)');
  }
  expect(readFileSync(`${journal}_tail_37089`)).toEqual(before.subarray(37089));
  await using again = await open({ path: join(path, 'journal') });
  expect(again.storage).toMatchObject({ readOnly: false, warnings: [] });
  rmSync(path, { recursive: true });
});

withFixtures('each of several databases is looked at, or the one that is named', async () => {
  const several = await varve('fsck', `${FIXTURES}/i_multi.tar.gz`);
  expect(several.status).toBe(0);
  expect(several.output.match(/No problems found/g)).toHaveLength(3);
  const [, name = ''] = /^\n(.*):$/m.exec(several.output) ?? [];
  expect((await varve('fsck', `${FIXTURES}/i_multi.tar.gz`, '-d', name)).output).not.toContain(`${name}:`);
  const unknown = await varve('fsck', `${FIXTURES}/i_multi.tar.gz`, '-d', 'nothing');
  expect(unknown).toMatchObject({ status: 1, errors: 'varve: database not found: nothing (1049)\n' });
});

withEngine('a verification tells how far it is, is cancelled, and lets statements go on', async () => {
  await using database = await open(SAMPLE);
  const told: number[] = [];
  const statement = database.query('SELECT COUNT(*) AS n FROM species');
  const found = await database.verify({ onProgress: ({ chunks, chunksTotal }) => told.push(chunks / chunksTotal) });
  expect(found).toMatchObject({ isWhole: true, problems: [], problemCount: 0 });
  expect(found.kinds).toMatchObject({ STRT: expect.any(Number), DCMT: found.commits });
  expect(found.reachableChunks).toBeLessThanOrEqual(found.chunks);
  expect(told.at(-1)).toBe(1);
  expect(told).toEqual(told.toSorted((one, other) => one - other));
  expect((await statement).rowCount).toBe(1);
  const control = new AbortController();
  const ended = database.verify({ signal: control.signal, onProgress: () => control.abort() });
  await expect(ended).rejects.toThrow('abort');
  expect((await database.verify()).isWhole).toBe(true);
});

withEngine('fsck repairs nothing', async () => {
  const { status, errors } = await varve('fsck', SAMPLE, '--revive-journal-with-data-loss');
  expect({ status, errors }).toEqual({
    status: 1,
    errors: 'varve: fsck only verifies; to repair a journal run "dolt fsck" in the same directory\n',
  });
});

withEngine(
  'a journal that ends within a record says so on the command line, and is opened at its last whole root',
  async () => {
    const path = mkdtempSync(join(tmpdir(), 'varve-torn-'));
    {
      await using database = await open({ path, create: true });
      await database.query('CREATE TABLE t (id INT PRIMARY KEY)');
    }
    const journal = join(path, '.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv');
    const written = readFileSync(journal).findLastIndex(byte => byte !== 0);
    truncateSync(journal, written - 6);
    const told = /^varve: warning: .*dropped an interrupted write of \d+ bytes at byte \d+\n/;
    expect((await varve('fsck', path)).errors).toMatch(told);
    const { status, errors } = await varve('sql', path, '-q', 'CREATE TABLE u (id INT PRIMARY KEY)');
    expect(errors).toMatch(told);
    expect(status).toBe(0);
    // What was written on top is whole.
    expect((await varve('sql', path, '-q', 'SELECT * FROM u')).errors).toBe('');
    rmSync(path, { recursive: true });
  },
);
