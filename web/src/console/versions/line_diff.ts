import { partsOf, type TextPart } from '../ui/text_diff.ts';

/** Two texts line by line. Definitions have some hundred lines at most. */
export function lineDiff(before: string, after: string): readonly TextPart[] {
  return partsOf(linesOf(before), linesOf(after));
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}
