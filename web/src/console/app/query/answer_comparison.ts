/** One query, answered at two commits, and what differs between the answers. */
import { batch as inOneStep, signal } from '@preact/signals';
import type { Queries } from '../../../lib/index.ts';
import { AnswerDiff, findKey, pairColumns } from '../../grid/answer_diff.ts';
import type { Pair } from '../../grid/diff_lines.ts';
import { ResultPages } from '../../grid/pages.ts';
import { quoteName, revisionName } from '../../sql/names.ts';
import { wholeNumber } from '../../ui/figures.ts';
import type { Range } from '../../versions/RangeFields.tsx';
import type { Connection } from '../connection.ts';
import { here } from '../here.ts';

/** Both answers are kept whole: what lies past an end would look as if it were gone. */
const ANSWER_ROWS_MAX = 500_000;
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
/** Of a frame; the rest of it is the page's. */
const STEP_MS = 8;

const WORKING = /^WORKING$/i;
const STAGED = /^STAGED$/i;

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
  private readonly connection: Connection;
  private abort = new AbortController();

  constructor(connection: Connection, sql: string, range: Range) {
    this.connection = connection;
    this.sql = sql;
    this.compare(range);
  }

  /** Answers the query anew, at other commits or at what these names mean by now. */
  compare(range: Range): void {
    this.range.value = range;
    void this.work(async signal => {
      const [from, to] = await Promise.all([this.answerAt(range.from, signal), this.answerAt(range.to, signal)]);
      const pairs = pairColumns(from.columns, to.columns);
      const key = await inFrames(findKey(from, to, pairs), signal);
      await this.match({ from, to, pairs }, key, signal);
    });
  }

  /** Matches the rows that are here by other columns. */
  matchBy(key: readonly number[]): void {
    const answers = this.answers.peek();
    if (answers !== undefined) void this.work(signal => this.match(answers, key, signal));
  }

  close(): void {
    this.abort.abort();
  }

  private async match(answers: Answers, key: readonly number[], signal: AbortSignal): Promise<void> {
    const rows = new AnswerDiff(answers.from, answers.to, answers.pairs, key);
    await inFrames(rows.compare(), signal);
    inOneStep(() => {
      this.answers.value = answers;
      this.key.value = key;
      this.rows.value = rows;
      this.lineCount.value = rows.rowCount;
    });
  }

  private async work(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.abort.abort();
    const own = new AbortController();
    this.abort = own;
    this.isRunning.value = true;
    this.error.value = undefined;
    try {
      await task(own.signal);
    } catch (error) {
      // One side has failed: nobody waits for the other.
      const message = error instanceof Error ? error.message : String(error);
      if (this.abort === own) this.error.value = own.signal.aborted ? 'The comparison was cancelled.' : message;
      own.abort();
    } finally {
      if (this.abort === own) this.isRunning.value = false;
    }
  }

  /** In a session of its own that only reads: the person's stays where it is. */
  private async answerAt(ref: string, signal: AbortSignal): Promise<ResultPages> {
    const { database, branch } = this.connection.catalog.place.peek();
    const revision = WORKING.test(ref) ? branch : await this.commitOf(ref);
    const session = await this.connection.database.session();
    try {
      await session.query(`USE ${quoteName(revisionName(database, revision))}`);
      await session.query('START TRANSACTION READ ONLY');
      return await this.read(session, ref, signal);
    } finally {
      void session.close().catch(() => undefined);
    }
  }

  /** A branch is what is committed there, as it is wherever commits are compared. */
  private async commitOf(ref: string): Promise<string> {
    if (STAGED.test(ref)) throw new Error('What is staged cannot be queried: commit it, or compare with WORKING');
    const { rows } = await (await here(this.connection)).query('SELECT HASHOF(?) AS commit_hash', [ref]);
    return String(rows[0]?.commit_hash);
  }

  private async read(session: Queries, ref: string, signal: AbortSignal): Promise<ResultPages> {
    const stream = session.stream(this.sql, [], { signal });
    try {
      const pages = new ResultPages(await stream.columns);
      for await (const page of stream) {
        pages.push(page);
        if (pages.rowCount > ANSWER_ROWS_MAX || pages.byteLength > ANSWER_BYTES_MAX) throw new Error(TOO_LONG);
      }
      return pages;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw message === TOO_LONG ? error : new Error(`${ref}: ${message}`);
    }
  }
}

const TOO_LONG = `Answers of more than ${wholeNumber(ANSWER_ROWS_MAX)} rows are not compared here: ask for fewer rows`;

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

/** Which two commits are likely: what is not committed, or a branch beside the one it is likely to be merged into. */
export function likelyRange(branch: string, branches: readonly string[], isChanged: boolean): Range {
  if (isChanged || branch === '') return { from: 'HEAD', to: branch === '' ? 'HEAD' : 'WORKING' };
  const trunk = ['main', 'master'].find(name => branches.includes(name)) ?? branches[0] ?? 'HEAD';
  if (branch !== trunk) return { from: trunk, to: branch };
  const other = branches.find(name => name !== branch);
  return other === undefined ? { from: 'HEAD~1', to: 'HEAD' } : { from: branch, to: other };
}
