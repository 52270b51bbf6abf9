import { type Column, SqlError, type Value, type Warning } from '../../lib/index.ts';
import { column } from './columns.ts';
import { FAKE_BRANCHES, FAKE_LOG, FAKE_TABLES, type FakeTable } from './fake_data.ts';

export interface FakeAnswer {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly at: (row: number, column: number) => Value;
  readonly warnings: readonly Warning[];
  readonly error: SqlError | undefined;
  /** Waited before each batch, to see a slow statement. */
  readonly delayMs: number;
}

function answer(columns: readonly Column[], rowCount: number, at: FakeAnswer['at']): FakeAnswer {
  return { columns, rowCount, at, warnings: [], error: undefined, delayMs: 0 };
}

function lines(names: readonly string[], rows: readonly (readonly Value[])[]): FakeAnswer {
  const columns = names.map((name, index) => {
    const isNumber = typeof rows[0]?.[index] === 'number';
    return column({ name, type: isNumber ? 'bigint' : 'longtext', kind: isNumber ? 'int' : 'text' });
  });
  return answer(columns, rows.length, (row, at) => rows[row]?.[at] ?? null);
}

function failure(error: SqlError): FakeAnswer {
  return { ...lines([], []), error };
}

/** The table that a name such as `` `shop/main`.`people` `` means. */
function tableNamed(text: string): FakeTable | undefined {
  const last = /(?:^|\.)\s*(?:`((?:[^`]|``)+)`|(\w+))\s*$/.exec(text.trim());
  const name = (last?.[1] ?? last?.[2] ?? '').replaceAll('``', '`');
  return FAKE_TABLES.find(table => table.name === name);
}

const NAME = '((?:`[^`]+`|[\\w$]+)(?:\\s*\\.\\s*(?:`[^`]+`|[\\w$]+))*)';

const PLAN = [
  'Limit(1000)',
  ' └─ Project',
  '     ├─ columns: [c.name, sum(o.total) as spent]',
  '     └─ GroupBy',
  '         ├─ select: c.name, SUM(o.total)',
  '         ├─ group: c.name',
  '         └─ LookupJoin',
  '             ├─ TableAlias(o)',
  '             │   └─ Table',
  '             │       ├─ name: orders',
  '             │       └─ columns: [customer_id total]',
  '             └─ TableAlias(c)',
  '                 └─ IndexedTableAccess(customers)',
  '                     ├─ index: [customers.id]',
  '                     ├─ columns: [id name]',
  '                     └─ keys: o.customer_id',
];

type Handler = readonly [RegExp, (match: RegExpExecArray) => FakeAnswer];

const HANDLERS: readonly Handler[] = [
  [
    /^EXPLAIN/i,
    () =>
      lines(
        ['plan'],
        PLAN.map(line => [line]),
      ),
  ],
  [/^SHOW DATABASES/i, () => lines(['Database'], [['information_schema'], ['shop']])],
  [
    /^SHOW FULL TABLES/i,
    () =>
      lines(
        ['Tables_in_shop', 'Table_type'],
        FAKE_TABLES.map(({ name, isView }) => [name, isView ? 'VIEW' : 'BASE TABLE']),
      ),
  ],
  [/^SHOW (?:FULL )?COLUMNS FROM (.+?) FROM/i, match => columnsOf(tableNamed(match[1] ?? ''))],
  [/^SHOW CREATE TABLE (.+)/i, match => lines(['Table', 'Create Table'], [[match[1] ?? '', 'CREATE TABLE …']])],
  [/^SELECT database\(\)/i, () => lines(['database()', 'active_branch()'], [['shop', 'main']])],
  [/^SHOW VARIABLES/i, () => lines(['Variable_name', 'Value'], [])],
  [/^SHOW STATUS/i, () => lines(['Variable_name', 'Value'], [['region_budget_bytes', '134217728']])],
  [
    /\bdolt_branches\b/i,
    () =>
      lines(
        ['name', 'dirty'],
        FAKE_BRANCHES.map((name, at) => [name, at === 0 ? 1 : 0]),
      ),
  ],
  [/\bdolt_status\b/i, () => lines(['table_name', 'staged', 'status'], [])],
  [/\bdolt_merge_status\b/i, () => lines(['is_merging', 'source'], [[0, null]])],
  [/\bdolt_tags\b/i, () => lines(['tag_name', 'tag_hash'], [['v2.4', FAKE_LOG[12]?.hash ?? '']])],
  [/\bdolt_log\b/i, match => logAnswer(match.input)],
  [
    /\bdolt_diff_summary\b/i,
    () =>
      lines(
        ['from_table_name', 'to_table_name', 'data_change', 'schema_change'],
        [
          ['customers', 'customers', 1, 0],
          ['orders', 'orders', 1, 1],
          ['readings', 'readings', 1, 0],
        ],
      ),
  ],
  [/^SELECT\s+COUNT\(\*\)[\s\S]*?\bFROM\s+(.+?)\s*$/i, match => countOf(match[1] ?? '')],
  [
    /^SELECT\s+sleep/i,
    () => ({
      ...lines(
        ['n'],
        Array.from({ length: 200_000 }, (_, n) => [n]),
      ),
      delayMs: 60,
    }),
  ],
  [/^SELECT\s+1\b/i, () => lines(['1'], [[1]])],
  [new RegExp(`^SELECT\\s[\\s\\S]*?\\bFROM\\s+${NAME}[\\s\\S]*?(?:\\bLIMIT\\s+(\\d+))?\\s*$`, 'i'), selectFrom],
  [/^(INSERT|UPDATE|DELETE|CREATE|USE|SET|CALL|DROP)\b/i, () => ({ ...lines([], []), warnings: [] })],
];

