import { wholeNumber } from '../ui/figures.ts';

/** What the tree on the left shows. Pure. */

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly key: 'primary' | 'unique' | 'index' | 'none';
  /** Default and extras, such as `auto_increment`, as SHOW COLUMNS says them. */
  readonly extra: string;
}

export interface BranchInfo {
  readonly name: string;
  /** Has changes that are not committed. */
  readonly isDirty: boolean;
}

export interface TableInfo {
  readonly name: string;
  readonly isView: boolean;
}

/** A body of statements that is kept beside the tables. */
export interface Program {
  readonly name: string;
  readonly kind: 'procedure' | 'trigger' | 'event';
}

/** The database and branch that statements work on. The branch is empty for a read-only revision or a plain database. */
export interface Place {
  readonly database: string;
  readonly branch: string;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.database === b.database && a.branch === b.branch;
}

const KEYS: Readonly<Record<string, ColumnInfo['key']>> = { PRI: 'primary', UNI: 'unique', MUL: 'index' };

export function keyOf(text: string): ColumnInfo['key'] {
  return KEYS[text] ?? 'none';
}

/** `12`, `4,200`, `51.3k`, `1.2M`: short enough for the tree. */
export function shortCount(count: number): string {
  if (count < 10_000) return wholeNumber(count);
  if (count < 999_500) return `${trimmed(count / 1000)}k`;
  if (count < 999_500_000) return `${trimmed(count / 1_000_000)}M`;
  return `${trimmed(count / 1_000_000_000)}G`;
}

function trimmed(value: number): string {
  return value >= 99.95 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, '');
}
