import type { Column } from '../../../lib/index.ts';
import { isRightAligned } from '../cells.ts';
import type { CellEditing } from '../rows.ts';
import type { Cell } from '../selection.ts';

/** Where the keyboard goes when a value is taken. */
export type AfterEdit = 'stay' | 'down' | 'right' | 'left';

export interface EditorEvents {
  readonly onTake: (value: string | null, then: AfterEdit) => void;
  readonly onGiveUp: () => void;
}

export interface EditorPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** More characters than that, or a line end, and the value is edited in several lines. */
const ONE_LINE_CHARS = 60;
const LONG_TYPES = /^(tiny|medium|long)?text|^json/;
const NULL_CHOICE = '\0';

/**
 * The field over a cell in which its value is changed: one line, several for long text and JSON, a list for an enum. Enter takes
 * the value, Tab too and goes on, Escape gives up; a value that does not fit says so and stays.
 */
export class CellEditor {
  readonly element = document.createElement('div');
  readonly cell: Cell;
  readonly #control: Control;
  readonly #nullButton: HTMLButtonElement | undefined;
  readonly #problem = document.createElement('p');
  readonly #before: string | null;
  readonly #editing: CellEditing;
  readonly #events: EditorEvents;
  #isNull: boolean;
  #isOver = false;

