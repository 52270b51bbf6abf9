/**
 * Text for a terminal: control characters are escaped, those of the command line itself are not. A name, a value or a message could
 * otherwise move the cursor, set the clipboard or turn the reading direction.
 */
import { randomUUID } from 'node:crypto';

/** Precedes the command line's own control sequences. It is random, so that data cannot contain it. */
const OWN = `\u{f0000}${randomUUID()}`;

/** All but tab and line feed: C0, DEL, C1, and the overrides and isolates of bidirectional text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** `\x1b`, `\u202e` and the like in the place of control characters. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, character => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** A control sequence of the command line itself: `\r`, or `[…m` behind an escape. */
export function ownControl(sequence: '\r' | `[${string}m`): string {
  return OWN + sequence;
}

/** What is written to a terminal. */
export function terminalText(text: string): string {
  return withOwn(text, escapeControls);
}

/** What is written to a pipe or a file: as it is. */
export function pipedText(text: string): string {
  return text.includes(OWN) ? withOwn(text, part => part) : text;
}

function withOwn(text: string, shown: (part: string) => string): string {
  const [first = '', ...rest] = text.split(OWN);
  return (
    shown(first) +
    rest.map(part => (part.startsWith('\r') ? `\r${shown(part.slice(1))}` : `\x1b${shown(part)}`)).join('')
  );
}
