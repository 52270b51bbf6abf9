import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Problem, Verification, VerifyProgress } from '../../../lib/index.ts';
import { counted, wholeNumber } from '../../ui/figures.ts';
import { Form, FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { messageOf } from '../../ui/message_of.ts';
import { currentConnection } from '../database/connection.ts';
import { closeDialog } from '../dialogs.ts';

type State =
  | { readonly kind: 'asking'; readonly failure: string | undefined }
  | { readonly kind: 'checking'; readonly progress: VerifyProgress; readonly isCancelled: boolean }
  | { readonly kind: 'checked'; readonly found: Verification };

const NOTHING_READ: VerifyProgress = { chunks: 0, chunksTotal: 0 };

/** Whether the files of a database are whole. It asks first: of a database on the web all of it is fetched for that. */
export function VerifyDialog({ database }: { readonly database: string }): JSX.Element {
  const state = useSignal<State>({ kind: 'asking', failure: undefined });
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const check = async () => {
    const connection = currentConnection();
    if (connection === undefined) return;
    const control = new AbortController();
    abort.current = control;
    const onProgress = (progress: VerifyProgress) => {
      state.value = { kind: 'checking', progress, isCancelled: control.signal.aborted };
    };
    onProgress(NOTHING_READ);
    try {
      const found = await connection.database.verify({ database, onProgress, signal: control.signal });
      state.value = { kind: 'checked', found };
    } catch (error) {
      state.value = { kind: 'asking', failure: control.signal.aborted ? undefined : messageOf(error) };
    }
  };
  const current = state.value;
  if (current.kind === 'checked') return <Findings found={current.found} />;
  const isChecking = current.kind === 'checking';
  const cancel = () => {
    if (current.kind !== 'checking') return closeDialog();
    state.value = { ...current, isCancelled: true };
    abort.current?.abort();
  };
  return (
    <Form onSubmit={check}>
      <p>
        Reads every chunk of <strong>{database}</strong> and compares it with its hash, and looks whether all is there
        that branches, tags, stashes and what is not committed lead to. Nothing is changed.
      </p>
      <div class="form-end">
        {current.kind === 'asking' && current.failure !== undefined && (
          <p class="form-problem" role="alert">
            {current.failure}
          </p>
        )}
        {isChecking && <Progress progress={current.progress} />}
        <FormButtons
          verb="Check"
          isBusy={isChecking}
          isCancelled={isChecking && current.isCancelled}
          onCancel={cancel}
        />
      </div>
    </Form>
  );
}

function Progress({ progress: { chunks, chunksTotal } }: { readonly progress: VerifyProgress }): JSX.Element {
  const isRead = chunksTotal > 0 && chunks >= chunksTotal;
  return (
    <div class="transfer-progress" role="status">
      {chunksTotal > 0 && !isRead ? <progress value={chunks / chunksTotal} /> : <progress />}
      <span class="muted figures">
        {isRead ? 'checking references' : `${wholeNumber(chunks)} of ${counted(chunksTotal, 'chunk')}`}
      </span>
    </div>
  );
}

function Findings({ found }: { readonly found: Verification }): JSX.Element {
  const close = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useLayoutEffect(() => close.current?.focus(), []);
  const { isWhole, problems, problemCount, refs, commits, reachableCommits, chunks, reachableChunks } = found;
  const spare = chunks - reachableChunks;
  return (
    <Form onSubmit={closeDialog}>
      <p class={`verify-end ${isWhole ? 'is-whole' : 'is-broken'}`} role={isWhole ? 'status' : 'alert'}>
        <Icon name={isWhole ? 'check' : 'warning'} />
        <strong>{isWhole ? 'No problems found.' : `${counted(problemCount, 'problem')} found.`}</strong>
      </p>
      <p class="muted figures">
        {counted(chunks, 'chunk')} read. Branches, tags and the like, {wholeNumber(refs)} of them, lead to{' '}
        {counted(reachableCommits, 'commit')}
        {commits > reachableCommits && ` of ${wholeNumber(commits)}`}.{' '}
        {isWhole &&
          spare > 0 &&
          `${counted(spare, 'chunk')} of them are not needed any more: CALL dolt_gc() removes them.`}
      </p>
      {!isWhole && (
        <>
          <ol class="verify-problems" aria-label="Problems">
            {problems.map(problem => (
              <ProblemItem key={`${problem.address} ${problem.file} ${problem.offset}`} problem={problem} />
            ))}
          </ol>
          {problemCount > problems.length && (
            <p class="muted">The first {wholeNumber(problems.length)} of them are shown.</p>
          )}
          <p>Nothing was changed. Restore the files from their source, or export what can still be read.</p>
        </>
      )}
      <div class="form-buttons">
        <button ref={close} type="submit" class="button primary">
          Close
        </button>
      </div>
    </Form>
  );
}

function ProblemItem({ problem: { owner, table, message } }: { readonly problem: Problem }): JSX.Element {
  return (
    <li>
      <span>{message}</span>
      <span class="muted">
        {owner === null ? 'Not referenced: only space is wasted.' : `Needed by ${placeOf(owner)}`}
        {table !== null && `, table ${table}`}
      </span>
    </li>
  );
}

/** The name of a commit or a dataset as people know it. */
function placeOf(owner: string): string {
  const working = /^workingSets\/(?:heads\/)?(.*)$/.exec(owner);
  if (working !== null) return `uncommitted changes on ${working[1]}`;
  const named = /^refs\/(heads|tags|remotes|stashes)\/(.*)$/.exec(owner);
  if (named === null) return `commit ${owner.slice(0, 8)}`;
  const kinds: Readonly<Record<string, string>> = { heads: 'branch', tags: 'tag', remotes: 'remote', stashes: 'stash' };
  return `${kinds[named[1] ?? '']} ${named[2]}`;
}
