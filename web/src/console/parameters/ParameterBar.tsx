import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { parameterLabel } from './find.ts';
import {
  NO_VALUE,
  type ParameterType,
  type ParameterValue,
  type ParameterValues,
  typeOf,
  valueProblem,
} from './value.ts';

const TYPES: readonly { readonly id: ParameterType; readonly name: string }[] = [
  { id: 'text', name: 'Text' },
  { id: 'number', name: 'Number' },
  { id: 'bytes', name: 'Bytes' },
  { id: 'null', name: 'NULL' },
];

/** The statement was run before this parameter had a value. */
export interface AskedParameter {
  readonly name: string;
}

interface BarProps {
  readonly names: readonly string[];
  readonly values: ParameterValues;
  readonly asked: AskedParameter | undefined;
  readonly onChange: (name: string, value: ParameterValue) => void;
  readonly onRun: () => void;
  readonly onLeave: () => void;
}

/** Below a text: a field for each of its parameters. Enter runs it, Escape goes back to the text. */
export function ParameterBar({ names, values, asked, onChange, onRun, onLeave }: BarProps): JSX.Element {
  return (
    <form
      class="parameter-bar"
      aria-label="Parameters"
      onSubmit={event => {
        event.preventDefault();
        onRun();
      }}
      onKeyDown={event => {
        const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
        if (event.key === 'Escape') onLeave();
        else if (isRun) onRun();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {names.map(name => (
        <ParameterField
          key={name}
          name={name}
          value={values[name] ?? NO_VALUE}
          asked={asked?.name === name ? asked : undefined}
          onChange={value => onChange(name, value)}
        />
      ))}
      {asked !== undefined && names.includes(asked.name) && (
        <p class="parameter-problem" role="alert">
          {valueProblem(values[asked.name] ?? NO_VALUE)}
        </p>
      )}
      <button type="submit" hidden />
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: ParameterValue;
  readonly asked: AskedParameter | undefined;
  readonly onChange: (value: ParameterValue) => void;
}

const CHARS_LEAST = 8;
const CHARS_MOST = 40;

function ParameterField({ name, value, asked, onChange }: FieldProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const label = parameterLabel(name);
  const type = typeOf(value);
  const problem = valueProblem(value);
  // A field in which nothing was typed is not wrong before it is needed.
  const isWrong = problem !== undefined && (asked !== undefined || value.text !== '');
  // At once: what is typed right after the run belongs into the field.
  useLayoutEffect(() => {
    if (asked !== undefined) field.current?.focus();
  }, [asked]);
  const chars = Math.min(CHARS_MOST, Math.max(CHARS_LEAST, value.text.length + 1));
  return (
    <div class={isWrong ? 'parameter wrong' : 'parameter'} title={isWrong ? problem : undefined}>
      <span class="parameter-name mono truncate">{label}</span>
      <input
        ref={field}
        class="mono"
        aria-label={label}
        aria-invalid={isWrong}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        style={{ width: `${chars}ch` }}
        disabled={type === 'null'}
        placeholder={type === 'null' ? 'NULL' : type === 'text' && value.type === 'text' ? 'empty' : 'value'}
        value={type === 'null' ? '' : value.text}
        onInput={event => onChange({ ...value, text: event.currentTarget.value })}
      />
      <select
        aria-label={`Type of ${label}`}
        value={type}
        onChange={event => onChange({ ...value, type: event.currentTarget.value as ParameterType })}
      >
        {TYPES.map(({ id, name: typeName }) => (
          <option key={id} value={id} selected={id === type}>
            {typeName}
          </option>
        ))}
      </select>
    </div>
  );
}
