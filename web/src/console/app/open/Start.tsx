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
            <p class="muted">
              Query it, change it, branch, merge and follow its history. Everything happens in this page.
            </p>
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
                  Its files are damaged or not all there; nothing in them was changed. Take them again from where they
                  come from, a backup or a remote; <code>dolt fsck</code> tells of what is left.
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
