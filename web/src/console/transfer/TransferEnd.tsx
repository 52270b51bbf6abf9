import type { ComponentChildren, JSX } from 'preact';
import { FormButtons } from '../ui/form.tsx';
import { TransferProgressBar, type TransferState } from './TransferState.tsx';

interface TransferEndProps {
  readonly verb: string;
  readonly failure: string | undefined;
  /** What belongs to the failure. */
  readonly children?: ComponentChildren;
  /** While it runs. */
  readonly state: TransferState | undefined;
  readonly isDisabled: boolean;
  readonly onCancel: () => void;
}

/** The lower end of a form that imports or exports: what went wrong, how far it is, the buttons. */
export function TransferEnd({ verb, failure, children, state, isDisabled, onCancel }: TransferEndProps): JSX.Element {
  return (
    <div class="form-end">
      {failure !== undefined && (
        <p class="form-problem" role="alert">
          {failure}
        </p>
      )}
      {children}
      {state !== undefined && <TransferProgressBar state={state} />}
      <FormButtons verb={verb} isDisabled={isDisabled} isBusy={state !== undefined} onCancel={onCancel} />
    </div>
  );
}
