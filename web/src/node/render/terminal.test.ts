import { expect, test } from 'vitest';
import { paint } from './color.ts';
import { escapeControls, ownControl, pipedText, terminalText } from './terminal.ts';

test('control characters of data are escaped at a terminal, and raw in a pipe', () => {
  const cases = [
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\x1b]52;c;cm0gLXJm\x07', '\\x1b]52;c;cm0gLXJm\\x07'],
    ['\x9b2J\x85', '\\x9b2J\\x85'],
    ['a\rb\b\x7f\0', 'a\\x0db\\x08\\x7f\\x00'],
    ['user\u202egpj.exe\u2066', 'user\\u202egpj.exe\\u2066'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['日本 é \u200d👩', '日本 é \u200d👩'],
  ] as const;
  for (const [text, shown] of cases) {
    expect(terminalText(text)).toBe(shown);
    expect(escapeControls(text)).toBe(shown);
    expect(pipedText(text)).toBe(text);
  }
});

test('the colours and the progress of the command line itself are not', () => {
  const text = `${paint('a\x1b[8mb', 'red', true)}${ownControl('\r')}5 rows`;
  expect(terminalText(text)).toBe('\x1b[31ma\\x1b[8mb\x1b[0m\r5 rows');
  expect(pipedText(text)).toBe('\x1b[31ma\x1b[8mb\x1b[0m\r5 rows');
  expect(paint('a', 'red', false)).toBe('a');
});
