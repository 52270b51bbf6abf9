import { effect, signal } from '@preact/signals';
import type { RegionMode } from '../../../lib/index.ts';
import { readStored, storedNumber, writeStored } from '../../ui/stored.ts';

/** How files are read. They hold from the next opening on. */
export const MODES: readonly { readonly id: RegionMode; readonly name: string; readonly meaning: string }[] = [
  { id: 'mmap', name: 'mmap', meaning: 'Keeps pages in memory, up to the limit' },
  { id: 'mmap-index', name: 'mmap-index', meaning: 'Keeps only index pages in memory' },
  { id: 'pread', name: 'pread', meaning: 'Keeps nothing: every access reads the file' },
];

const MEBIBYTE = 1024 * 1024;
export const BUDGETS_BYTES = [32, 64, 128, 256, 512, 1024].map(size => size * MEBIBYTE);
const DEFAULT_BUDGET_BYTES = 128 * MEBIBYTE;

const keptMode = readStored('mode');

export const openMode = signal<RegionMode>(MODES.find(({ id }) => id === keptMode)?.id ?? 'mmap');
export const openBudgetBytes = signal(storedNumber.read('budget', DEFAULT_BUDGET_BYTES));

effect(() => writeStored('mode', openMode.value));
effect(() => storedNumber.write('budget', openBudgetBytes.value));
