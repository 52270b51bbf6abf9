import type { JSX } from 'preact';
import { wholeNumber } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { MenuButton } from '../ui/menu.tsx';
import type { StashActions } from './selection.ts';
import type { StashEntry } from './status.ts';

interface GroupProps {
  readonly stashes: readonly StashEntry[];
  readonly canWrite: boolean;
  readonly isBusy: boolean;
  readonly actions: StashActions;
}

/** Changes that were put aside, the newest first. */
export function StashGroup({ stashes, canWrite, isBusy, actions }: GroupProps): JSX.Element | null {
  if (stashes.length === 0) return null;
  return (
    <section class="change-group" aria-label="Stashes">
      <div class="change-group-head">
        <h3>
          Stashes <span class="muted figures">{wholeNumber(stashes.length)}</span>
        </h3>
      </div>
      <ul>
        {stashes.map(stash => (
          <li key={`${stash.list} ${stash.index}`} class="change-line stash-line">
            <Icon name="archive" />
            <button
              type="button"
              class="stash-name"
              title={`Show changes: ${stash.list} ${stash.id}, on ${stash.branch}: ${stash.message}`}
              onClick={() => actions.onShow(stash)}
            >
              <span class="truncate">
                {stash.list}
                {stash.index > 0 && <span class="muted figures"> {stash.id}</span>}
              </span>
              <span class="muted truncate">
                on {stash.branch}: {stash.message}
              </span>
            </button>
            {canWrite && (
              <>
                <button
                  type="button"
                  class="button small"
                  disabled={isBusy}
                  title="Restore the changes and drop the stash"
                  aria-label={`Pop the stash ${stash.list}`}
                  onClick={() => actions.onPop(stash)}
                >
                  Pop
                </button>
                <MenuButton
                  class="button quiet small icon-only"
                  label={`More actions for stash ${stash.list}`}
                  align="end"
                  isDisabled={isBusy}
                  groups={[
                    {
                      entries: [
                        { label: 'Show', icon: 'compare', onSelect: () => actions.onShow(stash) },
                        { label: 'Apply and keep the stash', icon: 'copy', onSelect: () => actions.onApply(stash) },
                        { label: 'Drop', icon: 'trash', onSelect: () => actions.onDrop(stash) },
                      ],
                    },
                  ]}
                >
                  <Icon name="more" />
                </MenuButton>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
