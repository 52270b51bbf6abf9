import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { textMetrics } from '../text_metrics.ts';
import { hexLine, hexLineCount, type LineBytes } from './hex.ts';

const LINE_PX = 18;
const LINES_AROUND = 8;
/** Above this height browsers misplace elements; 6 MB of hex is enough to look at. */
const LINES_MAX = 380_000;

/** A line of sixteen bytes, with what is beside them. */
const WIDE_CHARS = 80;

/** Bytes in lines of sixteen, or of eight in a narrow panel; only the lines on the screen are in the document. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }): JSX.Element {
  const [first, setFirst] = useState(0);
  const [height, setHeight] = useState(600);
  const [lineBytes, setLineBytes] = useState<LineBytes>(16);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => setLineBytes(element.clientWidth < WIDE_CHARS * textMetrics().cellCharPx ? 8 : 16);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const count = Math.min(hexLineCount(bytes, lineBytes), LINES_MAX);
  const end = Math.min(count, first + Math.ceil(height / LINE_PX) + 2 * LINES_AROUND);
  const lines = Array.from({ length: Math.max(0, end - first) }, (_, index) =>
    hexLine(bytes, first + index, lineBytes),
  );
  return (
    <div
      ref={frame}
      class="hex"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled bytes must be reachable by keyboard.
      tabIndex={0}
      onScroll={event => {
        const { scrollTop, clientHeight } = event.currentTarget;
        setHeight(clientHeight);
        setFirst(Math.max(0, Math.floor(scrollTop / LINE_PX) - LINES_AROUND));
      }}
    >
      <div class="hex-lines" style={{ height: `${count * LINE_PX}px`, paddingTop: `${first * LINE_PX}px` }}>
        {lines.map(line => (
          <div key={line.offset} class="hex-line">
            <span class="hex-offset">{line.offset}</span>
            <span>{line.bytes}</span>
            <span class="hex-text">{line.text}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
