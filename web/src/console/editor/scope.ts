/** Which tables a statement names, and what columns those have that it makes itself: common tables and derived ones. By its tokens. */
import { isWord, nameOf, type Token, tokensOf } from '../sql/lexer.ts';

export interface ColumnName {
  readonly name: string;
  readonly type: string;
}

export interface TableNames {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: readonly ColumnName[];
}

/** Words that stand where an alias could. */
const CLAUSES = [
  ...['ON', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'JOIN', 'LEFT', 'RIGHT', 'INNER', 'CROSS', 'USING', 'SET', 'VALUES'],
  ...['HAVING', 'UNION', 'NATURAL', 'FOR', 'AS', 'FROM', 'SELECT', 'EXCEPT', 'INTERSECT', 'WINDOW'],
];
/** Words that begin a clause after the select list. */
const AFTER_LIST = ['FROM', 'UNION', 'EXCEPT', 'INTERSECT', 'LIMIT', 'ORDER'];
const OF_SELECT = ['ALL', 'DISTINCT', 'DISTINCTROW'];
const NO_NAMES = ['END', 'NULL', 'TRUE', 'FALSE'];

/** The table of a name, whatever its capitals. */
export function tableOfName(tables: readonly TableNames[], name: string): TableNames | undefined {
  return tables.find(candidate => candidate.name.toLowerCase() === name.toLowerCase());
}

/** Tables named in a statement, by the names (or aliases) that columns can be asked of. */
export function tablesInScope(sql: string, tables: readonly TableNames[]): ReadonlyMap<string, TableNames> {
  const tokens = tokensOf(sql);
  return scopeOf(tokens, tables, () => true);
}

/** The tables that a statement makes by WITH: they can be read as others can. */
export function commonTables(sql: string, tables: readonly TableNames[]): readonly TableNames[] {
  return commonTablesOf(tokensOf(sql), tables);
}

/** A name that is none of the words of clauses. */
function aliasOf(token: Token | undefined): string | undefined {
  return isWord(token, ...CLAUSES) ? undefined : nameOf(token);
}

/** @param counts which tokens do: names within parentheses are none of the rows of a query */
function scopeOf(
  tokens: readonly Token[],
  outer: readonly TableNames[],
  counts: (token: Token) => boolean,
): ReadonlyMap<string, TableNames> {
  const found = new Map<string, TableNames>();
  const tables = [...commonTablesOf(tokens, outer), ...outer];
  for (const [index, token] of tokens.entries()) {
    if (!counts(token) || !(token.text === ',' || isWord(token, 'FROM', 'JOIN', 'UPDATE', 'INTO', 'LATERAL'))) continue;
    if (tokens[index + 1]?.text === '(') addDerived(found, tokens, index + 1, tables);
    else if (!isWord(token, 'LATERAL')) addNamed(found, tokens, index + 1, tables);
  }
  return found;
}

/** The table, maybe of a database, whose name begins at `at`. */
function addNamed(
  found: Map<string, TableNames>,
  tokens: readonly Token[],
  at: number,
  tables: readonly TableNames[],
): void {
  let end = at;
  if (tokens[end + 1]?.text === '.') end += 2;
  const name = aliasOf(tokens[end]);
  const table = name === undefined ? undefined : tableOfName(tables, name);
  if (name === undefined || table === undefined) return;
  end += 1;
  if (isWord(tokens[end], 'AS') && isWord(tokens[end + 1], 'OF')) end += 3;
  if (isWord(tokens[end], 'AS')) end += 1;
  found.set(aliasOf(tokens[end]) ?? name, table);
}

/** A query that stands for a table, in the parentheses at `open`. */
function addDerived(
  found: Map<string, TableNames>,
  tokens: readonly Token[],
  open: number,
  tables: readonly TableNames[],
): void {
  const close = closeOf(tokens, open);
  const body = tokens.slice(open + 1, close);
  const at = isWord(tokens[close + 1], 'AS') ? close + 2 : close + 1;
  const alias = aliasOf(tokens[at]);
  if (alias === undefined || !isQuery(body)) return;
  found.set(alias, madeTable(alias, namesIn(tokens, at + 1), body, tables));
}

function isQuery(tokens: readonly Token[]): boolean {
  return isWord(tokens[0], 'SELECT', 'WITH');
}

