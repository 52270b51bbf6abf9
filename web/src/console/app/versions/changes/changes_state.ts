/** What the list of changes shows. */
import { signal } from '@preact/signals';
import type { Selected } from '../../../versions/selection.ts';

/** The selected table: it may have left the list, or be in another group, by now. */
export const chosenChange = signal<Selected | undefined>(undefined);
