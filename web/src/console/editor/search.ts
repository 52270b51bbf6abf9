/** Search in the editor: loaded when it is first asked for. */
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** The panel as the other bars of the page look. */
const look = EditorView.theme({
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '4px 40px 4px 8px', fontFamily: 'var(--font-ui)', fontSize: '12px' },
  '.cm-panel.cm-search :is(input, button, label)': { margin: '2px 6px 2px 0' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    gap: '5px',
    alignItems: 'center',
    marginLeft: '6px',
    height: '24px',
    color: 'var(--ink-2)',
    fontSize: '12px',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search input[type=checkbox]': {
    width: '14px',
    height: '14px',
    margin: '0',
    accentColor: 'var(--accent)',
  },
  '.cm-panel.cm-search :is(.cm-textfield, .cm-button)': {
    height: '24px',
    padding: '0 8px',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    color: 'var(--ink)',
    font: 'inherit',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search .cm-textfield': { width: '220px', maxWidth: '100%', backgroundColor: 'var(--surface)' },
  '.cm-panel.cm-search .cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)', fontWeight: '500' },
  '.cm-panel.cm-search .cm-button:hover': { background: 'linear-gradient(var(--hover), var(--hover)) var(--raised)' },
  '.cm-panel.cm-search :is(input, button):focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '-1px',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '4px',
    right: '8px',
    width: '24px',
    height: '24px',
    margin: '0',
    borderRadius: '4px',
    color: 'var(--ink-2)',
    fontSize: '18px',
    lineHeight: '22px',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search [name=close]:hover': { backgroundColor: 'var(--hover)', color: 'var(--ink)' },
  '.cm-searchMatch': { backgroundColor: 'var(--found)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--found-strong)' },
});

const words = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close the search',
});

export const searchExtension: Extension = [
  search({ top: true }),
  keymap.of(searchKeymap),
  highlightSelectionMatches({ minSelectionLength: 2 }),
  look,
  words,
];

export { openSearchPanel };
