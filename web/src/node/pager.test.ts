import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../testing/built_engine.ts';
import { openPages, PagerLeft } from './pager.ts';

const scratch = scratchDirectory();

function outputTo(lines: string[]) {
  return { out: (text: string) => void lines.push(text), error: () => {} };
}

/** A program that reads its input as `script` says. */
function pager(name: string, script: string): string {
  const file = join(scratch, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

test('what is written goes to the pager that was chosen, in its order, and closing waits for it', async () => {
  const file = join(scratch, 'read');
  const lines: string[] = [];
  const DOLT_PAGER = `${pager('slow', 'sleep 0.1; cat > "$1"; echo end >> "$1"')} ${file}`;
  const pages = openPages(outputTo(lines), { DOLT_PAGER, PATH: '/usr/bin:/bin' });
  await pages.output.out('one\n');
  await pages.output.out('two\n');
  await pages.close();
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nend\n');
  expect(lines).toEqual([]);
});

test('who leaves the pages is not read to', async () => {
  const pages = openPages(outputTo([]), { DOLT_PAGER: pager('impatient', 'read line'), PATH: '/usr/bin:/bin' });
  const write = async (): Promise<void> => {
    for (;;) await pages.output.out('line\n');
  };
  await expect(write()).rejects.toBeInstanceOf(PagerLeft);
  await pages.close();
});

test('without a pager it is written as it comes', async () => {
  const lines: string[] = [];
  const pages = openPages(outputTo(lines), { PATH: scratch });
  await pages.output.out('line\n');
  await pages.close();
  expect(lines).toEqual(['line\n']);
});
