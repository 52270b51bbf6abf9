import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Point } from './layout.ts';

interface Moves {
  readonly pan: (x: number, y: number) => void;
  readonly zoom: (factor: number, at: Point) => void;
}

/** Of the wheel, by which the scale doubles. */
const WHEEL_DOUBLES = 400;
const LINE_PX = 16;
/** A press that goes further than this moves the diagram, and opens nothing. */
const CLICK_PX = 4;

/** Dragging and the wheel move what is seen; with Ctrl, and with two fingers, it comes nearer or goes. */
export function usePointers(frame: RefObject<HTMLElement | null>, moves: Moves): void {
  const latest = useRef(moves);
  latest.current = moves;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const abort = new AbortController();
    const { signal } = abort;
    const drag = new Drag(element, latest);
    element.addEventListener('pointerdown', event => drag.begin(event), { signal });
    element.addEventListener('pointermove', event => drag.move(event), { signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      element.addEventListener(end, event => drag.end(event), { signal });
    element.addEventListener('click', event => drag.takeClick(event), { signal, capture: true });
    element.addEventListener(
      'wheel',
      event => {
        event.preventDefault();
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
        if (event.ctrlKey || event.metaKey)
          latest.current.zoom(2 ** ((-event.deltaY * unit) / WHEEL_DOUBLES), placeIn(element, event));
        else if (event.shiftKey && event.deltaX === 0) latest.current.pan(-event.deltaY * unit, 0);
        else latest.current.pan(-event.deltaX * unit, -event.deltaY * unit);
      },
      { signal, passive: false },
    );
    return () => abort.abort();
  }, []);
}

function placeIn(element: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** One pointer moves the diagram, two stretch it. */
class Drag {
  readonly #element: HTMLElement;
  readonly #moves: { readonly current: Moves };
  readonly #pointers = new Map<number, Point>();
  #from: Point = { x: 0, y: 0 };
  #isMoved = false;

  constructor(element: HTMLElement, moves: { readonly current: Moves }) {
    this.#element = element;
    this.#moves = moves;
  }

  begin(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as HTMLElement).closest('.diagram-tools') !== null) return;
    const at = placeIn(this.#element, event);
    if (this.#pointers.size === 0) {
      this.#from = at;
      this.#isMoved = false;
    }
    this.#pointers.set(event.pointerId, at);
  }

  move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const at = placeIn(this.#element, event);
    if (!this.#isMoved && Math.hypot(at.x - this.#from.x, at.y - this.#from.y) < CLICK_PX) return;
    if (!this.#isMoved) this.#element.setPointerCapture(event.pointerId);
    this.#isMoved = true;
    this.#pointers.set(event.pointerId, at);
    const [first, second] = this.#pointers.values();
    const { pan, zoom } = this.#moves.current;
    if (first === undefined || second === undefined) {
      pan(at.x - before.x, at.y - before.y);
      return;
    }
    const other = at === first ? second : first;
    const distance = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
    zoom(distance(at) / Math.max(1, distance(before)), other);
  }

  end(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
  }

  /** A press that moved the diagram does not open the table under it. */
  takeClick(event: MouseEvent): void {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    event.stopPropagation();
    event.preventDefault();
  }
}
