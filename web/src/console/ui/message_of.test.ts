import { expect, test } from 'vitest';
import { messageOf } from './message_of.ts';

test('what marks errors and hints in a terminal is left out, what they say stays', () => {
  const refused =
    'error: Your local changes would be overwritten by revert.\nhint: Please commit your changes before you revert.';
  expect(messageOf(new Error(refused))).toBe(
    'Your local changes would be overwritten by revert. Please commit your changes before you revert.',
  );
  expect(messageOf(new Error("Row 52 of the file: error: 'n/a' is not a valid value for 'double'"))).toBe(
    "Row 52 of the file: 'n/a' is not a valid value for 'double'",
  );
  expect(messageOf('no error: here')).toBe('no error: here');
});
