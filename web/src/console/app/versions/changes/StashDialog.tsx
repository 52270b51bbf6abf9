import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Check, Field, Form, FormButtons } from '../../../ui/form.tsx';
import { isChanging } from '../../database/changing.ts';
import { closeDialog } from '../../dialogs.ts';
import { stashAll } from './stash_actions.ts';

/** A name for the changes that are put aside. */
export function StashDialog(): JSX.Element {
  const name = useSignal('wip');
  const areNewTablesToo = useSignal(true);
  return (
    <Form onSubmit={() => stashAll(name.value.trim(), areNewTablesToo.value).then(done => done && closeDialog())}>
      <p>Resets the tables to the last commit. Apply the stash later, on any branch.</p>
      <Field label="Name" hint="Stashes with the same name form a list, newest first">
        {id => (
          <input
            id={id}
            class="field mono"
            value={name.value}
            spellcheck={false}
            autocomplete="off"
            onInput={event => (name.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <Check
        label="Include new tables"
        hint="otherwise they are not stashed"
        isChecked={areNewTablesToo.value}
        onChange={next => (areNewTablesToo.value = next)}
      />
      <FormButtons
        verb="Stash"
        isDisabled={name.value.trim() === ''}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}
