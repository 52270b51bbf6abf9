/** Values of a row by their columns, as MySQL writes them, null for NULL. */
export type EditValues = Map<number, string | null>;

/** A change of the edits that lie over a result. Made, it gives the one that takes it back. */
export type Edit =
  /** Of a row of the result, or of a new one; `undefined` is no edit. */
  | {
      readonly kind: 'value';
      readonly of: 'result' | 'added';
      readonly index: number;
      readonly column: number;
      readonly value: string | null | undefined;
    }
  | { readonly kind: 'deleted'; readonly row: number; readonly isDeleted: boolean }
  /** A new row comes to stand at `index`, or goes from there. */
  | { readonly kind: 'added'; readonly index: number; readonly values: EditValues | undefined };

/** Edits of a result's rows that are not saved. */
export class Edits {
  readonly changed = new Map<number, EditValues>();
  readonly deleted = new Set<number>();
  readonly added: EditValues[] = [];

  get count(): number {
    return this.changed.size + this.deleted.size + this.added.length;
  }

  /** Makes an edit and gives its opposite. */
  apply(edit: Edit): Edit {
    switch (edit.kind) {
      case 'value':
        return this.#setValue(edit);
      case 'deleted': {
        const isDeleted = this.deleted.has(edit.row);
        if (edit.isDeleted) this.deleted.add(edit.row);
        else this.deleted.delete(edit.row);
        return { ...edit, isDeleted };
      }
      case 'added': {
        if (edit.values === undefined) return { ...edit, values: this.added.splice(edit.index, 1)[0] };
        this.added.splice(edit.index, 0, edit.values);
        return { ...edit, values: undefined };
      }
    }
  }

  #setValue(edit: Edit & { readonly kind: 'value' }): Edit {
    const { index, column, value } = edit;
    const values = (edit.of === 'added' ? this.added[index] : this.changed.get(index)) ?? new Map();
    const before = values.get(column);
    if (value === undefined) values.delete(column);
    else values.set(column, value);
    if (edit.of === 'result') {
      if (values.size === 0) this.changed.delete(index);
      else this.changed.set(index, values);
    }
    return { ...edit, value: before };
  }
}

const STEPS_MAX = 200;

/** Undo and redo stacks. */
export class EditHistory {
  #past: (readonly Edit[])[] = [];
  #future: (readonly Edit[])[] = [];

  /** A step was made: the opposites of its edits, in the order in which they were made. */
  note(opposites: readonly Edit[]): void {
    this.#past = [...this.#past.slice(1 - STEPS_MAX), opposites];
    this.#future = [];
  }

  /** False where there is no step to take back. */
  back(edits: Edits): boolean {
    return move(edits, this.#past, this.#future);
  }

  forward(edits: Edits): boolean {
    return move(edits, this.#future, this.#past);
  }
}

function move(edits: Edits, from: (readonly Edit[])[], to: (readonly Edit[])[]): boolean {
  const opposites = from.pop();
  if (opposites === undefined) return false;
  to.push(opposites.toReversed().map(edit => edits.apply(edit)));
  return true;
}
