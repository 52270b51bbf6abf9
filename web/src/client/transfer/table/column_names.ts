/** MySQL's names have no more. */
const NAME_CHARS = 64;

/** Names for the columns of a new table from what the first line of a file calls them: none is empty, and none comes twice. */
export function usableNames(titles: readonly (string | null)[]): string[] {
  const taken = new Set<string>();
  return titles.map((title, index) => {
    const plain = Array.from((title ?? '').trim());
    const name = plain.length === 0 ? `column_${index + 1}` : plain.slice(0, NAME_CHARS).join('').trimEnd();
    let unlike = name;
    for (let count = 2; taken.has(unlike.toLowerCase()); count++) {
      const ending = `_${count}`;
      unlike = `${Array.from(name)
        .slice(0, NAME_CHARS - ending.length)
        .join('')}${ending}`;
    }
    taken.add(unlike.toLowerCase());
    return unlike;
  });
}
