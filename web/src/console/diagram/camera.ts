/** What of the diagram is seen: a point of it is at `x + scale * point` of the view. Pure. */
import type { Point } from './layout.ts';

export interface Camera extends Point {
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const SCALE_LEAST = 0.1;
const SCALE_MOST = 2;
const MARGIN = 24;

/**
 * All of it in the middle, and no larger than it is.
 *
 * @param least scale: what has no room then is to be moved to
 */
export function fitted(diagram: Size, view: Size, least = SCALE_LEAST): Camera {
  const room = Math.min((view.width - 2 * MARGIN) / diagram.width, (view.height - 2 * MARGIN) / diagram.height);
  const scale = clamp(Math.min(1, Math.max(least, room)));
  return {
    x: Math.max(MARGIN, (view.width - diagram.width * scale) / 2),
    y: Math.max(MARGIN, (view.height - diagram.height * scale) / 2),
    scale,
  };
}

/** Nearer or farther; what is at a point of the view stays there. */
export function zoomed(camera: Camera, at: Point, factor: number): Camera {
  const scale = clamp(camera.scale * factor);
  const ratio = scale / camera.scale;
  return { x: at.x - (at.x - camera.x) * ratio, y: at.y - (at.y - camera.y) * ratio, scale };
}

/** Moved as little as brings a table into the view. */
export function showing(camera: Camera, box: Point & Size, view: Size): Camera {
  return {
    x: shifted(camera.x, camera.x + box.x * camera.scale, box.width * camera.scale, view.width),
    y: shifted(camera.y, camera.y + box.y * camera.scale, box.height * camera.scale, view.height),
    scale: camera.scale,
  };
}

function shifted(camera: number, start: number, length: number, room: number): number {
  if (start < MARGIN || length > room - 2 * MARGIN) return camera + MARGIN - start;
  return camera + Math.min(0, room - MARGIN - start - length);
}

function clamp(scale: number): number {
  return Math.min(SCALE_MOST, Math.max(SCALE_LEAST, scale));
}
