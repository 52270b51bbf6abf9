import type { JSX } from 'preact';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: T; readonly name: string }[];
  readonly chosen: T | '';
  readonly onChoose: (id: T) => void;
}

/** A few choices side by side, one of them pressed. */
export function Segments<T extends string>({ label, options, chosen, onChoose }: SegmentsProps<T>): JSX.Element {
  return (
    <fieldset class="segments small" aria-label={label}>
      {options.map(({ id, name }) => (
        <button key={id} type="button" class="segment" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
