import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands';
import { sql } from '@codemirror/lang-sql';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { Completions } from '../../lib/index.ts';
import { formatScript } from '../sql/format.ts';
import { type SchemaNames, suggest } from './completion.ts';
import { currentStatement, markedStatement, statementUnderCursor } from './current_statement.ts';
import { doltDialect } from './dialect.ts';
import { type ErrorMark, errorMarks, showErrorMarks } from './error_marks.ts';
import { replaceInState } from './replace.ts';
import { editorTheme } from './theme.ts';

export type RunScope = 'statement' | 'all' | 'explain';

export interface EditorEvents {
  readonly onText: (text: string) => void;
  readonly onRun: (scope: RunScope) => void;
  /** Line and column, from 1. */
  readonly onCursor: (line: number, column: number) => void;
  readonly schema: () => Promise<SchemaNames>;
  /** The engine's completion service. */
  readonly complete: (sql: string, at: number) => Promise<Completions>;
}

/** A piece of the document that was asked to run. */
export interface ScriptPart {
  readonly text: string;
  /** Where it begins in the document. */
  readonly offset: number;
}

export type { ErrorMark };

const NO_EXTENSION: Extension = [];

/**
 * The SQL editor. It lives in a shadow tree because CodeMirror then uses constructed style sheets, which the page's
 * Content-Security-Policy allows, instead of style elements, which it does not.
 */
export class SqlEditor {
  readonly #view: EditorView;
  readonly #events: EditorEvents;
  /** States of documents that are not shown, with their undo history. */
  readonly #states = new Map<string, EditorState>();
  #shown = '';
  readonly #search = new Compartment();
  #searchExtension: Extension = NO_EXTENSION;
  readonly #wrapping = new Compartment();
  #wrappingExtension: Extension = NO_EXTENSION;

  /** @param first the document that is shown at first */
  constructor(host: HTMLElement, events: EditorEvents, first?: { readonly id: string; readonly text: string }) {
    this.#events = events;
    this.#shown = first?.id ?? '';
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const frame = document.createElement('div');
    frame.style.height = '100%';
    root.replaceChildren(frame);
    this.#view = new EditorView({ parent: frame, root, state: this.#stateOf(first?.text ?? '') });
  }

  destroy(): void {
    this.#view.destroy();
  }

  focus(): void {
    this.#view.focus();
  }

  /** Shows a document. One that was shown before comes back with its cursor and undo history. */
  show(id: string, text: string): void {
    if (id === this.#shown) {
      if (this.#view.state.doc.toString() !== text) this.replace(text);
      return;
    }
    if (this.#shown !== '') this.#states.set(this.#shown, this.#view.state);
    this.#shown = id;
    const kept = this.#states.get(id);
    this.#view.setState(kept !== undefined && kept.doc.toString() === text ? kept : this.#stateOf(text));
    // A state that was kept has them as they were then.
    const now = [this.#search.reconfigure(this.#searchExtension), this.#wrapping.reconfigure(this.#wrappingExtension)];
    this.#view.dispatch({ effects: now });
    this.#reportCursor();
  }

  /** Whether long lines are broken where the editor ends. */
  wrap(isWrapped: boolean): void {
    this.#wrappingExtension = isWrapped ? EditorView.lineWrapping : NO_EXTENSION;
    this.#view.dispatch({ effects: this.#wrapping.reconfigure(this.#wrappingExtension) });
  }

  forget(id: string): void {
    this.#states.delete(id);
  }

  /** Replaces the shown document, as one step that can be undone. */
  replace(text: string): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ changes: { from: 0, to: length, insert: text }, selection: { anchor: text.length } });
  }

  /** Lays the selected statements out, or all of them, as one step that can be undone. */
  format(): void {
    const { state } = this.#view;
    const { from, to, empty } = state.selection.main;
    const [start, end] = empty ? [0, state.doc.length] : [from, to];
    const before = state.sliceDoc(start, end);
    const after = formatScript(before);
    this.focus();
    if (after === before) return;
    // The cursor stays in its line's statement, as near as the same share of the text is.
    const anchor = empty ? start + Math.round(((from - start) / Math.max(1, before.length)) * after.length) : start;
    const selection = empty ? { anchor } : { anchor, head: start + after.length };
    const changes = { from: start, to: end, insert: after };
    this.#view.dispatch({ changes, selection, scrollIntoView: true, annotations: isolateHistory.of('full') });
  }

  /** Puts text where the cursor is. */
  insert(text: string): void {
    this.#view.dispatch(this.#view.state.replaceSelection(text));
    this.focus();
  }

  /** The selection, or the statement that the cursor means, or everything. */
  part(scope: RunScope): ScriptPart {
    const { state } = this.#view;
    const { from, to, empty } = state.selection.main;
    if (scope === 'all') return { text: state.doc.toString(), offset: 0 };
    if (!empty) return { text: state.sliceDoc(from, to), offset: from };
    const statement = statementUnderCursor(state);
    if (statement === undefined) return { text: '', offset: 0 };
    return { text: state.sliceDoc(statement.from, statement.to), offset: statement.from };
  }

