import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { storedNumber } from './stored.ts';

interface SplitProps {
  /** Under this name the size is kept between visits. */
  readonly name: string;
  readonly direction: 'columns' | 'rows';
  /** Which of the two panes has the size; the other takes what is left. */
  readonly sized: 'first' | 'second';
  readonly initialPx: number;
  readonly leastPx: number;
  /** Room that stays for the other pane. */
  readonly leavePx: number;
  readonly label: string;
  /** What the first pane is called, where it is a part of the page beside the main one: then the bar, too, belongs to it. */
  readonly landmark?: string;
  /** The sized pane and the bar are away; the other pane stays what it is. */
  readonly isCollapsed?: boolean;
  readonly children: [ComponentChildren, ComponentChildren];
}

const STEP_PX = 16;

/** Two panes and a bar between them that is moved by pointer or by arrow keys. */
export function Split(props: SplitProps): JSX.Element {
  const { name, direction, sized, initialPx, leastPx, leavePx, label, landmark, isCollapsed = false } = props;
  // The panes stay where another name has another size.
  const size = useMemo(() => signal(storedNumber.read(`split.${name}`, initialPx)), [name]);
  const dragging = useSignal(false);
  const element = useRef<HTMLDivElement>(null);
  const isColumns = direction === 'columns';

  const resize = (wanted: number) => {
    const box = element.current?.getBoundingClientRect();
    const whole = box === undefined ? Number.POSITIVE_INFINITY : isColumns ? box.width : box.height;
    size.value = Math.round(Math.max(leastPx, Math.min(whole - leavePx, wanted)));
  };
  const keep = () => storedNumber.write(`split.${name}`, size.value);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    dragging.value = true;
  };
  const onPointerMove = (event: PointerEvent) => {
    const box = element.current?.getBoundingClientRect();
    if (!dragging.value || box === undefined) return;
    const at = isColumns ? event.clientX - box.left : event.clientY - box.top;
    resize(sized === 'first' ? at : (isColumns ? box.width : box.height) - at);
  };
  const onPointerUp = () => {
    dragging.value = false;
    keep();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const grow = isColumns ? 'ArrowRight' : 'ArrowDown';
    const shrink = isColumns ? 'ArrowLeft' : 'ArrowUp';
    const sign = sized === 'first' ? 1 : -1;
    if (event.key === grow) resize(size.value + sign * STEP_PX);
    else if (event.key === shrink) resize(size.value - sign * STEP_PX);
    else if (event.key === 'Home') resize(initialPx);
    else return;
    event.preventDefault();
    keep();
  };

  // A size that was chosen in a large window leaves room for the other pane in a small one, too.
  // Where there is not even that much, the two share it.
  const track = `minmax(0, max(min(${leastPx}px, 50%), min(${size.value}px, 100% - ${leavePx + 1}px)))`;
  const fixed = isCollapsed ? '0 0' : sized === 'first' ? `${track} 1px` : `1px ${track}`;
  const tracks = sized === 'first' ? `${fixed} minmax(0, 1fr)` : `minmax(0, 1fr) ${fixed}`;
  const style = isColumns ? { gridTemplateColumns: tracks } : { gridTemplateRows: tracks };
  const first = <div class="pane">{isCollapsed && sized === 'first' ? null : props.children[0]}</div>;
  const bar = (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot hold a value or the focus.
    <div
      class={dragging.value ? 'split-bar dragging' : 'split-bar'}
      role="separator"
      hidden={isCollapsed}
      tabIndex={isCollapsed ? -1 : 0}
      aria-label={label}
      aria-orientation={isColumns ? 'vertical' : 'horizontal'}
      aria-valuenow={size.value}
      aria-valuemin={leastPx}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDblClick={() => {
        resize(initialPx);
        keep();
      }}
      onKeyDown={onKeyDown}
    />
  );
  return (
    <div ref={element} class={`split ${direction}`} style={style}>
      {landmark === undefined ? (
        [first, bar]
      ) : isCollapsed ? (
        <div class="split-landmark" key="first">
          {first}
          {bar}
        </div>
      ) : (
        <aside class="split-landmark" key="first" aria-label={landmark}>
          {first}
          {bar}
        </aside>
      )}
      {/* By its key it stays what it is where the first one becomes another element. */}
      <div class="pane" key="second">
        {isCollapsed && sized === 'second' ? null : props.children[1]}
      </div>
    </div>
  );
}