function commonTablesOf(tokens: readonly Token[], outer: readonly TableNames[]): TableNames[] {
  if (!tokens.some(token => isWord(token, 'WITH'))) return [];
  const found: TableNames[] = [];
  for (const [index, token] of tokens.entries()) {
    // `name AS (` or `name (columns) AS (`, outside of parentheses.
    if (token.depth !== depthOf(tokens) || !isWord(token, 'AS') || tokens[index + 1]?.text !== '(') continue;
    const open = tokens[index - 1]?.text === ')' ? openOf(tokens, index - 1) : index;
    const name = aliasOf(tokens[open - 1]);
    const body = tokens.slice(index + 2, closeOf(tokens, index + 1));
    if (name === undefined || !isQuery(body)) continue;
    found.unshift(madeTable(name, namesIn(tokens, open), body, [...found, ...outer]));
  }
  return found;
}

/** How many parentheses are around all of them. */
function depthOf(tokens: readonly Token[]): number {
  return tokens[0]?.depth ?? 0;
}

/** A table of the rows of a query, whose columns may be named anew. */
function madeTable(
  name: string,
  names: readonly string[] | undefined,
  body: readonly Token[],
  tables: readonly TableNames[],
): TableNames {
  const columns = columnsOf(body, tables);
  const named = names?.map((one, index) => ({ name: one, type: columns[index]?.type ?? '' }));
  return { name, isView: true, columns: named ?? columns };
}

/** The names in the parentheses at `open`, if there are some. */
function namesIn(tokens: readonly Token[], open: number): readonly string[] | undefined {
  if (tokens[open]?.text !== '(') return undefined;
  return tokens.slice(open + 1, closeOf(tokens, open)).flatMap(token => nameOf(token) ?? []);
}

/** The columns of a query's rows that have a name. */
function columnsOf(body: readonly Token[], tables: readonly TableNames[]): ColumnName[] {
  const isTop = ({ depth }: Token) => depth === depthOf(body);
  const select = body.findIndex(token => isTop(token) && isWord(token, 'SELECT'));
  if (select < 0) return [];
  const end = body.findIndex((token, index) => index > select && isTop(token) && isWord(token, ...AFTER_LIST));
  let start = select + 1;
  while (isWord(body[start], ...OF_SELECT) || /^SQL_\w+$/i.test(body[start]?.text ?? '')) start += 1;
  const scope = scopeOf(body, tables, isTop);
  const all = [...scope.values()].flatMap(({ columns }) => columns);
  return itemsOf(body.slice(start, end < 0 ? body.length : end)).flatMap(item => {
    if (item.at(-1)?.text !== '*' || (item.length !== 1 && item.length !== 3)) return namedItem(item, scope, all);
    const owner = nameOf(item[0]);
    return owner === undefined ? all : columnsByOwner(scope, owner);
  });
}

/** What is between commas outside of parentheses. */
function itemsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const items: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === ',' && token.depth === depthOf(tokens)) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

function columnsByOwner(scope: ReadonlyMap<string, TableNames>, owner: string): readonly ColumnName[] {
  const found = [...scope].find(([name]) => name.toLowerCase() === owner.toLowerCase());
  return found?.[1].columns ?? [];
}

/** `column`, `table.column`, `… AS name` or `… name`. */
function namedItem(
  item: readonly Token[],
  scope: ReadonlyMap<string, TableNames>,
  all: readonly ColumnName[],
): ColumnName[] {
  const last = item.at(-1);
  const name = aliasOf(last);
  if (name === undefined || isWord(last, ...NO_NAMES)) return [];
  const [first, point, second] = item;
  const isQualified = point?.text === '.';
  const column = isQualified ? second : first;
  const owner = isQualified ? nameOf(first) : undefined;
  const rest = item.length - (isQualified ? 3 : 1);
  const isColumn = rest === 0 || rest === 1 || (rest === 2 && isWord(item.at(-2), 'AS'));
  const from = owner === undefined ? all : columnsByOwner(scope, owner);
  const source = isColumn ? nameOf(column)?.toLowerCase() : undefined;
  return [{ name, type: from.find(one => one.name.toLowerCase() === source)?.type ?? '' }];
}

/** Where the parenthesis that opens at `open` is closed; the end where it is not. */
function closeOf(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth;
  const close = tokens.findIndex((token, index) => index > open && token.text === ')' && token.depth === depth);
  return close < 0 ? tokens.length : close;
}

/** Where the parenthesis is opened that closes at `close`. */
function openOf(tokens: readonly Token[], close: number): number {
  const depth = tokens[close]?.depth;
  return tokens.findLastIndex((token, index) => index < close && token.text === '(' && token.depth === depth);
}
