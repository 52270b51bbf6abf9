import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { counted } from '../../../ui/figures.ts';
import { Check, Field, Form, FormButtons } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { isChanging } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { closeDialog } from '../../dialogs.ts';
import { InTheWay, isUncommitted } from '../changes/InTheWay.tsx';
import { mergeBranch } from './branch_actions.ts';
import { type Candidate, useCandidates } from './merge_candidates.ts';
import { type Outcome, type Trouble, useTrial } from './merge_trial.ts';

/** Merges a branch into the selected one. */
export function MergeDialog({ branch }: { readonly branch: string }): JSX.Element {
  const connection = currentConnection();
  const into = connection?.catalog.place.value.branch ?? '';
  const candidates = useCandidates(connection, into);
  const wish = useSignal(branch);
  const isCommit = useSignal(false);
  const isSquash = useSignal(false);
  const message = useSignal('');
  const chosen = candidates?.find(({ name }) => name === wish.value) ?? candidates?.[0];
  const isMoved = chosen?.behind === 0 && !isUncommitted();
  const outcome = useTrial(chosen === undefined || chosen.ahead === 0 || isMoved ? undefined : chosen.name);
  const merge = async () => {
    if (chosen === undefined) return;
    const fastForward = isCommit.value ? 'no' : undefined;
    if (await mergeBranch({ branch: chosen.name, fastForward, squash: isSquash.value, message: message.value }))
      closeDialog();
  };
  if (candidates?.length === 0) return <p>There is no other branch to merge.</p>;
  const merged = candidates?.filter(({ ahead }) => ahead === 0) ?? [];
  return (
    <Form onSubmit={merge}>
      <Field
        label={`Branch to merge into ${into}`}
        hint={chosen === undefined ? 'Counting commits…' : stateOf(chosen, into)}
      >
        {id => (
          <select
            id={id}
            class="field"
            value={chosen?.name ?? ''}
            onChange={event => (wish.value = event.currentTarget.value)}
          >
            <Options of={candidates?.filter(({ ahead }) => ahead > 0) ?? []} />
            {merged.length > 0 && (
              <optgroup label="Already merged">
                <Options of={merged} />
              </optgroup>
            )}
          </select>
        )}
      </Field>
      {outcome !== undefined && <Outlook outcome={outcome} />}
      <Check
        label="Always create a merge commit"
        hint="even if a fast-forward is possible"
        isChecked={isCommit.value}
        isDisabled={isSquash.value}
        onChange={next => (isCommit.value = next)}
      />
      <Check
        label="Squash"
        hint="combine the changes into one commit"
        isChecked={isSquash.value}
        onChange={next => {
          isSquash.value = next;
          if (next) isCommit.value = false;
        }}
      />
      {!isSquash.value && (
        <Field label="Merge commit message">
          {id => (
            <input
              id={id}
              class="field"
              placeholder={`Merge branch '${chosen?.name ?? ''}' into ${into}`}
              value={message.value}
              onInput={event => (message.value = event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <FormButtons
        verb="Merge"
        isDisabled={chosen === undefined || chosen.ahead === 0 || outcome?.kind === 'refused'}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}

function Options({ of }: { readonly of: readonly Candidate[] }): JSX.Element {
  return (
    <>
      {of.map(({ name, ahead }) => (
        <option key={name} value={name}>
          {ahead === 0 ? name : `${name} (${counted(ahead, 'commit')})`}
        </option>
      ))}
    </>
  );
}

function stateOf({ ahead, behind }: Candidate, into: string): string {
  if (ahead === 0) return `Already merged: ${into} contains all its commits`;
  const commits = `${counted(ahead, 'commit')} not in ${into}`;
  return behind === 0 ? `${commits}; fast-forward` : commits;
}

/** What will have to be decided, before anything is done. */
function Outlook({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  if (outcome.kind === 'trying') {
    return (
      <p class="merge-outlook" role="status">
        <span class="spinner inline" />
        Checking for conflicts…
      </p>
    );
  }
  if (outcome.kind === 'refused') {
    return <InTheWay>The merge would fail: {outcome.why}</InTheWay>;
  }
  const { troubles } = outcome;
  const conflicts = troubles.filter(({ kind }) => kind !== 'constraints').map(inWords);
  const violations = troubles.filter(({ kind }) => kind === 'constraints').map(inWords);
  return (
    <p class={troubles.length === 0 ? 'merge-outlook' : 'merge-outlook has-conflicts'} role="status">
      <Icon name={troubles.length === 0 ? 'check' : 'warning'} />
      <span>
        {troubles.length === 0 && 'No conflicts or constraint violations'}
        {conflicts.length > 0 && `Conflicts to resolve: ${conflicts.join(', ')}`}
        {conflicts.length > 0 && violations.length > 0 && '. '}
        {violations.length > 0 && `Constraint violations: ${violations.join(', ')}`}
      </span>
    </p>
  );
}

function inWords({ table, kind, rows }: Trouble): string {
  return kind === 'schema' ? `the definition of ${table}` : `${counted(rows, 'row')} of ${table}`;
}
