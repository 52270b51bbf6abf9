/** A number with the bits of what holds; `positions` are those of engine_layout.ts. */
export function bitsOf<Name extends string>(
  positions: Readonly<Record<Name, number>>,
  holds: Readonly<Record<Name, boolean>>,
): number {
  let bits = 0;
  for (const name in positions) if (holds[name]) bits |= 1 << positions[name];
  return bits;
}
