import type { JSX } from 'preact';
import { Icon } from '../../ui/icons.tsx';
import { dialog } from '../dialogs.ts';

export function ImportButton(): JSX.Element {
  return (
    <button type="button" class="button small" onClick={() => (dialog.value = { kind: 'import', files: [] })}>
      <Icon name="upload" />
      Import a dump, CSV or JSON
    </button>
  );
}
