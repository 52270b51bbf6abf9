/** Whether the rows of a result can be edited in place, and as what. */
import type { Column, Queries } from '../../../../lib/index.ts';
import type { EditRules } from '../../../grid/edit/edited_rows.ts';
import { generatedColumnsOf } from '../../../sql/generated_columns.ts';
import { quoteName, revisionName, typedName } from '../../../sql/names.ts';
import { tableOf } from '../../../sql/table_of.ts';
import { choicesOf, isTypable, problemOf } from '../../../sql/values.ts';

/** A column of the table. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly isKey: boolean;
  readonly isGenerated: boolean;
  readonly isCounted: boolean;
  /** As text; null when there is none. */
  readonly default: string | null;
}

/** The table whose rows a result shows. */
export interface EditTarget {
  readonly kind: 'table';
  readonly table: string;
  /** With the database, quoted where it must be. */
  readonly name: string;
  /** `database/branch`: where the statements run. */
  readonly place: string;
  /** By column of the result; undefined for what is computed. */
  readonly fields: readonly (Field | undefined)[];
}

export type Editing = EditTarget | { readonly kind: 'refused'; readonly reason: string };

interface Place {
  readonly database: string;
  readonly branch: string;
}

/** System tables that are there to be written by hand. */
const WRITABLE_SYSTEM_TABLES = new Set(['dolt_ignore', 'dolt_docs', 'dolt_nonlocal_tables', 'dolt_query_catalog']);

const refused = (reason: string): Editing => ({ kind: 'refused', reason });

/**
 * @param at where the statement ran
 * @param readOnlyReason of the storage; null when it can be written
 */
export async function editingOf(
  queries: Queries,
  sql: string,
  columns: readonly Column[],
  at: Place,
  readOnlyReason: string | null,
): Promise<Editing> {
  const source = tableOf(sql);
  if (source.kind === 'none') return refused(source.reason);
  if (readOnlyReason !== null) return refused(readOnlyReason);
  const { table, alias } = source;
  if (/^dolt_/i.test(table) && !WRITABLE_SYSTEM_TABLES.has(table.toLowerCase()))
    return refused(`${table} is a system table`);
  const place = source.database ?? revisionName(at.database, at.branch);
  if (source.database === undefined && at.branch === '')
    return refused('Tags and commits are read-only. Switch to a branch to make changes');
  if (columns.some(column => column.table !== '' && column.table.toLowerCase() !== alias.toLowerCase()))
    return refused('The rows come from several tables');
  const name = `${quoteName(place)}.${quoteName(table)}`;
  let fields: Field[];
  try {
    const [shown, generated] = await Promise.all([
      queries.query(`SHOW COLUMNS FROM ${name}`),
      generatedColumnsOf(queries, name),
    ]);
    fields = shown.rows.map(row => fieldOf(row, generated));
  } catch {
    return refused(`${table} is not a table of ${place} (temporary, or dropped)`);
  }
  const keys = fields.filter(({ isKey }) => isKey);
  if (keys.length === 0) return refused(`${table} has no primary key, so single rows cannot be identified`);
  const byColumn = columns.map(({ table: from, originalName }) =>
    from === '' ? undefined : fields.find(field => field.name.toLowerCase() === originalName.toLowerCase()),
  );
  const missing = keys.filter(key => !byColumn.includes(key)).map(key => key.name);
  if (missing.length > 0) return refused(`The key of ${table} is not in the result: select ${missing.join(', ')} too`);
  return { kind: 'table', table, name: shortName(name, place, table, at), place, fields: byColumn };
}

/** Statements are read by people: the table alone where that is the same. */
function shortName(name: string, place: string, table: string, at: Place): string {
  return place === revisionName(at.database, at.branch) ? typedName(table) : name;
}

function fieldOf(row: Readonly<Record<string, unknown>>, generated: ReadonlySet<string>): Field {
  const extra = String(row.Extra ?? '').toLowerCase();
  return {
    name: String(row.Field),
    type: String(row.Type),
    isNullable: row.Null === 'YES',
    isKey: row.Key === 'PRI',
    isGenerated: generated.has(String(row.Field)),
    isCounted: extra.includes('auto_increment'),
    default: row.Default === null || row.Default === undefined ? null : String(row.Default),
  };
}

export function rulesOf({ fields }: EditTarget): EditRules {
  return {
    refusal: column => {
      const field = fields[column];
      if (field === undefined) return 'This column is computed by the query';
      if (field.isGenerated) return 'This column is generated';
      return isTypable(field.type) ? undefined : `Edit ${field.type} values with a statement`;
    },
    problem: (column, text) => {
      const field = fields[column];
      if (field === undefined || (text === null && field.isCounted)) return undefined;
      return problemOf(field, text);
    },
    placeholder: column => {
      const field = fields[column];
      if (field === undefined) return '';
      if (field.isCounted) return 'auto';
      if (field.isGenerated) return 'computed';
      if (field.default !== null) return field.default === '' ? "''" : field.default;
      return field.isNullable ? 'NULL' : 'required';
    },
    choices: column => choicesOf(fields[column]?.type ?? ''),
    isNullable: column => fields[column]?.isNullable ?? false,
  };
}
