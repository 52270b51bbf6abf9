/** Which chart a result is likely to be: by the types of its columns, as a person would draw it. Pure. */
import type { ChartColumn } from './columns.ts';

export type ChartKind = 'bar' | 'line' | 'scatter';

/** Columns by their number in the result. */
export interface ChartChoice {
  readonly kind: ChartKind;
  readonly x: number;
  /** Undefined counts the rows. */
  readonly y: number | undefined;
  /** Has a colour for each of its values. */
  readonly colour: number | undefined;
}

/** So many rows are points rather than bars. */
const BARS_LIKELY = 200;
const TIMES_LIKELY = 300;

/** Undefined where no column can be drawn. */
export function likelyChoice(columns: readonly ChartColumn[]): ChartChoice | undefined {
  const measures = columns.filter(({ role, isName }) => role === 'number' && !isName);
  const texts = columns.filter(({ role, distinct }) => role === 'text' && distinct > 0);
  // Keys are in order, too, but what follows each other in time is what a line is for.
  const time = columns.find(({ role, isName, name }) => role === 'time' || (isName && TIME.test(name)));
  const [first, second] = measures;
  // Rows that have a name of their own are about what it names.
  const names = texts.find(({ isUnique, distinct }) => isUnique && distinct <= BARS_LIKELY);
  const isOfNames = names !== undefined && time !== undefined && !time.isUnique && names.index < time.index;
  if (time !== undefined && !isOfNames) {
    const colour = likelyColour(texts, time);
    // Many rows of a day are what happened, not how something went on.
    const isRaw = first !== undefined && !time.isUnique && (colour === undefined || time.distinct > TIMES_LIKELY);
    const kind = isRaw ? 'scatter' : time.distinct > 2 ? 'line' : 'bar';
    return { kind, x: time.index, y: first?.index, colour };
  }
  const words = texts.find(({ distinct }) => distinct > 1 && distinct <= BARS_LIKELY) ?? texts[0];
  if (first !== undefined && second !== undefined && (words === undefined || words.distinct > BARS_LIKELY)) {
    return { kind: 'scatter', x: first.index, y: second.index, colour: texts.find(({ isKind }) => isKind)?.index };
  }
  const across = words ?? columns.find(({ isName }) => isName) ?? first ?? columns[0];
  if (across === undefined) return undefined;
  const up = measures.find(({ index }) => index !== across.index);
  return { kind: 'bar', x: across.index, y: up?.index, colour: likelyColour(texts, across) };
}

const TIME = /year|month|week|day|hour|quarter|decade/i;

/** Where values of `x` come several times, what tells the rows apart. */
function likelyColour(texts: readonly ChartColumn[], x: ChartColumn): number | undefined {
  if (x.isUnique) return undefined;
  return texts.find(({ index, isKind }) => index !== x.index && isKind)?.index;
}
