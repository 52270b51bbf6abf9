/** Counts, sizes and times as people read them. Pure. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `1.4 MB`: three figures at most, powers of 1024. */
export function byteCount(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

/** `0.42 ms`, `17 ms`, `1.25 s`, `2 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** `12,345`. By hand: the browser's own way has to read the rules of all languages first. */
export function wholeNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `3 ahead, 7 behind`, of commits; empty where neither has one that the other lacks. */
export function distance(ahead: number, behind: number): string {
  const parts = [ahead > 0 && `${wholeNumber(ahead)} ahead`, behind > 0 && `${wholeNumber(behind)} behind`];
  return parts.filter(Boolean).join(', ');
}

/** `1 row`, `2,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${wholeNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
