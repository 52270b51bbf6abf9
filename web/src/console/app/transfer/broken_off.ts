/**
 * Reports imports whose page was closed or died: neither the rows nor a table that was created for them are there. An import leaves a note
 * and holds a lock; the next page that opens the database, or has it open, reports it.
 */
import { revisionName } from '../../sql/names.ts';
import { readStoredJson, writeStoredJson } from '../../ui/stored.ts';
import { toast } from '../../ui/toast.tsx';
import { type Connection, currentConnection } from '../database/connection.ts';
import { whileStored } from '../database/while_stored.ts';

export interface ImportUnderWay {
  readonly file: string;
  /** Empty for a script. */
  readonly table: string;
  /** It is made for the rows. */
  readonly isNewTable: boolean;
}

interface Note extends ImportUnderWay {
  readonly id: string;
  /** Of the database, in the page's address. */
  readonly address: string;
  /** The database and its branch. */
  readonly place: string;
}

const KEY = 'imports';
const LOCK = 'varve-import:';

const areNotes = (value: unknown): value is Note[] =>
  Array.isArray(value) &&
  value.every(note => ['id', 'file', 'table', 'address', 'place'].every(name => typeof note?.[name] === 'string'));

const readNotes = () => readStoredJson(KEY, areNotes) ?? [];

function forget(id: string): void {
  writeStoredJson(
    KEY,
    readNotes().filter(note => note.id !== id),
  );
}

/** Notes an import into what is open. Gives what is to be called at its end. */
export function noteImport(underWay: ImportUnderWay): () => void {
  const connection = currentConnection();
  const address = connection?.origin.address;
  // What is in memory goes with the page.
  if (connection === undefined || !connection.database.storage.persistent || !address) return () => undefined;
  const { database, branch } = connection.catalog.place.peek();
  const id = Math.random().toString(36).slice(2);
  let release = () => {};
  const isOver = new Promise<void>(resolve => {
    release = resolve;
  });
  void navigator.locks.request(LOCK + id, () => {
    writeStoredJson(KEY, [...readNotes(), { ...underWay, id, address, place: revisionName(database, branch) }]);
    return isOver;
  });
  return () => {
    forget(id);
    release();
  };
}

/** Tells of imports into what is open that have no page any more, from now on. */
export const watchBrokenImports = (): (() => void) => whileStored(watch);

function watch(connection: Connection): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const known = new Set<string>();
  const look = () => {
    for (const note of readNotes()) {
      if (note.address !== connection.origin.address || known.has(note.id)) continue;
      known.add(note.id);
      // It is free when the import is over, or its page is.
      navigator.locks.request(LOCK + note.id, { signal }, () => over(note, connection)).catch(() => undefined);
    }
  };
  window.addEventListener('storage', look, { signal });
  look();
  return () => abort.abort();
}

function over(note: Note, connection: Connection): void {
  if (currentConnection() !== connection || !readNotes().some(({ id }) => id === note.id)) return;
  forget(note.id);
  const { file, table, isNewTable } = note;
  const what = `The import of ${file} stopped when its page was closed`;
  const left = isNewTable ? `${table} was not created` : `no rows were added to ${table}`;
  toast(`${what}: ${table === '' ? 'some statements were not run' : left}`, 'notice');
}
