/** Names of the files of a store (docs/format/store.md, section 2.2). */

/** The journal's place among the files. */
export const JOURNAL_ID = 'v'.repeat(32);

const CONTENT = /(?:^|\/)((?!v{32})[0-9a-v]{32}(?:\.darc)?)$/;

/** The name of a table file or an archive at the end of a path; it is made of what is in the file, which never changes. Null for other files. */
export function contentName(path: string): string | null {
  return CONTENT.exec(path)?.[1] ?? null;
}
