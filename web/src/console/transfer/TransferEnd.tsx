import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
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
  /** Breaks off what runs, which may take a moment to end, or closes the dialog. */
  readonly onCancel: () => void;
}

/** The lower end of a form that imports or exports: what went wrong, how far it is, the buttons. */
export function TransferEnd({ verb, failure, children, state, isDisabled, onCancel }: TransferEndProps): JSX.Element {
  const isRunning = state !== undefined;
  const isCancelled = useSignal(false);
  useEffect(() => {
    isCancelled.value = false;
  }, [isRunning]);
  const cancel = () => {
    isCancelled.value = isRunning;
    onCancel();
  };
  return (
    <div class="form-end">
      {failure !== undefined && (
        <p class="form-problem" role="alert">
          {failure}
        </p>
      )}
      {children}
      {state !== undefined && <TransferProgressBar state={state} />}
      <FormButtons
        verb={verb}
        isDisabled={isDisabled}
        isBusy={isRunning}
        isCancelled={isCancelled.value}
        onCancel={cancel}
      />
    </div>
  );
}
