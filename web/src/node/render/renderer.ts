/** Renderers of results: what each format implements. */
import type { Batch, Column } from '../../client/index.ts';
import { csvRenderer } from './csv.ts';
import { jsonRenderer } from './json.ts';
import { tableRenderer } from './table.ts';
import { verticalRenderer } from './vertical.ts';

/** A text as it is shown, such as with its control characters escaped. */
export type Shown = (text: string) => string;
const asItIs: Shown = text => text;

/** Turns one result into text, piece by piece as it streams in. */
export interface Renderer {
  begin(columns: readonly Column[]): string;
  batch(batch: Batch): string;
  end(): string;
}

export const RESULT_FORMS = ['table', 'csv', 'json', 'vertical', 'null'] as const;
export type ResultForm = (typeof RESULT_FORMS)[number];

/** @param shown how texts are shown that are laid out in columns. */
export function newRenderer(form: ResultForm, shown: Shown = asItIs): Renderer {
  switch (form) {
    case 'table':
      return tableRenderer(shown);
    case 'csv':
      return csvRenderer();
    case 'json':
      return jsonRenderer();
    case 'vertical':
      return verticalRenderer(shown);
    case 'null':
      return { begin: () => '', batch: () => '', end: () => '' };
  }
}
