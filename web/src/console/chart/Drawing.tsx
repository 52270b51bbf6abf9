import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ChartData } from './data.ts';
import { drawn, type Mark, type Picture, type Size } from './picture.ts';

/** The class of the colour of a group. */
export function colourOf(group: number, hasOthers: boolean, groups: number): string {
  return hasOthers && group === groups - 1 ? 'chart-others' : `chart-colour-${group}`;
}

/** A chart that is lower shows nothing. */
const LEAST_PX = 120;

interface DrawingProps {
  readonly svg: { current: SVGSVGElement | null };
  readonly data: ChartData;
  readonly title: string;
  readonly takesFocus: () => boolean;
}

/** The picture, and the mark that is pointed at, or chosen by arrow keys, with what it stands for. */
export function Drawing({ svg, data, title, takesFocus }: DrawingProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSignal<Size | undefined>(undefined);
  const active = useSignal(-1);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => {
      const [width, height] = [element.clientWidth, Math.max(LEAST_PX, element.clientHeight)];
      const known = size.peek();
      if (known?.width !== width || known.height !== height) size.value = { width, height };
    };
    measure();
    if (takesFocus()) element.focus();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const picture = useMemo(() => (size.value === undefined ? undefined : drawn(data, size.value)), [data, size.value]);
  useEffect(() => {
    active.value = -1;
  }, [data]);
  const mark = picture?.marks[active.value];
  return (
    <div
      ref={frame}
      class="chart-frame"
      role="application"
      aria-label={`${title}: arrow keys go from value to value`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys go from value to value.
      tabIndex={0}
      onKeyDown={event => {
        const next = afterKey(event.key, active.peek(), picture?.marks.length ?? 0);
        if (next === undefined) return;
        event.preventDefault();
        active.value = next;
        showMark(frame.current, picture?.marks[next]);
      }}
      onPointerMove={event => {
        const box = svg.current?.getBoundingClientRect();
        if (box === undefined || picture === undefined) return;
        active.value = nearest(picture, event.clientX - box.left, event.clientY - box.top);
      }}
      onPointerLeave={() => {
        active.value = -1;
      }}
    >
      {picture !== undefined && <PictureSvg svg={svg} picture={picture} data={data} active={active.value} />}
      {data.points.length === 0 && <p class="chart-nothing muted">No row has a value on both axes.</p>}
      {mark !== undefined && picture !== undefined && <Readout mark={mark} picture={picture} yName={data.yName} />}
      <p class="visually-hidden" role="status">
        {mark !== undefined && `${mark.name}: ${mark.value}`}
      </p>
    </div>
  );
}

interface PictureProps {
  readonly svg: { current: SVGSVGElement | null };
  readonly picture: Picture;
  readonly data: ChartData;
  readonly active: number;
}

function PictureSvg({ svg, picture, data, active }: PictureProps): JSX.Element {
  const mark = picture.marks[active];
  const still = useMemo(() => <Shapes picture={picture} data={data} />, [picture, data]);
  return (
    <svg
      ref={svg}
      class="chart-picture"
      width={picture.width}
      height={picture.height}
      viewBox={`0 0 ${picture.width} ${picture.height}`}
      aria-hidden="true"
    >
      {still}
      {mark !== undefined && (
        <rect
          data-active
          class="chart-active"
          x={mark.x - 1.5}
          y={mark.y - 1.5}
          width={mark.width + 3}
          height={mark.height + 3}
          rx={mark.shape === 'dot' ? mark.width : 2}
        />
      )}
    </svg>
  );
}

function Shapes({ picture, data }: { readonly picture: Picture; readonly data: ChartData }): JSX.Element {
  const colour = (group: number) => colourOf(group, data.hasOthers, data.groups.length);
  return (
    <>
      {picture.grid.map((line, index) => (
        <line key={index} class="chart-grid" {...line} />
      ))}
      {picture.lines.map(({ group, path }) => (
        <path key={group} class={`chart-line ${colour(group)}`} d={path} />
      ))}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: numbers, and names of colours; none of the data's texts is in it. */}
      <g dangerouslySetInnerHTML={{ __html: markup(picture, colour) }} />
      {picture.labels.map(({ x, y, text, anchor, isTitle }, index) => (
        <text key={index} class={isTitle ? 'chart-label title' : 'chart-label'} x={x} y={y} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </>
  );
}

/** Thousands of marks as one text, which is read in a fraction of the time that as many elements of a tree take. */
function markup({ marks, hidesDots }: Picture, colour: (group: number) => string): string {
  return marks
    .map(({ shape, x, y, width, height, group }) => {
      if (shape === 'bar') {
        return `<rect class="chart-mark ${colour(group)}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
      }
      const [cx, cy, r] = [x + width / 2, y + width / 2, width / 2];
      return hidesDots ? '' : `<circle class="chart-mark dot ${colour(group)}" cx="${cx}" cy="${cy}" r="${r}"/>`;
    })
    .join('');
}

const READOUT_PX = 180;

function Readout({ mark, picture, yName }: { readonly mark: Mark; readonly picture: Picture; readonly yName: string }) {
  const centre = mark.x + mark.width / 2;
  const left = Math.max(4, Math.min(picture.width - READOUT_PX - 4, centre - READOUT_PX / 2));
  const isBelow = mark.y < 56;
  return (
    <div
      class="chart-readout"
      aria-hidden="true"
      style={{
        left: `${left}px`,
        top: `${isBelow ? mark.y + mark.height + 8 : mark.y - 8}px`,
        width: `${READOUT_PX}px`,
        transform: isBelow ? 'none' : 'translateY(-100%)',
      }}
    >
      <span class="truncate">{mark.name === '' ? 'empty' : mark.name}</span>
      <strong class="figures truncate">
        {mark.value} <span class="muted">{yName}</span>
      </strong>
    </div>
  );
}

/** The mark to which a key goes; undefined for other keys. */
function afterKey(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(count - 1, active + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(0, active - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return active < 0 ? undefined : -1;
    default:
      return undefined;
  }
}

const NEAR_PX = 40;

/** A bar from anywhere in its row; a point from near it. */
function nearest({ marks }: Picture, x: number, y: number): number {
  let found = -1;
  let least = NEAR_PX * NEAR_PX;
  for (const [index, mark] of marks.entries()) {
    const dx = Math.max(mark.x - x, 0, x - mark.x - mark.width);
    const dy = Math.max(mark.y - y, 0, y - mark.y - mark.height);
    const distance = dx * dx + dy * dy;
    if (distance >= least) continue;
    least = distance;
    found = index;
  }
  return found;
}

function showMark(frame: HTMLElement | null, mark: Mark | undefined): void {
  if (frame === null || mark === undefined) return;
  const { scrollTop, clientHeight } = frame;
  if (mark.y < scrollTop) frame.scrollTo({ top: mark.y - 48 });
  else if (mark.y + mark.height > scrollTop + clientHeight)
    frame.scrollTo({ top: mark.y + mark.height - clientHeight + 24 });
}
