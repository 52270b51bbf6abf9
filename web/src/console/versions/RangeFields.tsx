import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../ui/icons.tsx';

/** Two commits, branches, tags, `HEAD`, `STAGED` or `WORKING`. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

interface RangeProps {
  readonly range: Range;
  /** Names to choose from. */
  readonly refs: readonly string[];
  readonly onChange: (range: Range) => void;
}

/** Asks for the two sides of a comparison. */
export function RangeFields({ range: { from, to }, refs, onChange }: RangeProps): JSX.Element {
  return (
    <>
      <RefField label="From" value={from} refs={refs} onChange={next => onChange({ from: next, to })} />
      <button
        type="button"
        class="button quiet small icon-only"
        aria-label="Swap sides"
        title="Swap sides"
        onClick={() => onChange({ from: to, to: from })}
      >
        <Icon name="compare" class="turned" />
      </button>
      <RefField label="To" value={to} refs={refs} onChange={next => onChange({ from, to: next })} />
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly refs: readonly string[];
  readonly onChange: (value: string) => void;
}

/** Takes any ref; the known ones are offered. */
export function RefField({ label, value, refs, onChange }: FieldProps): JSX.Element {
  const id = useId();
  // What is being typed outlives a new rendering, such as the one at the end of a comparison.
  const draft = useSignal<string | null>(null);
  return (
    <label class="ref-field">
      <span class="muted">{label}</span>
      <input
        class="field mono"
        list={id}
        value={draft.value ?? value}
        title={value}
        spellcheck={false}
        autocomplete="off"
        onFocus={event => event.currentTarget.select()}
        onInput={event => {
          draft.value = event.currentTarget.value;
        }}
        onChange={event => {
          const text = event.currentTarget.value.trim();
          draft.value = null;
          if (text !== '') onChange(text);
        }}
        onBlur={() => {
          draft.value = null;
        }}
      />
      <datalist id={id}>
        {refs.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
