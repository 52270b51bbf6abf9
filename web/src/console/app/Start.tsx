import type { JSX } from 'preact';
import { Icon, Mark } from '../ui/icons.tsx';
import { openState } from './connection.ts';
import { OpenPanel } from './OpenPanel.tsx';

/** The page while no database is open. */
export function Start(): JSX.Element | null {
  const state = openState.value;
  if (state.kind === 'open') return null;
  if (state.kind === 'opening') {
    return (
      <main class="start">
        <div class="opening" role="status">
          <span class="spinner" />
          <strong class="truncate">Opening {state.label}</strong>
          <span class="muted figures">{state.detail}</span>
          <button type="button" class="button small" onClick={state.cancel}>
            Cancel
          </button>
        </div>
      </main>
    );
  }
  return (
    <main class="start">
      <div class="start-box">
        <div class="start-title">
          <Mark size={36} />
          <div>
            <h1>Open a Dolt database</h1>
            <p class="muted">Query it, follow its history. Everything happens in this page.</p>
          </div>
        </div>
        {state.failure !== undefined && (
          <div class="start-failure" role="alert">
            <Icon name="error" />
            <div>
              <strong>{state.failure.label} could not be opened</strong>
              <p>{state.failure.message}</p>
            </div>
          </div>
        )}
        <OpenPanel />
      </div>
    </main>
  );
}
