import type { JSX } from 'preact';
import type { GridRows } from '../../grid/rows.ts';
import { correctionOf } from '../../sql/correction.ts';
import { counted, duration } from '../../ui/figures.ts';
import { Icon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast.tsx';
import { dialog } from '../dialogs.ts';
import { editor } from './editor_host.ts';
import type { RunError, StatementRun } from './statement_run.ts';

/** In the place of a grid: an error, "done", or that there are no rows. */
export function RunMessage({
  run,
  pages,
}: {
  readonly run: StatementRun;
  readonly pages: GridRows | undefined;
}): JSX.Element | null {
  const error = run.error.value;
  if (error !== undefined) return <Failure run={run} error={error} />;
  const summary = run.summary.value;
  switch (run.state.value) {
    case 'waiting':
      return <Message title="Waiting" text="Statements run one at a time." />;
    case 'running':
      return <RunningNote run={run} />;
    case 'cancelled':
      return <Message title="Cancelled" text={`after ${duration(run.elapsedMs.value)}`} />;
    case 'skipped':
      return <Message title="Not run" text="An earlier statement of the script failed or was cancelled." />;
    default:
      if (pages !== undefined)
        return <Message title="No rows" text={pages.columns.map(({ name }) => name).join(' · ')} />;
      return (
        <Message
          title="Done"
          text={`${counted(summary?.affectedRows ?? 0, 'row')} affected${insertId(summary?.lastInsertId)}${info(summary?.info)}`}
        />
      );
  }
}

/** Time is said only after a moment, so that a quick statement shows nothing that vanishes at once. */
const SAY_AFTER_MS = 400;

/** Stands where rows will be, over the header of the grid when the columns are known. */
export function RunningNote({ run }: { readonly run: StatementRun }): JSX.Element | null {
  if (run.state.value !== 'running' || run.rowCount.value > 0 || run.elapsedMs.value < SAY_AFTER_MS) return null;
  return (
    <div class="empty running-note" aria-live="off">
      <span class="spinner" />
      <p class="figures">Running for {duration(run.elapsedMs.value)}</p>
    </div>
  );
}

function insertId(id: number | bigint | undefined): string {
  return id === undefined || id === 0 || id === 0n ? '' : `, last insert id ${id}`;
}

/** What MySQL's own clients say below the count. */
function info(text: string | undefined): string {
  return text ? ` (${text})` : '';
}

function Message({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
  );
}

const CONTEXT_CHARS = 60;
/** The database was opened from a place that only reads. */
const READ_ONLY = 1290;

function Failure({ run, error }: { readonly run: StatementRun; readonly error: RunError }): JSX.Element {
  const { position } = error;
  return (
    <div class="failure" role="alert">
      <div class="failure-title">
        <Icon name="error" />
        <strong>{error.errno === undefined ? 'Failed' : `Error ${error.errno}`}</strong>
        {error.sqlstate !== '' && <span class="badge mono">{error.sqlstate}</span>}
      </div>
      <p class="failure-message">{error.message}</p>
      {error.hint !== undefined && <p class="failure-hint">{sentence(error.hint)}</p>}
      {error.errno === READ_ONLY && (
        <button type="button" class="button small" onClick={() => (dialog.value = { kind: 'keep' })}>
          <Icon name="disk" />
          Make an editable copy
        </button>
      )}
      {position !== undefined && (
        <>
          <pre class="failure-place">
            <Place run={run} position={position} />
          </pre>
          <div class="failure-actions">
            <CorrectButton run={run} position={position} hint={error.hint ?? ''} />
            <button
              type="button"
              class="button small"
              onClick={() => editor.peek()?.goTo(Math.max(0, run.placeOf(position)))}
            >
              Show in editor
            </button>
          </div>
        </>
      )}
    </div>
  );
}

interface CorrectProps {
  readonly run: StatementRun;
  readonly position: number;
  readonly hint: string;
}

/** Writes what was meant. It does not run by itself: who meant something else sees what it says now. */
function CorrectButton({ run, position, hint }: CorrectProps): JSX.Element | null {
  const correction = correctionOf(run.sql, position, hint);
  if (correction === undefined) return null;
  const { from, to, text } = correction;
  const before = run.sql.slice(from, to);
  const correct = () => {
    const isDone = editor.peek()?.correct(run.placeOf(from), before, text);
    if (!isDone) toast(`${before} is no longer in the editor`, 'failure');
  };
  return (
    <button type="button" class="button small" onClick={correct}>
      <Icon name="pencil" />
      Replace with “{text}”
    </button>
  );
}

/** `expected BY` of the engine, as a sentence. */
function sentence(hint: string): string {
  const text = `${hint.charAt(0).toUpperCase()}${hint.slice(1)}`;
  return text.endsWith('?') ? text : `${text}.`;
}

/** The line of the statement that is wrong, with the word marked. */
function Place({ run, position }: { readonly run: StatementRun; readonly position: number }): JSX.Element {
  const { sql, writtenFrom } = run;
  const lineStart = Math.max(sql.lastIndexOf('\n', position - 1) + 1, writtenFrom);
  const nextLine = sql.indexOf('\n', position);
  const from = Math.max(lineStart, position - CONTEXT_CHARS);
  const lineEnd = nextLine < 0 ? sql.length : nextLine;
  const word = /^[`\w$]+/.exec(sql.slice(position, lineEnd))?.[0] ?? sql.slice(position, position + 1);
  const to = Math.min(lineEnd, position + Math.max(word.length, CONTEXT_CHARS));
  return (
    <>
      {from > lineStart && '…'}
      {sql.slice(from, position)}
      <mark>{word}</mark>
      {sql.slice(position + word.length, to)}
      {to < lineEnd && '…'}
    </>
  );
}
