import type { JSX } from 'preact';
import { counted } from '../ui/figures.ts';
import { lineDiff } from './line_diff.ts';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

interface DefinitionProps {
  readonly before: string;
  readonly after: string;
}

/** Two statements that define a table, line by line. */
export function DefinitionDiff({ before, after }: DefinitionProps): JSX.Element {
  const lines = lineDiff(before, after);
  return (
    <div class="definition mono" role="document" aria-label={`${counted(lines.length, 'line')} of the definition`}>
      {lines.map(({ kind, text }, index) => (
        <div key={index} class={`definition-line ${kind}`}>
          <span aria-hidden="true">{SIGNS[kind]}</span>
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
