import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { remoteFolder, remoteFolderName } from '../../lib/index.ts';
import { canPickDirectory, pickRemoteFolder } from '../files/sources.ts';
import { Field } from '../ui/form.tsx';
import { messageOf } from '../ui/message_of.ts';

interface RemoteUrlFieldProps {
  readonly url: string;
  /** `read` for a clone: the browser asks for less. */
  readonly mode: 'read' | 'readwrite';
  /** Label of the button that opens the folder picker. */
  readonly pickLabel: string;
  readonly hint: string;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onChange: (url: string) => void;
}

/** URL of a remote, or a folder in place of it, where the browser lets a page use one. */
export function RemoteUrlField(props: RemoteUrlFieldProps): JSX.Element {
  const { url, mode, pickLabel, hint, problem, isDisabled = false, onChange } = props;
  const failure = useSignal<string | undefined>(undefined);
  const folder = remoteFolderName(url);
  const change = (next: string) => {
    failure.value = undefined;
    onChange(next);
  };
  const pick = async () => {
    failure.value = undefined;
    try {
      const handle = await pickRemoteFolder(mode);
      if (handle !== undefined) change(await remoteFolder(handle));
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  return (
    <Field label={folder === null ? 'URL' : 'Folder'} problem={failure.value ?? problem} hint={hint}>
      {id => (
        <div class="field-with-button">
          <input
            id={id}
            class={folder === null ? 'field mono' : 'field'}
            value={folder ?? url}
            readOnly={folder !== null}
            spellcheck={false}
            autocomplete="off"
            disabled={isDisabled}
            onInput={event => change(event.currentTarget.value)}
          />
          {folder !== null ? (
            <button type="button" class="button" disabled={isDisabled} onClick={() => change('')}>
              Use a URL
            </button>
          ) : (
            canPickDirectory() && (
              <button type="button" class="button" disabled={isDisabled} onClick={() => void pick()}>
                {pickLabel}
              </button>
            )
          )}
        </div>
      )}
    </Field>
  );
}
