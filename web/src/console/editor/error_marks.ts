import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** A place in the document that the engine complained about. */
export interface ErrorMark {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const set = StateEffect.define<readonly ErrorMark[]>();

function decorationsOf(marks: readonly ErrorMark[], length: number): DecorationSet {
  // A place may lie behind the end of a document that has become shorter since it ran.
  const ranges = marks.flatMap(({ from, to, message }) => {
    const start = Math.min(from, length - 1);
    const end = Math.min(Math.max(to, start + 1), length);
    if (start < 0 || end <= start) return [];
    return [Decoration.mark({ class: 'cm-error', attributes: { title: message } }).range(start, end)];
  });
  return Decoration.set(ranges, true);
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let marks = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(set)) marks = decorationsOf(effect.value, transaction.newDoc.length);
    }
    return marks;
  },
  provide: from => EditorView.decorations.from(from),
});

/** Underlines errors until the next run; marks move with the text around them. */
export const errorMarks: Extension = field;

export function showErrorMarks(view: EditorView, marks: readonly ErrorMark[]): void {
  view.dispatch({ effects: set.of(marks) });
}
