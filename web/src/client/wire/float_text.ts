/**
 * Text of a DOUBLE or FLOAT as Dolt's text protocol sends it: the shortest digits that read back the same value, with
 * an exponent of at least two digits from 1e6 upwards and below 1e-4, else plain.
 *
 * @param isSingle whether `value` came from a FLOAT: the shortest digits are then those of 32 bits.
 */
export function floatText(value: number, isSingle: boolean): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [mantissa, exponentText] = (isSingle ? shortestSingle(value) : value.toExponential()).split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return plain(mantissa as string, exponent);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

/** A FLOAT as the number a person typed: 0.1, not 0.10000000149011612. */
export function doubleOfSingle(value: number): number {
  if (Number.isInteger(value)) return value;
  const size = Math.abs(value);
  if (size >= SINGLE_SIZE_MIN && size < SINGLE_SIZE_MAX) {
    // The fewest decimals that read back as the same FLOAT. 24 bits times a power of ten this small are exact in 53 bits, and
    // so the quotient is the double nearest to those decimals.
    for (let scale = 10; scale <= SINGLE_SCALE_MAX; scale *= 10) {
      const near = Math.round(size * scale) / scale;
      if (Math.fround(near) === size) return value < 0 ? -near : near;
    }
  }
  return Number(floatText(value, true));
}

/** Sizes of FLOATs that have twelve decimals at most. */
const SINGLE_SIZE_MIN = 1e-3;
const SINGLE_SIZE_MAX = 2 ** 24;
const SINGLE_SCALE_MAX = 1e12;

function shortestSingle(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential();
}

function plain(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
