/** Long texts in pieces that a browser lays out one by one. Pure. */

/** A line of so many characters is laid out in about 20 ms. */
export const PIECE_CHARS = 50_000;
/** So far back the end of a line is looked for. */
const LINE_CHARS = 10_000;

/** All of the text, in its order. A piece ends with a line where lines are not too long. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARS;
  if (end >= text.length) return text.length;
  // In all of the text it would be looked for to its beginning, for each piece.
  const near = text.slice(end - LINE_CHARS, end).lastIndexOf('\n');
  if (near >= 0) return end - LINE_CHARS + near + 1;
  const last = text.charCodeAt(end - 1);
  // Both halves of a character stay together.
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
