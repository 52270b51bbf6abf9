import { type ReadonlySignal, signal } from '@preact/signals';

/** Whether a media query holds, from now on. */
export function matched(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const found = signal(list.matches);
  list.addEventListener('change', event => {
    found.value = event.matches;
  });
  return found;
}
