/** Encoder of parameters: JavaScript values as bound values of SQL. */
import { messageOf, type OddParam, type WireParam } from '../../protocol/index.ts';
import { shown } from '../checked.ts';
import { VarveError } from '../errors.ts';
import type { Param } from '../types.ts';

/** The parameters of a request. */
export interface BoundParams {
  readonly params: readonly WireParam[];
  readonly oddParams?: readonly OddParam[];
}

/** All parameters of the statement. @throws VarveError for what cannot be bound, and for options in their place. */
export function wireParams(params: readonly Param[]): BoundParams {
  if (Array.isArray(params)) {
    const odd = oddParams(params);
    return { params: params.map(numberedParam), ...(odd && { oddParams: odd }) };
  }
  throw new VarveError('usage', 'Parameters are an array, and options come behind them: query(sql, [], { signal })');
}

/** Says which one cannot be bound. */
function numberedParam(value: Param, index: number): WireParam {
  try {
    return wireParam(value);
  } catch (error) {
    if (error instanceof VarveError) throw new VarveError(error.code, `Parameter ${index + 1}: ${error.message}`);
    throw error;
  }
}

/** Arrays and fractions among the parameters, which the host refuses where they would be bound to something else; undefined for none. */
function oddParams(params: readonly Param[]): readonly OddParam[] | undefined {
  const odd = params.flatMap((value, index): OddParam[] => {
    if (Array.isArray(value)) return [{ index, shown: shown(value), length: value.length }];
    return typeof value === 'number' && !Number.isInteger(value) ? [{ index, shown: shown(value), length: null }] : [];
  });
  return odd.length > 0 ? odd : undefined;
}

/** The text of a statement. @throws VarveError for what is none, and for what would be another text in the engine. */
export function wireStatement(sql: string): string {
  if (typeof sql !== 'string') throw new VarveError('usage', 'A statement is a string');
  if (!isText(sql)) throw new VarveError('usage', 'A statement has half of a character (a single surrogate)');
  return sql;
}

/** A parameter as it is sent: dates as UTC text, arrays and objects as JSON text. */
export function wireParam(value: Param): WireParam {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'boolean':
    case 'bigint':
      return value;
    case 'string':
      if (isText(value)) return value;
      throw new VarveError('usage', 'a text with half of a character (a single surrogate) cannot be bound');
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new VarveError('usage', `${value} is not a SQL number`);
    case 'object':
      return value === null ? null : wireObject(value);
    default:
      throw new VarveError('usage', `a ${typeof value} cannot be bound`);
  }
}

/** Whether it can be UTF-8, which would have another character in the place of a single surrogate. */
function isText(value: string & { isWellFormed?(): boolean }): boolean {
  return value.isWellFormed?.() ?? !/\p{Surrogate}/u.test(value);
}

function wireObject(value: object): WireParam {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Date) {
    const year = value.getUTCFullYear();
    if (Number.isNaN(year)) throw new VarveError('usage', 'an invalid Date cannot be bound');
    if (year < 0 || year > 9999) throw new VarveError('usage', `a Date of the year ${year} cannot be bound`);
    return value.toISOString().replace('T', ' ').replace('Z', '');
  }
  return jsonText(value);
}

/** What JSON.stringify makes of what JSON does not know: of a Map, a Set, a Promise; of NaN; of bytes. */
const LOOKS_LOST = /\{\}|null|"0":/;

/** JSON text of a document, of which numbers may be bigints. */
function jsonText(value: object): string {
  try {
    const text = JSON.stringify(value);
    if (!LOOKS_LOST.test(text)) return text;
  } catch {
    // A bigint in it, or what the next line throws once more.
  }
  // No text has a single surrogate: it marks the digits, of which JSON.stringify would make nothing.
  let marked: string;
  try {
    marked = JSON.stringify(value, (name, member) => {
      checkMember(name, member);
      return typeof member === 'bigint' ? `\ud800${member}` : member;
    });
  } catch (error) {
    if (error instanceof VarveError) throw error;
    throw new VarveError('usage', `an object that is no JSON cannot be bound: ${messageOf(error)}`);
  }
  return marked.replace(/"\\ud800(-?\d+)"/g, '$1');
}

const INSTEAD: Readonly<Record<string, string>> = {
  Map: ': Object.fromEntries(map) can',
  Set: ': [...set] can',
  Promise: ': await it',
};

/** Refuses what would be another value in JSON, or none. */
function checkMember(name: string, member: unknown): void {
  const where = name === '' ? '' : ` (it is ${name} of a document)`;
  if (typeof member === 'number' && !Number.isFinite(member))
    throw new VarveError('usage', `${member} is not a number of JSON${where}`);
  if (typeof member !== 'object' || member === null) return;
  const kind = Object.prototype.toString.call(member).slice('[object '.length, -1);
  const isBytes = ArrayBuffer.isView(member);
  if (!isBytes && (/^(Object|Array|Number|String|Boolean)$/.test(kind) || Object.keys(member).length > 0)) return;
  throw new VarveError('usage', `a ${kind} cannot be bound as JSON${where}${INSTEAD[kind] ?? ''}`);
}
