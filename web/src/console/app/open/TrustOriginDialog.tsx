import type { JSX } from 'preact';
import { Form } from '../../ui/form.tsx';
import { closeDialog, dialog, type TrustQuestion } from '../dialogs.ts';

/** Asks before the first request to another origin. The focus begins at the button that requests nothing. */
export function TrustOriginDialog({ request }: { readonly request: TrustQuestion }): JSX.Element {
  const { host, origin } = new URL(request.url);
  return (
    <Form
      onSubmit={() => {
        // First, so that closing is no way of saying no.
        request.onConfirm();
        if (dialog.peek() === request) dialog.value = undefined;
      }}
    >
      <p>This link opens a database from another site:</p>
      <p class="linked-address">{request.url}</p>
      <p>
        Nothing was requested yet. If you open it, {host} sees your IP address and which parts of the database you read.
        Open it only if you trust the site and the sender of the link.
      </p>
      <p class="muted">Your choice for {origin} is remembered.</p>
      <div class="form-buttons">
        <button type="button" class="button" onClick={closeDialog}>
          Don’t open
        </button>
        <button type="submit" class="button primary">
          Open
        </button>
      </div>
    </Form>
  );
}
