/** One run of unpacking: its limits, what it has unpacked, and errors that name archive, entry and offset. */
import type { FailureCode } from '../../../protocol/index.ts';
import { type HostFailure, hostFailure } from '../source.ts';

const MEBIBYTE = 1024 * 1024;

/** What an archive may unpack to. Checked against declared sizes before anything is unpacked, and again while it is. */
export interface ArchiveLimits {
  /** Of all entries together. */
  readonly totalBytes: number;
  /** Unpacked bytes per packed byte, beyond `ratioFreeBytes`. */
  readonly ratio: number;
  readonly ratioFreeBytes: number;
  readonly entries: number;
}

/** Databases are compressed chunk by chunk: their archives unpack to less than twice their size. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  totalBytes: 2048 * MEBIBYTE,
  ratio: 100,
  ratioFreeBytes: 64 * MEBIBYTE,
  entries: 100_000,
};

export interface UnpackingOptions {
  readonly limits?: ArchiveLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class Unpacking {
  readonly #archive: string;
  readonly #limits: ArchiveLimits;
  readonly #signal: AbortSignal | undefined;
  /** Bytes that may be unpacked in all. */
  readonly #allowedBytes: number;
  #bytes = 0;
  #entries = 0;

  /** @param archive its name, for messages; may be empty. */
  constructor(archive: string, packedBytes: number, { limits = ARCHIVE_LIMITS, signal }: UnpackingOptions = {}) {
    this.#archive = archive;
    this.#limits = limits;
    this.#signal = signal;
    this.#allowedBytes = Math.min(limits.totalBytes, Math.max(limits.ratioFreeBytes, limits.ratio * packedBytes));
  }

  /** Bytes that were unpacked. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ends the work when the signal has fired. */
  check(): void {
    this.#signal?.throwIfAborted();
  }

  countEntry(): void {
    this.check();
    if (++this.#entries > this.#limits.entries)
      throw this.failure(`it has more than ${count(this.#limits.entries)} entries`);
  }

  /** Refuses entries whose declared sizes exceed the limits, before they are unpacked. */
  declare(bytes: number, entry?: string, at?: number): void {
    if (this.#bytes + bytes > this.#allowedBytes) throw this.#tooLarge(bytes, entry, at);
  }

  /** Counts bytes that were unpacked. */
  account(bytes: number, entry?: string, at?: number): void {
    this.check();
    if (this.#bytes + bytes > this.#allowedBytes) throw this.#tooLarge(bytes, entry, at);
    this.#bytes += bytes;
  }

  /**
   * @param words what is wrong, of the entry if one is given.
   * @param at offset in the archive; of a tar.gz, in the tar.
   */
  failure(words: string, entry?: string, at?: number, code: FailureCode = 'unreadable'): HostFailure {
    const name = this.#archive === '' ? 'The archive' : `The archive ${shortened(this.#archive)}`;
    const subject = entry === undefined ? '' : `${shortened(entry)} `;
    const place = at === undefined ? '' : ` (at byte ${at})`;
    return hostFailure(code, `${name} could not be unpacked: ${subject}${words}${place}`);
  }

  #tooLarge(bytes: number, entry?: string, at?: number): HostFailure {
    const { totalBytes, ratio, ratioFreeBytes } = this.#limits;
    const ratioWords =
      this.#allowedBytes < totalBytes
        ? `, and to at most ${ratio} times its own size beyond ${count(ratioFreeBytes)} bytes`
        : '';
    const words = `would unpack to ${count(this.#bytes + bytes)} bytes or more. An archive may unpack to at most ${count(totalBytes)} bytes${ratioWords}: unpack it yourself and open the directory`;
    return this.failure(entry === undefined ? `it ${words}` : words, entry, at);
  }
}

function count(value: number): string {
  return value.toLocaleString('en');
}

const SHOWN = 200;

function shortened(name: string): string {
  return name.length <= SHOWN ? name : `${name.slice(0, SHOWN)}…`;
}
