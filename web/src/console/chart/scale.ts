/** From values to places on an axis, with ticks at numbers and dates that people like. Pure. */

export interface Tick {
  readonly value: number;
  readonly text: string;
}

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly Tick[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** What is between two whole numbers is nothing where `whole` ones are counted. */
export type Between = 'whole' | 'any';

/** Ends at ticks, of which there are about `count`. */
export function numberScale(least: number, most: number, count: number, between: Between = 'any'): Scale {
  const [low, high] = least === most ? [least - (least === 0 ? 0 : 1), most + 1] : [least, most];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const fits = (one: number) => one * power >= rough * 0.999 && (between === 'any' || power > 1 || one % 1 === 0);
  const step = between === 'whole' && rough <= 1 ? 1 : (STEPS.find(fits) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    const value = Number(((first + index) * step).toPrecision(12));
    return { value, text: shortText(value, Math.max(Math.abs(first), Math.abs(last)) * step) };
  });
  return { from: first * step, to: last * step, ticks };
}

const UNITS = [
  { from: 1e12, size: 1e12, name: 'T' },
  { from: 1e9, size: 1e9, name: 'G' },
  { from: 1e6, size: 1e6, name: 'M' },
  { from: 1e4, size: 1e3, name: 'k' },
] as const;

/** `12`, `1.5k`, `3M`: short enough for an axis, on which all numbers have the unit of the largest. */
function shortText(value: number, largest: number): string {
  if (value === 0) return '0';
  if (largest >= 1e15 || largest < 1e-4) return value.toExponential(1);
  const unit = UNITS.find(({ from }) => largest >= from);
  return unit === undefined
    ? String(Number(value.toPrecision(6)))
    : `${Number((value / unit.size).toPrecision(4))}${unit.name}`;
}

/** Made once: `toLocaleString` takes a tenth of a millisecond, and a chart has thousands of marks. */
const LONG = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** The whole number, with the digits in groups. */
export function longText(value: number): string {
  return LONG.format(value);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.4 * DAY;
const SPANS = [1, 5, 15, 30].flatMap(n => [n * SECOND, n * MINUTE]);
const EVEN = [...SPANS, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY].sort((a, b) => a - b);
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

/** Milliseconds since 1970. The axis ends where the values do. */
export function timeScale(least: number, most: number, count: number): Scale {
  const [from, to] = least === most ? [least - DAY, most + DAY] : [least, most];
  const rough = (to - from) / Math.max(1, count);
  const even = EVEN.find(one => one >= rough);
  const ticks = even === undefined ? monthTicks(from, to, rough) : evenTicks(from, to, even);
  return { from, to, ticks };
}

function evenTicks(from: number, to: number, step: number): readonly Tick[] {
  const ticks: Tick[] = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) {
    const iso = new Date(value).toISOString();
    const text = step >= DAY ? iso.slice(0, 10) : iso.slice(11, step < MINUTE ? 19 : 16);
    ticks.push({ value, text: step < DAY && value % DAY === 0 ? iso.slice(0, 10) : text });
  }
  return ticks;
}

function monthTicks(from: number, to: number, rough: number): readonly Tick[] {
  const step = MONTHS.find(one => one * MONTH >= rough * 0.8) ?? 2400;
  const start = new Date(from);
  const first = Math.ceil(
    (start.getUTCFullYear() * 12 + start.getUTCMonth() + (start.getUTCDate() > 1 ? 1 : 0)) / step,
  );
  const ticks: Tick[] = [];
  for (let month = first * step; ; month += step) {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    if (date.getTime() > to) return ticks;
    ticks.push({ value: date.getTime(), text: date.toISOString().slice(0, step % 12 === 0 ? 4 : 7) });
  }
}

/** Where a value is between two ends. */
export function placeOf(value: number, { from, to }: Scale, start: number, end: number): number {
  return start + ((value - from) / (to - from)) * (end - start);
}
