/** A row as commits have it. */
import type { BatchColumn } from '../../../../lib/index.ts';
import { cellView } from '../../../grid/cells.ts';
import { hexDigits } from '../../../grid/viewer/hex.ts';

/** The row as some commits have it: each way once. */
export interface Version {
  readonly cells: readonly { readonly whole: string | null; readonly shown: string | null }[];
}

export interface ChangedCell {
  readonly name: string;
  /** Undefined where that side has no row. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/** Rows of most commits are as those of the commit before: each version is kept once. */
export class Versions {
  readonly #known = new Map<string, Version>();

  of(values: readonly BatchColumn[], row: number): Version {
    const content = JSON.stringify(values.map(column => wholeText(column, row)));
    const known = this.#known.get(content);
    if (known !== undefined) return known;
    const version = versionOf(values, row);
    this.#known.set(content, version);
    return version;
  }
}

export function versionOf(values: readonly BatchColumn[], row: number): Version {
  const cells = values.map(column => {
    const whole = wholeText(column, row);
    return { whole, shown: whole === null ? null : cellView(column, row).text };
  });
  return { cells };
}

function wholeText(column: BatchColumn, row: number): string | null {
  if (column.isNull(row)) return null;
  const value = column.value(row);
  return value instanceof Uint8Array ? hexDigits(value, value.length) : column.text(row);
}
