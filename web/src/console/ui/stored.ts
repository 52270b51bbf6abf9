/** Small things that the console remembers in the browser. Where storage is refused, they last as long as the page. */

/** For whom: every visit from now on, or this browser tab alone until it is closed. */
export type Reach = 'browser' | 'tab';

const PREFIX = 'varve.';
const storages: Readonly<Record<Reach, () => Storage>> = {
  browser: () => localStorage,
  tab: () => sessionStorage,
};
const memory = new Map<string, string>();

export function readStored(key: string, reach: Reach = 'browser'): string | null {
  try {
    return storages[reach]().getItem(PREFIX + key);
  } catch {
    return memory.get(`${reach} ${key}`) ?? null;
  }
}

export function writeStored(key: string, value: string, reach: Reach = 'browser'): void {
  try {
    storages[reach]().setItem(PREFIX + key, value);
  } catch {
    memory.set(`${reach} ${key}`, value);
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
export function readStoredJson<T>(
  key: string,
  accepts: (value: unknown) => value is T,
  reach: Reach = 'browser',
): T | undefined {
  const text = readStored(key, reach);
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return accepts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeStoredJson(key: string, value: unknown, reach: Reach = 'browser'): void {
  writeStored(key, JSON.stringify(value), reach);
}
