import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBuilt, scratchDirectory } from '../testing/built_engine.ts';
import { runCommandLine } from './cli.ts';
import { type Edit, editorOf } from './editor.ts';
import { open } from './index.ts';

const scratch = scratchDirectory();

/** Runs a command at a terminal; its exit code and what it said. */
async function at(path: string, edit: Edit, command: string, ...args: string[]) {
  let said = '';
  const out = (text: string) => {
    said += text;
  };
  const output = { out, error: out };
  const line = { open, output, input: process.stdin, useColor: false, environment: {}, edit };
  return { status: await runCommandLine([command, path, ...args], line), said };
}

const nobody: Edit = () => Promise.reject(new Error('nobody was to be asked'));
const says = (answer: string | ((text: string) => string)): Edit & { readonly asked: string[] } => {
  const asked: string[] = [];
  const edit = async (text: string) => {
    asked.push(text);
    return typeof answer === 'string' ? answer : answer(text);
  };
  return Object.assign(edit, { asked });
};

test.skipIf(!isBuilt)('at a terminal messages and the plan of a rebase are edited', async () => {
  const path = join(scratch, 'database');
  const sql = (text: string) => at(path, nobody, 'sql', '-q', text);
  const messages = async () => (await at(path, nobody, 'log', '--oneline')).said.replace(/^\w{32} /gm, '').trim();
  await at(path, nobody, 'init');
  await sql('CREATE TABLE t (id INT PRIMARY KEY)');

  expect(await at(path, says('\n# only a comment\n'), 'commit', '-A')).toEqual({
    status: 1,
    said: 'varve: Aborting commit due to empty commit message.\n',
  });
  const first = says(text => `one\n\nand more\n${text}`);
  expect((await at(path, first, 'commit', '-A')).status).toBe(0);
  expect(first.asked[0]).toContain('# \tnew table:        t\n');
  const amended = says(text => text.replace('one', 'base'));
  expect((await at(path, amended, 'commit', '--amend')).status).toBe(0);
  expect(await messages()).toBe('base  and more\nInitialize data repository');

  for (const id of [1, 2, 3, 4]) {
    await sql(`INSERT INTO t VALUES (${id})`);
    await at(path, nobody, 'commit', '-am', `row ${id}\nin two lines`);
  }
  const before = await messages();
  for (const broken of [says('mix'), says('pick'), nobody]) {
    expect((await at(path, broken, 'rebase', '-i', 'HEAD~4')).status).toBe(1);
    expect((await at(path, nobody, 'branch')).said).toBe('* main\n');
  }
  const emptied = await at(path, says('# nothing\n'), 'rebase', '-i', 'HEAD~4');
  expect(emptied).toEqual({ status: 0, said: 'Interactive rebase aborted\n' });
  expect(await messages()).toBe(before);

  const plan = says(text => {
    const [one, two, three, four] = text.split('\n');
    return [four, one?.replace('pick', 'r').replace('in two lines', 'alone'), two?.replace('pick', 'd'), three].join(
      '\n',
    );
  });
  const done = await at(path, plan, 'rebase', '-i', 'HEAD~4');
  expect(done).toEqual({ status: 0, said: 'Successfully rebased and updated refs/heads/main\n' });
  expect(plan.asked[0]).toMatch(/^pick \w{32} row 1 in two lines\n/);
  const rows = ['row 3 in two lines', 'row 1 alone', 'row 4 in two lines'];
  expect(await messages()).toBe([...rows, 'base  and more', 'Initialize data repository'].join('\n'));
  expect((await at(path, nobody, 'show', 'HEAD')).said).toContain('\trow 3\n\tin two lines\n');
  expect((await sql('SELECT id FROM t')).said).not.toContain('| 2');
});

test('the editor is the one that native Dolt would start', async () => {
  const home = join(scratch, 'home');
  const environment = { DOLT_ROOT_PATH: home, EDITOR: 'printf more >>' };
  expect(await editorOf(environment)('text ')).toBe('text more');
  await expect(editorOf({ ...environment, EDITOR: 'false' })('text')).rejects.toThrow('the editor ended with status 1');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, '.dolt'), { recursive: true });
  writeFileSync(join(home, '.dolt/config_global.json'), JSON.stringify({ 'core.editor': 'printf set >' }));
  expect(await editorOf(environment)('text ')).toBe('set');
});

test('commands that only native Dolt has say so in a line', async () => {
  const { status, said } = await at(scratch, nobody, 'read-tables');
  expect(status).toBe(1);
  expect(said).toMatch(/^varve: unknown command read-tables: .*\n$/);
});
