import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { canStore, listStored, nameProblem, storedPath } from '../../files/stored_databases.ts';
import { TransferEnd } from '../../transfer/TransferEnd.tsx';
import { NOTHING_YET, type TransferState } from '../../transfer/TransferState.tsx';
import { Field, Form, FormButtons } from '../../ui/form.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { currentConnection, isUnkept } from '../database/connection.ts';
import { closeDialog, dialog } from '../dialogs.ts';
import { giveTabsTo } from '../query/query_tabs.ts';
import { useTransferring } from '../transfer/transferring.ts';
import { storedAddress } from './address.ts';
import { openStored } from './opening.ts';

/** Copies the open database with all of its history into this browser's storage, where it can be changed and stays. */
export function KeepDialog(): JSX.Element {
  const connection = currentConnection();
  const name = useSignal(connection?.database.name ?? '');
  const taken = useSignal<readonly string[]>([]);
  const state = useSignal<TransferState | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const isStorable = useSignal(true);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    void listStored().then(names => (taken.value = names));
    void canStore().then(can => (isStorable.value = can));
    return () => abort.current?.abort();
  }, []);
  useTransferring(state.value !== undefined);
  const problem = nameProblem(name.value.trim(), taken.value);
  const copy = async () => {
    if (connection === undefined) return;
    const target = name.value.trim();
    const control = new AbortController();
    abort.current = control;
    failure.value = undefined;
    state.value = NOTHING_YET;
    try {
      await connection.database.copyTo(
        { opfs: storedPath(target) },
        { signal: control.signal, onProgress: progress => (state.value = { ...NOTHING_YET, ...progress }) },
      );
      isUnkept.value = false;
      closeDialog();
      giveTabsTo(storedAddress(target));
      await openStored(target);
    } catch (error) {
      failure.value = control.signal.aborted ? 'The copy was cancelled.' : messageOf(error);
      state.value = undefined;
    }
  };
  if (!isStorable.value) return <NoStorage />;
  return (
    <Form
      onSubmit={() => {
        if (problem === undefined) void copy();
      }}
    >
      <p>Copies all branches and history to this browser. The copy is editable and stays when you close the page.</p>
      <Field label="Name" problem={problem}>
        {id => (
          <input
            id={id}
            class="field"
            value={name.value}
            disabled={state.value !== undefined}
            spellcheck={false}
            autocomplete="off"
            onInput={event => {
              failure.value = undefined;
              name.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      <TransferEnd
        verb="Copy and open"
        failure={failure.value}
        state={state.value}
        isDisabled={problem !== undefined}
        onCancel={() => (state.value === undefined ? closeDialog() : abort.current?.abort())}
      />
    </Form>
  );
}

/** As in some private windows. What there is can be taken along as a file. */
function NoStorage(): JSX.Element {
  return (
    <Form onSubmit={() => (dialog.value = { kind: 'export' })}>
      <p role="alert">
        This browser gives pages no storage (private window, or no HTTPS). Export the database to a file instead and
        open it again from there.
      </p>
      <FormButtons verb="Export" onCancel={closeDialog} />
    </Form>
  );
}