function columnsOf(table: FakeTable | undefined): FakeAnswer {
  const rows = (table?.columns ?? []).map(({ name, type, nullable, primaryKey }) => [
    name,
    type,
    nullable ? 'YES' : 'NO',
    primaryKey ? 'PRI' : name.endsWith('_id') ? 'MUL' : name === 'email' ? 'UNI' : '',
    null,
    '',
  ]);
  return lines(['Field', 'Type', 'Null', 'Key', 'Default', 'Extra'], rows);
}

function countOf(name: string): FakeAnswer {
  const table = tableNamed(name);
  return table === undefined ? unknownTable(name) : lines(['COUNT(*)'], [[table.rowCount]]);
}

function logAnswer(sql: string): FakeAnswer {
  const offset = Number(/OFFSET (\d+)/i.exec(sql)?.[1] ?? 0);
  const limit = Number(/LIMIT (\d+)/i.exec(sql)?.[1] ?? 100);
  const names = [
    'commit_hash',
    'author',
    'author_email',
    'author_date',
    'committer',
    'email',
    'date',
    'message',
    'parents',
    'refs',
  ];
  const rows = FAKE_LOG.slice(offset, offset + limit).map(commit => {
    const email = `${commit.author.split(' ')[0]?.toLowerCase()}@example.org`;
    const { hash, author, date, message, parents, refs } = commit;
    return [hash, author, email, date, author, email, date, message, parents.join(', '), refs];
  });
  return lines(names, rows);
}

function selectFrom(match: RegExpExecArray): FakeAnswer {
  const table = tableNamed(match[1] ?? '');
  if (table === undefined) return unknownTable(match[1] ?? '', match.input.indexOf(match[1] ?? ''));
  const rowCount = Math.min(table.rowCount, match[2] === undefined ? Number.POSITIVE_INFINITY : Number(match[2]));
  const made = answer(table.columns, rowCount, (row, index) => table.at(row, index));
  const warnings: Warning[] =
    table.name === 'products'
      ? [{ level: 'Warning', errno: 1292, message: "Truncated incorrect DOUBLE value: 'abc'" }]
      : [];
  return { ...made, warnings };
}

function unknownTable(name: string, position?: number): FakeAnswer {
  return failure(new SqlError(1146, '42S02', `Table 'shop.${name.replaceAll('`', '')}' doesn't exist`, position));
}

export function fakeAnswer(sql: string): FakeAnswer {
  const text = sql.trim();
  for (const [pattern, handle] of HANDLERS) {
    const match = pattern.exec(text);
    if (match !== null) return handle(match);
  }
  const word = /^\S*/.exec(text)?.[0] ?? '';
  return failure(
    new SqlError(
      1064,
      '42000',
      `You have an error in your SQL syntax near '${text.slice(0, 40)}' at line 1`,
      word.length > 0 ? 0 : undefined,
    ),
  );
}
