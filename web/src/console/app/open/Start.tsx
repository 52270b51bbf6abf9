import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusPassedOn } from '../../ui/focus.ts';
import { Icon, Mark } from '../../ui/icons.tsx';
import type { OpenFailure } from '../database/connection.ts';
import { OpenPanel } from './OpenPanel.tsx';

/** The page while no database is open. */
export function Start({ failure }: { readonly failure: OpenFailure | undefined }): JSX.Element {
  const page = useRef<HTMLElement>(null);
  useFocusPassedOn(page);
  return (
    <main ref={page} class="start" tabIndex={-1}>
      <div class="start-box">
        <div class="start-title">
          <Mark size={36} />
          <div>
            <h1>Open a Dolt database</h1>
            <p class="muted">Query, edit, branch, merge and browse history. Everything runs in this page.</p>
          </div>
        </div>
        {failure !== undefined && (
          <div class="start-failure" role="alert">
            <Icon name="error" />
            <div>
              <strong>{failure.label} could not be opened</strong>
              <p>{failure.message}</p>
              {failure.isOfFiles && (
                <p>
                  Its files are damaged or incomplete. Nothing was changed. Restore them from a backup or a remote;{' '}
                  <code>dolt fsck</code> lists what is still readable.
                </p>
              )}
            </div>
          </div>
        )}
        <OpenPanel />
      </div>
    </main>
  );
}
