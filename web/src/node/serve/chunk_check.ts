/** Checks the chunks of files that clients send (rust/chunk_check), and collects what they refer to. */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addressText } from '../../host/remotes/manifest_text.ts';
import { LazyModule } from '../../host/wasm/lazy_module.ts';
import { engineAddress } from '../engine_file.ts';
import type { FileIndex, Place } from './chunk_index.ts';
import { Refusal, type ServedFile } from './served_database.ts';

/** What `rust/chunk_check/src/exports.rs` exports. */
interface CheckExports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  use_dictionary(length: number): number;
  add_record(address: number, start: number, length: number): number;
  add_frame(address: number, start: number, length: number): number;
  outgoing(): number;
  output(): number;
  output_length(): number;
}

export const ADDRESS_BYTES = 20;
/** The limit of the module (`ADDRESSES_MAX`), also for the chunks of a file. */
const CHUNKS_MAX = 1 << 23;
/** A chunk has 16 MiB at most; Snappy grows what does not compress by a sixth. */
const STORED_BYTES_MAX = 20 << 20;
const DICTIONARY_BYTES_MAX = 1 << 20;
/** What is read at a time. */
const PIECE_BYTES = 1 << 20;
/** Bytes between two records that are read along with them. */
const GAP_BYTES = 4 << 10;
/** Bytes read and decompressed after which other requests have their turn. */
const TURN_BYTES = 4 << 20;
/** Bytes that are read and decompressed for each byte of a file, at most: a chunk of zeros takes 60 with its entry in the index. */
const EXPANSION_MAX = 1024;

const compiled = new LazyModule();
/** One file is checked at a time, which bounds the memory. */
let checking: Promise<unknown> = Promise.resolve();

/**
 * Reads every chunk of a file: each has to decompress, to have its address, and to be a message that this version knows.
 *
 * @returns the addresses that the chunks refer to and that the file does not contain, sorted, 20 bytes each
 * @throws Refusal when the file is damaged, or too large; FileFault when the index is
 */
export function outgoingReferences(file: ServedFile, index: FileIndex): Promise<Uint8Array> {
  const check = checking.catch(() => {}).then(() => new FileCheck(file, index).run());
  checking = check;
  return check;
}

/** Records that are read together. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly entries: readonly number[];
  readonly places: readonly Place[];
}

class FileCheck {
  readonly #file: ServedFile;
  readonly #index: FileIndex;
  readonly #exports: CheckExports;
  #dictionaryOffset = -1;
  /** Bytes read and decompressed. */
  #work = 0;
  #lastTurn = 0;

  constructor(file: ServedFile, index: FileIndex) {
    this.#file = file;
    this.#index = index;
    const module = compiled.get(() => readFileSync(new URL('chunk_check.wasm', engineAddress())));
    this.#exports = new WebAssembly.Instance(module).exports as unknown as CheckExports;
  }

  async run(): Promise<Uint8Array> {
    const { chunks } = this.#index;
    if (chunks > CHUNKS_MAX)
      throw new Refusal(`${this.#file.name} has ${chunks} chunks, and ${CHUNKS_MAX} are taken: push in smaller steps`);
    try {
      for (const piece of this.#pieces()) {
        await this.#useDictionary(piece.places[0] as Place);
        await this.#add(piece);
      }
      this.#exports.outgoing();
      return this.#output();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw this.#refusal(`it cannot be checked: ${error.message}`);
    }
  }

  /** The file in pieces: records that are close together and have one dictionary. */
  *#pieces(): Iterable<Piece> {
    let piece: { start: number; end: number; entries: number[]; places: Place[] } | null = null;
    for (const entry of this.#index.readingOrder()) {
      const place = this.#index.placeOf(entry);
      const { offset, length } = place;
      if (length > STORED_BYTES_MAX) throw this.#refusal(`the chunk at ${offset} has ${length} bytes`);
      const isNear =
        piece?.places[0]?.dictionaryOffset === place.dictionaryOffset &&
        piece.places[0].dictionaryLength === place.dictionaryLength &&
        offset >= piece.start &&
        offset <= piece.end + GAP_BYTES &&
        offset + length - piece.start <= PIECE_BYTES;
      if (piece === null || !isNear) {
        if (piece !== null) yield piece;
        piece = { start: offset, end: offset, entries: [], places: [] };
      }
      piece.entries.push(entry);
      piece.places.push(place);
      piece.end = Math.max(piece.end, offset + length);
    }
    if (piece !== null) yield piece;
  }

  async #useDictionary({ dictionaryOffset, dictionaryLength }: Place): Promise<void> {
    if (dictionaryLength === 0 || dictionaryOffset === this.#dictionaryOffset) return;
    const name = `the dictionary at ${dictionaryOffset}`;
    if (dictionaryLength > DICTIONARY_BYTES_MAX) throw this.#refusal(`${name} has ${dictionaryLength} bytes`);
    this.#write(await this.#file.read(dictionaryOffset, dictionaryLength));
    if (this.#exports.use_dictionary(dictionaryLength) < 0) throw this.#refusal(`${name}: ${this.#reason()}`);
    this.#dictionaryOffset = dictionaryOffset;
    await this.#takeTurn(DICTIONARY_BYTES_MAX);
  }

  async #add({ start, end, entries, places }: Piece): Promise<void> {
    const addresses = new Uint8Array(ADDRESS_BYTES * entries.length);
    for (const [number, entry] of entries.entries()) {
      this.#index.copyAddress(entry, addresses, ADDRESS_BYTES * number);
    }
    this.#write(addresses, await this.#file.read(start, end - start));
    for (const [number, { offset, length, dictionaryLength }] of places.entries()) {
      const [address, record] = [ADDRESS_BYTES * number, addresses.length + offset - start];
      const decompressed =
        dictionaryLength === 0
          ? this.#exports.add_record(address, record, length)
          : this.#exports.add_frame(address, record, length);
      if (decompressed < 0) {
        const name = addressText(addresses.subarray(address, address + ADDRESS_BYTES));
        throw this.#refusal(`chunk ${name}: ${this.#reason()}`);
      }
      const isLong = this.#work - this.#lastTurn > TURN_BYTES;
      this.#work += length + decompressed;
      if (isLong) await this.#takeTurn(0);
    }
  }

  /** Lets other requests go on, and bounds the work that a file makes. */
  async #takeTurn(work: number): Promise<void> {
    this.#work += work;
    if (this.#work > EXPANSION_MAX * this.#file.length + DICTIONARY_BYTES_MAX)
      throw this.#refusal(`its chunks are more than ${EXPANSION_MAX} times as long as the file`);
    this.#lastTurn = this.#work;
    await nextTurn();
  }

  #write(...parts: readonly Uint8Array[]): void {
    let at = this.#exports.reserve(parts.reduce((sum, { length }) => sum + length, 0)) >>> 0;
    for (const part of parts) {
      new Uint8Array(this.#exports.memory.buffer, at, part.length).set(part);
      at += part.length;
    }
  }

  #output(): Uint8Array {
    const { memory, output, output_length } = this.#exports;
    return new Uint8Array(memory.buffer, output() >>> 0, output_length()).slice();
  }

  #reason(): string {
    return new TextDecoder().decode(this.#output());
  }

  #refusal(why: string): Refusal {
    return new Refusal(`${this.#file.name} is damaged: ${why}`);
  }
}
