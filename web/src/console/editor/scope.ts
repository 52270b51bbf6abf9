/** Which tables a statement names, and what columns those have that it makes itself: common tables and derived ones. Pure, text only. */

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
const CLAUSES =
  'on|where|group|order|limit|join|left|right|inner|cross|using|set|values|having|union|natural|for|as|from|select|except|intersect|window';
const NAME = `(\`[^\`]+\`|(?!(?:${CLAUSES})\\b)[\\w$\\u0080-\\uffff]+)`;
const RELATION = new RegExp(
  `(?:\\b(?:FROM|JOIN|UPDATE|INTO)|,)\\s+(?:${NAME}\\s*\\.\\s*)?${NAME}(?:\\s+(?:AS\\s+OF\\s+\\S+\\s+)?(?:AS\\s+)?${NAME})?`,
  'giu',
);
const IN_PARENTHESES = /(?:\b(?:FROM|JOIN|LATERAL)|,)\s*\(/gi;
const DERIVED_NAME = new RegExp(`\\s*(?:AS\\s+)?${NAME}\\s*(?:\\(([^()]*)\\))?`, 'iuy');
const COMMON = new RegExp(`${NAME}\\s*(\\([^()]*\\))?\\s*\\bAS\\s*\\(`, 'giu');
const LIST =
  /\bSELECT\b(?:\s+(?:ALL|DISTINCT|DISTINCTROW|SQL_\w+))*\s+(.*?)(?=\b(?:FROM|UNION|EXCEPT|INTERSECT|LIMIT|ORDER)\b|$)/dis;
const SPACE = /[^\s]/g;

export function unquote(name: string): string {
  return name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;
}

/** The table of a name, whatever its capitals. */
export function tableOfName(tables: readonly TableNames[], name: string): TableNames | undefined {
  return tables.find(candidate => candidate.name.toLowerCase() === name.toLowerCase());
}

/** Tables named in a statement, by the names (or aliases) that columns can be asked of. */
export function tablesInScope(sql: string, tables: readonly TableNames[]): ReadonlyMap<string, TableNames> {
  return scopeOf(withoutTexts(sql), tables);
}

/** The tables that a statement makes by WITH: they can be read as others can. */
export function commonTables(sql: string, tables: readonly TableNames[]): readonly TableNames[] {
  return commonTablesOf(withoutTexts(sql), tables);
}

/** @param seen the text, or of it what counts: names within parentheses are none of the rows of a query */
function scopeOf(text: string, outer: readonly TableNames[], seen = text): ReadonlyMap<string, TableNames> {
  const found = new Map<string, TableNames>();
  const tables = [...commonTablesOf(text, outer), ...outer];
  for (const [, , word = '', alias] of seen.matchAll(RELATION)) {
    const name = unquote(word);
    const table = tableOfName(tables, name);
    if (table !== undefined) found.set(alias === undefined ? name : unquote(alias), table);
  }
  for (const match of seen.matchAll(IN_PARENTHESES)) {
    const open = match.index + match[0].length;
    const end = closeOf(text, open);
    const body = text.slice(open, end);
    DERIVED_NAME.lastIndex = end + 1;
    const [, alias, names] = isQuery(body) ? (DERIVED_NAME.exec(text) ?? []) : [];
    if (alias !== undefined) found.set(unquote(alias), madeTable(unquote(alias), names, body, tables));
  }
  return found;
}

function isQuery(text: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text);
}

function commonTablesOf(text: string, outer: readonly TableNames[]): TableNames[] {
  if (!/\bWITH\b/i.test(text)) return [];
  const found: TableNames[] = [];
  const top = topLevel(text);
  for (const match of top.matchAll(COMMON)) {
    const open = match.index + match[0].length;
    const body = text.slice(open, closeOf(text, open));
    if (!isQuery(body)) continue;
    const place = match.index + match[0].indexOf('(');
    const names = match[2] === undefined ? undefined : text.slice(place + 1, place + match[2].length - 1);
    const name = unquote(match[1] ?? '');
    found.unshift(madeTable(name, names, body, [...found, ...outer]));
  }
  return found;
}

/** A table of the rows of a query, whose columns may be named anew. */
function madeTable(name: string, names: string | undefined, body: string, tables: readonly TableNames[]): TableNames {
  const columns = columnsOf(body, tables);
  const given = names?.split(',').map(one => unquote(one.trim())) ?? [];
  const named = given.map((one, index) => ({ name: one, type: columns[index]?.type ?? '' }));
  return { name, isView: true, columns: names === undefined ? columns : named };
}

/** The columns of a query's rows that have a name. */
function columnsOf(body: string, tables: readonly TableNames[]): ColumnName[] {
  const top = topLevel(body);
  const range = LIST.exec(top)?.indices?.[1];
  if (range === undefined) return [];
  const scope = scopeOf(body, tables, top);
  const all = [...scope.values()].flatMap(({ columns }) => columns);
  const found: ColumnName[] = [];
  for (const item of top.slice(...range).split(',')) {
    const words = item.trim();
    const star = new RegExp(`^(?:${NAME}\\s*\\.\\s*)?\\*$`, 'u').exec(words);
    if (star !== null) found.push(...(star[1] === undefined ? all : columnsByOwner(scope, unquote(star[1]))));
    else found.push(...namedItem(words, scope, all));
  }
  return found;
}

function columnsByOwner(scope: ReadonlyMap<string, TableNames>, owner: string): readonly ColumnName[] {
  const found = [...scope].find(([name]) => name.toLowerCase() === owner.toLowerCase());
  return found?.[1].columns ?? [];
}

function namedItem(words: string, scope: ReadonlyMap<string, TableNames>, all: readonly ColumnName[]): ColumnName[] {
  const [, owner, column, alias] =
    new RegExp(`^(?:${NAME}\\s*\\.\\s*)?${NAME}(?:\\s+(?:AS\\s+)?${NAME})?$`, 'iu').exec(words) ?? [];
  const name = alias ?? column ?? new RegExp(`[\\s)](?:AS\\s+)?${NAME}$`, 'iu').exec(words)?.[1];
  if (name === undefined || /^(\d.*|end|null|true|false)$/i.test(name)) return [];
  const from = owner === undefined ? all : columnsByOwner(scope, unquote(owner));
  const source = column === undefined ? '' : unquote(column).toLowerCase();
  return [{ name: unquote(name), type: from.find(one => one.name.toLowerCase() === source)?.type ?? '' }];
}

/** The text with spaces for what stands in quotes and comments. */
function withoutTexts(sql: string): string {
  const blank = (text: string) => text.replace(SPACE, ' ');
  const hidden =
    /#[^\n]*|--(?=\s|$)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.|"")*"?|`[^`]*`?/g;
  return sql.replace(hidden, text => {
    if (text.startsWith('`')) return text;
    return /^['"]/.test(text) ? `'${blank(text).slice(1)}` : blank(text);
  });
}

/** The text with spaces for what stands in parentheses. */
function topLevel(text: string): string {
  let depth = 0;
  return text.replace(/`[^`]*`|[^\s]/g, part => {
    if (part === ')') depth -= 1;
    const shown = depth > 0 ? ' '.repeat(part.length) : part;
    if (part === '(') depth += 1;
    return shown;
  });
}

/** Where the parenthesis that was opened before `from` is closed; the end of the text where it is not. */
function closeOf(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
