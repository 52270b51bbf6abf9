/** A question before something that cannot be undone. */
import type { JSX } from 'preact';
import { Form } from '../ui/form.tsx';
import { type Confirmation, closeDialog, dialog } from './dialogs.ts';

export function ConfirmDialog({ request }: { readonly request: Confirmation }): JSX.Element {
  return (
    <Form
      onSubmit={() => {
        // First, so that closing is no way of saying no.
        request.onConfirm();
        if (dialog.peek() === request) dialog.value = undefined;
      }}
    >
      <p>{request.text}</p>
      <div class="form-buttons">
        <button type="button" class="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class="button danger">
          {request.verb}
        </button>
      </div>
    </Form>
  );
}
