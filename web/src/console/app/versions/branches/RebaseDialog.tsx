import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { counted } from '../../../ui/figures.ts';
import { Field, Form, FormButtons } from '../../../ui/form.tsx';
import { IconButton } from '../../../ui/icon_button.tsx';
import { messageOf } from '../../../ui/message_of.ts';
import {
  ACTION_MEANINGS,
  changeStep,
  isChangedPlan,
  moveStep,
  planOf,
  planProblem,
  REBASE_ACTIONS,
  type RebaseAction,
  type RebaseStep,
} from '../../../versions/rebase_plan.ts';
import { boundDatabase } from '../../database/bound_database.ts';
import { isChanging } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { closeDialog } from '../../dialogs.ts';
import { InTheWay, isUncommitted } from '../changes/InTheWay.tsx';
import { commitsToRebase, rebase } from './rebase_actions.ts';

type Commits =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly commits: readonly { readonly hash: string; readonly message: string }[] };

/** Which branch or commit the selected branch is put onto, and what becomes of its commits. */
export function RebaseDialog({ onto }: { readonly onto: string }): JSX.Element {
  const place = currentConnection()?.catalog.place.value;
  const loaded = currentConnection()?.catalog.branches(place?.database ?? '').value;
  const others = (loaded?.kind === 'ready' ? loaded.value : [])
    .map(({ name }) => name)
    .filter(name => name !== place?.branch);
  const target = useSignal(onto || (others[0] ?? 'HEAD~1'));
  const plan = useSignal<readonly RebaseStep[]>([]);
  const found = useCommits(target.value, commits => (plan.value = planOf(commits)));
  const commits = found.kind === 'ready' ? found.commits : [];
  const isChanged = isChangedPlan(plan.value, commits);
  const problem = plan.value.length === 0 ? undefined : planProblem(plan.value);
  const submit = async () => {
    if (await rebase(target.value.trim(), isChanged ? plan.value : undefined)) closeDialog();
  };
  return (
    <Form onSubmit={submit}>
      <Field
        label={`Rebase ${place?.branch ?? ''} onto`}
        problem={found.kind === 'failed' ? found.message : undefined}
        hint="Branch, tag or commit; HEAD~3 to change the last three"
      >
        {id => (
          <>
            <input
              id={id}
              class="field mono"
              list={`${id}-names`}
              value={target.value}
              spellcheck={false}
              autocomplete="off"
              onInput={event => (target.value = event.currentTarget.value)}
            />
            <datalist id={`${id}-names`}>
              {others.map(name => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      {found.kind === 'ready' && commits.length === 0 && (
        <p class="muted">
          {place?.branch} has no commits that {target.value} does not have: there is nothing to rebase.
        </p>
      )}
      {commits.length > 0 && isUncommitted() && (
        <InTheWay>{place?.branch} has uncommitted changes. Commit or stash them first.</InTheWay>
      )}
      {commits.length > 0 && <Plan plan={plan.value} onChange={next => (plan.value = next)} problem={problem} />}
      <FormButtons
        verb={isChanged ? 'Start rebase' : `Rebase ${counted(commits.length, 'commit')}`}
        isDisabled={commits.length === 0 || problem !== undefined || isUncommitted()}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}

function useCommits(onto: string, onReady: (commits: readonly { hash: string; message: string }[]) => void): Commits {
  const state = useSignal<Commits>({ kind: 'loading' });
  useEffect(() => {
    const connection = currentConnection();
    if (connection === undefined || onto.trim() === '') return;
    let isCurrent = true;
    // A plan is of one target: that of the last one must not be done with this.
    state.value = { kind: 'loading' };
    boundDatabase(connection)
      .then(database => commitsToRebase(database, onto.trim()))
      .then(
        commits => {
          if (!isCurrent) return;
          onReady(commits);
          state.value = { kind: 'ready', commits };
        },
        (error: unknown) => {
          if (isCurrent) state.value = { kind: 'failed', message: messageOf(error) };
        },
      );
    return () => {
      isCurrent = false;
    };
  }, [onto]);
  return state.value;
}

interface PlanProps {
  readonly plan: readonly RebaseStep[];
  readonly problem: string | undefined;
  readonly onChange: (plan: readonly RebaseStep[]) => void;
}

/** The commits in the order in which they are done, oldest first. */
function Plan({ plan, problem, onChange }: PlanProps): JSX.Element {
  const dragged = useSignal<number | undefined>(undefined);
  const move = (from: number, to: number) => onChange(moveStep(plan, from, to));
  return (
    <div class="form-field">
      <span class="muted">Oldest first. Drag commits, or use the arrows, to reorder them.</span>
      <ol class="rebase-plan" aria-label="Rebase plan">
        {plan.map((step, index) => (
          <li
            key={step.hash}
            class={classOf(step, index === dragged.value)}
            draggable
            onDragStart={event => {
              dragged.value = index;
              event.dataTransfer?.setData('text/plain', step.hash);
            }}
            onDragOver={event => {
              if (dragged.value === undefined) return;
              event.preventDefault();
              if (dragged.value !== index) {
                move(dragged.value, index);
                dragged.value = index;
              }
            }}
            onDrop={event => event.preventDefault()}
            onDragEnd={() => (dragged.value = undefined)}
          >
            <select
              class="field"
              aria-label={`Action for ${subjectOf(step)}`}
              title={ACTION_MEANINGS[step.action]}
              value={step.action}
              onChange={event =>
                onChange(changeStep(plan, index, { action: event.currentTarget.value as RebaseAction }))
              }
            >
              {REBASE_ACTIONS.map(action => (
                <option key={action} value={action} title={ACTION_MEANINGS[action]}>
                  {action}
                </option>
              ))}
            </select>
            <span class="rebase-message" title={step.message}>
              <span class="truncate">{subjectOf(step)}</span>
              <span class="muted mono wide-only">{step.hash.slice(0, 8)}</span>
            </span>
            <span class="rebase-moves">
              <IconButton
                icon="chevronDown"
                isUp
                label={`Move ${subjectOf(step)} up`}
                isDisabled={index === 0}
                onPress={() => move(index, index - 1)}
              />
              <IconButton
                icon="chevronDown"
                label={`Move ${subjectOf(step)} down`}
                isDisabled={index === plan.length - 1}
                onPress={() => move(index, index + 1)}
              />
            </span>
            {step.action === 'reword' && (
              <textarea
                class="field"
                rows={2}
                aria-label={`New message of ${subjectOf(step)}`}
                value={step.reworded}
                onInput={event => onChange(changeStep(plan, index, { reworded: event.currentTarget.value }))}
              />
            )}
          </li>
        ))}
      </ol>
      {problem !== undefined && (
        <p class="form-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function classOf({ action }: RebaseStep, isDragged: boolean): string {
  const fate = action === 'drop' ? ' is-dropped' : action === 'squash' || action === 'fixup' ? ' is-folded' : '';
  return `rebase-step${fate}${isDragged ? ' is-dragged' : ''}`;
}

function subjectOf({ message }: RebaseStep): string {
  return message.split('\n')[0] ?? '';
}
