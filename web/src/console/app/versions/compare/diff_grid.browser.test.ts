import { signal } from '@preact/signals';
import { h, render } from 'preact';
import { expect, test } from 'vitest';
import '../../../ui/styles/console.css';
import { DiffRows } from '../../../grid/diff/diff_rows.ts';
import { column } from '../../../testing/columns.ts';
import { eventually } from '../../../testing/eventually.ts';
import { lazyBatch } from '../../../testing/fake_batch.ts';
import { DiffGrid, useNarrowing } from './DiffGrid.tsx';

const NAMES = ['to_id', 'to_name', 'to_size', 'from_id', 'from_name', 'from_size', 'diff_type'];
const COLUMNS = NAMES.map(name => column({ name, type: 'longtext', kind: 'text' }));

test('columns in which nothing differs are left out while rows still come, and come when a row has others', async () => {
  const rows = new DiffRows(COLUMNS, new Set(['id']));
  const push = (...values: string[]) => rows.push(lazyBatch(COLUMNS, 1, (_row, index) => values[index] ?? null));
  const source = {
    rows: signal(rows),
    lineCount: signal(0),
    isRunning: signal(true),
    error: signal<string | undefined>(undefined),
  };
  const Shown = () => {
    const { isNarrowed } = useNarrowing(source, 'narrow');
    return h(DiffGrid, { source, label: 'Rows that differ', isNarrowed, nothing: 'No rows differ.' });
  };
  const host = document.createElement('div');
  document.body.append(host);
  render(h(Shown, {}), host);
  const titles = () => Array.from(host.querySelectorAll('.grid-column-name'), title => title.textContent);
  push('1', 'after', 's', '1', 'before', 's', 'modified');
  source.lineCount.value = rows.rowCount;
  await eventually(() => expect(titles()).toEqual(['id', 'name']));
  push('2', 'same', 'large', '2', 'same', 'small', 'modified');
  source.lineCount.value = rows.rowCount;
  await eventually(() => expect(titles()).toEqual(['id', 'name', 'size']));
  render(null, host);
  host.remove();
});
