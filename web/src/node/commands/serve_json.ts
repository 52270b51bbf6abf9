/** `varve serve-json`: JSON requests on standard input. */
import { Buffer, isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import {
  type ArrowColumn,
  type Batch,
  type Column,
  type Database,
  type OpenOptions,
  type Result,
  type Session,
  type Source,
  SqlError,
} from '../../client/index.ts';
import { messageOf } from '../../protocol/index.ts';
import { databasesIn } from '../disk/databases_in.ts';

type Open = (source: Source, options?: OpenOptions) => Promise<Database>;
type Answer = Record<string, unknown>;

interface Request {
  readonly id: unknown;
  readonly op: string;
  readonly db?: string | null;
  readonly sql?: string;
  readonly session?: string | null;
}

/** MySQL's number for what has none of its own; Dolt's, too. */
const GENERAL_ERROR = 1105;
const EMPTY_QUERY = 1065;

/**
 * Answers requests, one JSON object a line: `open`, `exec` and `query`, `close`. Values are the text that MySQL clients
 * see, binary ones `0x…`. A database of the disk is opened as a copy in memory: whatever is executed, its files stay as they are.
 */
export class JsonServer {
  readonly #open: Open;
  #database: Database | null = null;
  #sessions = new Map<string, Session>();

  constructor(open: Open) {
    this.#open = open;
  }

  async answer(line: string): Promise<string> {
    let request: Request;
    try {
      request = JSON.parse(line) as Request;
    } catch (error) {
      return JSON.stringify({ id: null, error: errorOf(error) });
    }
    const { id } = request;
    try {
      return JSON.stringify({ id, ...(await this.#run(request)) });
    } catch (error) {
      return JSON.stringify({ id, error: errorOf(error) });
    }
  }

  async close(): Promise<void> {
    const database = this.#database;
    this.#database = null;
    this.#sessions = new Map();
    await database?.close();
  }

  async #run(request: Request): Promise<Answer> {
    switch (request.op) {
      case 'open':
        await this.close();
        this.#database = await (typeof request.db === 'string' ? this.#open(copyOf(request.db)) : this.#fresh());
        return {};
      case 'exec':
      case 'query':
        return await this.#answerTo(request);
      case 'close':
        await this.close();
        return {};
      default:
        throw new Error(`there is no operation ${request.op}`);
    }
  }

  /** A database whose first commit is by the one who made those of the recorded answers. */
  async #fresh(): Promise<Database> {
    const database = await this.#open({ empty: 'mydb' });
    const made = ["SET @@dolt_author_name = 'tester'", 'DROP DATABASE mydb', 'CREATE DATABASE mydb', 'USE mydb'];
    for (const sql of [...made, "SET @@dolt_author_name = ''"]) await database.query(sql);
    return database;
  }

  async #answerTo(request: Request): Promise<Answer> {
    const session = await this.#sessionOf(request);
    try {
      return answerOf(await session.query(request.sql ?? ''));
    } catch (error) {
      // Dolt's server takes a comment for a statement that did nothing.
      if (error instanceof SqlError && error.errno === EMPTY_QUERY) return { affected: 0, last_id: 0 };
      throw error;
    }
  }

  async #sessionOf({ session }: Request): Promise<Database | Session> {
    if (this.#database === null) throw new Error('no database is open');
    if (typeof session !== 'string') return this.#database;
    const known = this.#sessions.get(session) ?? (await this.#database.session());
    this.#sessions.set(session, known);
    return known;
  }
}

/** The databases of a directory in memory: statements change the copy, and nothing on the disk. */
function copyOf(path: string): Source {
  const memory: Record<string, Uint8Array> = {};
  for (const directory of databasesIn(path)) {
    const store = join(directory, '.dolt');
    // A remote's directory is only read.
    if (!existsSync(store)) return { path };
    const name = basename(resolve(directory));
    for (const entry of readdirSync(store, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) memory[`${name}/.dolt/${relative(store, file).split(sep).join('/')}`] = readFileSync(file);
    }
  }
  return Object.keys(memory).length === 0 ? { path } : { memory };
}

function answerOf({ results, hasRows, affectedRows, lastInsertId }: Result): Answer {
  // Clients that know of one result take a procedure's last.
  const result = results.at(-1);
  if (!hasRows || result === undefined) return { affected: affectedRows, last_id: Number(lastInsertId) };
  const { columns, batches } = result;
  const rows: (string | null)[][] = [];
  for (const batch of batches) {
    const texts = textsOf(batch);
    for (let row = 0; row < batch.rowCount; row++) rows.push(texts.map(column => column(row)));
  }
  return { columns: columns.map(({ name }) => name), types: columns.map(typeName), rows };
}

/** What each column prints for a row. JSON has no bytes: text that is not UTF-8 is printed as binary is. */
function textsOf(batch: Batch): ((row: number) => string | null)[] {
  const arrow = batch.toArrow().columns;
  return batch.columns.map((_, index) => {
    const column = batch.column(index);
    const { type, valueOffsets, data } = arrow[index] as ArrowColumn;
    if (type !== 'Utf8' || valueOffsets === null || data === null) return row => column.text(row);
    return row => {
      const text = column.text(row);
      if (!text?.includes('\uFFFD')) return text;
      const bytes = Buffer.from((data as Uint8Array).subarray(valueOffsets[row], valueOffsets[row + 1]));
      return isUtf8(bytes) ? text : `0x${bytes.toString('hex').toUpperCase()}`;
    };
  });
}

/** `DECIMAL` of `decimal(10,2)`. */
function typeName({ type }: Column): string {
  return type
    .replace(/\(.*?\)/, '')
    .replace(/ (COLLATE|CHARACTER SET) .*/i, '')
    .toUpperCase();
}

function errorOf(error: unknown): Answer {
  const message = messageOf(error);
  return { code: error instanceof SqlError ? error.errno : GENERAL_ERROR, message };
}
