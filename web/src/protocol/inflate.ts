/** Streamed inflating with the platform's DecompressionStream, in steps whose memory is bounded. */
import { crc32 } from './crc32.ts';

/** Deflate unpacks to at most 1,032 times its size, and a browser holds what one step brings: 16 MiB. */
export const STEP_BYTES = 16 * 1024;

/** Bytes that can be read from any place. */
export interface ByteSource {
  readonly length: number;
  /** Whether reading copies nothing. */
  readonly isInMemory: boolean;
  /** Ends at the source's end. */
  read(start: number, end: number): Promise<Uint8Array>;
}

export function sourceOf(content: Blob | Uint8Array): ByteSource {
  if (content instanceof Uint8Array)
    return { length: content.length, isInMemory: true, read: async (start, end) => content.subarray(start, end) };
  const read = async (start: number, end: number) => new Uint8Array(await content.slice(start, end).arrayBuffer());
  return { length: content.size, isInMemory: false, read };
}

const BLOCK_BYTES = 1024 * 1024;

/** A range of a source, piece by piece. */
export async function* piecesOf(source: ByteSource, start: number, end: number): AsyncIterableIterator<Uint8Array> {
  for (let at = start; at < end; at += BLOCK_BYTES) yield await source.read(at, Math.min(at + BLOCK_BYTES, end));
}

/** Whether everything that was unpacked so far has been read. */
type IsDrained = () => boolean;

/**
 * Unpacks a stream. A reader that stops cancels it.
 *
 * @param packed gets to know how far its pieces were unpacked.
 */
export async function* inflated(
  packed: (isDrained: IsDrained) => AsyncIterable<Uint8Array>,
  format: CompressionFormat,
): AsyncIterableIterator<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  const writer = writable.getWriter() as WritableStreamDefaultWriter<Uint8Array>;
  const reader = readable.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let isWaiting = false;
  const feeding = feed(
    packed(() => isWaiting),
    writer,
  );
  feeding.catch(() => {});
  try {
    for (;;) {
      isWaiting = true;
      const { done, value } = await reader.read();
      isWaiting = false;
      if (done) break;
      yield value;
    }
    await feeding;
  } finally {
    reader.cancel().catch(() => {});
    writer.abort().catch(() => {});
  }
}

async function feed(packed: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  try {
    for await (const piece of packed) {
      for (let at = 0; at < piece.length; at += STEP_BYTES) await writer.write(piece.subarray(at, at + STEP_BYTES));
    }
    await writer.close();
  } catch (error) {
    // The reader gets the error.
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

/** Whether these bytes begin a gzip file. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Unpacks gzip of one or several members. */
export async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  readsMembers ??= probeMembers();
  if (await readsMembers) {
    yield* inflated(() => packed, 'gzip');
    return;
  }
  const members = new Members(packed);
  while (await members.hasMore()) {
    for await (const piece of inflated(isDrained => members.pieces(isDrained), 'gzip')) {
      members.unpacked(piece);
      yield piece;
    }
  }
}

/** Whether the platform goes on after the first member: Node does, browsers take the next one for junk. */
let readsMembers: Promise<boolean> | undefined;

async function probeMembers(): Promise<boolean> {
  const member = await new Response(new Blob(['a']).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  const stream = new Blob([member, member]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text().then(
    text => text === 'aa',
    () => false,
  );
}

const TRAILER_BYTES = 8;
/** Magic, method and flags. */
const HEADER_BYTES = 4;
/** Bytes that look like a header by chance: one in 128 MiB. With so many of them a stream is not looked at any more. */
const CHANCES_MAX = 100;

/**
 * Cuts gzip at the ends of its members. Nothing says how long a member is, so that each place that may begin one is looked at: it does
 * if the bytes before it are checksum and length of what was unpacked so far.
 */
class Members {
  readonly #packed: AsyncIterator<Uint8Array>;
  /** What was received and not given away. */
  #rest: Uint8Array = new Uint8Array();
  /** The last bytes that were given away. */
  #tail: Uint8Array = new Uint8Array();
  #crc = 0;
  #length = 0;
  #chances = 0;

  constructor(packed: AsyncIterable<Uint8Array>) {
    this.#packed = packed[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    return this.#rest.length > 0 || (await this.#receive());
  }

  unpacked(piece: Uint8Array): void {
    this.#crc = crc32(piece, this.#crc);
    this.#length += piece.length;
  }

  /** The bytes of the next member. */
  async *pieces(isDrained: IsDrained): AsyncIterableIterator<Uint8Array> {
    this.#crc = 0;
    this.#length = 0;
    // The beginning of this member is not one of the next.
    yield this.#give(Math.min(1, this.#rest.length));
    for (;;) {
      const next = beginOfMember(this.#rest);
      // The last bytes may begin what the next piece ends.
      const sure = next >= 0 ? next : Math.max(0, this.#rest.length - HEADER_BYTES);
      if (sure > 0) {
        yield this.#give(sure);
      } else if (next === 0) {
        if (await this.#isAtEnd(isDrained)) return;
        yield this.#give(1);
      } else if (!(await this.#receive())) {
        yield this.#give(this.#rest.length);
        return;
      }
    }
  }

  async #isAtEnd(isDrained: IsDrained): Promise<boolean> {
    const trailer = new DataView(this.#tail.buffer, this.#tail.byteOffset, this.#tail.byteLength);
    if (trailer.byteLength < TRAILER_BYTES || this.#chances === CHANCES_MAX) return false;
    do await new Promise(resolve => setTimeout(resolve));
    while (!isDrained());
    const isEnd = trailer.getUint32(0, true) === this.#crc && trailer.getUint32(4, true) === this.#length % 2 ** 32;
    if (!isEnd) this.#chances++;
    return isEnd;
  }

  #give(length: number): Uint8Array {
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.#tail = joined(this.#tail, piece.subarray(-TRAILER_BYTES)).slice(-TRAILER_BYTES);
    return piece;
  }

  /** Puts the next piece behind the rest. */
  async #receive(): Promise<boolean> {
    const { done, value } = await this.#packed.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : joined(this.#rest, value);
    return true;
  }
}

/** Where a gzip header may begin: magic, method deflate, and only flags that there are. Negative for nowhere. */
function beginOfMember(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(0x1f); at >= 0 && at + HEADER_BYTES <= bytes.length; at = bytes.indexOf(0x1f, at + 1)) {
    if (bytes[at + 1] === 0x8b && bytes[at + 2] === 8 && ((bytes[at + 3] as number) & 0xe0) === 0) return at;
  }
  return -1;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
