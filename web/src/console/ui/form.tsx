import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FormProps {
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}

/** What a dialog asks for. Enter in a field submits it as its button does. */
export function Form({ onSubmit, children }: FormProps): JSX.Element {
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault();
        if (event.currentTarget.querySelector('[type="submit"][aria-disabled="true"]') === null) void onSubmit();
      }}
    >
      {children}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
  readonly hint?: string;
  readonly children: (id: string) => ComponentChildren;
}

/** A control with its name above, and below what is wrong or what it is for. */
export function Field({ label, problem, hint, children }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {children(id)}
      {problem !== undefined ? (
        <p class="form-problem" role="alert">
          {problem}
        </p>
      ) : (
        hint !== undefined && <p class="muted">{hint}</p>
      )}
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Check({ label, hint, isChecked, isDisabled = false, onChange }: CheckProps): JSX.Element {
  return (
    <label class="form-check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
      {hint !== undefined && <span class="muted">{hint}</span>}
    </label>
  );
}

interface ButtonsProps {
  readonly verb: string;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  /** What it does was given up, and has not ended. */
  readonly isCancelled?: boolean;
  readonly onCancel: () => void;
}

/** At the end of a form: what it does, and the way out. */
export function FormButtons(props: ButtonsProps): JSX.Element {
  const { verb, isDisabled = false, isBusy = false, isCancelled = false, onCancel } = props;
  return (
    <div class="form-buttons">
      <button type="button" class="button" aria-disabled={isCancelled} onClick={onCancel}>
        {isCancelled ? 'Cancelling…' : 'Cancel'}
      </button>
      {/* While it works it keeps the focus, which a disabled button loses. */}
      <button type="submit" class="button primary" disabled={isDisabled} aria-disabled={isBusy}>
        {isBusy && <span class="spinner" />}
        {verb}
      </button>
    </div>
  );
}
