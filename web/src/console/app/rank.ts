/** Finds entries by a few letters of their names. Pure. */

/** Higher is better; undefined when the letters do not all occur in order. Both in lower case. */
export function score(name: string, wanted: string): number | undefined {
  if (wanted === '') return 0;
  const whole = name.indexOf(wanted);
  if (whole >= 0) {
    const startsWord = whole === 0 || /[^a-z0-9]/.test(name.charAt(whole - 1));
    return 1000 - whole - name.length / 100 + (startsWord ? 500 : 0);
  }
  let at = -1;
  let total = 100;
  for (const letter of wanted.replaceAll(' ', '')) {
    const next = name.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    total -= next - at - 1;
    at = next;
  }
  return total;
}

/** Entries that match, best first; entries that match equally keep their order. */
export function rank<T>(entries: readonly T[], nameOf: (entry: T) => string, wanted: string): T[] {
  const letters = wanted.trim().toLowerCase();
  return entries
    .map((entry, index) => ({ entry, index, points: score(nameOf(entry).toLowerCase(), letters) }))
    .filter(({ points }) => points !== undefined)
    .sort((a, b) => (b.points ?? 0) - (a.points ?? 0) || a.index - b.index)
    .map(({ entry }) => entry);
}
