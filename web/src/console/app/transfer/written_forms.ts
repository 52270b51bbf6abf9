/** How dates and numbers of a CSV file are written: what its first rows tell, and what a person chooses. */
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type DateOrder, type DecimalMark, type FoundForms, findForms } from '../../../lib/index.ts';

/** They stay texts. */
export const AS_TEXT = 'text';

export interface WrittenForms {
  readonly found: FoundForms;
  /** Undefined until it is chosen. */
  readonly dates: Signal<DateOrder | typeof AS_TEXT | undefined>;
  readonly decimal: Signal<DecimalMark | typeof AS_TEXT | undefined>;
  /** An import was requested before a choice was made. */
  readonly isAsked: Signal<boolean>;
  /** Whether the rows are ambiguous and no choice was made yet; then the dialog asks. */
  readonly isMissing: () => boolean;
  readonly options: () => { readonly dates: DateOrder | undefined; readonly decimal: DecimalMark | undefined };
}

/** @param rows the first ones, with the titles */
export function useWrittenForms(rows: readonly (readonly string[])[]): WrittenForms {
  const found = useMemo(() => findForms(rows.slice(1)), [rows]);
  const dates = useSignal<DateOrder | typeof AS_TEXT | undefined>(undefined);
  const decimal = useSignal<DecimalMark | typeof AS_TEXT | undefined>(undefined);
  const isAsked = useSignal(false);
  useLayoutEffect(() => {
    dates.value = found.dates === 'unclear' ? undefined : found.dates;
    decimal.value = found.decimal === 'unclear' ? undefined : found.decimal;
    isAsked.value = false;
  }, [found]);
  return {
    ...{ found, dates, decimal, isAsked },
    isMissing: () => {
      const isDateMissing = found.dates !== undefined && dates.value === undefined;
      isAsked.value = isDateMissing || (found.decimal !== undefined && decimal.value === undefined);
      return isAsked.value;
    },
    options: () => ({
      dates: dates.value === AS_TEXT ? undefined : dates.value,
      decimal: decimal.value === AS_TEXT ? undefined : decimal.value,
    }),
  };
}
