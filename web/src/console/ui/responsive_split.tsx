import type { ComponentChildren, JSX } from 'preact';
import { Split } from './split.tsx';

/** Sizes of the sized pane, and the room that stays for the other one. */
interface Sizes {
  readonly initialPx: number;
  readonly leastPx: number;
  readonly leavePx: number;
}

interface ResponsiveSplitProps {
  /** Under this name the size is kept between visits, one for each direction. */
  readonly name: string;
  readonly isNarrow: boolean;
  readonly sized: 'first' | 'second';
  readonly wide: Sizes;
  readonly narrow: Sizes;
  readonly label: string;
  readonly isCollapsed?: boolean;
  readonly children: [ComponentChildren, ComponentChildren];
}

/** Two panes, side by side in a wide window and one above the other in a narrow one. */
export function ResponsiveSplit(props: ResponsiveSplitProps): JSX.Element {
  const { name, isNarrow, wide, narrow, ...rest } = props;
  // One and the same split, so that what is in its panes is not drawn anew when a window becomes narrow.
  const here = isNarrow
    ? { name: `${name}.narrow`, direction: 'rows' as const, ...narrow }
    : { name, direction: 'columns' as const, ...wide };
  return <Split {...here} {...rest} />;
}
