/** Preview of rows, with the types of their columns. */
import type { JSX } from 'preact';
import type { PlannedColumn } from '../../../lib/index.ts';
import { MatchField } from './ColumnMatch.tsx';
import type { ColumnMatching } from './column_matching.ts';
import type { ColumnPlan } from './column_plan.ts';

const PREVIEW_ROWS = 4;

/** Types to choose from, beside the one that the rows say. */
const TYPES = [
  'int',
  'bigint',
  'double',
  'decimal(20,6)',
  'tinyint(1)',
  'date',
  'datetime(6)',
  'time',
  'json',
  'varchar(255)',
  'longtext',
];

interface RowsPreviewProps {
  readonly rows: readonly (readonly string[])[];
  readonly plan: ColumnPlan;
  /** Where the columns go in a table that is there; undefined for one that is made, whose types can be chosen. */
  readonly matching: ColumnMatching | undefined;
}

/** The columns as they will be, so that one sees whether the fields are cut right, and what a new table makes of them. */
export function RowsPreview({ rows, plan, matching }: RowsPreviewProps): JSX.Element {
  const [titles = [], ...values] = rows;
  const columns = plan.columns.value;
  const isLooking = plan.looking.value !== undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the dialog must be reachable by keyboard.
    <section class="import-preview" tabIndex={0} aria-label="First rows" aria-busy={isLooking}>
      <table>
        <thead>
          <tr>
            {titles.map((title, index) => (
              <th key={index} scope="col">
                {title.trim() === '' ? <span class="muted">column_{index + 1}</span> : title.trim()}
              </th>
            ))}
            {columns.slice(titles.length).map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
          {columns.length >= titles.length && (
            <tr class="import-types">
              {columns.map(column => (
                <td key={column.name}>
                  {matching === undefined ? (
                    <TypeField column={column} plan={plan} />
                  ) : (
                    <MatchField name={column.name} matching={matching} />
                  )}
                </td>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {values.slice(0, PREVIEW_ROWS).map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column}>{value.replace(/\r\n?|\n/g, '↵')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TypeField({ column, plan }: { readonly column: PlannedColumn; readonly plan: ColumnPlan }): JSX.Element {
  const { name, type } = column;
  return (
    <select
      aria-label={`Type of ${name}`}
      value={plan.types.value[name] ?? type}
      onChange={({ currentTarget: { value } }) => {
        const { [name]: _, ...others } = plan.types.peek();
        plan.types.value = value === type ? others : { ...others, [name]: value };
      }}
    >
      {[type, ...TYPES.filter(other => other !== type)].map(option => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
