/** The dialog that saves a query in the database. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field, Form, FormButtons } from '../../../ui/form.tsx';
import { isChanging } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { closeDialog } from '../../dialogs.ts';
import type { QueryTab } from '../query_tabs.ts';
import { saveQuery, useSavedQueries } from './saved_queries.ts';

/** `Query 3` is a default name. */
const UNNAMED = /^Query \d+$/;

/** A name for the query of a tab. */
export function SaveQueryDialog({ tab }: { readonly tab: QueryTab }): JSX.Element {
  const connection = currentConnection();
  const title = tab.title.peek();
  const name = useSignal(UNNAMED.test(title) ? '' : title);
  const saved = useSavedQueries(connection);
  const trimmed = name.value.trim();
  const isKnown = saved?.some(other => other.name === trimmed) === true;
  return (
    <Form onSubmit={() => saveQuery(tab, trimmed).then(done => done && closeDialog())}>
      <Field
        label="Name"
        hint={
          isKnown
            ? 'Replaces the saved query of this name'
            : `Saved in table dolt_query_catalog on ${connection?.catalog.place.value.branch ?? ''}. Commit to share it`
        }
      >
        {id => (
          <input
            id={id}
            class="field"
            value={name.value}
            autocomplete="off"
            onInput={event => (name.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <FormButtons
        verb={isKnown ? 'Replace' : 'Save'}
        // A query of the same name is replaced, once the note about it was visible.
        isDisabled={trimmed === '' || saved === undefined}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}
