import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hexLine, hexLineCount } from './hex.ts';

const LINE_PX = 18;
const LINES_AROUND = 8;
/** Above this height browsers misplace elements; 6 MB of hex is enough to look at. */
const LINES_MAX = 380_000;

/** Bytes in lines of sixteen; only the lines on the screen are in the document. */
export function HexView({ bytes }: { readonly bytes: Uint8Array }): JSX.Element {
  const [first, setFirst] = useState(0);
  const [height, setHeight] = useState(600);
  const count = Math.min(hexLineCount(bytes), LINES_MAX);
  const end = Math.min(count, first + Math.ceil(height / LINE_PX) + 2 * LINES_AROUND);
  const lines = Array.from({ length: Math.max(0, end - first) }, (_, index) => hexLine(bytes, first + index));
  return (
    <div
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
