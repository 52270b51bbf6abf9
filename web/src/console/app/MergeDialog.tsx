import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { quoteString } from '../sql/names.ts';
import { counted } from '../ui/figures.ts';
import { Check, Field, Form, FormButtons } from '../ui/form.tsx';
import { mergeBranch } from './branch_actions.ts';
import { isChanging } from './changing.ts';
import { currentConnection } from './connection.ts';
import { closeDialog } from './dialogs.ts';
import { here } from './here.ts';

/** Merges a branch into the selected one. */
export function MergeDialog({ branch }: { readonly branch: string }): JSX.Element {
  const place = currentConnection()?.catalog.place.value;
  const loaded = currentConnection()?.catalog.branches(place?.database ?? '').value;
  const others = (loaded?.kind === 'ready' ? loaded.value : [])
    .map(({ name }) => name)
    .filter(name => name !== place?.branch);
  const chosen = useSignal(branch || (others[0] ?? ''));
  const isCommit = useSignal(false);
  const isSquash = useSignal(false);
  const message = useSignal('');
  const ahead = useCommitsAhead(chosen.value, place?.branch ?? '');
  const merge = async () => {
    const fastForward = isCommit.value ? 'no' : undefined;
    if (await mergeBranch({ branch: chosen.value, fastForward, squash: isSquash.value, message: message.value }))
      closeDialog();
  };
  if (others.length === 0) return <p>There is no other branch to merge.</p>;
  return (
    <Form onSubmit={merge}>
      <Field
        label={`Branch to merge into ${place?.branch ?? ''}`}
        {...(ahead !== undefined && {
          hint:
            ahead === 0
              ? 'It is merged already'
              : `${counted(ahead, 'commit')} that ${place?.branch ?? ''} does not have`,
        })}
      >
        {id => (
          <select
            id={id}
            class="field"
            value={chosen.value}
            onChange={event => (chosen.value = event.currentTarget.value)}
          >
            {others.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Check
        label="Always make a merge commit"
        hint="even where the branch could be moved forward"
        isChecked={isCommit.value}
        isDisabled={isSquash.value}
        onChange={next => (isCommit.value = next)}
      />
      <Check
        label="Squash"
        hint="take the changes, to be committed as one"
        isChecked={isSquash.value}
        onChange={next => {
          isSquash.value = next;
          if (next) isCommit.value = false;
        }}
      />
      {!isSquash.value && (
        <Field label="Message of the merge commit">
          {id => (
            <input
              id={id}
              class="field"
              placeholder={`Merge branch '${chosen.value}' into ${place?.branch ?? ''}`}
              value={message.value}
              onInput={event => (message.value = event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <FormButtons
        verb="Merge"
        isDisabled={chosen.value === '' || ahead === 0}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}

/** Commits of `branch` that `into` does not have; undefined until they are counted. */
function useCommitsAhead(branch: string, into: string): number | undefined {
  const count = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const connection = currentConnection();
    count.value = undefined;
    if (connection === undefined || branch === '' || into === '') return;
    let isCurrent = true;
    void (async () => {
      const database = await here(connection);
      const range = quoteString(`${into}..${branch}`);
      const { rows } = await database.query(`SELECT COUNT(*) AS n FROM dolt_log(${range})`);
      if (isCurrent) count.value = Number(rows[0]?.n ?? 0);
    })().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [branch, into]);
  return count.value;
}
