/**
 * Where rows lie and which of them are on the screen. Pure arithmetic, lengths in CSS pixels.
 *
 * Browsers stop laying out elements somewhere past ten million pixels, so a tall result gets a scroll height of at most
 * `SCROLL_HEIGHT_MAX_PX`. The *virtual* top (24 px for each row above) then differs from the browser's `scrollTop`: the
 * scroll bar maps in proportion, while a wheel, a key or a finger moves the rows one to one. What drifts apart that way is
 * put right by `settle` when scrolling rests, without the rows moving.
 */

export const ROW_HEIGHT_PX = 24;
/** CodeMirror uses the same figure for the same reason: Firefox misplaces elements past 8.9 million pixels. */
export const SCROLL_HEIGHT_MAX_PX = 7_000_000;
/** Rows kept ready above and below, so that the browser can scroll a little before script runs. */
const OVERSCAN_ROWS = 10;

export interface Extent {
  readonly rows: number;
  readonly heightPx: number;
}

export interface ScrollPlace {
  readonly scrollTop: number;
  readonly virtualTop: number;
}

export interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

export function scrollHeight(rows: number): number {
  return Math.min(rows * ROW_HEIGHT_PX, SCROLL_HEIGHT_MAX_PX);
}

function virtualMax({ rows, heightPx }: Extent): number {
  return Math.max(0, rows * ROW_HEIGHT_PX - heightPx);
}

function scrollMax({ rows, heightPx }: Extent): number {
  return Math.max(0, scrollHeight(rows) - heightPx);
}

/** Is the scroll height smaller than the rows' height? */
export function isScaled(extent: Extent): boolean {
  return virtualMax(extent) > scrollMax(extent);
}

function proportionalVirtualTop(scrollTop: number, extent: Extent): number {
  const most = scrollMax(extent);
  return most === 0 ? 0 : (scrollTop / most) * virtualMax(extent);
}

/** The place after the browser reported `scrollTop`. A step of more than two screens is the scroll bar being dragged. */
export function follow(place: ScrollPlace, scrollTop: number, extent: Extent): ScrollPlace {
  if (!isScaled(extent)) return { scrollTop, virtualTop: Math.min(scrollTop, virtualMax(extent)) };
  const step = scrollTop - place.scrollTop;
  if (Math.abs(step) > 2 * extent.heightPx) return { scrollTop, virtualTop: proportionalVirtualTop(scrollTop, extent) };
  return { scrollTop, virtualTop: clamp(place.virtualTop + step, 0, virtualMax(extent)) };
}

/** The place with the same rows on the screen and the scroll bar where it belongs. */
export function settle(place: ScrollPlace, extent: Extent): ScrollPlace {
  const virtualTop = clamp(place.virtualTop, 0, virtualMax(extent));
  if (!isScaled(extent)) return { scrollTop: virtualTop, virtualTop };
  return { scrollTop: Math.round((virtualTop / virtualMax(extent)) * scrollMax(extent)), virtualTop };
}

/** Does the scroll bar stand at an end that the rows have not reached? Then it must be settled at once. */
export function isStuck(place: ScrollPlace, extent: Extent): boolean {
  if (!isScaled(extent)) return false;
  const { heightPx } = extent;
  const nearTop = place.scrollTop < heightPx && place.virtualTop > place.scrollTop;
  const left = scrollMax(extent) - place.scrollTop;
  const nearEnd = left < heightPx && virtualMax(extent) - place.virtualTop > left;
  return nearTop || nearEnd;
}

/** The place that shows `row` whole, moving as little as possible. */
export function reveal(place: ScrollPlace, row: number, extent: Extent): ScrollPlace {
  const top = row * ROW_HEIGHT_PX;
  const bottom = top + ROW_HEIGHT_PX;
  if (top < place.virtualTop) return settle({ ...place, virtualTop: top }, extent);
  if (bottom > place.virtualTop + extent.heightPx) {
    return settle({ ...place, virtualTop: bottom - extent.heightPx }, extent);
  }
  return place;
}

export function rowWindow(place: ScrollPlace, extent: Extent): RowWindow {
  const first = Math.floor(place.virtualTop / ROW_HEIGHT_PX) - OVERSCAN_ROWS;
  const end = Math.ceil((place.virtualTop + extent.heightPx) / ROW_HEIGHT_PX) + OVERSCAN_ROWS;
  return { first: clamp(first, 0, extent.rows), end: clamp(end, 0, extent.rows) };
}

/** Top of a row in the scrolled element's own coordinates. */
export function rowTop(row: number, place: ScrollPlace): number {
  return row * ROW_HEIGHT_PX - place.virtualTop + place.scrollTop;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
