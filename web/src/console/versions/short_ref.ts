/** A name as it is; commits are known by the start of their hash. Pure. */
export function shortRef(ref: string): string {
  return /^[0-9a-v]{32}$/.test(ref) ? ref.slice(0, 8) : ref;
}
