import type { JSX } from 'preact';
import { counted, wholeNumber } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { type Selected, sameSelection } from './selection.ts';
import type { TableTrouble } from './status.ts';

interface TroubleProps {
  readonly troubles: readonly TableTrouble[];
  readonly selected: Selected | undefined;
  readonly onSelect: (selected: Selected) => void;
}

/** Tables that a merge left to be resolved. */
export function TroubleGroup({ troubles, selected, onSelect }: TroubleProps): JSX.Element | null {
  if (troubles.length === 0) return null;
  return (
    <section class="change-group" aria-label="To resolve">
      <div class="change-group-head">
        <h3>
          To resolve <span class="muted figures">{wholeNumber(troubles.length)}</span>
        </h3>
      </div>
      <ul>
        {troubles.map(trouble => {
          const own: Selected = { group: 'trouble', table: trouble.table };
          const isSelected = sameSelection(own, selected);
          return (
            <li key={trouble.table} class={isSelected ? 'change-line is-selected' : 'change-line'}>
              <button type="button" class="change-main" aria-current={isSelected} onClick={() => onSelect(own)}>
                <span class="kind-mark trouble">
                  <Icon name="warning" />
                </span>
                <span class="change-name truncate" title={trouble.table}>
                  {trouble.table}
                </span>
                <span class="change-counts figures">{wordsOf(trouble)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function wordsOf({ conflicts, violations, isOfSchema }: TableTrouble): string {
  const parts = [
    conflicts > 0 ? counted(conflicts, 'conflict') : '',
    isOfSchema ? 'schema conflict' : '',
    violations > 0 ? counted(violations, 'violation') : '',
  ];
  return parts.filter(part => part !== '').join(', ');
}
