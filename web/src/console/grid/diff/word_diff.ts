/** Two values word by word. Pure. */
import { partsOf, type TextPart } from '../../ui/text_diff.ts';

/** Words, spaces, and every other character by itself. */
const WORDS = /[\p{L}\p{N}_]+|\s+|[\s\S]/gu;
const OF_WORD = /[\p{L}\p{N}_\ud800-\udfff]/u;
/** Of what is between the parts that are the same at both ends: characters, and words before times words after. */
const MIDDLE_MAX = 100_000;
const TABLE_MAX = 1_000_000;

/** Parts of the same kind come as one. Where too much differs, all of it was taken away and came. */
export function wordDiff(before: string, after: string): readonly TextPart[] {
  const [start, end] = sameEnds(before, after);
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return joined([
    { kind: 'same', text: before.slice(0, start) },
    ...middleOf(left, right),
    { kind: 'same', text: before.slice(before.length - end) },
  ]);
}

function middleOf(before: string, after: string): readonly TextPart[] {
  const whole: readonly TextPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  if (before.length + after.length > MIDDLE_MAX) return whole;
  const [left, right] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  return left.length * right.length > TABLE_MAX ? whole : partsOf(left, right);
}

/** How many characters are the same at the start, and at the end. Words stay whole. */
function sameEnds(before: string, after: string): readonly [number, number] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (start === before.length && start === after.length) return [start, 0];
  while (start > 0 && OF_WORD.test(before[start - 1] ?? '')) start -= 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  while (end > 0 && OF_WORD.test(before[before.length - end] ?? '')) end -= 1;
  return [start, end];
}

/** A space between two words that differ differs with them: single letters of a sentence would be hard to read. */
function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const found: { kind: TextPart['kind']; text: string }[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') found.push({ kind: 'removed', text: removed });
    if (added !== '') found.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    const isBetween =
      /^\s+$/.test(text) && removed !== '' && added !== '' && (parts[index + 1]?.kind ?? 'same') !== 'same';
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (isBetween) [removed, added] = [removed + text, added + text];
    else {
      flush();
      const last = found.at(-1);
      if (last?.kind === 'same') last.text += text;
      else if (text !== '') found.push({ kind, text });
    }
  }
  flush();
  return found;
}
