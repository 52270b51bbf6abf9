import type { JSX } from 'preact';
import { Form, FormButtons } from '../../ui/form.tsx';
import { closeDialog } from '../dialogs.ts';
import { NewDatabaseFields, useNewDatabase } from './NewDatabaseFields.tsx';
import { openNew } from './opening.ts';

/** A database from nothing: in this browser's storage, or in memory. */
export function NewDatabaseDialog(): JSX.Element {
  const made = useNewDatabase('');
  const make = () => {
    made.isTouched.value = true;
    if (made.problem !== undefined) return;
    closeDialog();
    void openNew(made.name.value.trim(), made.place.value === 'browser');
  };
  return (
    <Form onSubmit={make}>
      <NewDatabaseFields made={made} />
      <FormButtons verb="Create database" isDisabled={made.name.value.trim() === ''} onCancel={closeDialog} />
    </Form>
  );
}
