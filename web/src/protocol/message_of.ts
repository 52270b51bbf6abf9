/** What was thrown says, which may be no error at all. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
