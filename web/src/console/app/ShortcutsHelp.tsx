/** The list of keyboard shortcuts. */
import type { JSX } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { commands } from './commands.ts';
import { keyParts } from './shortcuts.ts';

const IN_GRID = [
  { keys: 'Arrows', title: 'Move; with Ctrl to the edge, with Shift select' },
  { keys: 'Mod+F', title: 'Find in results' },
  { keys: 'Mod+A', title: 'Select everything' },
  { keys: 'Mod+Shift+C', title: 'Copy with column names' },
  { keys: 'Enter', title: 'Show the whole value' },
  { keys: 'Shift+F10', title: 'Sort, filter, copy and more' },
  { keys: 'Alt+↑ ↓', title: 'Sort by the column, ascending or descending' },
  { keys: 'Alt+0', title: 'Set to NULL' },
  { keys: 'Mod+Z', title: 'Undo a row edit' },
  { keys: 'Mod+Shift+Z', title: 'Redo' },
  { keys: 'Alt+← →', title: 'Change the width of the column' },
] as const;

const IN_EDITOR = [
  { keys: 'Mod+Space', title: 'Complete' },
  { keys: 'Mod+/', title: 'Comment out' },
  { keys: 'Mod+F', title: 'Search' },
  { keys: 'Escape, Tab', title: 'Leave the editor with the Tab key' },
] as const;

const IN_TABS = [
  { keys: 'F2', title: 'Rename the query' },
  { keys: 'Delete', title: 'Close it' },
] as const;

const IN_COMMITS = [
  { keys: 'Mod+F', title: 'Search commits' },
  { keys: 'Shift+F10', title: 'Branch, tag, revert and more' },
] as const;

const IN_CONFLICTS = [
  { keys: '↑ ↓', title: 'Go from conflict to conflict' },
  { keys: 'O', title: 'Take our row' },
  { keys: 'T', title: 'Take their row' },
  { keys: 'E', title: 'Edit the row' },
] as const;

export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const withKeys = (local: boolean) =>
    commands.flatMap(({ keys, title, isLocal = false }) =>
      keys === undefined || isLocal !== local ? [] : [{ keys, title }],
    );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the dialog is scrolled by keys. */}
      <section class="shortcuts" tabIndex={0} aria-label="Keys">
        <Group title="Everywhere" entries={withKeys(false)} />
        <div>
          <Group title="In the result" entries={[...IN_GRID, ...withKeys(true)]} />
          <Group title="In the editor" entries={IN_EDITOR} />
          <Group title="In the tabs of queries" entries={IN_TABS} />
          <Group title="In the commits" entries={IN_COMMITS} />
          <Group title="In the conflicts of a merge" entries={IN_CONFLICTS} />
        </div>
      </section>
    </Dialog>
  );
}

interface GroupProps {
  readonly title: string;
  readonly entries: readonly { readonly keys: string; readonly title: string }[];
}

function Group({ title, entries }: GroupProps): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {entries.map(entry => (
          <div key={entry.title}>
            <dt>{entry.title}</dt>
            <dd>
              {keyParts(entry.keys).map(part => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
