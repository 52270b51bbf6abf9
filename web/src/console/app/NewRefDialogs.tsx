import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Check, Field, FormButtons } from '../ui/form.tsx';
import { createBranch, createTag } from './branch_actions.ts';
import { isChanging } from './changing.ts';
import { closeDialog } from './dialogs.ts';

const NAME = /^(?!\/)(?!.*(\/\/|\.\.|@\{|\/$|\.lock$))[^\s~^:?*[\\]+$/;

function problemOf(name: string): string | undefined {
  if (name === '') return undefined;
  return NAME.test(name) && name !== 'HEAD' ? undefined : 'No spaces, no .. and none of ~ ^ : ? * [ \\';
}

/** A branch that begins at a commit, a branch or a tag. */
export function NewBranchDialog({ from }: { readonly from: string }): JSX.Element {
  const name = useSignal('');
  const start = useSignal(from);
  const isSelected = useSignal(true);
  const problem = problemOf(name.value);
  const make = async () => {
    if (await createBranch(name.value, start.value.trim() || 'HEAD', isSelected.value)) closeDialog();
  };
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        void make();
      }}
    >
      <NameField name={name.value} problem={problem} placeholder="try-something" onName={next => (name.value = next)} />
      <Field label="Begins at" hint="A branch, a tag or a commit">
        {id => (
          <input
            id={id}
            class="field mono"
            value={start.value}
            spellcheck={false}
            onInput={event => (start.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <Check label="Switch to it" isChecked={isSelected.value} onChange={next => (isSelected.value = next)} />
      <FormButtons
        verb="Make the branch"
        isDisabled={name.value === '' || problem !== undefined}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </form>
  );
}

/** A name for a commit that stays. */
export function NewTagDialog({ at }: { readonly at: string }): JSX.Element {
  const name = useSignal('');
  const target = useSignal(at);
  const message = useSignal('');
  const problem = problemOf(name.value);
  const make = async () => {
    if (await createTag(name.value, target.value.trim() || 'HEAD', message.value)) closeDialog();
  };
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        void make();
      }}
    >
      <NameField name={name.value} problem={problem} placeholder="v1.0" onName={next => (name.value = next)} />
      <Field label="Of" hint="A commit or a branch">
        {id => (
          <input
            id={id}
            class="field mono"
            value={target.value}
            spellcheck={false}
            onInput={event => (target.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Message">
        {id => (
          <input
            id={id}
            class="field"
            value={message.value}
            onInput={event => (message.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <FormButtons
        verb="Make the tag"
        isDisabled={name.value === '' || problem !== undefined}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </form>
  );
}

interface NameProps {
  readonly name: string;
  readonly problem: string | undefined;
  readonly placeholder: string;
  readonly onName: (name: string) => void;
}

function NameField({ name, problem, placeholder, onName }: NameProps): JSX.Element {
  return (
    <Field label="Name" problem={problem}>
      {id => (
        <input
          id={id}
          class="field mono"
          value={name}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          onInput={event => onName(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
