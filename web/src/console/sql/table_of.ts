/** Which table the rows of a query are the rows of, by its tokens: it decides whether a result can be edited in place. */
import { tokensOf as allTokensOf, isWord, nameOf, type Token } from './lexer.ts';

export type TableOf =
  | {
      readonly kind: 'table';
      /** As written, undefined when the table is named alone; `db/branch` is possible. */
      readonly database: string | undefined;
      readonly table: string;
      /** What the columns of the result call it. */
      readonly alias: string;
    }
  | { readonly kind: 'none'; readonly reason: string };

const AFTER_TABLE = ['WHERE', 'ORDER', 'LIMIT', 'FOR', 'USE', 'IGNORE', 'FORCE'];
const JOINS = ['JOIN', 'INNER', 'LEFT', 'RIGHT', 'CROSS', 'NATURAL', 'STRAIGHT_JOIN', 'FULL'];
const REASONS: Readonly<Record<string, string>> = {
  GROUP: 'The query groups rows',
  HAVING: 'The query groups rows',
  WINDOW: 'The query computes over windows of rows',
  UNION: 'The rows come from several queries',
  INTERSECT: 'The rows come from several queries',
  EXCEPT: 'The rows come from several queries',
};

const none = (reason: string): TableOf => ({ kind: 'none', reason });

/** Those of a statement, without the semicolon after it. */
function tokensOf(sql: string): readonly Token[] {
  const tokens = allTokensOf(sql);
  return tokens.at(-1)?.text === ';' ? tokens.slice(0, -1) : tokens;
}

/** The one table that a plain SELECT (or TABLE) reads, or why its rows are none of a table's. */
export function tableOf(sql: string): TableOf {
  return sourceOf(tokensOf(sql), false);
}

/** Whether the rows are those of one table, now or in the past. */
export function readsOneTable(sql: string): boolean {
  return sourceOf(tokensOf(sql), true).kind === 'table';
}

function sourceOf(tokens: readonly Token[], takesPast: boolean): TableOf {
  const [first, second] = tokens;
  if (!isWord(first, 'SELECT', 'TABLE')) return none('Only the rows of a SELECT from one table can be edited');
  if (isWord(second, 'DISTINCT', 'DISTINCTROW')) return none('DISTINCT makes one row of several');
  const from = tokens.findIndex(token => token.depth === 0 && isWord(token, isWord(first, 'TABLE') ? 'TABLE' : 'FROM'));
  if (from < 0) return none('The rows come from no table');
  let at = from + 1;
  let table = nameOf(tokens[at]);
  if (table === undefined) return none('The rows come from a subquery');
  let database: string | undefined;
  at += 1;
  const qualified = tokens[at]?.text === '.' ? nameOf(tokens[at + 1]) : undefined;
  if (qualified !== undefined) {
    [database, table] = [table, qualified];
    at += 2;
  }
  if (tokens[at]?.text === '(') return none('The rows come from a function');
  if (isPast(tokens, at)) {
    if (!takesPast) return none('These are rows of an earlier version');
    at = afterRevision(tokens, at + 2);
  }
  if (isWord(tokens[at], 'AS') && !isPast(tokens, at)) at += 1;
  const alias = isClause(tokens[at]) ? undefined : nameOf(tokens[at]);
  if (alias !== undefined) at += 1;
  const problem = problemAfter(tokens, at);
  return problem === undefined ? { kind: 'table', database, table, alias: alias ?? table } : none(problem);
}

function isPast(tokens: readonly Token[], at: number): boolean {
  return isWord(tokens[at], 'AS') && isWord(tokens[at + 1], 'OF');
}

/** Where the tokens go on after the revision at `at`: a text, a name, or a call. */
function afterRevision(tokens: readonly Token[], at: number): number {
  if (tokens[at + 1]?.text !== '(') return at + 1;
  const close = tokens.findIndex(({ text, depth }, index) => index > at && text === ')' && depth === 0);
  return close < 0 ? tokens.length : close + 1;
}

function isClause(token: Token | undefined): boolean {
  return isWord(token, 'AS', ...AFTER_TABLE, ...JOINS, ...Object.keys(REASONS));
}

/** Why what follows the table makes the rows others than those of the table. */
function problemAfter(tokens: readonly Token[], at: number): string | undefined {
  const rest = tokens.slice(at).filter(({ depth }) => depth === 0);
  for (const [index, token] of rest.entries()) {
    if (isPast(rest, index)) return 'These are rows of an earlier version';
    const reason = isWord(token, ...Object.keys(REASONS)) ? REASONS[token.text.toUpperCase()] : undefined;
    if (reason !== undefined) return reason;
    if (index === 0 && (isWord(token, ...JOINS) || token.text === ',')) return 'The query joins several tables';
  }
  const isPlain = tokens[at] === undefined || isWord(tokens[at], ...AFTER_TABLE);
  return isPlain ? undefined : 'Not a plain SELECT from one table';
}

/** What is asked of the rows besides. */
export interface Refinement {
  /** A condition, beside the one that is there. */
  readonly where?: string;
  /** In the place of the order that is there. */
  readonly orderBy?: string;
}

