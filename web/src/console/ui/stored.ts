/** Small things that the console remembers in localStorage. Where storage is refused, they last as long as the page. */

const PREFIX = 'varve.';
const memory = new Map<string, string>();

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return memory.get(key) ?? null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    memory.set(key, value);
  }
}

export const storedNumber = {
  read(key: string, otherwise: number): number {
    const text = readStored(key);
    const value = text === null ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : otherwise;
  },
  write(key: string, value: number): void {
    writeStored(key, String(value));
  },
};

/** A JSON document, checked by `accepts`: what another version of the console left there may have another shape. */
export function readStoredJson<T>(key: string, accepts: (value: unknown) => value is T): T | undefined {
  const text = readStored(key);
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return accepts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeStoredJson(key: string, value: unknown): void {
  writeStored(key, JSON.stringify(value));
}
