import type { JSX } from 'preact';
import type { GraphRow } from './lanes.ts';

const LANE_PX = 14;
const LEFT_PX = 12;
/** Further lanes are not drawn; a graph wider than this says nothing. */
const LANES_MAX = 12;
const COLOURS = 6;

export function graphWidth(laneCount: number): number {
  return LEFT_PX * 2 + (Math.min(laneCount, LANES_MAX) - 1) * LANE_PX;
}

function x(lane: number): number {
  return LEFT_PX + Math.min(lane, LANES_MAX - 1) * LANE_PX;
}

/** A line between two lanes in one half of a row: it leaves upright and arrives upright. */
function curve(from: number, to: number, top: number, bottom: number): string {
  const middle = (top + bottom) / 2;
  if (from === to) return `M${x(from)} ${top}V${bottom}`;
  return `M${x(from)} ${top}C${x(from)} ${middle} ${x(to)} ${middle} ${x(to)} ${bottom}`;
}

interface Line {
  readonly lane: number;
  readonly path: string;
}

export function GraphCell({
  row,
  width,
  height,
}: {
  readonly row: GraphRow;
  readonly width: number;
  readonly height: number;
}): JSX.Element {
  const middle = height / 2;
  const lines: Line[] = [
    ...row.passing.map(lane => ({ lane, path: curve(lane, lane, 0, height) })),
    ...row.entering.map(lane => ({ lane, path: curve(lane, row.lane, 0, middle) })),
    ...row.leaving.map(lane => ({ lane: Math.max(lane, row.lane), path: curve(row.lane, lane, middle, height) })),
  ];
  return (
    <svg class="log-graph" width={width} height={height} aria-hidden="true">
      {lines.map(({ lane, path }, index) => (
        <path key={index} class={`lane-${lane % COLOURS}`} d={path} />
      ))}
      <circle class={`lane-${row.lane % COLOURS}`} cx={x(row.lane)} cy={middle} r={4} />
    </svg>
  );
}
