/** What an error says to a person: Dolt's words without the marks of a terminal before them. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/(^|: )error: /, '$1').replace(/\s*\n+hint: /g, ' ');
}
