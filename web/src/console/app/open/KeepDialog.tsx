import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { canStore, listStored, nameProblem, storedPath } from '../../files/stored_databases.ts';
import { byteCount } from '../../ui/figures.ts';
import { Field, Form, FormButtons } from '../../ui/form.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { currentConnection, isUnkept } from '../connection.ts';
import { closeDialog, dialog } from '../dialogs.ts';
import { giveTabsTo } from '../query/query_tabs.ts';
import { storedAddress } from './address.ts';
import { openStored } from './opening.ts';

interface Copied {
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Copies the open database with all of its history into this browser's storage, where it can be changed and stays. */
export function KeepDialog(): JSX.Element {
  const connection = currentConnection();
  const name = useSignal(connection?.database.name ?? '');
  const taken = useSignal<readonly string[]>([]);
  const copied = useSignal<Copied | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const isStorable = useSignal(true);
  const abort = useSignal(new AbortController());
  useEffect(() => {
    void listStored().then(names => (taken.value = names));
    void canStore().then(can => (isStorable.value = can));
    return () => abort.peek().abort();
  }, []);
  const problem = nameProblem(name.value.trim(), taken.value) ?? failure.value;
  const copy = async () => {
    if (connection === undefined) return;
    const target = name.value.trim();
    copied.value = { bytes: 0, totalBytes: 0 };
    try {
      await connection.database.copyTo(
        { opfs: storedPath(target) },
        { signal: abort.peek().signal, onProgress: progress => (copied.value = progress) },
      );
      isUnkept.value = false;
      closeDialog();
      giveTabsTo(storedAddress(target));
      await openStored(target);
    } catch (error) {
      copied.value = undefined;
      failure.value = messageOf(error);
    }
  };
  if (!isStorable.value) return <NoStorage />;
  return (
    <Form
      onSubmit={() => {
        if (problem === undefined) void copy();
      }}
    >
      <p>
        The copy has all branches and all history, can be changed, and stays in this browser when the page is closed.
      </p>
      <Field label="Name" problem={problem}>
        {id => (
          <input
            id={id}
            class="field"
            value={name.value}
            spellcheck={false}
            autocomplete="off"
            onInput={event => {
              failure.value = undefined;
              name.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      {copied.value !== undefined && (
        <div class="transfer-progress" role="status">
          <progress max={copied.value.totalBytes || 1} value={copied.value.bytes} />
          <span class="muted figures">
            {byteCount(copied.value.bytes)} of {byteCount(copied.value.totalBytes)}
          </span>
        </div>
      )}
      <FormButtons
        verb="Copy and open"
        isDisabled={problem !== undefined}
        isBusy={copied.value !== undefined}
        onCancel={closeDialog}
      />
    </Form>
  );
}

/** As in some private windows. What there is can be taken along as a file. */
function NoStorage(): JSX.Element {
  return (
    <Form onSubmit={() => (dialog.value = { kind: 'export' })}>
      <p role="alert">
        This browser gives the page no storage, as in a private window or without HTTPS. The database can be taken along
        as a file, and opened from it again.
      </p>
      <FormButtons verb="Export" onCancel={closeDialog} />
    </Form>
  );
}
