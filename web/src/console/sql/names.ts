/** Names and strings as SQL text. */

export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** MySQL's reserved words, without those that are no likely names of tables or columns. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  `add all alter and as asc before between both by call case change check collate column condition constraint create cross
  cube database databases default delete desc describe distinct div drop each else except exists explain false fetch for
  force foreign from fulltext function generated get grant group grouping groups having if ignore in index inner insert
  intersect interval into is join key keys kill lag lateral lead leading left like limit lines load lock loop match mod
  natural not null of on optimize option or order out outer over partition primary procedure range rank read reads
  recursive references release rename repeat replace require restrict return revoke right row rows schema schemas select
  separator set show signal spatial sql ssl starting stored straight_join system table terminated then to trailing trigger
  true undo union unique unlock unsigned update usage use using values virtual when where while window with write xor
  zerofill`.split(/\s+/),
);

/** What Dolt takes in back-ticks alone, or not everywhere, where MySQL takes the bare word. */
const DOLTS_WORDS: ReadonlySet<string> = new Set(
  `bit_and bit_or bit_xor copy encrypted escape exclusive format group_concat inplace json_arrayagg json_objectagg next now
  off plan returning shared sql_cache sql_no_cache std stddev stddev_pop stddev_samp substr substring system_time
  transactional var_pop var_samp variance vector yes`.split(/\s+/),
);

/** The name as a person would type it: quoted only where it must be. */
export function typedName(name: string): string {
  const word = name.toLowerCase();
  return PLAIN_NAME.test(name) && !RESERVED_WORDS.has(word) && !DOLTS_WORDS.has(word) ? name : quoteName(name);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "'": "''",
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\x1a': '\\Z',
};

export function quoteString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL and Ctrl-Z are what MySQL wants escaped.
  return `'${text.replace(/['\\\n\r\0\x1a]/g, character => ESCAPES[character] ?? character)}'`;
}

/** A database at a branch, tag or commit, as Dolt names it: `db/branch`. */
export function revisionName(database: string, revision: string): string {
  return revision === '' ? database : `${database}/${revision}`;
}

/** Parts of Dolt's `database/revision`. */
export function splitRevision(name: string): { readonly database: string; readonly revision: string } {
  const slash = name.indexOf('/');
  if (slash < 0) return { database: name, revision: '' };
  return { database: name.slice(0, slash), revision: name.slice(slash + 1) };
}
