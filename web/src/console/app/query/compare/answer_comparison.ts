/** One query, answered at two commits, and what differs between the answers. */

import { batch as inOneStep, signal } from '@preact/signals';
import type { Queries } from '../../../../lib/index.ts';
import { AnswerDiff, findKey, pairColumns } from '../../../grid/diff/answer_diff.ts';
import type { Pair } from '../../../grid/diff/diff_lines.ts';
import { ResultPages } from '../../../grid/pages.ts';
import { wholeNumber } from '../../../ui/figures.ts';
import { messageOf } from '../../../ui/message_of.ts';
import type { Range } from '../../../versions/RangeFields.tsx';
import { atCommit } from '../../database/at_commit.ts';
import type { Connection } from '../../database/connection.ts';

/** Both answers are kept whole: what is past an end would look as if it were gone. */
const ANSWER_ROWS_MAX = 500_000;
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
/** Of a frame; the rest of it is the page's. */
const STEP_MS = 8;

interface Answers {
  readonly from: ResultPages;
  readonly to: ResultPages;
  readonly pairs: readonly Pair[];
}

export class AnswerComparison {
  readonly sql: string;
  readonly range = signal<Range>({ from: '', to: '' });
  readonly rows = signal<AnswerDiff | undefined>(undefined);
  readonly lineCount = signal(0);
  readonly isRunning = signal(true);
  readonly error = signal<string | undefined>(undefined);
  readonly answers = signal<Answers | undefined>(undefined);
  /** The columns by which rows are matched, as numbers of pairs. */
  readonly key = signal<readonly number[]>([]);
  readonly #connection: Connection;
  #abort = new AbortController();

  constructor(connection: Connection, sql: string, range: Range) {
    this.#connection = connection;
    this.sql = sql;
    this.compare(range);
  }

  /** Answers the query anew, at other commits or at what these names mean by now. */
  compare(range: Range): void {
    this.range.value = range;
    void this.#work(async signal => {
      const [from, to] = await Promise.all([this.#answerAt(range.from, signal), this.#answerAt(range.to, signal)]);
      const pairs = pairColumns(from.columns, to.columns);
      const key = await inFrames(findKey(from, to, pairs), signal);
      await this.#match({ from, to, pairs }, key, signal);
    });
  }

  /** Matches the rows that are here by other columns. */
  matchBy(key: readonly number[]): void {
    const answers = this.answers.peek();
    if (answers !== undefined) void this.#work(signal => this.#match(answers, key, signal));
  }

  close(): void {
    this.#abort.abort();
  }

  async #match(answers: Answers, key: readonly number[], signal: AbortSignal): Promise<void> {
    const rows = new AnswerDiff(answers.from, answers.to, answers.pairs, key);
    await inFrames(rows.compare(), signal);
    inOneStep(() => {
      this.answers.value = answers;
      this.key.value = key;
      this.rows.value = rows;
      this.lineCount.value = rows.rowCount;
    });
  }

  async #work(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#abort.abort();
    const own = new AbortController();
    this.#abort = own;
    this.isRunning.value = true;
    this.error.value = undefined;
    try {
      await task(own.signal);
    } catch (error) {
      // One side has failed: the other is cancelled.
      const message = messageOf(error);
      if (this.#abort === own) this.error.value = own.signal.aborted ? 'The comparison was cancelled.' : message;
      own.abort();
    } finally {
      if (this.#abort === own) this.isRunning.value = false;
    }
  }

  #answerAt(ref: string, signal: AbortSignal): Promise<ResultPages> {
    return atCommit(this.#connection, ref, session => this.#read(session, ref, signal));
  }

  async #read(session: Queries, ref: string, signal: AbortSignal): Promise<ResultPages> {
    const stream = session.stream(this.sql, [], { signal });
    try {
      const pages = new ResultPages(await stream.columns);
      for await (const page of stream) {
        pages.push(page);
        if (pages.rowCount > ANSWER_ROWS_MAX || pages.byteLength > ANSWER_BYTES_MAX) throw new Error(TOO_LONG);
      }
      return pages;
    } catch (error) {
      const message = messageOf(error);
      throw message === TOO_LONG ? error : new Error(`${ref}: ${message}`);
    }
  }
}

const TOO_LONG = `Results of more than ${wholeNumber(ANSWER_ROWS_MAX)} rows cannot be compared here. Add a LIMIT or a condition`;

/** Goes on for a part of each frame, so that the page answers in the meantime. */
async function inFrames<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const untilMs = performance.now() + STEP_MS;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < untilMs);
    await new Promise(resolve => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
