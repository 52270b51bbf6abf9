/**
 * Which statements a script holds, and which one the cursor stands in. Text only, no DOM.
 *
 * Statements end at `;`, or at what the last `DELIMITER` line says. The bodies of procedures, triggers and events hold
 * semicolons of their own between BEGIN and END; those belong to the statement, as in the engine's own splitter.
 */

export interface StatementSpan {
  /** First character that is neither space nor comment. */
  readonly from: number;
  /** One past the last character that is neither space nor delimiter. */
  readonly to: number;
  /** One past the delimiter: a cursor up to here still stands in this statement. */
  readonly end: number;
  /** What statements end at here: a `DELIMITER` line may say something else after it. */
  readonly delimiter: string;
}

/** A part of a text that is another one now. */
export interface TextChange {
  readonly from: number;
  /** Where it ends by now. */
  readonly to: number;
  /** How much longer the text is. */
  readonly delta: number;
}

const WORD = /[A-Za-z_$\u0080-\uffff]/;
const WORD_REST = /[0-9A-Za-z_$\u0080-\uffff]/;
const BODY_OWNERS = new Set(['PROCEDURE', 'FUNCTION', 'TRIGGER', 'EVENT']);
/** `END IF` and the like close what does not count as a block here. */
const PLAIN_ENDS = new Set(['IF', 'LOOP', 'REPEAT', 'WHILE']);

class Splitter {
  /** The one that has just ended. */
  private readonly statements: StatementSpan[] = [];
  private readonly text: string;
  private at = 0;
  private from = -1;
  private to = 0;
  private delimiter = ';';
  private firstWord = '';
  private ownsBody = false;
  private depth = 0;
  private lastWord = '';

  /** @param after the statement that the text is split after */
  constructor(text: string, after?: StatementSpan) {
    this.text = text;
    this.at = after?.end ?? 0;
    this.delimiter = after?.delimiter ?? ';';
  }

  /** The next statement; undefined when there is none. */
  next(): StatementSpan | undefined {
    const { text, statements } = this;
    while (this.at < text.length && statements.length === 0) this.step();
    if (this.from >= 0) this.close(this.at);
    return statements.pop();
  }

  private step(): void {
    const { text, at } = this;
    const character = text.charAt(at);
    if (this.from < 0 && this.isDelimiterLine()) return;
    if (this.depth === 0 && text.startsWith(this.delimiter, at)) {
      const end = at + this.delimiter.length;
      this.at = end;
      if (this.from >= 0) this.close(end);
    } else if (/\s/.test(character)) {
      this.at += 1;
    } else if (this.isCommentStart()) {
      this.skipComment();
    } else {
      if (this.from < 0) this.from = at;
      if (character === "'" || character === '"' || character === '`') this.skipQuoted(character);
      else if (WORD.test(character)) this.word();
      else this.at += 1;
      this.to = this.at;
    }
  }

  /** `DELIMITER //` on a line of its own is an order to the client, not a statement. */
  private isDelimiterLine(): boolean {
    const line = /^DELIMITER[ \t]+(\S+)[^\n]*/i.exec(this.text.slice(this.at, this.at + 80));
    if (line === null || line[1] === undefined) return false;
    this.delimiter = line[1];
    this.at += line[0].length;
    return true;
  }

  private isCommentStart(): boolean {
    const { text, at } = this;
    if (text[at] === '#') return true;
    if (text.startsWith('--', at)) return at + 2 >= text.length || /\s/.test(text.charAt(at + 2));
    // `/*! ... */` is code for MySQL.
    return text.startsWith('/*', at) && text[at + 2] !== '!';
  }

  private skipComment(): void {
    const close = this.text[this.at] === '/' ? '*/' : '\n';
    const found = this.text.indexOf(close, this.at + 1);
    this.at = found < 0 ? this.text.length : found + close.length;
  }

