import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Typing over a selection, done in the editor's state. Left to the browser, the new text is wrapped into an element with
 * a style attribute that repeats the look of what was selected, which the page's Content-Security-Policy then reports.
 */
export const replaceInState: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const { from, to, empty } = view.state.selection.main;
    const isPlain = inputType === 'insertText' && data !== null && !event.isComposing && !view.composing;
    if (!isPlain || empty || view.state.selection.ranges.length > 1) return false;
    const replacement = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    // Other extensions come first, as they do for what the browser types: quotes around a selection, for one.
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some(handle => handle(view, from, to, data, replacement))) view.dispatch(replacement());
    return true;
  },
});
