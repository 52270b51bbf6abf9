/** Rows that break a constraint after a merge. Pure. */
import type { JsonValue, Row } from '../../../lib/index.ts';

export interface Violation {
  /** Which constraint, and how. */
  readonly what: string;
  readonly row: Row;
}

/** Columns of `dolt_constraint_violations_TABLE` that are none of the table's. */
const OF_NO_COLUMN: ReadonlySet<string> = new Set(['from_root_ish', 'violation_type', 'violation_info']);

export function violationOf(found: Row): Violation {
  const row = Object.fromEntries(Object.entries(found).filter(([name]) => !OF_NO_COLUMN.has(name)));
  return { what: inWords(String(found.violation_type), found.violation_info as JsonValue), row };
}

type Info = Readonly<Record<string, JsonValue>>;

function inWords(type: string, given: JsonValue): string {
  const info: Info = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  const columns = namesIn(info.Columns);
  switch (type) {
    case 'foreign key':
      return `${columns} has no match in ${info.ReferencedTable} (${info.ForeignKey})`;
    case 'unique index':
      return `${columns} is not unique (${info.Name})`;
    case 'check constraint':
      return `${info.Expression} is violated (${info.Name})`;
    case 'not null':
      return `${columns} must not be NULL`;
    default:
      return type;
  }
}

function namesIn(columns: JsonValue | undefined): string {
  return Array.isArray(columns) ? columns.join(', ') : String(columns ?? '');
}
