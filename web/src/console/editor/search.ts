/** Search in the editor: loaded when it is first asked for. */
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';

export const searchExtension: Extension = [
  search({ top: true }),
  keymap.of(searchKeymap),
  highlightSelectionMatches({ minSelectionLength: 2 }),
];

export { openSearchPanel };
