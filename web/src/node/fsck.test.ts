import { existsSync, readFileSync } from 'node:fs';
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
    const isExpected = fixture.endsWith('_missing_repo_state') ? status === 0 : status === cli.fsck.exit;
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
    errors: 'varve: fsck looks and repairs nothing: native Dolt revives a journal, in the same directory\n',
  });
});
