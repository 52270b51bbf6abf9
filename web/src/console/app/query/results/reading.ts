import type { GridRows } from '../../../grid/rows.ts';
import { outlineOf } from '../../../sql/lexer.ts';

/** An answer that is read as something else than rows. */
export type Reading = { readonly kind: 'plan' } | { readonly kind: 'definition'; readonly text: string };

const DEFINITION_COLUMN = /^(Create |SQL Original Statement$)/;

/** @param pages as far as they have come */
export function readingOf(sql: string, pages: GridRows): Reading | undefined {
  const { columns } = pages;
  if (columns.length === 1 && columns[0]?.name === 'plan') return { kind: 'plan' };
  if (pages.rowCount !== 1) return undefined;
  const { verb, second } = outlineOf(sql);
  if (verb !== 'SHOW' || second !== 'CREATE') return undefined;
  const text = pages.text(
    0,
    columns.findIndex(({ name }) => DEFINITION_COLUMN.test(name)),
  );
  return typeof text === 'string' ? { kind: 'definition', text } : undefined;
}
