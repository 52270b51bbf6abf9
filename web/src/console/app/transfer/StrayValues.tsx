import type { JSX } from 'preact';
import { type StrayValues as Strays, shortLinesOf } from '../../../lib/index.ts';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { type ColumnPlan, takesTexts, withTexts } from './column_plan.ts';

interface StrayValuesProps {
  readonly plan: ColumnPlan;
  /** The type that a column has or is to have; undefined for what its values say. */
  readonly typeOf: (name: string) => string | undefined;
  readonly canBeNull: (name: string) => boolean;
}

/** Which columns become text, or take no row, for a few values that are not numbers or dates as the others are; and the way to leave those out. */
export function StrayValues({ plan, typeOf, canBeNull }: StrayValuesProps): JSX.Element {
  const { columns, nulls } = plan;
  const short = shortLinesOf(columns.value);
  return (
    <div class="stray-values" role="status">
      {short !== undefined && (
        <div class="stray-value">
          <span class="form-warning">
            {counted(short.count, 'row')} with missing fields, first row {wholeNumber(short.row)}. Missing fields become
            NULL.
          </span>
        </div>
      )}
      {columns.value.map(({ name, type, strays }) =>
        strays === undefined || isTaken(typeOf(name)) ? null : (
          <div key={name} class="stray-value">
            <span class="form-warning">{said(name, type, typeOf(name), strays)}</span>
            {canBeNull(name) && (
              <button
                type="button"
                class="button small"
                onClick={() => {
                  nulls.value = withTexts(nulls.peek(), strays.texts);
                }}
              >
                Treat {strays.texts.map(quoted).join(', ')} as NULL
              </button>
            )}
          </div>
        ),
      )}
    </div>
  );
}

const isTaken = (type: string | undefined): boolean => type !== undefined && takesTexts(type);

/** @param taken instead of the type that holds all */
function said(name: string, type: string, taken: string | undefined, strays: Strays): string {
  const { texts, count, row, type: narrow } = strays;
  const others = narrow.startsWith('date') ? 'dates' : 'numbers';
  const alike = count === 1 ? '' : `, and ${counted(count - 1, 'other row')}`;
  const what = taken === undefined ? `becomes text (${type})` : `cannot be ${taken} as it is`;
  const where = `row ${wholeNumber(row)} has ${quoted(texts[0] ?? '')} among ${others}${alike}`;
  return `${name} ${what}: ${where}.`;
}

const quoted = (text: string): string => `“${text}”`;
