/** Which table the rows of a query are the rows of. Text only: it decides whether a result can be edited in place. */

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

interface Token {
  /** A word in upper case, a quoted name, or one character of anything else. */
  readonly kind: 'word' | 'name' | 'other';
  readonly text: string;
  readonly depth: number;
  /** Where it stands. */
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /\s+|#[^\n]*|--(?=\s|$)[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`((?:[^`]|``)*)`|([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)|[\s\S]/g;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const match of sql.matchAll(TOKEN)) {
    const [all, quoted, word] = match;
    if (/^(\s|#|--\s|--$|\/\*)/.test(all)) continue;
    if (all === ')') depth -= 1;
    const place = { depth, from: match.index, to: match.index + all.length };
    if (quoted !== undefined) tokens.push({ kind: 'name', text: quoted.replaceAll('``', '`'), ...place });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, ...place });
    else tokens.push({ kind: 'other', text: all, ...place });
    if (all === '(') depth += 1;
  }
  if (tokens.at(-1)?.text === ';') tokens.pop();
  return tokens;
}

const AFTER_TABLE = new Set(['WHERE', 'ORDER', 'LIMIT', 'FOR', 'USE', 'IGNORE', 'FORCE']);
const JOINS = new Set(['JOIN', 'INNER', 'LEFT', 'RIGHT', 'CROSS', 'NATURAL', 'STRAIGHT_JOIN', 'FULL']);
const REASONS: Readonly<Record<string, string>> = {
  GROUP: 'The query groups rows',
  HAVING: 'The query groups rows',
  WINDOW: 'The query computes over windows of rows',
  UNION: 'The rows come from several queries',
  INTERSECT: 'The rows come from several queries',
  EXCEPT: 'The rows come from several queries',
};

const none = (reason: string): TableOf => ({ kind: 'none', reason });

/** The one table that a plain SELECT (or TABLE) reads, or why its rows are none of a table's. */
export function tableOf(sql: string): TableOf {
  const tokens = tokensOf(sql);
  const wordAt = (index: number): string => {
    const token = tokens[index];
    return token?.kind === 'word' ? token.text.toUpperCase() : '';
  };
  const first = wordAt(0);
  if (first !== 'SELECT' && first !== 'TABLE') return none('Only the rows of a SELECT from one table can be edited');
  if (wordAt(1) === 'DISTINCT' || wordAt(1) === 'DISTINCTROW') return none('DISTINCT makes one row of several');
  const from = first === 'TABLE' ? 0 : tokens.findIndex(({ depth }, index) => depth === 0 && wordAt(index) === 'FROM');
  if (from < 0) return none('The rows come from no table');
  let at = from + 1;
  const nameAt = (index: number): string | undefined => {
    const token = tokens[index];
    return token === undefined || token.kind === 'other' ? undefined : token.text;
  };
  let table = nameAt(at);
  if (table === undefined) return none('The rows come from a subquery');
  let database: string | undefined;
  at += 1;
  if (tokens[at]?.text === '.' && nameAt(at + 1) !== undefined) {
    database = table;
    table = nameAt(at + 1) as string;
    at += 2;
  }
  if (tokens[at]?.text === '(') return none('The rows come from a function');
  let alias = table;
  if (wordAt(at) === 'AS' && wordAt(at + 1) === 'OF') return none('These are rows of the past');
  if (wordAt(at) === 'AS') at += 1;
  if (tokens[at] !== undefined && !AFTER_TABLE.has(wordAt(at)) && !JOINS.has(wordAt(at)) && !(wordAt(at) in REASONS)) {
    const name = nameAt(at);
    if (name !== undefined) {
      alias = name;
      at += 1;
    }
  }
  for (let index = at; index < tokens.length; index += 1) {
    if (tokens[index]?.depth !== 0) continue;
    const word = wordAt(index);
    if (word === 'AS' && wordAt(index + 1) === 'OF') return none('These are rows of the past');
    if (word in REASONS) return none(REASONS[word] as string);
    if (index === at && (JOINS.has(word) || tokens[index]?.text === ',')) return none('The query joins several tables');
  }
  if (at < tokens.length && !AFTER_TABLE.has(wordAt(at))) return none('This is no plain SELECT from one table');
  return { kind: 'table', database, table, alias };
}

const PAST = /\bAS\s+OF\s+(?:TIMESTAMP\s*\([^)]*\)|'[^']*'|"[^"]*")/i;

