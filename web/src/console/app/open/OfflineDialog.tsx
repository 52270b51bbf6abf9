import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Prefetched, PrefetchProgress } from '../../../lib/index.ts';
import { byteCount, counted, wholeNumber } from '../../ui/figures.ts';
import { Check, Form, FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { currentConnection } from '../database/connection.ts';
import { closeDialog } from '../dialogs.ts';

type State =
  | { readonly kind: 'asking'; readonly failure: string | undefined }
  | { readonly kind: 'fetching'; readonly progress: PrefetchProgress; readonly isCancelled: boolean }
  | { readonly kind: 'kept'; readonly found: Prefetched };

/** Fetches a remote database into the cache of this browser, so that it can be read without a network. */
export function OfflineDialog(): JSX.Element {
  const connection = currentConnection();
  const state = useSignal<State>({ kind: 'asking', failure: undefined });
  const history = useSignal(true);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const fetch = async () => {
    if (connection === undefined) return;
    const control = new AbortController();
    abort.current = control;
    const onProgress = (progress: PrefetchProgress) => {
      state.value = { kind: 'fetching', progress, isCancelled: control.signal.aborted };
    };
    onProgress({ chunks: 0, chunksKnown: 0 });
    try {
      const options = { history: history.value, onProgress, signal: control.signal };
      state.value = { kind: 'kept', found: await connection.database.prefetch(options) };
    } catch (error) {
      state.value = { kind: 'asking', failure: control.signal.aborted ? 'Cancelled.' : messageOf(error) };
    }
  };
  const current = state.value;
  if (current.kind === 'kept') return <Kept found={current.found} />;
  const isFetching = current.kind === 'fetching';
  const cancel = () => {
    if (current.kind !== 'fetching') return closeDialog();
    state.value = { ...current, isCancelled: true };
    abort.current?.abort();
  };
  return (
    <Form onSubmit={fetch}>
      <p>
        Downloads the missing parts into this browser’s cache. The database then works offline, until the browser needs
        the space.
      </p>
      <Check
        label="Include all history"
        isChecked={history.value}
        isDisabled={isFetching}
        onChange={next => (history.value = next)}
      />
      <div class="form-end">
        {current.kind === 'asking' && current.failure !== undefined && (
          <p class="form-problem" role="alert">
            {current.failure}
          </p>
        )}
        {isFetching && <Progress progress={current.progress} />}
        <FormButtons
          verb="Keep offline"
          isBusy={isFetching}
          isCancelled={isFetching && current.isCancelled}
          onCancel={cancel}
        />
      </div>
    </Form>
  );
}

/** How many chunks there are is known when the last parents were read. */
function Progress({ progress: { chunks, chunksKnown } }: { readonly progress: PrefetchProgress }): JSX.Element {
  return (
    <div class="transfer-progress" role="status">
      {chunks > 0 ? <progress value={chunks / chunksKnown} /> : <progress />}
      <span class="muted figures">{`${wholeNumber(chunks)} of ${counted(chunksKnown, 'chunk')}`}</span>
    </div>
  );
}

function Kept({ found: { chunks, bytesFetched } }: { readonly found: Prefetched }): JSX.Element {
  return (
    <Form onSubmit={closeDialog}>
      <p class="verify-end is-whole" role="status">
        <Icon name="check" />
        <strong>Available offline.</strong>
      </p>
      <p class="muted figures">
        {counted(chunks, 'chunk')} kept, {byteCount(bytesFetched)} of them fetched now.
      </p>
      <div class="form-buttons">
        <button type="submit" class="button primary">
          Close
        </button>
      </div>
    </Form>
  );
}
