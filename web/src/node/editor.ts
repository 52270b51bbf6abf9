/** The editor of the person at the terminal, for texts that commands ask for. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, settingsOfUser } from './identity.ts';

/** Opens a text in the editor of the user, and returns the edited text. */
export type Edit = (text: string) => Promise<string>;

/** As native Dolt finds it: the user's setting `core.editor`, else $EDITOR, else vim. */
export function editorOf(environment: Environment): Edit {
  return async text => {
    const command = settingsOfUser(environment)['core.editor'] || environment.EDITOR || 'vim';
    const directory = mkdtempSync(join(tmpdir(), 'varve-'));
    try {
      const file = join(directory, 'text');
      writeFileSync(file, text);
      await run(`${command} "${file}"`);
      return readFileSync(file, 'utf8');
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

/** Through a shell, for an editor may come with arguments. */
function run(line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const editor = spawn(line, { shell: true, stdio: 'inherit' });
    editor.on('error', reject);
    editor.on('exit', code => {
      if (code === 0) resolve();
      else reject(new Error(`the editor ended with status ${code}: ${line}`));
    });
  });
}

/** The text without lines that begin with `#`, which only explain. */
export function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n')
    .trim();
}
