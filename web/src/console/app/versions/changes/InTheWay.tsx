/** Note that uncommitted changes prevent an action. */
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../../../ui/icons.tsx';
import { closeDialog } from '../../dialogs.ts';
import { view } from '../../layout_state.ts';
import { workingSet } from './working_set_state.ts';

/** Tables differ from the last commit. */
export function isUncommitted(): boolean {
  return (workingSet.value?.tableCount.value ?? 0) > 0;
}

/** Why something would be refused, and the way to the changes where they may be what is in the way. */
export function InTheWay({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="merge-outlook has-conflicts" role="status">
      <Icon name="warning" />
      <span>{children}</span>
      {isUncommitted() && (
        <button
          type="button"
          class="button small"
          onClick={() => {
            closeDialog();
            view.value = 'changes';
          }}
        >
          Go to changes
        </button>
      )}
    </div>
  );
}
