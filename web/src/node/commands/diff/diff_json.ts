/** `varve diff -r json`. */
import type { Batch, BatchColumn, Database, Row } from '../../../client/index.ts';
import type { Output } from '../output.ts';

/** A changed table, and where its parts are read. */
export interface JsonTable {
  readonly name: string;
  /** The text of `dolt_diff(…)` and its like for this table. */
  readonly rows: string | null;
  readonly statements: readonly string[] | null;
  readonly stat: Row | null | undefined;
}

/** A view, trigger or event that differs. */
export interface JsonDefinition {
  readonly kind: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** `{"tables":[…],"views":[…]}` as native Dolt writes it: on one line, nothing where nothing differs. */
export class JsonDiff {
  readonly #database: Database;
  readonly #output: Output;
  #isBegun = false;
  #hasTables = false;

  constructor(database: Database, output: Output) {
    this.#database = database;
    this.#output = output;
  }

  async table({ name, rows, statements, stat }: JsonTable): Promise<void> {
    await this.#output.out(`${this.#hasTables ? ',' : '{"tables":['}{"name":${text(name)},`);
    this.#isBegun = true;
    this.#hasTables = true;
    if (stat !== undefined) {
      await this.#output.out(`"stats":${statOf(stat)}}`);
      return;
    }
    if (statements !== null) await this.#output.out(`"schema_diff":[${statements.map(definitionText).join(',')}],`);
    await this.#output.out('"data_diff":[');
    if (rows !== null) await this.#rows(rows);
    await this.#output.out(']}');
  }

  /** After all tables. */
  async end(definitions: readonly JsonDefinition[]): Promise<void> {
    if (this.#hasTables) await this.#output.out(']');
    for (const kind of ['event', 'trigger', 'view']) {
      const found = definitions.filter(definition => definition.kind === kind);
      if (found.length === 0) continue;
      const told = found.map(
        ({ name, before, after }) =>
          `{"name":${text(name)},"from_definition":${definitionText(before)},"to_definition":${definitionText(after)}}`,
      );
      await this.#output.out(`${this.#isBegun ? ',' : '{'}"${kind}s":[${told.join(',')}]`);
      this.#isBegun = true;
    }
    if (this.#isBegun) await this.#output.out('}');
  }

  async #rows(sql: string): Promise<void> {
    const stream = this.#database.stream(sql);
    const columns = await stream.columns;
    const kindAt = columns.findIndex(column => column.name === 'diff_type');
    const side = (prefix: string) =>
      columns
        .map(({ name }, index) => ({ name, index }))
        .filter(({ name }) => name.startsWith(prefix) && !/^(from|to)_commit(_date)?$/.test(name))
        .map(({ name, index }) => ({ key: name.slice(prefix.length), index }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    const [before, after] = [side('from_'), side('to_')];
    const rowOf = (batch: Batch, row: number, members: typeof before): string => {
      const told = members.flatMap(({ key, index }) => {
        const value = jsonOf(batch.column(index), row);
        return value === null ? [] : [`${text(key)}:${value}`];
      });
      return `{${told.join(',')}}`;
    };
    let isFirst = true;
    for await (const batch of stream) {
      const told: string[] = [];
      for (let row = 0; row < batch.rowCount; row++) {
        const kind = batch.column(kindAt).text(row);
        const from = kind === 'added' ? '{}' : rowOf(batch, row, before);
        const to = kind === 'removed' ? '{}' : rowOf(batch, row, after);
        told.push(`{"from_row":${from},"to_row":${to}}`);
      }
      await this.#output.out((isFirst ? '' : ',') + told.join(','));
      isFirst = false;
    }
  }
}

function statOf(stat: Row | null): string {
  if (stat === null) return '{}';
  const names = [
    'rows_added',
    'rows_deleted',
    'rows_modified',
    'rows_unmodified',
    'cells_added',
    'cells_deleted',
    'cells_modified',
  ];
  return `{${names.map(name => `"${name}":${Number(stat[name] ?? 0)}`).join(',')}}`;
}

/** As Go writes text: what ends lines in JavaScript is escaped too. */
function text(value: string): string {
  return JSON.stringify(value).replace(/[\u2028\u2029]/g, end => `\\u${end.charCodeAt(0).toString(16)}`);
}

/** Of definitions, and not of rows, native Dolt writes the signs of HTML as escapes. */
function definitionText(value: string): string {
  return text(value).replace(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

const replacing = new TextDecoder('utf-8', { ignoreBOM: true });

/** A value as native Dolt's JSON has it; null for NULL, whose member is left out. */
function jsonOf(column: BatchColumn, row: number): string | null {
  const told = column.text(row);
  if (told === null) return null;
  const { kind, type } = column.column;
  const value = column.value(row);
  switch (kind) {
    case 'int':
    case 'year':
      return told;
    case 'float':
      return JSON.stringify(value);
    case 'bit':
      return String((value as Uint8Array).reduce((number, byte) => number * 256n + BigInt(byte), 0n));
    case 'json':
      return JSON.stringify(sorted(JSON.parse(told))).replace(/[\u2028\u2029]/g, end => text(end).slice(1, -1));
    case 'time':
      return text(told.includes('.') ? told.padEnd(told.indexOf('.') + 7, '0') : `${told}.000000`);
    case 'binary':
      if (/blob/i.test(type)) return text(btoa(String.fromCharCode(...(value as Uint8Array))));
      return text(replacing.decode(value as Uint8Array)).replaceAll('\ufffd', '\\ufffd');
    case 'geometry':
      return pointOf(value as Uint8Array) ?? text(told);
    default:
      return text(told);
  }
}

/** Members in the order of their names, as Go writes them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** A point of WKB behind its SRID; undefined for what is none. */
function pointOf(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length !== 25 || view.getUint32(5, true) !== 1) return undefined;
  return `{"SRID":${view.getUint32(0, true)},"X":${view.getFloat64(9, true)},"Y":${view.getFloat64(17, true)}}`;
}
