/** Numbers from 0 up to a limit, the same ones for a seed. */
export type Random = (below: number) => number;

export function randomly(seed: number): Random {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
