import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { remoteFolderName } from '../../../lib/index.ts';
import { listStored, nameProblem, storedPath } from '../../files/stored_databases.ts';
import { byteCount } from '../../ui/figures.ts';
import { Check, Field, Form, FormButtons } from '../../ui/form.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { askCredentials, forgetCredentials } from '../database/credentials.ts';
import { closeDialog } from '../dialogs.ts';
import { RemoteUrlField } from '../RemoteUrlField.tsx';
import { openStored } from './opening.ts';

/** What a database is called that comes from there. */
function nameOf(url: string): string {
  const folder = remoteFolderName(url);
  if (folder !== null) return folder;
  const [path = ''] = url.trim().split(/[?#]/);
  return path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}

/** A database of a remote, into this browser's storage. */
export function CloneDialog(): JSX.Element {
  const url = useSignal('');
  const given = useSignal<string | undefined>(undefined);
  const isLazy = useSignal(false);
  const taken = useSignal<readonly string[]>([]);
  const told = useSignal<string | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const cancelling = useRef(new AbortController());
  useEffect(() => {
    void listStored().then(names => (taken.value = names));
    return () => cancelling.current.abort(new Error('Cancelled'));
  }, []);
  const name = given.value ?? nameOf(url.value);
  const problem = name === '' ? undefined : nameProblem(name, taken.value);
  const isBusy = told.value !== undefined;
  const start = async () => {
    cancelling.current = new AbortController();
    const { signal } = cancelling.current;
    told.value = 'Asking the remote…';
    failure.value = undefined;
    try {
      const { clone } = await import('../../../lib/index.ts');
      const onProgress = ({ bytes }: { bytes: number }) => (told.value = `${byteCount(bytes)} copied`);
      const database = await clone(
        url.value.trim(),
        { opfs: storedPath(name) },
        { signal, onProgress, credentials: askCredentials, lazy: isLazy.value },
      );
      await database.close();
      closeDialog();
      await openStored(name);
    } catch (error) {
      forgetCredentials();
      failure.value = messageOf(error);
    } finally {
      told.value = undefined;
    }
  };
  return (
    <Form onSubmit={start}>
      <RemoteUrlField
        url={url.value}
        mode="read"
        pickLabel="From a folder…"
        problem={failure.value}
        hint="https:// of a Dolt service or of files, s3://, or opfs:// in this browser’s storage"
        isDisabled={isBusy}
        onChange={next => {
          url.value = next;
          failure.value = undefined;
        }}
      />
      <Field label="Database name" problem={problem}>
        {id => (
          <input
            id={id}
            class="field"
            value={name}
            spellcheck={false}
            autocomplete="off"
            disabled={isBusy}
            onInput={event => (given.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <Check
        label="Fetch rows on demand (lazy clone)"
        hint="Ready at once, even for large databases. Rows that were read stay available offline; fetch the rest later under Remotes."
        isChecked={isLazy.value}
        isDisabled={isBusy}
        onChange={next => (isLazy.value = next)}
      />
      {isBusy && <output class="muted">{told.value}</output>}
      <FormButtons
        verb="Clone"
        isDisabled={url.value.trim() === '' || name === '' || problem !== undefined}
        isBusy={isBusy}
        onCancel={closeDialog}
      />
    </Form>
  );
}
