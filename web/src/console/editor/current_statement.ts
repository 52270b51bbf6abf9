import { type EditorState, type Extension, RangeSetBuilder, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { type StatementSpan, splitStatements } from '../sql/lexer.ts';
import { statementAt } from '../sql/statement.ts';

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

const field = StateField.define<Marked>({
  create: state => {
    const text = textOf(state);
    return mark(state, text, splitStatements(text));
  },
  update(value, transaction) {
    const { state, docChanged, selection } = transaction;
    if (!docChanged && selection === undefined) return value;
    const text = textOf(state);
    return mark(state, text, docChanged ? splitStatements(text) : value.statements);
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
