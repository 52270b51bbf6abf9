/** Which charset the bytes of a script are in: the one that its statements name, as MySQL's clients and dumps do. Pure. */

import { ITEM } from './script_tables.ts';

/** MySQL's character sets and what the Encoding Standard calls them. A set that is not among them is read as ASCII. */
const ENCODINGS: Readonly<Record<string, string>> = {
  ...{ utf8: 'utf-8', utf8mb3: 'utf-8', utf8mb4: 'utf-8' },
  // Bytes as they are.
  binary: 'utf-8',
  ...{ latin1: 'windows-1252', latin2: 'iso-8859-2', latin5: 'iso-8859-9', latin7: 'iso-8859-13' },
  ...{ cp1250: 'windows-1250', cp1251: 'windows-1251', cp1256: 'windows-1256', cp1257: 'windows-1257' },
  ...{ cp866: 'ibm866', koi8r: 'koi8-r', koi8u: 'koi8-u', macroman: 'macintosh' },
  ...{ greek: 'iso-8859-7', hebrew: 'iso-8859-8', tis620: 'windows-874' },
  ...{ sjis: 'shift_jis', cp932: 'shift_jis', ujis: 'euc-jp', eucjpms: 'euc-jp', euckr: 'euc-kr' },
  ...{ big5: 'big5', gb2312: 'gbk', gbk: 'gbk', gb18030: 'gb18030' },
};

/** What MySQL's clients begin with. */
const DEFAULT_CHARSET = 'utf8mb4';

const SET_STATEMENT = /(?:^|;)\s*((?:\/\*!\d*\s*)?set\s[^;]*)/gim;
const SET = /^(?:\/\*!\d*\s*)?set\s/i;
const NAMES = /^(?:names|character\s+set|charset)\s+(.+)$/is;
const CLIENT = /^(?:@@)?(?:(?:session|local)\s*\.?\s*)?`?character_set_client`?$/i;
const SQL_MODE = /^(?:@@)?(?:(?:session|local)\s*\.?\s*)?`?sql_mode`?$/i;
const ASSIGNMENT = /^(.+?)\s*:?=\s*(.*)$/s;
/** Follows the SET statements of a script. */
export class ScriptCharset {
  /** As MySQL calls it. */
  name = DEFAULT_CHARSET;
  /** Of the sql_mode. */
  hasBackslashEscapes = true;
  /** User variables that keep the name of a charset. */
  readonly #kept = new Map<string, string>();

  /** A label of the Encoding Standard; undefined for a charset that is not known there. */
  get encoding(): string | undefined {
    return ENCODINGS[this.name];
  }

  copy(): ScriptCharset {
    const copy = new ScriptCharset();
    copy.name = this.name;
    copy.hasBackslashEscapes = this.hasBackslashEscapes;
    for (const [variable, charset] of this.#kept) copy.#kept.set(variable, charset);
    return copy;
  }

  /** @param statement without its delimiter */
  take(statement: string): void {
    if (!SET.test(statement)) return;
    const items = statement.replace(SET, '').replace(/\s*\*\/\s*$/, '');
    for (const [item] of items.matchAll(ITEM)) this.#takeItem(item.trim());
  }

  #takeItem(item: string): void {
    const [, named] = NAMES.exec(item) ?? [];
    if (named !== undefined) {
      this.name = this.#charsetOf(named.replace(/\s+collate\s.*$/is, '')) ?? this.name;
      return;
    }
    const [, target = '', value = ''] = ASSIGNMENT.exec(item) ?? [];
    if (CLIENT.test(target)) this.name = this.#charsetOf(value) ?? this.name;
    else if (SQL_MODE.test(target)) this.hasBackslashEscapes = !/no_backslash_escapes/i.test(value);
    else if (/^@[^@]/.test(target)) this.#keep(target.toLowerCase(), this.#charsetOf(value));
  }

  #keep(variable: string, charset: string | undefined): void {
    if (charset === undefined) this.#kept.delete(variable);
    else this.#kept.set(variable, charset);
  }

  #charsetOf(value: string): string | undefined {
    const text = value.trim().replace(/^(['"`])(.*)\1$/s, '$2');
    if (/^default$/i.test(text)) return DEFAULT_CHARSET;
    if (CLIENT.test(text)) return this.name;
    if (text.startsWith('@')) return this.#kept.get(text.toLowerCase());
    return /^\w+$/.test(text) ? text.toLowerCase() : undefined;
  }
}

/**
 * The encoding of a script's first text that is no ASCII, by what its statements say before, as a label of the Encoding Standard.
 *
 * @param head of it, so much as is at hand
 */
export function scriptEncodingOf(head: Uint8Array): string {
  const stray = head.findIndex(byte => byte >= 0x80);
  const before = new TextDecoder().decode(stray < 0 ? head : head.subarray(0, stray));
  const charset = new ScriptCharset();
  for (const [, statement = ''] of before.matchAll(SET_STATEMENT)) charset.take(statement);
  return charset.encoding ?? 'utf-8';
}
