/**
 * A small shop with history, as deterministic data. Values are worked out from the row's number, so the million rows of
 * `readings` cost nothing.
 */
import type { Column, JsonValue, Value } from '../../lib/index.ts';
import { column } from './columns.ts';

export interface FakeTable {
  readonly name: string;
  readonly isView: boolean;
  readonly rowCount: number;
  readonly columns: readonly Column[];
  at(row: number, column: number): Value;
}

const FIRST = ['Ada', 'Björn', 'Chidi', 'Dana', 'Élodie', 'Farid', 'Grete', 'Hana', 'Ines', 'Jun', 'Katya', 'Luís'];
const LAST = ['Abara', 'Berg', 'Castillo', 'Dvořák', 'Ekström', 'Fischer', 'Greene', 'Haddad', 'Ito', 'Jansen'];
const CITIES = ['Oslo', 'Lagos', 'Kyoto', 'Lima', 'Brno', 'Cork', 'Porto', 'Graz'];
const STATES = ['new', 'paid', 'packed', 'sent', 'returned'];
const GOODS = ['Walnut desk', 'Desk lamp', 'Notebook A5', 'Ink, blue-black', 'Chair No. 14', 'Paper, 80 g'];

/** A number from 0 up to `below`, the same at every call. */
function mix(row: number, salt: number, below: number): number {
  let hash = (row + 1) * 0x9e3779b1 + salt * 0x85ebca6b;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) % below;
}

function pick(list: readonly string[], row: number, salt: number): string {
  return list[mix(row, salt, list.length)] ?? '';
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function dateOf(row: number, salt: number): string {
  return `20${two(19 + mix(row, salt, 7))}-${two(1 + mix(row, salt + 1, 12))}-${two(1 + mix(row, salt + 2, 28))}`;
}

function timeOf(row: number, salt: number): string {
  return `${two(mix(row, salt, 24))}:${two(mix(row, salt + 1, 60))}:${two(mix(row, salt + 2, 60))}`;
}

type Made = readonly [Partial<Column>, (row: number) => Value];

function table(name: string, rowCount: number, made: readonly Made[], isView = false): FakeTable {
  const columns = made.map(([parts]) =>
    column({ database: 'shop', table: name, originalName: parts.name ?? '', ...parts }),
  );
  return { name, isView, rowCount, columns, at: (row, index) => made[index]?.[1](row) ?? null };
}

const id: Made = [{ name: 'id', type: 'int', kind: 'int', nullable: false, primaryKey: true }, row => row + 1];

function profile(row: number): JsonValue {
  if (row % 5 === 0) return null;
  return { city: pick(CITIES, row, 7), tags: ['a', 'b'].slice(0, mix(row, 8, 3)), score: mix(row, 9, 100) / 10 };
}

export const FAKE_TABLES: readonly FakeTable[] = [
  table('customers', 4200, [
    id,
    [{ name: 'name', type: 'varchar(120)', nullable: false }, row => `${pick(FIRST, row, 1)} ${pick(LAST, row, 2)}`],
    [
      { name: 'email', type: 'varchar(255)' },
      row => (row % 9 === 4 ? null : row % 31 === 7 ? 'NULL' : row % 17 === 3 ? '' : `user${row + 1}@example.org`),
    ],
    [{ name: 'born', type: 'date', kind: 'date' }, row => (row % 7 === 5 ? null : dateOf(row, 20))],
    [
      { name: 'balance', type: 'decimal(12,2)', kind: 'decimal', decimals: 2 },
      row => (mix(row, 3, 900000) / 100 - 900).toFixed(2),
    ],
    [{ name: 'profile', type: 'json', kind: 'json' }, profile],
    [
      { name: 'created_at', type: 'datetime(6)', kind: 'datetime' },
      row => `${dateOf(row, 30)} ${timeOf(row, 40)}.${mix(row, 4, 1000000)}`,
    ],
  ]),
  table('orders', 51_340, [
    [
      { name: 'id', type: 'bigint unsigned', kind: 'int', primaryKey: true, unsigned: true },
      row => 9007199254740993n + BigInt(row),
    ],
    [{ name: 'customer_id', type: 'int', kind: 'int', nullable: false }, row => 1 + mix(row, 50, 4200)],
    [
      { name: 'state', type: "enum('new','paid','packed','sent','returned')", kind: 'enum' },
      row => pick(STATES, row, 51),
    ],
    [
      { name: 'total', type: 'decimal(10,2)', kind: 'decimal', decimals: 2 },
      row => (mix(row, 52, 250000) / 100).toFixed(2),
    ],
    [{ name: 'placed_at', type: 'timestamp', kind: 'datetime' }, row => `${dateOf(row, 60)} ${timeOf(row, 65)}`],
    [
      { name: 'remark', type: 'text' },
      row =>
        row % 3 === 0
          ? null
          : `Leave at the door.\nRing twice, order ${row + 1}. ${'Handle with care. '.repeat(mix(row, 53, 8))}`,
    ],
  ]),
  table('order_lines_with_a_rather_long_table_name_that_must_be_clipped', 148_022, [
    [
      { name: 'order_id', type: 'bigint unsigned', kind: 'int', primaryKey: true, unsigned: true },
      row => BigInt(row >> 1),
    ],
    [{ name: 'line_number', type: 'smallint', kind: 'int', primaryKey: true }, row => row % 2],
    [{ name: 'product_id', type: 'int', kind: 'int' }, row => 1 + mix(row, 70, 240)],
    [{ name: 'quantity', type: 'smallint unsigned', kind: 'int', unsigned: true }, row => 1 + mix(row, 71, 12)],
  ]),
  table('products', 240, [
    id,
    [{ name: 'title', type: 'varchar(200)' }, row => pick(GOODS, row, 80)],
    [
      { name: 'price', type: 'decimal(8,2)', kind: 'decimal', decimals: 2 },
      row => (1 + mix(row, 81, 90000) / 100).toFixed(2),
    ],
    [
      { name: 'photo', type: 'longblob', kind: 'binary' },
      row => (row % 4 === 0 ? null : Uint8Array.from({ length: 8 + mix(row, 82, 3000) }, (_, at) => mix(at, row, 256))),
    ],
    [
      { name: 'place', type: 'point', kind: 'geometry' },
      row => Uint8Array.from({ length: 25 }, (_, at) => mix(at, row + 1, 256)),
    ],
  ]),
  table('readings', 1_000_000, [
    [{ name: 'id', type: 'bigint', kind: 'int', nullable: false, primaryKey: true }, row => BigInt(row + 1)],
    [{ name: 'sensor', type: 'smallint unsigned', kind: 'int', unsigned: true }, row => mix(row, 90, 400)],
    [{ name: 'taken_at', type: 'datetime', kind: 'datetime' }, row => `${dateOf(row, 91)} ${timeOf(row, 94)}`],
    [{ name: 'celsius', type: 'double', kind: 'float' }, row => mix(row, 97, 40000) / 1000 - 8],
    [{ name: 'flags', type: 'bit(8)', kind: 'bit' }, row => Uint8Array.of(mix(row, 98, 256))],
    [{ name: 'note', type: 'varchar(64)' }, row => (row % 4 === 0 ? `calibrated by ${pick(FIRST, row, 99)}` : null)],
  ]),
  table('order', 12, [id, [{ name: 'select', type: 'varchar(20)' }, row => `odd name ${row}`]]),
  table('sensors', 0, [id, [{ name: 'label', type: 'varchar(40)' }, () => '']]),
  table('best_customers', 25, [id, [{ name: 'name', type: 'varchar(120)' }, row => pick(LAST, row, 5)]], true),
];

export const FAKE_BRANCHES = ['main', 'feature/loyalty-programme', 'stock-2025', 'hotfix'] as const;

export interface FakeCommit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly date: string;
  readonly message: string;
  readonly refs: string;
}

