import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ChartChoice } from './choice.ts';
import type { ChartColumn, ChartRows } from './columns.ts';
import { type ChartData, chartSteps } from './data.ts';

/** So long the page may wait for a chart before it does something else. */
const SLICE_MS = 12;

/** Works on for a slice of time; what came of it, or undefined where there is more to do. */
function goOn<T>(steps: Iterator<void, T>): T | undefined {
  const endMs = performance.now() + SLICE_MS;
  do {
    const step = steps.next();
    if (step.done === true) return step.value;
  } while (performance.now() < endMs);
  return undefined;
}

interface Found {
  /** Of what is asked for, or until it is there of what was asked for before. */
  readonly data: ChartData | undefined;
  /** Rows are still being read. */
  readonly isReading: boolean;
}

/**
 * The points of a chart: at once where the rows are few, slice by slice where they are many. What was shown before stays meanwhile.
 *
 * @param version another value when the rows are others
 */
export function useChartData(
  rows: ChartRows,
  version: unknown,
  columns: readonly ChartColumn[],
  choice: ChartChoice,
): Found {
  const work = useMemo(() => {
    const steps = chartSteps(rows, columns, choice);
    return { steps, first: goOn(steps) };
  }, [rows, version, columns, choice]);
  const later = useSignal<{ readonly of: object; readonly data: ChartData } | undefined>(undefined);
  const shown = useRef<ChartData | undefined>(undefined);
  useEffect(() => {
    if (work.first !== undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const next = (): void => {
      const data = goOn(work.steps);
      if (data === undefined) timer = setTimeout(next);
      else later.value = { of: work, data };
    };
    timer = setTimeout(next);
    return () => clearTimeout(timer);
  }, [work]);
  const data = work.first ?? (later.value?.of === work ? later.value.data : undefined);
  shown.current = data ?? shown.current;
  return { data: shown.current, isReading: data === undefined };
}
