import type { JSX } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface ButtonProps {
  readonly icon: IconName;
  /** What a screen reader says, and the tooltip. */
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  /** The icon points up instead of down. */
  readonly isUp?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

/** A small button that is an icon alone. */
export function IconButton({ icon, label, keys, isUp = false, isDisabled = false, onPress }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="button quiet small icon-only"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      disabled={isDisabled}
      onClick={onPress}
    >
      <Icon name={icon} class={isUp ? 'up' : ''} />
    </button>
  );
}
