import type { JSX } from 'preact';
import { wholeNumber } from '../ui/figures.ts';
import { isRightAligned } from './cells.ts';
import type { GridRows } from './rows.ts';

/** About a hundred sheets. */
const PRINTED_MAX = 5000;

/** The rows as a table of the document: a grid has those alone that are in sight. */
export function PrintedRows({ rows }: { readonly rows: GridRows }): JSX.Element {
  const { columns, rowCount } = rows;
  const count = Math.min(rowCount, PRINTED_MAX);
  const sides = columns.map(column => (isRightAligned(column) ? 'right' : undefined));
  return (
    <div class="printed-rows">
      <table>
        <thead>
          <tr>
            <th />
            {columns.map(({ name }, column) => (
              <th key={column} class={sides[column]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, row) => {
            const mark = rows.mark?.(row);
            return (
              <tr key={row} class={mark?.tone}>
                <th>{mark?.sign ?? row + 1}</th>
                {columns.map((_column, column) => {
                  const cell = rows.view(row, column);
                  return (
                    <td key={column} class={`${sides[column] ?? ''} ${cell?.look ?? ''} ${cell?.state ?? ''}`}>
                      {cell?.text}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {count < rowCount && (
        <p>
          The first {wholeNumber(count)} of {wholeNumber(rowCount)} rows. Export to a file for all rows.
        </p>
      )}
    </div>
  );
}
