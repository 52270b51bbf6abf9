import { type EditorState, type Extension, RangeSetBuilder, StateField, type Transaction } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { type StatementSpan, splitStatements } from '../sql/lexer.ts';
import { resplitStatements, statementAt, type TextChange } from '../sql/statement.ts';

interface Marked {
  readonly statements: readonly StatementSpan[];
  readonly current: StatementSpan | undefined;
  readonly decorations: DecorationSet;
}

const line = Decoration.line({ class: 'cm-statement' });
/** Longer scripts (a dump that was pasted here) are split when they run, not at every key. */
const SPLIT_CHARS_MAX = 400_000;

function textOf({ doc }: EditorState): string {
  return doc.length > SPLIT_CHARS_MAX ? '' : doc.toString();
}

function mark(state: EditorState, text: string, statements: readonly StatementSpan[]): Marked {
  const { doc } = state;
  const current = statementAt(statements, state.selection.main.head, text);
  const decorations = new RangeSetBuilder<Decoration>();
  if (current !== undefined) {
    const last = doc.lineAt(current.to).number;
    for (let number = doc.lineAt(current.from).number; number <= last; number += 1) {
      const { from } = doc.line(number);
      decorations.add(from, from, line);
    }
  }
  return { statements, current, decorations: decorations.finish() };
}

/** All that is between the first change and the last one counts as changed. */
function changeOf({ changes }: Transaction): TextChange {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  changes.iterChangedRanges((fromOld, _toOld, _fromNew, toNew) => {
    from = Math.min(from, fromOld);
    to = Math.max(to, toNew);
  });
  return { from, to, delta: changes.newLength - changes.length };
}

const field = StateField.define<Marked>({
  create: state => {
    const text = textOf(state);
    return mark(state, text, splitStatements(text));
  },
  update(value, transaction) {
    const { state, docChanged, selection } = transaction;
    if (!docChanged && selection === undefined) return value;
    const text = textOf(state);
    if (!docChanged) return mark(state, text, value.statements);
    // A text that was too long until now was not split.
    const isKnown = transaction.startState.doc.length <= SPLIT_CHARS_MAX && text !== '';
    const statements = isKnown
      ? resplitStatements(value.statements, text, changeOf(transaction))
      : splitStatements(text);
    return mark(state, text, statements);
  },
  provide: from => EditorView.decorations.from(from, value => value.decorations),
});

/** Keeps the statement that the cursor means, and marks its lines. */
export const currentStatement: Extension = field;

/** The one that is marked; none in a script that is too long to be split at every key. */
export function markedStatement(state: EditorState): StatementSpan | undefined {
  return state.field(field).current;
}

/** The one to run, however long the script is. */
export function statementUnderCursor(state: EditorState): StatementSpan | undefined {
  if (state.doc.length <= SPLIT_CHARS_MAX) return markedStatement(state);
  const text = state.doc.toString();
  return statementAt(splitStatements(text), state.selection.main.head, text);
}