  private skipQuoted(quote: string): void {
    const { text } = this;
    let at = this.at + 1;
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' && quote !== '`' ? 2 : 1;
    this.at = Math.min(at + 1, text.length);
  }

  private word(): void {
    const { text } = this;
    const start = this.at;
    while (this.at < text.length && WORD_REST.test(text.charAt(this.at))) this.at += 1;
    const word = text.slice(start, this.at).toUpperCase();
    if (this.firstWord === '') this.firstWord = word;
    if (this.firstWord !== 'CREATE') return;
    if (BODY_OWNERS.has(word)) this.ownsBody = true;
    if (this.ownsBody) this.countBlock(word);
    this.lastWord = word;
  }

  private countBlock(word: string): void {
    if (word === 'BEGIN' || (word === 'CASE' && this.lastWord !== 'END')) this.depth += 1;
    else if (word === 'END' && !PLAIN_ENDS.has(this.nextWord()) && this.depth > 0) this.depth -= 1;
  }

  private nextWord(): string {
    return (/^\s*([A-Za-z_]+)/.exec(this.text.slice(this.at, this.at + 40))?.[1] ?? '').toUpperCase();
  }

  private close(end: number): void {
    this.statements.push({ from: this.from, to: this.to, end, delimiter: this.delimiter });
    this.from = -1;
    this.firstWord = '';
    this.lastWord = '';
    this.ownsBody = false;
    this.depth = 0;
  }
}

export function splitStatements(text: string): readonly StatementSpan[] {
  return resplitStatements([], text, { from: 0, to: text.length, delta: text.length });
}

/** The statements of a text that was changed: those before the change stay, and those after it once one ends where it did. */
export function resplitStatements(
  known: readonly StatementSpan[],
  text: string,
  { from, to, delta }: TextChange,
): readonly StatementSpan[] {
  // One that ends right at the change may end elsewhere now.
  const first = known.findIndex(({ end }) => end >= from);
  const statements = known.slice(0, first < 0 ? known.length : first);
  const splitter = new Splitter(text, statements.at(-1));
  let old = statements.length;
  for (let next = splitter.next(); next !== undefined; next = splitter.next()) {
    statements.push(next);
    if (next.end <= to) continue;
    const { end, delimiter } = next;
    while ((known[old]?.end ?? Number.POSITIVE_INFINITY) + delta < end) old += 1;
    const same = known[old];
    if (same === undefined || same.end + delta !== end || same.delimiter !== delimiter) continue;
    for (const rest of known.slice(old + 1)) {
      statements.push({
        from: rest.from + delta,
        to: rest.to + delta,
        end: rest.end + delta,
        delimiter: rest.delimiter,
      });
    }
    break;
  }
  return statements;
}

/**
 * The statement that a cursor at `position` means: the one around it, else the one that ends on its line before it, else
 * the next one, else the last.
 */
export function statementAt(
  statements: readonly StatementSpan[],
  position: number,
  text: string,
): StatementSpan | undefined {
  let before: StatementSpan | undefined;
  for (const statement of statements) {
    if (position < statement.from) {
      const sameLine = before !== undefined && !text.slice(before.end, position).includes('\n');
      return sameLine ? before : statement;
    }
    if (position <= statement.end) return statement;
    before = statement;
  }
  return before;
}

/** Does it ask for rows only, so that it can be explained? */
export function isExplainable(sql: string): boolean {
  return /^\s*(\(\s*)*(SELECT|WITH|VALUES|TABLE|INSERT|REPLACE|UPDATE|DELETE)\b/i.test(sql);
}

/** A short name for a result tab: the first words of the statement, in one line. */
export function statementTitle(sql: string, charsMax = 32): string {
  const line = sql.replace(/\s+/g, ' ').trim();
  const from = /\bFROM\s+((?:`[^`]+`|[\w$]+)(?:\.(?:`[^`]+`|[\w$]+))*)/i.exec(line)?.[1];
  const verb = /^\(*\s*(\w+)/.exec(line)?.[1]?.toUpperCase();
  if (verb === 'SELECT' && from !== undefined) return clip(from.replaceAll('`', ''), charsMax);
  return clip(line, charsMax);
}

function clip(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
}
