import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Typing over a selection, done in the editor's state. Left to the browser, the new text is wrapped into an element with
 * a style attribute that repeats the look of what was selected, which the page's Content-Security-Policy then reports.
 */
export const replaceInState: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const isPlain = inputType === 'insertText' && data !== null && !event.isComposing && !view.composing;
    if (!isPlain || view.state.selection.ranges.length > 1) return false;
    const { from, to } = replaced(view);
    if (from === to) return false;
    const { main } = view.state.selection;
    if (main.from !== from || main.to !== to) view.dispatch({ selection: { anchor: from, head: to } });
    const replacement = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    // Other extensions come first, as they do for what the browser types: quotes around a selection, for one.
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some(handle => handle(view, from, to, data, replacement))) view.dispatch(replacement());
    return true;
  },
});

/**
 * What the browser would replace: its own selection. The state hears of a new one only by an event, and text that comes right
 * after a "select all" finds it still without.
 */
function replaced(view: EditorView): { from: number; to: number } {
  // In a shadow tree only its root tells the selection, where it can (Chromium), and `getTargetRanges` is empty.
  const root = view.root as DocumentOrShadowRoot & { getSelection?: () => Selection | null };
  const selection = root.getSelection?.() ?? document.getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || !anchorNode || !focusNode) return view.state.selection.main;
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return view.state.selection.main;
  const anchor = view.posAtDOM(anchorNode, selection.anchorOffset);
  const head = view.posAtDOM(focusNode, selection.focusOffset);
  return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
}