/** Whether the rows are those of one table, now or in the past. */
export function readsOneTable(sql: string): boolean {
  return tableOf(sql.replace(PAST, '')).kind === 'table';
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
  const clause = (...words: readonly string[]) =>
    tokens.find(({ kind, depth, text }) => depth === 0 && kind === 'word' && words.includes(text.toUpperCase()));
  const [condition, order, tail] = [clause('WHERE'), clause('ORDER'), clause('LIMIT', 'FOR')];
  const afterOrder = tail?.from ?? end;
  const afterWhere = order?.from ?? afterOrder;
  const head = sql.slice(0, condition?.from ?? afterWhere).trimEnd();
  const asked = condition === undefined ? '' : sql.slice(condition.to, afterWhere).trim();
  const wheres = [where === undefined || asked === '' ? asked : `(${asked})`, where ?? ''].filter(part => part !== '');
  const ordered =
    orderBy ??
    (order === undefined
      ? ''
      : sql
          .slice(order.to, afterOrder)
          .trim()
          .replace(/^BY\s+/i, ''));
  return [
    head,
    wheres.length > 0 ? `WHERE ${wheres.join(' AND ')}` : '',
    ordered === '' ? '' : `ORDER BY ${ordered}`,
    tail === undefined ? '' : sql.slice(tail.from, end),
  ]
    .filter(part => part !== '')
    .join(' ');
}

/**
 * How often each value of a column is there, the most frequent ones first: in all rows of a query of one table (see `tableOf`), not only in those
 * before its LIMIT.
 */
export function countsOfTable(sql: string, name: string): string {
  const tokens = tokensOf(sql);
  const clause = (...words: readonly string[]) =>
    tokens.find(({ kind, depth, text }) => depth === 0 && kind === 'word' && words.includes(text.toUpperCase()));
  const from = clause('FROM', 'TABLE');
  const end = clause('ORDER', 'LIMIT', 'FOR')?.from ?? tokens.at(-1)?.to;
  return counts(name, `FROM ${sql.slice(from?.to, end).trim()}`);
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
  const at = tokens.findLastIndex(({ kind, text }) => kind === 'word' && text.toUpperCase() === 'LIMIT');
  const rest = at < 0 ? '' : sql.slice(tokens[at]?.to, tokens.at(-1)?.to).trim();
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

/** The table of which a query gives all rows, but for its LIMIT. */
export function wholeTable(sql: string): string | undefined {
  const source = tableOf(sql);
  const isSome = tokensOf(sql).some(({ depth, kind, text }) => depth === 0 && kind === 'word' && /^WHERE$/i.test(text));
  return source.kind === 'table' && source.database === undefined && !isSome ? source.table : undefined;
}

/** The query without its LIMIT. */
export function withoutLimit(sql: string): string {
  const at = tokensOf(sql).findLast(({ kind, depth, text }) => depth === 0 && kind === 'word' && /^LIMIT$/i.test(text));
  return at === undefined ? sql : sql.slice(0, at.from).trimEnd();
}

/** A column by its name, or by its number from 1. */
export interface OrderTerm {
  readonly by: string | number;
  readonly isDescending: boolean;
}

/** What a query says of the order of its rows, as far as it is told by columns: an expression ends it. */
export function orderOf(sql: string): readonly OrderTerm[] {
  const tokens = tokensOf(sql).filter(({ depth, text }) => depth === 0 && text !== ')');
  const is = (index: number, ...words: readonly string[]) => {
    const token = tokens[index];
    return token?.kind === 'word' && words.includes(token.text.toUpperCase());
  };
  let at = tokens.findLastIndex((_, index) => is(index, 'ORDER') && is(index + 1, 'BY')) + 1;
  if (at === 0) return [];
  const terms: OrderTerm[] = [];
  do {
    at += 1;
    // A number comes as its digits.
    const start = at;
    while (/^\d$/.test(tokens[at]?.text ?? '')) at += 1;
    const digits = tokens.slice(start, at).map(({ text }) => text);
    if (digits.length === 0) {
      while (tokens[at + 1]?.text === '.') at += 2;
      if (tokens[at] === undefined || tokens[at]?.kind === 'other') break;
      at += 1;
    }
    const by = digits.length > 0 ? Number(digits.join('')) : (tokens[at - 1]?.text ?? '');
    const isDescending = is(at, 'DESC');
    if (is(at, 'ASC', 'DESC')) at += 1;
    const isEnd = tokens[at] === undefined || tokens[at]?.text === ',' || is(at, 'LIMIT', 'FOR', 'OFFSET');
    if (!isEnd) break;
    terms.push({ by, isDescending });
  } while (tokens[at]?.text === ',');
  return terms;
}

/** Begins a query that was made of another's result. */
const OF_RESULT = /^\s*SELECT \* FROM \(\s/;

/**
 * The rows of any query, fewer of them or in another order. Undefined where the columns of its result cannot be named from
 * outside, because two are called the same, or where it is no query.
 *
 * @param names of the result's columns
 */
export function refinedResult(sql: string, names: readonly string[], part: Refinement): string | undefined {
  const tokens = tokensOf(sql);
  const [first] = tokens;
  const isQuery = first !== undefined && /^(SELECT|WITH|TABLE|VALUES|\()$/i.test(first.text);
  const isNamed =
    names.every(name => name !== '') && new Set(names.map(name => name.toLowerCase())).size === names.length;
  if (!isQuery || !isNamed) return undefined;
  if (OF_RESULT.test(sql)) return refined(sql, part);
  return refined(`SELECT * FROM (\n${sql.slice(first.from, tokens.at(-1)?.to)}\n) AS result`, part);
}
