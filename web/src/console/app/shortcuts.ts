/** Keyboard shortcuts of commands. */
import { commands } from './commands.ts';
import { dialog } from './dialogs.ts';
import { overlay } from './layout_state.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const KEY_NAMES: Readonly<Record<string, string>> = isMac
  ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↵' }
  : { Mod: 'Ctrl', Enter: 'Enter' };

/** `Mod+Shift+Enter` as the keys are called on this machine. */
export function keyParts(keys: string): readonly string[] {
  return keys.split('+').map(part => KEY_NAMES[part] ?? part);
}

export function keyText(keys: string): string {
  return keyParts(keys).join(isMac ? '' : '+');
}

function matches(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const mod = isMac ? event.metaKey : event.ctrlKey;
  if (mod !== parts.includes('Mod')) return false;
  if (event.shiftKey !== parts.includes('Shift') || event.altKey !== parts.includes('Alt')) return false;
  // With Alt a Mac types another character, so the physical key is asked.
  return event.key.toLowerCase() === key.toLowerCase() || event.code === codeOf(key);
}

const CODES: Readonly<Record<string, string>> = { '[': 'BracketLeft', ']': 'BracketRight', '.': 'Period' };

function codeOf(key: string): string {
  if (/^[A-Z]$/.test(key)) return `Key${key}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return CODES[key] ?? key;
}

/** Runs the command of a pressed key, unless the editor or a dialog has taken it. */
export function onShortcut(event: KeyboardEvent): void {
  if (event.defaultPrevented || overlay.peek() !== undefined || dialog.peek() !== undefined) return;
  for (const command of commands) {
    if (command.keys === undefined || command.isLocal === true || !matches(event, command.keys)) continue;
    event.preventDefault();
    if (command.isEnabled?.() ?? true) command.run();
    return;
  }
}
