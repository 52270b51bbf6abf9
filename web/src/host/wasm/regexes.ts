/** Regular expressions: the module of `rust/regexp`, loaded on demand. */
import { LazyModule } from './lazy_module.ts';

/** What `rust/regexp/src/exports.rs` exports. */
interface RegexExports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  compile(length: number, flags: number): number;
  bytes_of(regex: number): number;
  close(regex: number): void;
  begin(steps: number, stackBytes: number): void;
  find(regex: number, start: number, limit: number, wanted: number): number;
  steps_left(): number;
  output(): number;
  output_length(): number;
}

/** A compiled pattern, which a fresh instance compiles again. */
interface Compiled {
  readonly pattern: Uint8Array;
  readonly flags: number;
  /** The instance in which it has a number. */
  instance: RegexExports | null;
  number: number;
}

/** The answer where the instance failed; above it are those of the module. */
const FAILED = -9;
/** An instance with more memory is replaced before the next short text: memory never shrinks. */
const KEPT_BYTES = 64 * 2 ** 20;
const SHORT_TEXT_BYTES = 2 ** 20;

/**
 * Regular expressions: a second WebAssembly module, loaded when the first pattern is compiled. Its searches have a limit on their
 * steps. What goes wrong in it ends its instance and not the engine: the next call gets a fresh one.
 */
export class Regexes {
  readonly #read: () => Uint8Array;
  readonly #goesOn: () => boolean;
  readonly #compiled: (Compiled | null)[] = [];
  readonly module = new LazyModule();
  #instance: RegexExports | null = null;
  /** What the last call said: names of groups, places of matches, what is wrong. */
  said: Uint8Array = new Uint8Array();

  /** @param read gives the module's bytes at once. @param goesOn is asked within long searches, which end when it says no. */
  constructor(read: () => Uint8Array, goesOn: () => boolean = () => true) {
    this.#read = read;
    this.#goesOn = goesOn;
  }

  /** The number of a pattern, whose groups' names are then `said`, a line each; below 0 why there is none. */
  compile(pattern: Uint8Array, flags: number): number {
    return this.#guarded(() => {
      const compiled: Compiled = { pattern: pattern.slice(), flags, instance: null, number: -1 };
      const instance = this.#fresh(0);
      const answer = this.#numberIn(instance, compiled);
      this.said = outputOf(instance);
      if (answer < 0) return answer;
      const free = this.#compiled.indexOf(null);
      if (free < 0) return this.#compiled.push(compiled) - 1;
      this.#compiled[free] = compiled;
      return free;
    });
  }

  /** Memory of a compiled pattern, in bytes. */
  bytesOf(regex: number): number {
    const compiled = this.#compiled[regex];
    if (compiled?.instance !== this.#instance) return 0;
    return this.#instance?.bytes_of(compiled?.number ?? 0) ?? 0;
  }

  close(regex: number): void {
    const compiled = this.#compiled[regex];
    if (compiled?.instance === this.#instance) this.#instance?.close(compiled?.number ?? -1);
    this.#compiled[regex] = null;
  }

  /** Makes `text` that of the searches which follow and share `steps`. */
  begin(regex: number, text: Uint8Array, steps: number, stackBytes: number): number {
    return this.#guarded(() => {
      const instance = this.#fresh(text.length);
      const compiled = this.#compiled[regex];
      const answer = compiled ? this.#numberIn(instance, compiled) : FAILED;
      if (answer < 0) {
        this.said = outputOf(instance);
        return answer;
      }
      write(instance, text);
      instance.begin(steps, stackBytes);
      return 0;
    });
  }

  /**
   * The number of matches that follow each other, the first at byte `start` or after it; `said` has start and end of each and of its
   * groups, four bytes each.
   */
  find(regex: number, start: number, limit: number, wanted: number): number {
    return this.#guarded(() => {
      const compiled = this.#compiled[regex];
      const instance = this.#instance;
      if (!compiled || instance === null || compiled.instance !== instance) throw new Error('the text is gone');
      const found = instance.find(compiled.number, start, limit, wanted);
      if (found !== 0) this.said = outputOf(instance);
      return found;
    });
  }

  stepsLeft(): number {
    return (this.#instance?.steps_left() ?? 0) >>> 0;
  }

  /** The instance, or a new one where it has grown too large for what comes. */
  #fresh(textBytes: number): RegexExports {
    const size = this.#instance?.memory.buffer.byteLength ?? 0;
    if (size > KEPT_BYTES && textBytes <= SHORT_TEXT_BYTES) this.#instance = null;
    if (this.#instance === null) {
      const host = { goes_on: () => (this.#goesOn() ? 1 : 0) };
      this.#instance = new WebAssembly.Instance(this.module.get(this.#read), { host })
        .exports as unknown as RegexExports;
    }
    return this.#instance;
  }

  #numberIn(instance: RegexExports, compiled: Compiled): number {
    if (compiled.instance === instance) return compiled.number;
    write(instance, compiled.pattern);
    compiled.number = instance.compile(compiled.pattern.length, compiled.flags);
    if (compiled.number >= 0) compiled.instance = instance;
    return compiled.number;
  }

  /** A trap leaves an instance that must not be entered again. */
  #guarded(work: () => number): number {
    try {
      return work();
    } catch (error) {
      this.#instance = null;
      const why = error instanceof Error ? error.message : String(error);
      this.said = new TextEncoder().encode(`The regular expression could not be evaluated: ${why}`);
      return FAILED;
    }
  }
}

function write(instance: RegexExports, bytes: Uint8Array): void {
  const at = instance.reserve(bytes.length) >>> 0;
  new Uint8Array(instance.memory.buffer, at, bytes.length).set(bytes);
}

function outputOf(instance: RegexExports): Uint8Array {
  return new Uint8Array(instance.memory.buffer, instance.output() >>> 0, instance.output_length()).slice();
}
