/**
 * Queries whose rows are rows of one table: with the key of a row that changed, the row of the result can be asked for by
 * itself. Everything else (joins, groups, aggregates, LIMIT, functions of the moment) is not taken apart. Pure.
 */
export interface RowQuery {
  /** What is selected, as it was written. */
  readonly selected: string;
  readonly table: string;
  /** What the query calls the table. */
  readonly alias: string;
  /** The condition, as it was written; empty for none. */
  readonly condition: string;
}

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'sign';
  /** Words in upper case, names without their quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How many parentheses are around it. */
  readonly depth: number;
}

const PIECES =
  /(\s+|--[^\n]*|#[^\n]*|\/\*(?![!+])[\s\S]*?\*\/)|`((?:[^`]|``)*)`|('(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*")|([\p{L}\p{N}_$]+)|([\s\S])/gu;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const match of sql.matchAll(PIECES)) {
    const [whole, space, name, text, word] = match;
    if (space !== undefined) continue;
    const start = match.index;
    const end = start + whole.length;
    if (whole === ')') depth--;
    if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('``', '`'), start, end, depth });
    else if (text !== undefined) tokens.push({ kind: 'text', text, start, end, depth });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.toUpperCase(), start, end, depth });
    else tokens.push({ kind: 'sign', text: whole, start, end, depth });
    if (whole === '(') depth++;
  }
  return tokens;
}

/** Words that make a result more, or something else, than rows of a table, wherever they stand. */
const OTHERS = new Set(
  `SELECT DISTINCT DISTINCTROW OVER GROUP HAVING LIMIT OFFSET UNION INTERSECT EXCEPT JOIN INTO FOR LOCK WINDOW PARTITION TABLE LATERAL
  PROCEDURE OF SQL_CALC_FOUND_ROWS`.split(/\s+/),
);
/** Functions over many rows, of the moment, or of the session. */
const FUNCTIONS = new Set(
  `COUNT SUM AVG MIN MAX GROUP_CONCAT JSON_ARRAYAGG JSON_OBJECTAGG STD STDDEV STDDEV_POP STDDEV_SAMP VAR_POP VAR_SAMP VARIANCE BIT_AND
  BIT_OR BIT_XOR ANY_VALUE FIRST LAST GROUPING NOW CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP SYSDATE CURDATE CURRENT_DATE CURTIME
  CURRENT_TIME UTC_DATE UTC_TIME UTC_TIMESTAMP UNIX_TIMESTAMP RAND UUID UUID_SHORT SLEEP LAST_INSERT_ID ROW_COUNT FOUND_ROWS
  CONNECTION_ID GET_LOCK RELEASE_LOCK RANDOM_BYTES BENCHMARK`.split(/\s+/),
);

/** Null for a query whose rows are not rows of one table, or that is not understood. */
export function rowQuery(sql: string): RowQuery | null {
  const tokens = tokensOf(sql);
  while (tokens.at(-1)?.text === ';') tokens.pop();
  const [first, ...rest] = tokens;
  if (first?.kind !== 'word' || first.text !== 'SELECT' || rest.some(isOther)) return null;
  const from = rest.findIndex(token => isWord(token, 'FROM') && token.depth === 0);
  const table = rest[from + 1];
  if (from < 1 || table === undefined || table.kind === 'text' || table.kind === 'sign') return null;
  let at = from + 2;
  if (isWord(rest[at], 'AS')) at++;
  const named = rest[at];
  const hasAlias = named !== undefined && isNameLike(named) && !isWord(named, 'WHERE') && !isWord(named, 'ORDER');
  if (hasAlias) at++;
  const tableName = nameOf(sql, table);
  const parts = { table: tableName, alias: hasAlias ? nameOf(sql, named) : tableName };
  // To the end of the last word: a comment behind it would swallow what is appended.
  const selected = sql.slice(first.end, rest[from - 1]?.end).trim();
  const order = rest.findIndex((token, index) => index >= at && isWord(token, 'ORDER') && token.depth === 0);
  const end = order < 0 ? tokens.at(-1)?.end : rest[order - 1]?.end;
  const next = rest[at];
  if (next === undefined || next === rest[order]) return { ...parts, selected, condition: '' };
  if (!isWord(next, 'WHERE')) return null;
  return { ...parts, selected, condition: sql.slice(next.end, end).trim() };
}

function isOther(token: Token, index: number, all: readonly Token[]): boolean {
  // A comment that MySQL executes.
  const isComment = token.text === '/' && all[index + 1]?.text === '*' && all[index + 1]?.start === token.end;
  if (token.kind === 'sign') return isComment || token.text === '@' || token.text === ';';
  if (token.kind !== 'word') return false;
  // A column may be called like a function.
  const isCalled = all[index + 1]?.text === '(';
  const isBare = /^(CURRENT_|LOCALTIME|UTC_)/.test(token.text);
  return OTHERS.has(token.text) || (FUNCTIONS.has(token.text) && (isCalled || isBare));
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word;
}

function isNameLike({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name';
}

function nameOf(sql: string, token: Token): string {
  return token.kind === 'name' ? token.text : sql.slice(token.start, token.end);
}