const MESSAGES = [
  'Import readings of the week',
  'Correct the prices of paper and ink',
  'Add the loyalty programme\n\nCustomers collect points with every order. The rules are in the column `profile`.',
  'Remove returned orders older than two years',
  'Load customers from the spring fair',
  'Index orders by customer',
  "Merge branch 'stock-2025'",
  'Round totals to cents, as the tax office wants it, and say in the message why this was necessary at all',
];

function hashOf(number: number): string {
  const letters = '0123456789abcdefghijklmnopqrstuv';
  return Array.from({ length: 32 }, (_, at) => letters[mix(number, 200 + at, 32)]).join('');
}

const COMMITS = 320;

/** Newest first. Every eighth commit merges a side branch of two commits. */
export const FAKE_LOG: readonly FakeCommit[] = Array.from({ length: COMMITS }, (_, index) => {
  const isMerge = index % 8 === 1 && index < COMMITS - 8;
  const isSide = index % 8 === 3 && index < COMMITS - 8;
  const next = index % 8 === 2 && index < COMMITS - 8 ? index + 2 : index + 1;
  const parents = index === COMMITS - 1 ? [] : [hashOf(isSide ? index + 3 : next)];
  if (isMerge) parents.push(hashOf(index + 2));
  const refs =
    index === 0
      ? 'HEAD -> main'
      : index === 3
        ? 'stock-2025'
        : index === 12
          ? 'tag: v2.4'
          : index === 60
            ? 'tag: v2.3, hotfix'
            : '';
  return {
    hash: hashOf(index),
    parents,
    author: `${pick(FIRST, index, 300)} ${pick(LAST, index, 301)}`,
    date: `2025-${two(12 - Math.floor(index / 28))}-${two(28 - (index % 28))} ${timeOf(index, 302)}`,
    message: isMerge ? (MESSAGES[6] ?? '') : (MESSAGES[mix(index, 303, 6)] ?? ''),
    refs,
  };
});
