import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { canStore, listStored, nameProblem } from '../../files/stored_databases.ts';
import { Field } from '../../ui/form.tsx';

type Place = 'browser' | 'memory';

/** What a database that is to be made is called and where it will lie. */
export interface NewDatabase {
  readonly name: Signal<string>;
  readonly place: Signal<Place>;
  readonly hasStorage: Signal<boolean>;
  /** Problems are shown from the first attempt to create it. */
  readonly isTouched: Signal<boolean>;
  readonly problem: string | undefined;
}

export function useNewDatabase(initialName: string): NewDatabase {
  const name = useSignal(initialName);
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
  return { name, place, hasStorage, isTouched, problem };
}

interface FieldsProps {
  readonly made: NewDatabase;
  readonly isDisabled?: boolean;
}

export function NewDatabaseFields({ made, isDisabled = false }: FieldsProps): JSX.Element {
  const { name, place, hasStorage, isTouched, problem } = made;
  return (
    <>
      <Field label="Database name" problem={isTouched.value ? problem : undefined}>
        {id => (
          <input
            id={id}
            class="field"
            value={name.value}
            spellcheck={false}
            autocomplete="off"
            placeholder="my_database"
            disabled={isDisabled}
            onInput={event => {
              name.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      <fieldset class="form-choices" disabled={isDisabled}>
        <legend>Storage</legend>
        <Choice
          id="browser"
          title="In this browser"
          text={
            hasStorage.value
              ? 'Kept after you close the page, on this machine only'
              : 'This browser gives pages no storage'
          }
          isDisabled={!hasStorage.value}
          chosen={place.value}
          onChoose={next => (place.value = next)}
        />
        <Choice
          id="memory"
          title="In memory"
          text="Lost when you close the page"
          isDisabled={false}
          chosen={place.value}
          onChoose={next => (place.value = next)}
        />
      </fieldset>
    </>
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
