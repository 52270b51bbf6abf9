/** Dialogs for a new branch, a new tag and a new name. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { Check, Field, Form, FormButtons } from '../../../ui/form.tsx';
import { isChanging } from '../../database/changing.ts';
import { currentConnection } from '../../database/connection.ts';
import { useTags } from '../../database/use_refs.ts';
import { closeDialog } from '../../dialogs.ts';
import { createBranch, createTag, renameBranch } from './branch_actions.ts';

const NAME = /^(?!\/)(?!.*(\/\/|\.\.|@\{|\/$|\.lock$))[^\s~^:?*[\\]+$/;

interface NewName {
  readonly name: Signal<string>;
  readonly problem: string | undefined;
  /** It was asked for: soon it is taken, by what is made. */
  readonly onAsked: () => void;
}

/** @param taken names that branches have, or tags */
function useNewName(offered: string, kind: 'branch' | 'tag', taken: readonly string[]): NewName {
  const name = useSignal(offered);
  const asked = useSignal('');
  const isTaken = taken.includes(name.value) && name.value !== asked.value;
  const problem = problemOf(name.value) ?? (isTaken ? `A ${kind} named ${name.value} already exists` : undefined);
  return { name, problem, onAsked: () => (asked.value = name.peek()) };
}

function problemOf(name: string): string | undefined {
  if (name === '') return undefined;
  return NAME.test(name) && name !== 'HEAD' ? undefined : 'No spaces, no .. and none of ~ ^ : ? * [ \\';
}

function branchNames(): readonly string[] {
  const catalog = currentConnection()?.catalog;
  const loaded = catalog?.branches(catalog.place.value.database).value;
  return loaded?.kind === 'ready' ? loaded.value.map(({ name }) => name) : [];
}

/** A branch that begins at a commit, a branch or a tag. */
export function NewBranchDialog({ from, name = '' }: { readonly from: string; readonly name?: string }): JSX.Element {
  const isSelected = useSignal(true);
  return (
    <RefForm
      kind="branch"
      taken={branchNames()}
      name={name}
      at={from}
      placeholder="try-something"
      atLabel="Start from"
      atHint="Branch, tag or commit"
      verb="Create branch"
      make={(name, start) => createBranch(name, start, isSelected.value)}
    >
      <Check label="Switch to it" isChecked={isSelected.value} onChange={next => (isSelected.value = next)} />
    </RefForm>
  );
}

/** Another name for a branch, whose commits and changes stay. */
export function RenameBranchDialog({ branch }: { readonly branch: string }): JSX.Element {
  const others = branchNames().filter(other => other !== branch);
  const { name, problem, onAsked } = useNewName(branch, 'branch', others);
  const submit = async () => {
    onAsked();
    if (await renameBranch(branch, name.value)) closeDialog();
  };
  return (
    <Form onSubmit={submit}>
      <NameField name={name.value} problem={problem} placeholder={branch} onName={next => (name.value = next)} />
      <FormButtons
        verb="Rename"
        isDisabled={name.value === '' || name.value === branch || problem !== undefined}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}

/** A name for a commit that stays. */
export function NewTagDialog({ at }: { readonly at: string }): JSX.Element {
  const message = useSignal('');
  const taken = useTags(currentConnection()).map(({ name }) => name);
  return (
    <RefForm
      kind="tag"
      taken={taken}
      name=""
      at={at}
      placeholder="v1.0"
      atLabel="Of"
      atHint="Commit or branch"
      verb="Create tag"
      make={(name, target) => createTag(name, target, message.value)}
    >
      <Field label="Message">
        {id => (
          <input
            id={id}
            class="field"
            value={message.value}
            onInput={event => (message.value = event.currentTarget.value)}
          />
        )}
      </Field>
    </RefForm>
  );
}

interface RefFormProps {
  readonly kind: 'branch' | 'tag';
  readonly taken: readonly string[];
  /** The name that is offered; empty for none. */
  readonly name: string;
  /** The commit that is offered. */
  readonly at: string;
  readonly placeholder: string;
  readonly atLabel: string;
  readonly atHint: string;
  readonly verb: string;
  /** Whether it was made. */
  readonly make: (name: string, at: string) => Promise<boolean>;
  readonly children: ComponentChildren;
}

/** A new name for a commit. */
function RefForm(props: RefFormProps): JSX.Element {
  const { kind, taken, name: offered, at, placeholder, atLabel, atHint, verb, make, children } = props;
  const { name, problem, onAsked } = useNewName(offered, kind, taken);
  const commit = useSignal(at);
  const submit = async () => {
    onAsked();
    if (await make(name.value, commit.value.trim() || 'HEAD')) closeDialog();
  };
  return (
    <Form onSubmit={submit}>
      <NameField name={name.value} problem={problem} placeholder={placeholder} onName={next => (name.value = next)} />
      <Field label={atLabel} hint={atHint}>
        {id => (
          <input
            id={id}
            class="field mono"
            value={commit.value}
            spellcheck={false}
            onInput={event => (commit.value = event.currentTarget.value)}
          />
        )}
      </Field>
      {children}
      <FormButtons
        verb={verb}
        isDisabled={name.value === '' || problem !== undefined}
        isBusy={isChanging.value}
        onCancel={closeDialog}
      />
    </Form>
  );
}

interface NameProps {
  readonly name: string;
  readonly problem: string | undefined;
  readonly placeholder: string;
  readonly onName: (name: string) => void;
}

function NameField({ name, problem, placeholder, onName }: NameProps): JSX.Element {
  return (
    <Field label="Name" problem={problem}>
      {id => (
        <input
          id={id}
          class="field mono"
          value={name}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          onInput={event => onName(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
