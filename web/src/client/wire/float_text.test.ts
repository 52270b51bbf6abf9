import { expect, test } from 'vitest';
import { doubleOfSingle, floatText } from './float_text.ts';

// Answers of native Dolt 2.2.0 (`dolt sql -r csv`).
test.each([
  [1234567, '1.234567e+06'],
  [1e10, '1e+10'],
  [123456789012, '1.23456789012e+11'],
  [1e-5, '1e-05'],
  [0.0001, '0.0001'],
  [1e21, '1e+21'],
  [3, '3'],
  [-0.5, '-0.5'],
  [123456.25, '123456.25'],
  [100000, '100000'],
  [1.5e300, '1.5e+300'],
])('DOUBLE %d is %s', (value, text) => {
  expect(floatText(value, false)).toBe(text);
});

test.each([
  [0.1, '0.1'],
  [1234567.5, '1.2345675e+06'],
  [16777216, '1.6777216e+07'],
])('FLOAT %d is %s', (value, text) => {
  expect(floatText(Math.fround(value), true)).toBe(text);
});

test('a FLOAT has the fewest digits that read back', () => {
  let bits = 0x3dcccccd;
  const view = new DataView(new ArrayBuffer(4));
  for (let count = 0; count < 20_000; count++) {
    // A generator of Marsaglia's: every sign, size and number of digits comes up.
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    // Half of them are between 2^-16 and 2^16, where people's numbers are.
    const exponent = count % 2 === 0 ? (bits >>> 23) & 0xff : 111 + ((bits >>> 23) & 31);
    view.setUint32(0, (bits & 0x807fffff) | (exponent << 23));
    const value = view.getFloat32(0);
    // Whole numbers stay what they are.
    if (!Number.isInteger(value) && Number.isFinite(value))
      expect(doubleOfSingle(value)).toBe(Number(floatText(value, true)));
  }
});
