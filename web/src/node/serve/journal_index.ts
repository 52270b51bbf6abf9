/** Where chunks are in a journal, and its root (docs/format/store.md, section 6). */

import { addressText } from '../../host/remotes/manifest_text.ts';
import { JOURNAL_ID } from '../../protocol/index.ts';
import type { ChunkIndex, Place } from './chunk_index.ts';
import { crc32c } from './crc32c.ts';
import type { ServedFile } from './served_database.ts';

const RECORD_BYTES_MAX = 5 * 1024 * 1024;
const PIECE_BYTES = 2 * RECORD_BYTES_MAX;
/** Tag and kind of the first field of a record. */
const ROOT = 0x0101;
const CHUNK = 0x0102;
/** What Varve's redo records begin with, behind the lengths of Snappy. */
const REDO = 'VarveRdo';

/** A journal that is read as it grows. A record counts when its checksum fits; after the first that does not, nothing does. */
export class Journal implements ChunkIndex {
  readonly #places = new Map<string, Place>();
  /** What was read up to. */
  #end = 0;
  #root: string | null = null;
  #hasRedo = false;
  #reading: Promise<void> = Promise.resolve();

  static isOne({ id }: { readonly id: string }): boolean {
    return id === JOURNAL_ID;
  }

  /** The root of the last root record. */
  get root(): string | null {
    return this.#root;
  }

  /** The end of the last whole record. */
  get end(): number {
    return this.#end;
  }

  /** Whether changes follow the last root that Varve has acknowledged and not committed yet. */
  get hasRedo(): boolean {
    return this.#hasRedo;
  }

  find(address: Uint8Array): Place | null {
    return this.#places.get(addressText(address)) ?? null;
  }

  /** Reads what the file has grown by. One that is shorter is another one, and is read from its start. */
  async upTo(file: ServedFile): Promise<this> {
    const reading = this.#reading.catch(() => {}).then(() => this.#read(file));
    this.#reading = reading;
    await reading;
    return this;
  }

  async #read(file: ServedFile): Promise<void> {
    if (file.length < this.#end) {
      this.#places.clear();
      this.#end = 0;
      this.#root = null;
      this.#hasRedo = false;
    }
    for (;;) {
      const bytes = await file.read(this.#end, Math.min(PIECE_BYTES, file.length - this.#end));
      const before = this.#end;
      this.#take(bytes);
      if (this.#end === before) return;
    }
  }

  #take(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at + 8 <= bytes.length) {
      const length = view.getUint32(at);
      if (length < 8 || length > RECORD_BYTES_MAX || at + length > bytes.length) break;
      if (crc32c(bytes.subarray(at, at + length - 4)) !== view.getUint32(at + length - 4)) break;
      this.#record(bytes.subarray(at, at + length), this.#end + at);
      at += length;
    }
    this.#end += at;
  }

  #record(record: Uint8Array, start: number): void {
    const kind = ((record[4] as number) << 8) | (record[5] as number);
    if (kind === ROOT) {
      // With a time before the address, or without.
      const at = record[6] === 4 ? 15 : 6;
      if (record.length < at + 25) return;
      this.#root = addressText(record.subarray(at + 1, at + 21));
      this.#hasRedo = false;
      return;
    }
    if (kind !== CHUNK || record.length < 32) return;
    const [offset, length] = [start + 28, record.length - 32];
    const address = addressText(record.subarray(7, 27));
    this.#places.set(address, { offset, length, dictionaryOffset: 0, dictionaryLength: 0 });
    const beginning = new TextDecoder('latin1').decode(record.subarray(28, 28 + 24));
    if (beginning.includes(REDO)) this.#hasRedo = true;
  }
}

/** A root record. */
export function rootRecord(root: Uint8Array, seconds: number): Uint8Array {
  const record = new Uint8Array(40);
  const view = new DataView(record.buffer);
  view.setUint32(0, record.length);
  view.setUint16(4, ROOT);
  view.setUint8(6, 4);
  view.setBigUint64(7, BigInt(seconds));
  view.setUint8(15, 2);
  record.set(root, 16);
  view.setUint32(36, crc32c(record.subarray(0, 36)));
  return record;
}
