import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { currentStatement, statementUnderCursor } from './current_statement.ts';

test('in a script of any length the statement at the cursor is what runs', () => {
  for (const count of [3, 50_000]) {
    const doc = `SELECT 1;\n${'SELECT 2;\n'.repeat(count)}`;
    const state = EditorState.create({ doc, selection: { anchor: 12 }, extensions: currentStatement });
    expect(statementUnderCursor(state)).toMatchObject({ from: 10, to: 18 });
  }
});