  /** The selection, or the statement that is marked; undefined where none is. */
  get marked(): string | undefined {
    const { state } = this.#view;
    const { from, to, empty } = state.selection.main;
    const span = empty ? markedStatement(state) : { from, to };
    return span && state.sliceDoc(span.from, span.to);
  }

  /** Underlines errors. */
  markErrors(marks: readonly ErrorMark[]): void {
    showErrorMarks(this.#view, marks);
  }

  /** Puts another text in the place of one, if it is still there. */
  correct(from: number, before: string, after: string): boolean {
    const to = from + before.length;
    if (this.#view.state.sliceDoc(from, to) !== before) return false;
    // What comes on a line below is not what was corrected.
    const selection = { anchor: from + after.trimEnd().length };
    this.#view.dispatch({ changes: { from, to, insert: after }, selection, scrollIntoView: true });
    this.focus();
    return true;
  }

  goTo(position: number): void {
    const anchor = Math.min(position, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.focus();
  }

  /** True when search is not loaded yet and this takes the key. */
  #openSearch(): boolean {
    if (this.#searchExtension !== NO_EXTENSION) return false;
    void import('./search.ts').then(({ searchExtension, openSearchPanel }) => {
      this.#searchExtension = searchExtension;
      this.#view.dispatch({ effects: this.#search.reconfigure(searchExtension) });
      openSearchPanel(this.#view);
    });
    return true;
  }

  #reportCursor(): void {
    const { head } = this.#view.state.selection.main;
    const line = this.#view.state.doc.lineAt(head);
    this.#events.onCursor(line.number, head - line.from + 1);
  }

  #stateOf(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions() });
  }

  #extensions(): Extension {
    const run = (scope: RunScope) => () => {
      // Or what is offered would lie over the result.
      closeCompletion(this.#view);
      this.#events.onRun(scope);
      return true;
    };
    return [
      Prec.highest(
        keymap.of([
          { key: 'Mod-Enter', run: run('statement') },
          { key: 'Mod-Shift-Enter', run: run('all') },
          { key: 'Mod-Alt-Enter', run: run('explain') },
          { key: 'Tab', run: acceptCompletion },
          { key: 'Mod-f', run: () => this.#openSearch() },
        ]),
      ),
      lineNumbers(),
      highlightActiveLineGutter(),
      history(),
      drawSelection(),
      EditorState.allowMultipleSelections.of(true),
      indentUnit.of('  '),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false, override: [context => this.#complete(context)] }),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(binding => binding.key !== 'Mod-k'),
        ...historyKeymap,
        ...completionKeymap,
        indentWithTab,
      ]),
      sql({ dialect: doltDialect }),
      currentStatement,
      errorMarks,
      replaceInState,
      this.#search.of(this.#searchExtension),
      this.#wrapping.of(this.#wrappingExtension),
      editorTheme,
      placeholder('SELECT …'),
      EditorView.contentAttributes.of({
        'aria-label': 'SQL editor',
        // It takes the focus by itself, which not every tool that looks at the page knows.
        tabindex: '0',
        'aria-description': 'Tab indents; after Escape it leaves the editor',
        spellcheck: 'false',
        autocapitalize: 'off',
      }),
      EditorView.updateListener.of(update => {
        if (update.docChanged) this.#events.onText(update.state.doc.toString());
        if (update.docChanged || update.selectionSet) this.#reportCursor();
      }),
    ];
  }

  async #complete(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !/[\w$`.]/.test(before)) return null;
    const statement = markedStatement(context.state);
    const isInside = statement !== undefined && context.pos >= statement.from && context.pos <= statement.end;
    const from = isInside ? statement.from : context.pos;
    const text = isInside ? context.state.sliceDoc(statement.from, Math.max(statement.to, context.pos)) : '';
    const own = suggest(text, context.pos - from, await this.#events.schema());
    const options = own.items.map(({ label, apply, detail, info, kind, boost }) => ({
      label,
      apply,
      detail,
      ...(info === undefined ? {} : { info }),
      type: kind as string,
      boost,
    }));
    const offered = new Set(options.map(option => option.label.toLowerCase()));
    const engine = await this.#events.complete(text, context.pos - from).catch(() => ({ from: own.from, items: [] }));
    // The engine may see another word (inside a quoted name, say); then the console's own offers stand alone.
    for (const { label, detail, kind } of engine.from === own.from ? engine.items : []) {
      if (offered.has(label.toLowerCase())) continue;
      const boost = kind === 'keyword' ? -10 : 20;
      options.push({ label, apply: label, detail: detail || kind, type: kind, boost });
    }
    return options.length === 0 ? null : { from: from + own.from, options, validFor: /^[`\w$]*$/ };
  }
}