  /** @param typed what began the edit by being typed, in place of the value */
  constructor(
    cell: Cell,
    column: Column,
    before: string | null,
    typed: string | undefined,
    editing: CellEditing,
    events: EditorEvents,
  ) {
    this.cell = cell;
    this.#before = before;
    this.#editing = editing;
    this.#events = events;
    this.#isNull = before === null && typed === undefined;
    const choices = /^set/i.test(column.type) ? [] : editing.choices(cell.column);
    const text = typed ?? before ?? '';
    this.#control = controlFor(column, text, choices, editing.isNullable(cell.column));
    if (this.#control instanceof HTMLSelectElement) this.#control.value = this.#isNull ? NULL_CHOICE : text;
    else this.#control.value = text;
    this.#control.setAttribute('aria-label', `Value of ${column.name}`);
    this.element.className = isRightAligned(column) ? 'cell-editor right' : 'cell-editor';
    this.#problem.className = 'cell-editor-problem';
    this.#problem.setAttribute('role', 'alert');
    this.#problem.hidden = true;
    this.element.append(this.#control);
    if (!(this.#control instanceof HTMLSelectElement) && editing.isNullable(cell.column)) {
      this.#nullButton = this.#makeNullButton();
      this.element.append(this.#nullButton);
    }
    this.element.append(this.#problem);
    this.#control.addEventListener('input', this.#onInput);
    this.element.addEventListener('keydown', this.#onKey);
    this.element.addEventListener('focusout', this.#onFocusOut);
    this.#showNull();
  }

  moveTo({ left, top, width }: EditorPlace): void {
    this.element.style.left = `calc(var(--gutter) + ${left}px)`;
    this.element.style.top = `${top}px`;
    this.element.style.setProperty('--cell-width', `${width}px`);
    this.#keepInside();
  }

  focus(isWhole: boolean): void {
    this.#control.focus({ preventScroll: true });
    if (this.#control instanceof HTMLSelectElement) return;
    if (isWhole) this.#control.select();
    else this.#control.setSelectionRange(this.#control.value.length, this.#control.value.length);
  }

  contains(target: EventTarget | null): boolean {
    return target instanceof Node && this.element.contains(target);
  }

  /** Takes the value as it is, even where it does not fit: the cell says so then. */
  finish(): void {
    this.#take('stay', true);
  }

  get #value(): string | null {
    if (this.#control instanceof HTMLSelectElement)
      return this.#control.value === NULL_CHOICE ? null : this.#control.value;
    return this.#isNull ? null : this.#control.value;
  }

  #makeNullButton(): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cell-editor-null';
    button.textContent = 'NULL';
    button.title = 'No value (Alt+0)';
    button.tabIndex = -1;
    // The field keeps the focus.
    button.addEventListener('mousedown', event => event.preventDefault());
    button.addEventListener('click', () => this.#setNull(!this.#isNull));
    return button;
  }

  #setNull(isNull: boolean): void {
    this.#isNull = isNull;
    if (isNull && !(this.#control instanceof HTMLSelectElement)) this.#control.value = '';
    if (isNull && this.#control instanceof HTMLSelectElement) this.#control.value = NULL_CHOICE;
    this.#showNull();
    this.#showProblem(undefined);
  }

  #showNull(): void {
    this.#nullButton?.setAttribute('aria-pressed', String(this.#isNull));
    if (!(this.#control instanceof HTMLSelectElement)) this.#control.placeholder = this.#isNull ? 'NULL' : '';
  }

  #showProblem(problem: string | undefined): void {
    this.#problem.hidden = problem === undefined;
    this.#problem.textContent = problem ?? '';
    this.element.classList.toggle('is-wrong', problem !== undefined);
    this.#control.setAttribute('aria-invalid', String(problem !== undefined));
    this.#keepInside();
  }

  /** Of a cell at the right edge of the grid, neither the field nor what is said of it goes beyond. */
  #keepInside(): void {
    const grid = this.element.closest('.grid');
    if (grid === null) return;
    const edge = grid.getBoundingClientRect().left + grid.clientWidth;
    for (const part of [this.element, this.#problem]) {
      part.style.marginLeft = '';
      const beyond = part.getBoundingClientRect().right - edge;
      if (beyond > 0) part.style.marginLeft = `${-beyond}px`;
    }
  }

  readonly #onInput = (): void => {
    this.#isNull = false;
    this.#showNull();
    // What was complained of is checked with every character, what was not is left in peace until it is done.
    if (!this.#problem.hidden) this.#showProblem(this.#editing.problem(this.cell.column, this.#value));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    const isLong = this.#control instanceof HTMLTextAreaElement;
    if (event.key === 'Escape') {
      this.#isOver = true;
      this.#events.onGiveUp();
    } else if (event.key === 'Enter' && !(isLong && event.shiftKey) && !event.altKey) {
      this.#take('down', false);
    } else if (event.key === 'Tab') {
      this.#take(event.shiftKey ? 'left' : 'right', false);
    } else if (event.altKey && event.code === 'Digit0' && this.#editing.isNullable(this.cell.column)) {
      this.#setNull(true);
    } else {
      return;
    }
    event.preventDefault();
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    if (!this.contains(event.relatedTarget)) this.finish();
  };

  #take(then: AfterEdit, isForced: boolean): void {
    if (this.#isOver) return;
    const value = this.#value;
    const problem = value === this.#before ? undefined : this.#editing.problem(this.cell.column, value);
    this.#showProblem(problem);
    if (problem !== undefined && !isForced) return;
    this.#isOver = true;
    this.#events.onTake(value, then);
  }
}

function controlFor(column: Column, text: string, choices: readonly string[], isNullable: boolean): Control {
  if (choices.length > 0) {
    const list = document.createElement('select');
    if (isNullable) list.append(new Option('NULL', NULL_CHOICE));
    list.append(...choices.map(word => new Option(word === '' ? '(empty)' : word, word)));
    return list;
  }
  if (LONG_TYPES.test(column.type.toLowerCase()) || text.length > ONE_LINE_CHARS || text.includes('\n')) {
    const area = document.createElement('textarea');
    area.rows = Math.min(10, Math.max(3, text.split('\n').length + 1));
    area.spellcheck = false;
    return area;
  }
  const field = document.createElement('input');
  field.type = 'text';
  field.spellcheck = false;
  field.autocomplete = 'off';
  if (column.kind === 'int') field.inputMode = 'numeric';
  if (column.kind === 'decimal' || column.kind === 'float') field.inputMode = 'decimal';
  return field;
}
