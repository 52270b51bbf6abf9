/** The theme: system, light or dark. */
import { effect, signal } from '@preact/signals';
import { readStored, writeStored } from '../ui/stored.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function isTheme(text: string | null): text is Theme {
  return THEMES.some(theme => theme === text);
}

const kept = readStored('theme');

/** `auto` follows the system. */
export const theme = signal<Theme>(isTheme(kept) ? kept : 'auto');

effect(() => {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  writeStored('theme', theme.value);
});

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}
