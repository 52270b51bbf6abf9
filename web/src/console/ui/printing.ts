import { signal } from '@preact/signals';

/** The page is on its way to paper: what draws only the part of a list that is in sight draws more of it meanwhile. */
export const isPrinting = signal(false);

window.addEventListener('beforeprint', () => {
  isPrinting.value = true;
});
window.addEventListener('afterprint', () => {
  isPrinting.value = false;
});
