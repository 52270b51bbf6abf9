// Into which file of the built page goes what several of its parts need: each file more is another request, and what the
// first paint does not need should not be waited for.

/** What the page's first script needs, which waits for no other. */
export const FIRST_SCRIPT = /start_worker|vite\/preload-helper/;
/** What draws the page. */
const FIRST_PAINT = /console\/begin\.ts$/;
/** It comes with its first use, though the entry of the package names some of it. */
const TRANSFERS = /client\/transfer\/(?!on_demand)/;

/**
 * The file of what several parts of the page need and its first paint, too.
 *
 * @param {string} id
 * @param {import('vite').Rolldown.ChunkingContext} context
 */
export function firstPaint(id, context) {
  return !TRANSFERS.test(id) && isNeededFirst(id, context, new Set()) ? 'shared' : null;
}

/**
 * Do imports that wait for nothing lead to it from what draws the page?
 *
 * @param {string} id
 * @param {import('vite').Rolldown.ChunkingContext} context
 * @param {Set<string>} seen
 * @returns {boolean}
 */
function isNeededFirst(id, context, seen) {
  if (FIRST_PAINT.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return context.getModuleInfo(id)?.importers.some(importer => isNeededFirst(importer, context, seen)) ?? false;
}