/** A query of one table (see `tableOf`) with fewer rows, or with them in another order. */
export function refined(sql: string, { where, orderBy }: Refinement): string {
  const tokens = tokensOf(sql);
  const end = tokens.at(-1)?.to ?? sql.length;
  const [condition, order, tail] = [clause(tokens, 'WHERE'), clause(tokens, 'ORDER'), clause(tokens, 'LIMIT', 'FOR')];
  const afterOrder = tail?.from ?? end;
  const afterWhere = order?.from ?? afterOrder;
  const head = sql.slice(0, condition?.from ?? afterWhere).trimEnd();
  const asked = condition === undefined ? '' : sql.slice(condition.to, afterWhere).trim();
  const wheres = [where === undefined || asked === '' ? asked : `(${asked})`, where ?? ''].filter(part => part !== '');
  const ordered = orderBy ?? (order === undefined ? '' : sql.slice(clause(tokens, 'BY')?.to, afterOrder).trim());
  return [
    head,
    wheres.length > 0 ? `WHERE ${wheres.join(' AND ')}` : '',
    ordered === '' ? '' : `ORDER BY ${ordered}`,
    tail === undefined ? '' : sql.slice(tail.from, end),
  ]
    .filter(part => part !== '')
    .join(' ');
}

/** The first of some words outside of parentheses. */
function clause(tokens: readonly Token[], ...words: readonly string[]): Token | undefined {
  return tokens.find(token => token.depth === 0 && isWord(token, ...words));
}

/**
 * How often each value of a column is there, the most frequent ones first: in all rows of a query of one table (see `tableOf`), not only in those
 * before its LIMIT.
 */
export function countsOfTable(sql: string, name: string): string {
  const tokens = tokensOf(sql);
  const end = clause(tokens, 'ORDER', 'LIMIT', 'FOR')?.from ?? tokens.at(-1)?.to;
  return counts(name, `FROM ${sql.slice(clause(tokens, 'FROM', 'TABLE')?.to, end).trim()}`);
}

/** The same for the rows of any query, see `refinedResult`. */
export function countsOfResult(sql: string, names: readonly string[], name: string): string | undefined {
  const all = refinedResult(sql, names, {});
  return all === undefined ? undefined : counts(name, all.slice(all.indexOf('FROM')));
}

/** More values than these are seldom of interest. */
const COUNTS_MAX = 1000;

function counts(name: string, from: string): string {
  const times = /^`?times`?$/i.test(name) ? 'how_often' : 'times';
  return `SELECT ${name}, COUNT(*) AS ${times} ${from} GROUP BY ${name} ORDER BY ${times} DESC, ${name} LIMIT ${COUNTS_MAX}`;
}

/** What a query says of its LIMIT, as a number of rows; undefined when it says nothing, or more than that. */
export function limitOf(sql: string): number | undefined {
  const tokens = tokensOf(sql).filter(({ depth }) => depth === 0);
  const [count, ...more] = tokens.slice(tokens.findLastIndex(token => isWord(token, 'LIMIT')) + 1 || tokens.length);
  return more.length === 0 && count?.kind === 'number' && /^\d+$/.test(count.text) ? Number(count.text) : undefined;
}

/** The table of which a query gives all rows, but for its LIMIT. */
export function wholeTable(sql: string): string | undefined {
  const source = tableOf(sql);
  const isSome = clause(tokensOf(sql), 'WHERE') !== undefined;
  return source.kind === 'table' && source.database === undefined && !isSome ? source.table : undefined;
}

/** The query without its LIMIT. */
export function withoutLimit(sql: string): string {
  const at = tokensOf(sql).findLast(token => token.depth === 0 && isWord(token, 'LIMIT'));
  return at === undefined ? sql : sql.slice(0, at.from).trimEnd();
}

/** A column by its name, or by its number from 1. */
export interface OrderTerm {
  readonly by: string | number;
  readonly isDescending: boolean;
}

/** The order of a query's rows, as far as it is by columns: an expression ends it. */
export function orderOf(sql: string): readonly OrderTerm[] {
  const tokens = tokensOf(sql).filter(({ depth, text }) => depth === 0 && text !== ')');
  let at = tokens.findLastIndex((token, index) => isWord(token, 'ORDER') && isWord(tokens[index + 1], 'BY')) + 1;
  if (at === 0) return [];
  const terms: OrderTerm[] = [];
  do {
    at += 1;
    while (tokens[at + 1]?.text === '.') at += 2;
    const token = tokens[at];
    const by = token?.kind === 'number' ? Number(token.text) : nameOf(token);
    if (by === undefined) break;
    at += 1;
    const isDescending = isWord(tokens[at], 'DESC');
    if (isWord(tokens[at], 'ASC', 'DESC')) at += 1;
    const next = tokens[at];
    if (next !== undefined && next.text !== ',' && !isWord(next, 'LIMIT', 'FOR', 'OFFSET')) break;
    terms.push({ by, isDescending });
  } while (tokens[at]?.text === ',');
  return terms;
}

/** Whether a query was made of another's result. */
function isOfResult(tokens: readonly Token[]): boolean {
  const begins = ['SELECT', '*', 'FROM', '('].every((text, index) => tokens[index]?.text.toUpperCase() === text);
  const close = tokens.findIndex(({ text, depth }) => text === ')' && depth === 0);
  return begins && isWord(tokens[close + 1], 'AS') && isWord(tokens[close + 2], 'RESULT');
}

/**
 * The rows of any query, fewer of them or in another order. Undefined where the columns of its result cannot be named from
 * outside, because two are called the same, or where it is no query.
 *
 * @param names of the result's columns
 */
export function refinedResult(sql: string, names: readonly string[], part: Refinement): string | undefined {
  const tokens = tokensOf(sql);
  const [first] = tokens;
  const isQuery = first !== undefined && (first.text === '(' || isWord(first, 'SELECT', 'WITH', 'TABLE', 'VALUES'));
  const isNamed =
    names.every(name => name !== '') && new Set(names.map(name => name.toLowerCase())).size === names.length;
  if (!isQuery || !isNamed) return undefined;
  if (isOfResult(tokens)) return refined(sql, part);
  return refined(`SELECT * FROM (\n${sql.slice(first.from, tokens.at(-1)?.to)}\n) AS result`, part);
}
