import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field } from '../../ui/form.tsx';
import { AS_TEXT, type WrittenForms } from './written_forms.ts';

const DATES = [
  { id: 'dmy', name: 'Day, month, year' },
  { id: 'mdy', name: 'Month, day, year' },
  { id: AS_TEXT, name: 'Keep as text' },
] as const;

const DECIMALS = [
  { id: ',', name: 'A comma before decimals' },
  { id: '.', name: 'A comma between thousands' },
  { id: AS_TEXT, name: 'Keep as text' },
] as const;

interface FieldsProps {
  readonly forms: WrittenForms;
  readonly isDisabled: boolean;
}

/** Asks what dates and numbers are that can be read in two ways; shows what the first rows tell. */
export function WrittenFormsFields({ forms, isDisabled }: FieldsProps): JSX.Element | null {
  const { found, dates, decimal, isAsked } = forms;
  if (found.dates === undefined && found.decimal === undefined) return null;
  const shared = { isDisabled, isAsked: isAsked.value };
  return (
    <div class="form-row">
      {found.dates !== undefined && (
        <FormField label={`Dates such as ${found.exampleDate}`} options={DATES} chosen={dates} {...shared} />
      )}
      {found.decimal !== undefined && (
        <FormField label={`Numbers such as ${found.exampleNumber}`} options={DECIMALS} chosen={decimal} {...shared} />
      )}
    </div>
  );
}

interface FormFieldProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: T; readonly name: string }[];
  readonly chosen: Signal<T | undefined>;
  readonly isDisabled: boolean;
  readonly isAsked: boolean;
}

function FormField<T extends string>(props: FormFieldProps<T>): JSX.Element {
  const { label, options, chosen, isDisabled, isAsked } = props;
  const isOpen = chosen.value === undefined;
  return (
    <Field label={label} problem={isOpen && isAsked ? 'Ambiguous in the first rows: choose a format' : undefined}>
      {id => (
        <select
          id={id}
          class="field"
          value={chosen.value ?? ''}
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) => {
            chosen.value = options.find(option => option.id === value)?.id;
          }}
        >
          {isOpen && <option value="">Choose …</option>}
          {options.map(option => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
