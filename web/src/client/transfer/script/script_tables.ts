/** Which fields of a script's rows are bytes, by the tables that it makes: in another charset than UTF-8 they are no text to recode. Pure. */

const CREATE = /^create\s+(?:temporary\s+)?table\s+(?:if\s+not\s+exists\s+)?([^(]+?)\s*\((.*)\)/is;
const INSERT =
  /^(?:insert|replace)\s+(?:(?:low_priority|delayed|high_priority|ignore|into)\s+)*([^(]+?)\s*(?:\(([^)]*)\)\s*)?values?$/is;
const NAME = /^\s*(?:`((?:[^`]|``)+)`|"((?:[^"]|"")+)"|([\w$]+))/;
const COLUMN = /^\s*(?:`(?:[^`]|``)+`|"(?:[^"]|"")+"|[\w$]+)\s+(\w+)/;
const BINARY =
  /^(?:(?:tiny|medium|long)?blob|(?:var)?binary|bit|geometry|point|linestring|polygon|geomcollection|multi\w+|geometrycollection)$/i;
const NO_COLUMN =
  /^\s*(?:(?:unique|fulltext|spatial|primary|foreign)\s+(?:key|index)|key|index|unique|constraint|check)[\s(`]/i;
/** What is between commas outside of quotes and parentheses. */
export const ITEM =
  /(?:'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|\((?:[^()']|'(?:[^'\\]|\\.|'')*'|\([^()]*\))*\)|[^,'"`(])+/gs;

interface Column {
  readonly name: string;
  readonly isBinary: boolean;
}

export class ScriptTables {
  readonly #tables = new Map<string, readonly Column[]>();

  /** Takes a CREATE TABLE. */
  take(statement: string): void {
    const [, table, body] = CREATE.exec(statement) ?? [];
    if (table === undefined || body === undefined) return;
    const columns: Column[] = [];
    for (const [item] of body.matchAll(ITEM)) {
      const [, type = ''] = COLUMN.exec(item) ?? [];
      if (!NO_COLUMN.test(item)) columns.push({ name: nameIn(item), isBinary: BINARY.test(type) });
    }
    this.#tables.set(tableIn(table), columns);
  }

  /** For each field of the rows of an INSERT whether it is bytes; undefined where none is. @param head to VALUES */
  binaryFields(head: string): readonly boolean[] | undefined {
    const [, table, listed] = INSERT.exec(head) ?? [];
    const columns = table === undefined ? undefined : this.#tables.get(tableIn(table));
    if (columns === undefined) return undefined;
    const fields = listed === undefined ? columns : listed.split(',').map(name => columnNamed(columns, nameIn(name)));
    return fields.some(field => field?.isBinary) ? fields.map(field => field?.isBinary === true) : undefined;
  }
}

function columnNamed(columns: readonly Column[], name: string): Column | undefined {
  return columns.find(column => column.name === name);
}

/** Of a table that may be named with its database. */
function tableIn(text: string): string {
  return nameIn(text.replace(/^.*\.\s*(?=[`"\w$])/s, ''));
}

function nameIn(text: string): string {
  const [, backtick, double, plain = ''] = NAME.exec(text) ?? [];
  return (backtick?.replaceAll('``', '`') ?? double ?? plain).toLowerCase();
}
