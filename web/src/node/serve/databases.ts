/** The databases of a server, by path. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { OpenedRemote } from '../../host/remotes/remote_types.ts';
import { databasesIn, isDatabase } from '../disk/databases_in.ts';
import { LocalDatabase } from './local_database.ts';
import { ReceivedFiles } from './received_file.ts';
import type { ServedDatabase } from './served_database.ts';
import { UpstreamDatabase } from './upstream_database.ts';

/** The databases of a server, by the path in the URL of a client. */
export interface Databases {
  find(path: string): ServedDatabase | null;
  close(): Promise<void>;
}

/** A name that is one of a directory on any system, and none of a hidden one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const NAME = /^(?!\.)[^/\\:*?"<>|\u0000-\u001f]{1,64}$/;

/** A remote's files beside its manifest. */
const UNFINISHED = /^(LOCK|nbs_.*|[0-9a-v]{32}(\.darc)?)$/;

/** The databases, and remotes, of a directory; or the directory itself where it is one. */
export class LocalDatabases implements Databases {
  readonly #directory: string;
  readonly #isWritable: boolean;
  readonly #known = new Map<string, LocalDatabase>();
  readonly #received = new ReceivedFiles();

  constructor(directory: string, isWritable: boolean) {
    this.#directory = resolve(directory);
    this.#isWritable = isWritable;
  }

  /** What a client calls them. */
  names(): string[] {
    const own = databasesIn(this.#directory).map(path => basename(path));
    const remotes = readdirSync(this.#directory).filter(name => existsSync(join(this.#directory, name, 'manifest')));
    return [...new Set([...own, ...remotes])].filter(name => NAME.test(name)).sort();
  }

  /** Where clients may write, an unused name is an empty remote, which the first push creates. */
  find(name: string): LocalDatabase | null {
    if (!NAME.test(name)) return null;
    const isHere = this.names().includes(name);
    if (!isHere && !(this.#isWritable && isFree(join(this.#directory, name)))) return null;
    let database = this.#known.get(name);
    if (database === undefined) {
      const isOwn = name === basename(this.#directory) && !existsSync(join(this.#directory, name));
      const path = isOwn && isHere ? this.#directory : join(this.#directory, name);
      const isRemote = !isDatabase(path);
      const store = isRemote ? path : join(path, '.dolt/noms');
      database = new LocalDatabase(store, this.#received, isRemote, this.#isWritable);
      if (isHere) this.#known.set(name, database);
    }
    return database;
  }

  async close(): Promise<void> {}
}

/** Whether nothing is there, or what a first push has left that was cut off. */
function isFree(path: string): boolean {
  if (!existsSync(path)) return true;
  return statSync(path).isDirectory() && readdirSync(path).every(name => UNFINISHED.test(name));
}

/** One remote elsewhere. */
export class UpstreamDatabases implements Databases {
  readonly #name: string;
  readonly #database: UpstreamDatabase;

  /** @param name what clients call it */
  constructor(name: string, open: () => Promise<OpenedRemote>, isWritable = false) {
    this.#name = name;
    this.#database = new UpstreamDatabase(open, isWritable);
  }

  find(name: string): ServedDatabase | null {
    return name === this.#name ? this.#database : null;
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
