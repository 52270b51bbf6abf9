import { expect, test } from 'vitest';
import { dateOf, findForms, numberOf } from './written_forms.ts';

test('dates are read in the order that is said, and in no other', () => {
  expect(dateOf('10.02.2024', 'dmy')).toBe('2024-02-10');
  expect(dateOf('2/10/2024', 'mdy')).toBe('2024-02-10');
  expect(dateOf('2/10/2024 3:04 PM', 'mdy')).toBe('2024-02-10 15:04:00');
  expect(dateOf('2/10/2024 12:04:05 am', 'mdy')).toBe('2024-02-10 00:04:05');
  expect(dateOf('10-02-2024 03:04:05.5', 'dmy')).toBe('2024-02-10 03:04:05.5');
  expect(dateOf('2024-02-10', 'dmy')).toBe('2024-02-10');
  for (const text of ['13.13.2024', '1.2.24', '10.02/2024', '1.2.2024 25:00', '1.2.2024 13:00 pm', '', 'soon']) {
    expect(dateOf(text, 'dmy'), text).toBeNull();
  }
  expect(dateOf('13/02/2024', 'mdy')).toBeNull();
});

test('numbers have one mark before decimals, and groups of three digits', () => {
  expect(numberOf('9,50', ',')).toBe('9.50');
  expect(numberOf('-1.234.567,5', ',')).toBe('-1234567.5');
  expect(numberOf('1.234', ',')).toBe('1234');
  expect(numberOf('1,234.50', '.')).toBe('1234.50');
  expect(numberOf('+12', ',')).toBe('12');
  for (const text of ['1.5', '1.2345', '1,2,3', '0.123', '1e5', '12.34.567', '', 'x']) {
    expect(numberOf(text, ','), text).toBeNull();
  }
});

test('what is found is what all rows have, and nothing is guessed', () => {
  const found = (...columns: string[][]) =>
    findForms((columns[0] ?? []).map((_, row) => columns.map(column => column[row] ?? '')));
  expect(found(['10.02.2024', '13.02.2024'])).toMatchObject({ dates: 'dmy', exampleDate: '10.02.2024' });
  expect(found(['02/10/2024', '', '02/13/2024'])).toMatchObject({ dates: 'mdy' });
  expect(found(['02/10/2024', '03/10/2024'])).toMatchObject({ dates: 'unclear' });
  // One column says it for both; two that say otherwise say nothing.
  expect(found(['02/10/2024', '03/10/2024'], ['13/10/2024', '03/10/2024'])).toMatchObject({ dates: 'dmy' });
  expect(found(['02/13/2024', '03/10/2024'], ['13/10/2024', '03/10/2024']).dates).toBeUndefined();
  expect(found(['02/13/2024', '13/02/2024']).dates).toBeUndefined();
  expect(found(['2024-02-10', '2024-02-11']).dates).toBeUndefined();
  expect(found(['10.02.2024', 'later']).dates).toBeUndefined();
  // A few texts that mean that there is none say nothing of the others.
  expect(found(['10.02.2024', 'n/a', '13.02.2024', 'n/a', '14.02.2024'])).toMatchObject({ dates: 'dmy' });
  expect(found(['n/a', '9,50', '-', '1.234,00', '12,5'])).toMatchObject({ decimal: ',', exampleNumber: '9,50' });
  expect(found(['a', '9,50', 'b', '1,5', 'c', '2,5', 'd', '3,5', '4,5']).decimal).toBeUndefined();
  expect(found(['9,50', '1.234,00'])).toMatchObject({ decimal: ',', exampleNumber: '9,50' });
  expect(found(['12', '9,5'])).toMatchObject({ decimal: ',', exampleNumber: '9,5' });
  expect(found(['1,234', '2,500']).decimal).toBe('unclear');
  expect(found(['1,234', '2,500'], ['1,5', '1,25']).decimal).toBe(',');
  expect(found(['1,234.5', '2,500']).decimal).toBe('.');
  expect(found(['1.234', '2.500']).decimal).toBeUndefined();
  expect(found(['1,2,3', '2']).decimal).toBeUndefined();
  expect(found().decimal).toBeUndefined();
});
