/** The values with which a text ran last, for when it is there again: after a reload, or from the saved queries. */
import { readStoredJson, writeStoredJson } from '../ui/stored.ts';
import type { ParameterValues } from './value.ts';

interface Remembered {
  readonly sql: string;
  readonly values: ParameterValues;
}

const KEY = 'parameters';
const TEXTS_MAX = 60;
/** Longer values are not remembered. */
const CHARS_MAX = 20_000;

function isRemembered(value: unknown): value is Remembered[] {
  return (
    Array.isArray(value) &&
    value.every(
      one =>
        typeof one?.sql === 'string' &&
        typeof one.values === 'object' &&
        one.values !== null &&
        Object.values(one.values).every(given => typeof (given as { text?: unknown } | null)?.text === 'string'),
    )
  );
}

let texts: readonly Remembered[] | undefined;

function all(): readonly Remembered[] {
  texts ??= readStoredJson(KEY, isRemembered) ?? [];
  return texts;
}

export function rememberedValues(sql: string): ParameterValues {
  return all().find(one => one.sql === sql)?.values ?? {};
}

export function rememberValues(sql: string, values: ParameterValues): void {
  const one = { sql, values };
  if (JSON.stringify(one).length > CHARS_MAX) return;
  texts = [one, ...all().filter(other => other.sql !== sql)].slice(0, TEXTS_MAX);
  writeStoredJson(KEY, texts);
}
