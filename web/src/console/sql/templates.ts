/** Statements about a table to begin from. Values are parameters, which the console asks for when they run. Pure. */
import { typedName } from './names.ts';

export interface TemplateColumn {
  readonly name: string;
  readonly type: string;
  readonly key: 'primary' | 'unique' | 'index' | 'none';
  /** Default and extras, as SHOW COLUMNS says them. */
  readonly extra: string;
}

export const TEMPLATES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'ALTER TABLE', 'DROP TABLE'] as const;
export type Template = (typeof TEMPLATES)[number];

/** A table to begin from, where there is none to write about. */
export const NEW_TABLE = `CREATE TABLE new_table (
    id INT PRIMARY KEY AUTO_INCREMENT,
    name VARCHAR(80) NOT NULL,
    price DECIMAL(10,2),
    added DATETIME DEFAULT CURRENT_TIMESTAMP
);
`;

/**
 * @param table as it is typed
 * @param generated columns that the table computes
 */
export function templateOf(
  template: Template,
  table: string,
  columns: readonly TemplateColumn[],
  generated: ReadonlySet<string>,
): string {
  const written = columns.filter(({ name }) => !generated.has(name));
  const keys = columns.filter(({ key }) => key === 'primary');
  const condition = (keys.length > 0 ? keys : columns).map(assignment).join(' AND ');
  switch (template) {
    case 'SELECT':
      return `SELECT ${columns.map(({ name }) => typedName(name)).join(', ')}\nFROM ${table}\nLIMIT 1000;\n`;
    case 'INSERT': {
      const given = written.filter(({ extra }) => !/auto_increment/i.test(extra));
      const values = given.map(({ name }) => parameter(name)).join(', ');
      return `INSERT INTO ${table} (${given.map(({ name }) => typedName(name)).join(', ')})\nVALUES (${values});\n`;
    }
    case 'UPDATE': {
      const others = written.filter(({ key }) => key !== 'primary');
      const changes = (others.length > 0 ? others : written).map(assignment).join(',\n    ');
      return `UPDATE ${table}\nSET ${changes}\nWHERE ${condition};\n`;
    }
    case 'DELETE':
      return `DELETE FROM ${table}\nWHERE ${condition};\n`;
    case 'ALTER TABLE':
      return alterations(table, columns.at(-1));
    case 'DROP TABLE':
      return `DROP TABLE ${table};\n`;
  }
}

/** What is most often done, one a line: each runs for itself. */
function alterations(table: string, last: TemplateColumn | undefined): string {
  const name = typedName(last?.name ?? 'column_name');
  const lines = [
    'ADD COLUMN new_column VARCHAR(80)',
    `RENAME COLUMN ${name} TO new_name`,
    `MODIFY COLUMN ${name} ${last?.type ?? 'INT'} NOT NULL`,
    `DROP COLUMN ${name}`,
    `ADD INDEX (${name})`,
    'RENAME TO new_table',
  ];
  return `-- The statement at the cursor runs with Ctrl+Enter\n${lines.map(line => `ALTER TABLE ${table} ${line};\n`).join('')}`;
}

function assignment({ name }: TemplateColumn): string {
  return `${typedName(name)} = ${parameter(name)}`;
}

function parameter(name: string): string {
  return /^[A-Za-z_][\w$]*$/.test(name) ? `:${name}` : '?';
}
