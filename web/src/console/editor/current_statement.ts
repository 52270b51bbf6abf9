import { type EditorState, type Extension, RangeSetBuilder, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { type StatementSpan, splitStatements, statementAt } from '../sql/statement.ts';

interface Marked {
  readonly statements: readonly StatementSpan[];
  readonly current: StatementSpan | undefined;
  readonly decorations: DecorationSet;
}

const line = Decoration.line({ class: 'cm-statement' });
/** Longer scripts (a dump that was pasted here) are split when they run, not at every key. */
const SPLIT_CHARS_MAX = 400_000;

function mark(state: EditorState, known?: readonly StatementSpan[]): Marked {
  const { doc } = state;
  const text = doc.length > SPLIT_CHARS_MAX ? '' : doc.toString();
  const statements = known ?? splitStatements(text);
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

const field = StateField.define<Marked>({
  create: state => mark(state),
  update(value, transaction) {
    if (transaction.docChanged) return mark(transaction.state);
    if (transaction.selection !== undefined) return mark(transaction.state, value.statements);
    return value;
  },
  provide: from => EditorView.decorations.from(from, value => value.decorations),
});

/** Keeps the statement that the cursor means, and marks its lines. */
export const currentStatement: Extension = field;

export function statementUnderCursor(state: EditorState): StatementSpan | undefined {
  return state.field(field).current;
}
