import type { JSX } from 'preact';
import { openState } from '../database/connection.ts';

/** Stands where results will be while a database is being opened. */
export function Opening(): JSX.Element | null {
  const state = openState.value;
  if (state.kind !== 'opening') return null;
  return (
    <div class="empty opening" role="status">
      <span class="spinner" />
      <strong class="truncate">Opening {state.label}</strong>
      <p class="figures opening-detail">{state.detail}</p>
      <button type="button" class="button small" onClick={state.cancel}>
        Cancel
      </button>
    </div>
  );
}
