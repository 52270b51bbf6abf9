/** Values of a row by their columns, as MySQL writes them, null for NULL. */
export type EditValues = Map<number, string | null>;

/** Edits of a result's rows that are not saved. */
export interface Edits {
  readonly changed: Map<number, EditValues>;
  readonly deleted: Set<number>;
  added: EditValues[];
}

const STEPS_MAX = 200;

/** The edits as they were before each step, to go back to, and those from which somebody went back. */
export class EditHistory {
  private past: Edits[] = [];
  private future: Edits[] = [];

  copyOf({ changed, deleted, added }: Edits): Edits {
    return {
      changed: new Map([...changed].map(([row, values]) => [row, new Map(values)])),
      deleted: new Set(deleted),
      added: added.map(values => new Map(values)),
    };
  }

  /** A step was made. */
  note(before: Edits): void {
    this.past = [...this.past.slice(1 - STEPS_MAX), before];
    this.future = [];
  }

  /** The edits before the last step; undefined where there was none. */
  back(now: Edits): Edits | undefined {
    const before = this.past.pop();
    if (before !== undefined) this.future.push(now);
    return before;
  }

  forward(now: Edits): Edits | undefined {
    const after = this.future.pop();
    if (after !== undefined) this.past.push(now);
    return after;
  }
}
