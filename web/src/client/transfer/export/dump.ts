/** SQL dump of a database, as `dolt dump` and `mysqldump` write it. */
import { SqlError } from '../../errors.ts';
import { generatedColumns } from '../../generated_columns.ts';
import type { Batch, Queries, Row } from '../../types.ts';
import { quoteName } from '../../versions/versions.ts';
import { withNamedDefaults } from '../script/named_defaults.ts';
import type { DumpOptions } from '../transfer_types.ts';
import { sqlLiteral } from './sql_value.ts';

/** An INSERT is ended past so much text: servers limit the length of a statement. */
const STATEMENT_CHARACTERS_MAX = 512 * 1024;
/** What no body of a trigger or procedure ends a statement with. */
const DELIMITER = 'END_OF_BODY';

/** Writes the tables, then views, triggers and procedures, which may need them. */
export async function* dumpSql(queries: Queries, options: DumpOptions = {}): AsyncIterableIterator<string> {
  const { signal, onProgress, createDatabase } = options;
  let [rows, bytes] = [0, 0];
  const told = (text: string, table: string): string => {
    bytes += text.length;
    onProgress?.({ table, rows, bytes });
    return text;
  };
  if (createDatabase !== undefined) {
    const name = quoteName(createDatabase);
    yield told(`CREATE DATABASE IF NOT EXISTS ${name}; USE ${name};\n`, '');
  }
  yield told('SET FOREIGN_KEY_CHECKS=0;\nSET UNIQUE_CHECKS=0;\n', '');
  for (const table of options.tables ?? (await tableNames(queries))) {
    signal?.throwIfAborted();
    const name = quoteName(table);
    const created = await queries.query(`SHOW CREATE TABLE ${name}`, [], { ...(signal && { signal }) });
    const definition = withNamedDefaults(String(created.rows[0]?.['Create Table']));
    yield told(`DROP TABLE IF EXISTS ${name};\n${definition};\n`, table);
    if (options.schemaOnly) continue;
    const columns = await writtenColumns(queries, table, definition);
    if (columns.length === 0) continue;
    const names = columns.map(quoteName).join(',');
    const stream = queries.stream(`SELECT ${names} FROM ${name}`, [], { ...(signal && { signal }) });
    for await (const batch of stream) {
      rows += batch.rowCount;
      for (const statement of inserts(name, names, batch)) yield told(statement, table);
    }
  }
  if (options.tables === undefined) for await (const text of dumpObjects(queries)) yield told(text, '');
  // Later statements of the same session are checked again.
  yield told('SET FOREIGN_KEY_CHECKS=1;\nSET UNIQUE_CHECKS=1;\n', '');
}

async function tableNames(queries: Queries): Promise<string[]> {
  const { batches } = await queries.query('SHOW FULL TABLES');
  return batches.flatMap(batch => {
    const types = batch.column(1).values();
    return batch
      .column(0)
      .values()
      .map(String)
      .filter((_, row) => types[row] === 'BASE TABLE');
  });
}

/** Generated columns make themselves. */
async function writtenColumns(queries: Queries, table: string, definition: string): Promise<string[]> {
  const { rows } = await queries.query(`SHOW COLUMNS FROM ${quoteName(table)}`);
  const generated = generatedColumns(definition);
  return rows.map(row => String(row.Field)).filter(name => !generated.has(name));
}

function* inserts(table: string, names: string, batch: Batch): IterableIterator<string> {
  const columns = batch.columns.map((_, index) => batch.column(index));
  let text = '';
  for (let row = 0; row < batch.rowCount; row++) {
    text += text === '' ? `INSERT INTO ${table} (${names}) VALUES ` : ', ';
    text += `(${columns.map(column => sqlLiteral(column, row)).join(',')})`;
    if (text.length >= STATEMENT_CHARACTERS_MAX) {
      yield `${text};\n`;
      text = '';
    }
  }
  if (text !== '') yield `${text};\n`;
}

async function* dumpObjects(queries: Queries): AsyncIterableIterator<string> {
  const objects = await rowsIfAny(queries, 'SELECT type, name, fragment FROM dolt_schemas');
  const order = ['view', 'trigger', 'event'];
  for (const type of order) {
    const ofType = objects.filter(row => row.type === type);
    for (const { name, fragment } of type === 'view' ? afterWhatTheyRead(ofType) : ofType) {
      yield `DROP ${type.toUpperCase()} IF EXISTS ${quoteName(String(name))};\n`;
      yield type === 'view' ? `${fragment};\n` : delimited(String(fragment));
    }
  }
  for (const { name, create_stmt } of await rowsIfAny(queries, 'SELECT name, create_stmt FROM dolt_procedures')) {
    yield `DROP PROCEDURE IF EXISTS ${quoteName(String(name))};\n`;
    yield delimited(String(create_stmt));
  }
}

/** A view is made after those whose names are in it. */
function afterWhatTheyRead(views: readonly Row[]): readonly Row[] {
  const words = new Map(views.map(view => [view, new Set(wordsOf(String(view.fragment)))]));
  const ordered = new Set<Row>();
  const begun = new Set<Row>();
  const add = (view: Row): void => {
    if (begun.has(view)) return;
    begun.add(view);
    for (const other of views) if (words.get(view)?.has(String(other.name).toLowerCase())) add(other);
    ordered.add(view);
  };
  views.forEach(add);
  return [...ordered];
}

function wordsOf(text: string): string[] {
  const found = text.toLowerCase().matchAll(/`((?:[^`]|``)+)`|[\w$\u0080-\uffff]+/g);
  return Array.from(found, ([word, quoted]) => quoted?.replaceAll('``', '`') ?? word);
}

function delimited(statement: string): string {
  return `DELIMITER ${DELIMITER}\n${statement}\n${DELIMITER}\nDELIMITER ;\n`;
}

/** These tables are there when the first object is. */
async function rowsIfAny(queries: Queries, sql: string): Promise<readonly Row[]> {
  try {
    return (await queries.query(sql)).rows;
  } catch (error) {
    if (error instanceof SqlError && error.errno === 1146) return [];
    throw error;
  }
}
