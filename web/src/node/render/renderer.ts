import type { Batch, Column } from '../../client/index.ts';
import { csvRenderer } from './csv.ts';
import { jsonRenderer } from './json.ts';
import { tableRenderer } from './table.ts';
import { verticalRenderer } from './vertical.ts';

/** Turns one result into text, piece by piece as it streams in. */
export interface Renderer {
  begin(columns: readonly Column[]): string;
  batch(batch: Batch): string;
  end(): string;
}

export const RESULT_FORMS = ['table', 'csv', 'json', 'vertical', 'null'] as const;
export type ResultForm = (typeof RESULT_FORMS)[number];

export function newRenderer(form: ResultForm): Renderer {
  switch (form) {
    case 'table':
      return tableRenderer();
    case 'csv':
      return csvRenderer();
    case 'json':
      return jsonRenderer();
    case 'vertical':
      return verticalRenderer();
    case 'null':
      return { begin: () => '', batch: () => '', end: () => '' };
  }
}
