/** Picked files, read by FileReaderSync. */
import { messageOf } from '../../protocol/index.ts';
import { FileFault, type HostFile } from './file.ts';

/** One read of a picked file costs about 0.8 ms whatever its size up to this. */
const PICKED_PAGE_BYTES = 256 * 1024;

/** A file that a person picked or dropped, or another Blob: read in place, in workers only. */
export class PickedFile implements HostFile {
  readonly pageBytes = PICKED_PAGE_BYTES;
  readonly #file: Blob;
  readonly #name: string;
  readonly #reader = new FileReaderSync();

  constructor(file: Blob, name = file instanceof File ? file.name : 'blob') {
    this.#file = file;
    this.#name = name;
  }

  get length(): number {
    return this.#file.size;
  }

  read(offset: number, dest: Uint8Array): void {
    let bytes: ArrayBuffer;
    try {
      bytes = this.#reader.readAsArrayBuffer(this.#file.slice(offset, offset + dest.length));
    } catch (error) {
      // A picked file that changed on disk cannot be read any more: the browser checks its modification time.
      const isGone =
        error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError');
      throw new FileFault(isGone ? 'gone' : 'host', `${this.#name}: ${messageOf(error)}`);
    }
    if (bytes.byteLength < dest.length) throw new FileFault('host', `${this.#name}: read past the end`);
    dest.set(new Uint8Array(bytes));
  }

  close(): void {}
}
