/** A field and what ends it: quoted where it has quotes, tabs or line ends in it, as spreadsheets and `copyText` write them. */
const FIELD = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y;

/** Cells of a text from the clipboard, line by line. Nothing between two tabs is null, `""` is an empty text. Pure. */
export function pastedCells(text: string): readonly (readonly (string | null)[])[] {
  const lines: (string | null)[][] = [];
  let line: (string | null)[] = [];
  FIELD.lastIndex = 0;
  // The line end that spreadsheets put behind the last line begins no other one.
  while (line.length > 0 || FIELD.lastIndex < text.length) {
    const [, quoted, plain = '', end] = FIELD.exec(text) ?? [];
    line.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain));
    if (end === '\t') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}
