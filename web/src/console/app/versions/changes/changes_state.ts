/** What the list of changes shows. */
import { signal } from '@preact/signals';
import type { Selected } from '../../../versions/selection.ts';

/** The table that somebody chose: it may be gone from the list, or in another group, by now. */
export const chosenChange = signal<Selected | undefined>(undefined);
