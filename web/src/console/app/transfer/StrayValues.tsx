import type { JSX } from 'preact';
import type { StrayValues as Strays } from '../../../lib/index.ts';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { type ColumnPlan, isOfTexts, withTexts } from './column_plan.ts';

interface StrayValuesProps {
  readonly plan: ColumnPlan;
  /** Must not be NULL. */
  readonly keyName: string | undefined;
}

/** Which columns become text for a few values that are not numbers or dates as the others are, and the way to leave those out. */
export function StrayValues({ plan, keyName }: StrayValuesProps): JSX.Element {
  const { columns, types, nulls } = plan;
  return (
    <div class="stray-values" role="status">
      {columns.value.map(({ name, type, strays }) =>
        strays === undefined || isOfTexts(types.value[name] ?? '') ? null : (
          <div key={name} class="stray-value">
            <span class="form-warning">{said(name, type, types.value[name], strays)}</span>
            {name !== keyName && (
              <button
                type="button"
                class="button small"
                onClick={() => {
                  nulls.value = withTexts(nulls.peek(), strays.texts);
                }}
              >
                Take {strays.texts.map(quoted).join(', ')} as NULL
              </button>
            )}
          </div>
        ),
      )}
    </div>
  );
}

/** @param chosen instead of the type that holds all */
function said(name: string, type: string, chosen: string | undefined, strays: Strays): string {
  const { texts, count, row, type: narrow } = strays;
  const others = narrow.startsWith('date') ? 'dates' : 'numbers';
  const alike = count === 1 ? '' : `, as ${count === 2 ? 'has' : 'have'} ${counted(count - 1, 'other row')}`;
  const what = chosen === undefined ? `becomes text (${type})` : `cannot be ${chosen} as it is`;
  const where = `row ${wholeNumber(row)} has ${quoted(texts[0] ?? '')} among ${others}${alike}`;
  return `${name} ${what}: ${where}.`;
}

const quoted = (text: string): string => `“${text}”`;
