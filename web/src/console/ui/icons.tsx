import type { JSX } from 'preact';

/** Icons drawn on a 16 px grid with 1.4 px lines, ends on whole or half pixels. */
const PATHS = {
  database:
    'M2.5 4c0-1.4 2.5-2.5 5.5-2.5s5.5 1.1 5.5 2.5v8c0 1.4-2.5 2.5-5.5 2.5S2.5 13.4 2.5 12zM2.5 4c0 1.4 2.5 2.5 5.5 2.5s5.5-1.1 5.5-2.5M2.5 8c0 1.4 2.5 2.5 5.5 2.5s5.5-1.1 5.5-2.5',
  branch:
    'M4.5 5v6M4.5 5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM4.5 14.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM11.5 6a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM11.5 6c0 2.5-2 3-4 3.2-1.8.2-3 .8-3 1.8',
  table: 'M2 3.5h12v9.5H2zM2 6.5h12M6 6.5V13M2 9.75h12',
  view: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  key: 'M5.5 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 8.3 13.5 2.5M11 5l2 2',
  index: 'M3 3.5h6M3 8h10M3 12.5h8',
  play: 'M4.5 2.8v10.4L13 8z',
  playAll: 'M2.5 3v10l5.5-5zM8.5 3v10L14 8z',
  stop: 'M4 4h8v8H4z',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  chevronRight: 'm6 3.5 4.5 4.5L6 12.5',
  chevronDown: 'm3.5 6 4.5 4.5L12.5 6',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14',
  sun: 'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z',
  auto: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 2v12M8 5l3-1.8M8 8l5.5-2M8 11l5.5-2',
  help: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM6.3 6.2c.2-1 .9-1.5 1.8-1.5 1 0 1.7.6 1.7 1.5 0 1.3-1.8 1.3-1.8 2.6M8 11v.1',
  folder: 'M1.5 12.5v-9h4.5l1.5 2h7v7z',
  link: 'm6.5 9.5 3-3M7.5 4.5 9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5',
  archive: 'M2 2.5h12v3H2zM3 5.5v8h10v-8M6.5 8.5h3',
  sample: 'M8 1.5 14.5 5 8 8.5 1.5 5zM1.5 8 8 11.5 14.5 8M1.5 11 8 14.5 14.5 11',
  clock: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5',
  commit: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 8h4M10.5 8h4',
  bookmark: 'M4 2h8v12l-4-3.5L4 14z',
  tag: 'M2 2.5h5.5l6.5 6.5-5 5L2.5 7.5zM5 5.5v.01',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  panelLeft: 'M2 3h12v10H2zM6 3v10',
  panelRight: 'M2 3h12v10H2zM10 3v10',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.5v.01',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8v4M8 11v.01',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  plan: 'M6 2h4v3H6zM1.5 11h4v3h-4zM10.5 11h4v3h-4zM8 5v3M3.5 11V8h9v3',
  chart: 'M2.5 2v11.5H14M5.5 11V8M8.5 11V4.5M11.5 11V6.5',
  more: 'M3 8h1M7.5 8h1M12 8h1',
  command:
    'M5.5 5.5h5v5h-5zM5.5 5.5H4A1.7 1.7 0 1 1 5.5 4zM10.5 5.5V4A1.7 1.7 0 1 1 12 5.5zM10.5 10.5H12a1.7 1.7 0 1 1-1.5 1.5zM5.5 10.5V12A1.7 1.7 0 1 1 4 10.5z',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 11.5 3.8M13.5 1.8v3h-3',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  memory: 'M4 4h8v8H4zM6.5 1.5V4M9.5 1.5V4M6.5 12v2.5M9.5 12v2.5M1.5 6.5H4M1.5 9.5H4M12 6.5h2.5M12 9.5h2.5',
  disk: 'M2 9.5h12v4H2zM2 9.5l2-7h8l2 7M11.5 11.5v.01',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 1.8 2.5 4 2.5 6S10 12.2 8 14c-2-1.8-2.5-4-2.5-6S6 3.8 8 2z',
  terminal: 'M1.5 2.5h13v11h-13zM4.5 6l2 2-2 2M8.5 10.5h3',
  schema: 'M2 2.5h5v4H2zM9 9.5h5v4H9zM4.5 6.5v5H9',
  minus: 'M3 8h10',
  undo: 'M3 3.5v4h4M3.3 7.5A5.5 5.5 0 1 1 4 11.5',
  compare: 'M5.5 2.5v11M2.5 5.5l3-3 3 3M10.5 13.5v-11M7.5 10.5l3 3 3-3',
  merge:
    'M4.5 5v6M4.5 5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM4.5 14.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM11.5 10.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM4.5 5c.5 2.5 2.5 3.7 5.2 3.7',
  rebase:
    'M4.5 10V1.5M4.5 14.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM11.5 6a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM11.5 6v8.5M9 12l2.5 2.5L14 12',
  sortUp: 'M4.5 13V3.5M2 6l2.5-2.5L7 6M9.5 4.5h2M9.5 8h3.5M9.5 11.5h5',
  sortDown: 'M4.5 3v9.5M2 10l2.5 2.5L7 10M9.5 4.5h5M9.5 8h3.5M9.5 11.5h2',
  filter: 'M2 3h12L9.5 8.5v4.5l-3-1.5v-3z',
  upload: 'M8 10.5v-8M4.5 6 8 2.5 11.5 6M2.5 10.5v3h11v-3',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 10.5v3h11v-3',
  pencil: 'M2.5 13.5l.7-3 7.6-7.6 2.3 2.3-7.6 7.6zM9.3 4.4l2.3 2.3',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.5v4.5M9.3 6.5v4.5',
  format: 'M2 3.5h12M2 7h7M5 10.5h9M5 14h5',
  wrap: 'M2 3.5h12M2 8h10a2.2 2.2 0 0 1 0 4.5H8.5M10 10.5l-2 2 2 2M2 12.5h3',
  expand: 'M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, class: extra }: { readonly name: IconName; readonly class?: string }): JSX.Element {
  return (
    <svg class={extra === undefined ? 'icon' : `icon ${extra}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of Varve: layers of sediment, the youngest on top. */
export function Mark({ size = 20 }: { readonly size?: number }): JSX.Element {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path class="mark-1" d="M1 3.5C4 2 6.5 2 10 3.5s6 1.5 9 0V7c-3 1.5-5.5 1.5-9 0S4 5.5 1 7z" />
      <path class="mark-2" d="M1 9c3-1.5 5.5-1.5 9 0s6 1.5 9 0v2.5c-3 1.5-5.5 1.5-9 0s-6-1.5-9 0z" />
      <path class="mark-3" d="M1 13.5c3-1.5 5.5-1.5 9 0s6 1.5 9 0V18H1z" />
    </svg>
  );
}
