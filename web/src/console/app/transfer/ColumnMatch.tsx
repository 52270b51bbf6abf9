/** Matching of file columns to columns of an existing table. */
import type { JSX } from 'preact';
import type { ColumnInfo } from '../../schema/model.ts';
import type { ColumnMatching } from './column_matching.ts';

/** The choice of a select whose column goes nowhere: no column has an empty name. */
const LEFT_OUT = '';

interface MatchProps {
  readonly matching: ColumnMatching;
}

/** Where a column of the file goes. */
export function MatchField({ matching, name }: MatchProps & { readonly name: string }): JSX.Element {
  const { match, columns, choose } = matching;
  const column = match[name] ?? LEFT_OUT;
  return (
    <select
      class={column === LEFT_OUT ? 'is-left-out' : ''}
      aria-label={`Column for ${name}`}
      value={column}
      onChange={({ currentTarget: { value } }) => choose(name, value === LEFT_OUT ? null : value)}
    >
      <option value={LEFT_OUT}>skipped</option>
      {columns.map(({ name: into, type }) => (
        <option key={into} value={into}>
          → {into} · {type}
        </option>
      ))}
    </select>
  );
}

/** What becomes of columns that have no partner. */
export function MatchNotes({ matching, table }: MatchProps & { readonly table: string }): JSX.Element {
  const { leftOut, unfilled, problem } = matching;
  return (
    <div class="match-notes" role="status">
      {problem !== undefined && <p class="form-problem">{problem}</p>}
      {leftOut.length > 0 && (
        <p class="form-warning">
          Skipped: {table} has no column {leftOut.join(', ')}
        </p>
      )}
      {unfilled.length > 0 && problem === undefined && (
        <p class="muted">Not in the file: {unfilled.map(withDefault).join(', ')}</p>
      )}
    </div>
  );
}

function withDefault({ name, extra, isNullable }: ColumnInfo): string {
  if (extra === '') return isNullable ? `${name} (NULL)` : name;
  return `${name} (${extra.replace(/^default /, '')})`;
}
