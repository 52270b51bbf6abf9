import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { canStore, listStored, nameProblem } from '../files/stored_databases.ts';
import { Field, FormButtons } from '../ui/form.tsx';
import { closeDialog } from './dialogs.ts';
import { openNew } from './opening.ts';

type Place = 'browser' | 'memory';

/** A database from nothing: in this browser's storage, or in memory. */
export function NewDatabaseDialog(): JSX.Element {
  const name = useSignal('');
  const place = useSignal<Place>('browser');
  const taken = useSignal<readonly string[]>([]);
  const hasStorage = useSignal(true);
  const isTouched = useSignal(false);
  useEffect(() => {
    void listStored().then(names => (taken.value = names));
    void canStore().then(can => {
      hasStorage.value = can;
      if (!can) place.value = 'memory';
    });
  }, []);
  const problem = nameProblem(name.value.trim(), place.value === 'browser' ? taken.value : []);
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        isTouched.value = true;
        if (problem !== undefined) return;
        closeDialog();
        void openNew(name.value.trim(), place.value === 'browser');
      }}
    >
      <Field label="Name" problem={isTouched.value ? problem : undefined}>
        {id => (
          <input
            id={id}
            class="field"
            value={name.value}
            spellcheck={false}
            autocomplete="off"
            placeholder="my_database"
            onInput={event => {
              name.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      <fieldset class="form-choices">
        <legend>Where it lies</legend>
        <Choice
          id="browser"
          title="In this browser"
          text={
            hasStorage.value
              ? 'Stays after the page is closed, on this machine only'
              : 'This browser gives the page no storage'
          }
          isDisabled={!hasStorage.value}
          chosen={place.value}
          onChoose={next => (place.value = next)}
        />
        <Choice
          id="memory"
          title="In memory"
          text="Gone when the page is closed"
          isDisabled={false}
          chosen={place.value}
          onChoose={next => (place.value = next)}
        />
      </fieldset>
      <FormButtons verb="Make the database" isDisabled={name.value.trim() === ''} onCancel={closeDialog} />
    </form>
  );
}

interface ChoiceProps {
  readonly id: Place;
  readonly title: string;
  readonly text: string;
  readonly isDisabled: boolean;
  readonly chosen: Place;
  readonly onChoose: (id: Place) => void;
}

function Choice({ id, title, text, isDisabled, chosen, onChoose }: ChoiceProps): JSX.Element {
  return (
    <label class="form-choice">
      <input type="radio" name="place" checked={chosen === id} disabled={isDisabled} onChange={() => onChoose(id)} />
      <span>
        <strong>{title}</strong>
        <span class="muted">{text}</span>
      </span>
    </label>
  );
}
