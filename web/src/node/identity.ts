/** Who commits, and when: what the environment says, else the settings of the database and of the user that native Dolt keeps. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../client/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, string | undefined>>;

/** Tells the session that is the database's own whose its commits are; false when nothing is known of that. */
export async function introduce(database: Database, source: string, environment: Environment): Promise<boolean> {
  const variables = identityOf(source, database.name, environment);
  if (variables.length === 0) return false;
  const assignments = variables.map(([name]) => `@@${name} = ?`).join(', ');
  await database.query(
    `SET ${assignments}`,
    variables.map(([, value]) => value),
  );
  return true;
}

/** Variables of a session and what they become. */
function identityOf(source: string, name: string, environment: Environment): (readonly [string, string])[] {
  const roots = [source, join(source, name)].map(root => join(root, '.dolt/config.json'));
  const own = settingsAt(roots.find(existsSync));
  const users = settingsOfUser(environment);
  return ['author', 'committer'].flatMap(who =>
    ['name', 'email', 'date'].flatMap(part => {
      const variable = `dolt_${who}_${part}`;
      const value = environment[variable.toUpperCase()] ?? own[`user.${part}`] ?? users[`user.${part}`];
      return value ? [[variable, value] as const] : [];
    }),
  );
}

/** What native Dolt keeps for all databases of the user. */
export function settingsOfUser(environment: Environment): Settings {
  return settingsAt(join(environment.DOLT_ROOT_PATH ?? homedir(), '.dolt/config_global.json'));
}

function settingsAt(path: string | undefined): Settings {
  if (path === undefined || !existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Settings;
  } catch {
    // Settings that cannot be read settle nothing; the database can be used without them.
    return {};
  }
}
