import type { JSX } from 'preact';
import { Icon } from '../../../ui/icons.tsx';
import { isViewerOpen, showViewer } from '../../layout_state.ts';
import { keyText } from '../../shortcuts.ts';

/** Shows and hides the viewer beside a grid. */
export function ViewerButton(): JSX.Element {
  return (
    <button
      type="button"
      class="button small quiet icon-only"
      aria-label="Value viewer"
      aria-pressed={isViewerOpen.value}
      title={`Value viewer (${keyText('Mod+I')})`}
      onClick={() => {
        showViewer(!isViewerOpen.value);
      }}
    >
      <Icon name="panelRight" />
    </button>
  );
}
