/** Gives a person a file that is made piece by piece. The browser keeps large ones on disk by itself. */

/** Pieces of text are gathered to this size before they become part of the file. */
const PART_CHARS = 1 << 20;

/**
 * @param onBytes hears how long the file is so far
 * @throws whatever the pieces throw: then nothing is saved
 */
export async function download(
  name: string,
  type: string,
  pieces: AsyncIterable<string | Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const parts: Blob[] = [];
  let bytes = 0;
  let text = '';
  const take = (part: BlobPart) => {
    const blob = new Blob([part]);
    parts.push(blob);
    bytes += blob.size;
    onBytes(bytes);
  };
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      take(piece as Uint8Array<ArrayBuffer>);
      continue;
    }
    text += piece;
    if (text.length < PART_CHARS) continue;
    take(text);
    text = '';
  }
  if (text !== '') take(text);
  save(name, new Blob(parts, { type }));
  return bytes;
}

function save(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read by then; an address that is never given back keeps the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
