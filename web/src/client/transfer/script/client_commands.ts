/** Commands of the mysql client, which scripts have as lines between their statements. Pure. */

const WORDS =
  `charset|clear|connect|delimiter|edit|ego|exit|go|help|nopager|notee|nowarning|pager|print|prompt|query_attributes|quit|rehash|
resetconnection|source|ssl_session_data_print|status|system|tee|warnings`.replaceAll('\n', '');

/** What they are called behind a backslash. */
const LETTERS: Readonly<Record<string, string>> = { '.': 'source', '!': 'system', q: 'quit' };

const COMMAND = new RegExp(`^(?:\\\\([^gG])|(${WORDS})(?=[\\s;]|$))`, 'i');
const USE_LINE = /^use[ \t]+[^;\r\n]+(?:[\r\n]|$)/i;

/** Whether a command of the client begins, and reaches to the end of its line. */
export function beginsClientLine(text: string): boolean {
  return COMMAND.test(text) || USE_LINE.test(text);
}

export interface ClientCommand {
  /** As it is written. */
  readonly word: string;
  readonly kind: 'source' | 'quit' | 'other';
  /** What follows it. */
  readonly argument: string;
}

/** @param line a piece of a script, without its delimiter */
export function clientCommand(line: string): ClientCommand | null {
  const [word, letter, name] = COMMAND.exec(line) ?? [];
  if (word === undefined) return null;
  const called = letter === undefined ? name?.toLowerCase() : LETTERS[letter];
  const kind = called === 'source' ? 'source' : called === 'quit' || called === 'exit' ? 'quit' : 'other';
  const argument = line.slice(word.length).trim();
  return { word, kind, argument: argument.replace(/^(['"`])(.+)\1$/, '$2') };
}
