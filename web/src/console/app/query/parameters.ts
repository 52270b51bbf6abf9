/** The parameters of the statement that would run: their names, their values, and which of them is asked for. */
import { computed, signal } from '@preact/signals';
import { type Filled, filled } from '../../parameters/fill.ts';
import { parametersOf } from '../../parameters/find.ts';
import type { AskedParameter } from '../../parameters/ParameterBar.tsx';
import { rememberedValues, rememberValues } from '../../parameters/remembered.ts';
import type { ParameterValue, ParameterValues } from '../../parameters/value.ts';
import { splitStatements } from '../../sql/lexer.ts';
import { cursor, editor } from './editor_host.ts';
import { type QueryTab, shownTab } from './query_tabs.ts';

/** One that could not run, of a script that is too long to have its statements marked. */
const missed = signal('');

/** The statements at the cursor, or in the selection, that have parameters. */
const asking = computed((): readonly string[] => {
  void cursor.value;
  const text = shownTab.value?.text.value ?? '';
  if (!/[?:]/.test(text)) return [];
  const part = editor.value?.marked ?? (text.includes(missed.value) ? missed.value : '');
  return splitStatements(part)
    .map(({ from, to }) => part.slice(from, to))
    .filter(sql => parametersOf(sql).length > 0);
});

export const parameterNames = computed((): readonly string[] => [
  ...new Set(asking.value.flatMap(sql => parametersOf(sql).map(({ name }) => name))),
]);

/** What was given in the tab, and before that, what the text ran with last. */
function valuesFor(tab: QueryTab, sql: string): ParameterValues {
  return { ...rememberedValues(sql), ...tab.parameters.value };
}

export const parameterValues = computed((): ParameterValues => {
  const tab = shownTab.value;
  if (tab === undefined) return {};
  return Object.assign({}, ...asking.value.map(sql => valuesFor(tab, sql)));
});

export const askedParameter = signal<AskedParameter | undefined>(undefined);

export function giveValue(name: string, value: ParameterValue): void {
  const tab = shownTab.peek();
  if (tab !== undefined) tab.parameters.value = { ...tab.parameters.peek(), [name]: value };
}

/**
 * A statement of a tab with the values of its parameters. Where one is missing the cursor goes to the statement, the focus to
 * the field, and there is nothing to run.
 *
 * @param offset where it begins in the tab's text
 */
export function withValues(tab: QueryTab, sql: string, offset: number): Filled | undefined {
  if (parametersOf(sql).length === 0) return filled(sql, {});
  const values = valuesFor(tab, sql);
  const full = filled(sql, values);
  if (full.missing === undefined) {
    rememberValues(sql, Object.fromEntries(parametersOf(sql).map(({ name }) => [name, values[name] ?? { text: '' }])));
    askedParameter.value = undefined;
    return full;
  }
  if (!asking.peek().includes(sql)) {
    missed.value = sql;
    editor.peek()?.goTo(offset);
  }
  askedParameter.value = { name: full.missing };
  return undefined;
}
