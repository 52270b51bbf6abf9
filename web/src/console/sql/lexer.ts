/**
 * SQL's tokens and statements as the engine reads them: its own lexer (`rust/lexer`), on the page, because the editor asks at every
 * key. The page loads it before it is drawn. Offsets are those of the string.
 */
interface LexerExports {
  readonly memory: WebAssembly.Memory;
  /** Makes room for so many bytes of text and gives their address. */
  reserve(length: number): number;
  /** Each reads a text and gives the count of numbers in the output. */
  tokens(length: number): number;
  statements(length: number): number;
  outline(length: number): number;
  output(): number;
}

/** By their numbers in `rust/lexer`. */
const KINDS = [
  'word',
  'reserved',
  'name',
  'text',
  'number',
  'variable',
  'system_variable',
  'parameter',
  'symbol',
  'bad',
  'line_comment',
  'comment',
  'version_mark',
] as const;

export interface Token {
  /**
   * A word, reserved or not; a name in back-ticks; a text, a number, a variable of the user or of the system; `?`; an operator; what has
   * no end or is not SQL; a comment; the start or the end of a comment whose text is read (`/*!`).
   */
  readonly kind: (typeof KINDS)[number];
  /** As it is written. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** How many parentheses are around it. */
  readonly depth: number;
}

/** A statement of a script. */
export interface StatementSpan {
  /** First character that is neither space nor comment. */
  readonly from: number;
  /** One past the last character that is neither space nor delimiter. */
  readonly to: number;
  /** One past the delimiter: a cursor up to here still stands in this statement. */
  readonly end: number;
  /** It ends with `;`, as statements do there: what follows is split as a script of its own would be. */
  readonly isApart: boolean;
}

interface Placeholder {
  readonly from: number;
  readonly to: number;
  /** Of `:name`; undefined for `?`. */
  readonly name: string | undefined;
}

export interface Outline {
  /** Which statement it is, in capitals: its first word, but for parentheses and the common tables of WITH; empty without one. */
  readonly verb: string;
  /** The token after the verb, in capitals. */
  readonly second: string;
  /** The first variable of the user. */
  readonly variable: string | undefined;
  /** Where the statement begins whose plan an EXPLAIN (not ANALYZE) asks for. */
  readonly explained: number | undefined;
  /** None of a stored program. */
  readonly placeholders: readonly Placeholder[];
}

const NONE = 0xffffffff;
const encoder = new TextEncoder();
let lexer: LexerExports | undefined;

/** Must be done before anything here is asked. @throws where the module cannot be fetched or compiled */
export async function loadLexer(module: Response | Promise<Response>): Promise<void> {
  const response = await module;
  if (!response.ok) throw new Error(`The lexer did not arrive: ${response.status}`);
  // Not by streaming, for which a server has to say that it is WebAssembly.
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer());
  lexer = instance.exports as unknown as LexerExports;
}

/** The same from its bytes, at once: for tests. */
export function useLexer(bytes: BufferSource): void {
  lexer = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as LexerExports;
}

function ask(what: 'tokens' | 'statements' | 'outline', sql: string): Uint32Array {
  if (lexer === undefined) throw new Error('The lexer is not loaded');
  const bytes = encoder.encode(sql);
  const at = lexer.reserve(bytes.length) >>> 0;
  new Uint8Array(lexer.memory.buffer, at, bytes.length).set(bytes);
  const count = lexer[what](bytes.length);
  return new Uint32Array(lexer.memory.buffer, lexer.output() >>> 0, count).slice();
}

/** Tokens and comments. */
export function lexemesOf(sql: string): readonly Token[] {
  const numbers = ask('tokens', sql);
  const found: Token[] = [];
  let depth = 0;
  for (let at = 0; at < numbers.length; at += 3) {
    const kind = KINDS[numbers[at] as number] ?? 'bad';
    const [from, to] = [numbers[at + 1] as number, numbers[at + 2] as number];
    const text = sql.slice(from, to);
    if (text === ')') depth -= 1;
    found.push({ kind, text, from, to, depth });
    if (text === '(') depth += 1;
  }
  return found;
}

/** What the engine reads: no comments. */
export function tokensOf(sql: string): readonly Token[] {
  return lexemesOf(sql).filter(isRead);
}

/** Whether it is no comment. */
export function isRead({ kind }: Token): boolean {
  return kind !== 'comment' && kind !== 'line_comment' && kind !== 'version_mark';
}

/** Whether a token is one of some words, which are given in capitals. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token !== undefined && isAnyWord(token) && words.includes(token.text.toUpperCase());
}

function isAnyWord({ kind }: Token): boolean {
  return kind === 'word' || kind === 'reserved';
}

/** The name that a token may be, without quotes; undefined for what is neither a word nor a quoted name. */
export function nameOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'name') return token.text.slice(1, -1).replaceAll('``', '`');
  return token !== undefined && isAnyWord(token) ? token.text : undefined;
}

/** The statements of a script. Their end is `;`, or what the last `DELIMITER` line says. */
export function splitStatements(script: string): readonly StatementSpan[] {
  const numbers = ask('statements', script);
  const found: StatementSpan[] = [];
  for (let at = 0; at < numbers.length; at += 4) {
    const [from, to, end] = [numbers[at] as number, numbers[at + 1] as number, numbers[at + 2] as number];
    found.push({ from, to, end, isApart: numbers[at + 3] === 1 });
  }
  return found;
}

export function outlineOf(sql: string): Outline {
  const numbers = ask('outline', sql);
  const text = (at: number) => (numbers[at] === NONE ? undefined : sql.slice(numbers[at], numbers[at + 1]));
  const explained = numbers[6] === NONE ? undefined : numbers[6];
  const placeholders: Placeholder[] = [];
  for (let at = 7; at < numbers.length; at += 3) {
    const [from, to, name] = [numbers[at] as number, numbers[at + 1] as number, numbers[at + 2] as number];
    placeholders.push({ from, to, name: name === NONE ? undefined : sql.slice(name, to) });
  }
  const [verb = '', second = ''] = [text(0)?.toUpperCase(), text(2)?.toUpperCase()];
  return { verb, second, variable: text(4), explained, placeholders };
}
