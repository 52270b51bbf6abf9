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
      <p>The tables go back to the last commit; the changes wait below the list of changes, for any branch.</p>
      <Field label="Name" hint="Several of the same name are a list, the newest first">
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
        label="New tables too"
        hint="otherwise they stay as they are"
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
