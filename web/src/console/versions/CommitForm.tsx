/** The commit form: message, author, amend. */
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { counted } from '../ui/figures.ts';
import { Check } from '../ui/form.tsx';
import type { WorkingState } from './status.ts';

export interface Author {
  readonly name: string;
  readonly email: string;
}

/** A message that is being written: it is still there when the form comes again. */
export interface Draft {
  readonly message: Signal<string>;
  readonly isAmending: Signal<boolean>;
  /** A generated message: it is replaced only while it is unedited. */
  filled: string;
}

interface FormProps {
  readonly state: WorkingState;
  readonly branch: string;
  readonly author: Signal<Author>;
  readonly draft: Draft;
  readonly isBusy: boolean;
  /** Gives whether it worked. */
  readonly onCommit: (message: string, isAmended: boolean) => Promise<boolean>;
  readonly lastMessage: () => Promise<string>;
}

/** A message, an author, and the button. What is staged is committed; all changes when nothing is. */
export function CommitForm(props: FormProps): JSX.Element {
  const { state, branch, author, draft, isBusy, onCommit, lastMessage } = props;
  const { message, isAmending } = draft;
  const suggested = state.merging === undefined ? '' : `Merge branch '${state.merging}' into ${branch}`;
  const field = useRef<HTMLTextAreaElement>(null);
  const isAmended = isAmending.value && state.merging === undefined;
  const fill = (text: string) => {
    const isOwn = message.peek().trim() === '' || message.peek() === draft.filled;
    draft.filled = text;
    if (isOwn) message.value = text;
  };
  useEffect(() => {
    if (!isAmended) {
      fill(suggested);
      return;
    }
    let isCurrent = true;
    lastMessage().then(
      last => {
        if (isCurrent) fill(last);
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isAmended, suggested]);
  const tables = new Set(
    [...state.staged, ...(state.staged.length > 0 ? [] : state.unstaged)].map(({ table }) => table),
  ).size;
  const isBlocked = state.troubles.length > 0;
  const canCommit = !isBlocked && (tables > 0 || state.merging !== undefined || isAmended);
  const isCommitting = useRef(false);
  const commit = async () => {
    if (!canCommit || isCommitting.current) return;
    if (message.value.trim() === '') {
      field.current?.focus();
      return;
    }
    isCommitting.current = true;
    const isDone = await onCommit(message.value.trim(), isAmended);
    isCommitting.current = false;
    if (!isDone) return;
    message.value = '';
    isAmending.value = false;
  };
  const what =
    state.merging !== undefined
      ? 'Commit the merge'
      : isAmended
        ? `Amend the last commit${tables > 0 ? ` with ${counted(tables, 'table')}` : ''}`
        : `Commit ${counted(tables, 'table')}`;
  return (
    <form
      class="commit-form"
      onSubmit={event => {
        event.preventDefault();
        void commit();
      }}
    >
      <textarea
        ref={field}
        class="field commit-message"
        rows={3}
        placeholder="What changed, and why"
        aria-label="Commit message"
        value={message.value}
        onInput={event => {
          message.value = event.currentTarget.value;
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void commit();
        }}
      />
      <AuthorFields author={author} />
      {state.merging === undefined && (
        <Check
          label="Amend the last commit"
          isChecked={isAmended}
          onChange={next => {
            isAmending.value = next;
          }}
        />
      )}
      <button
        type="submit"
        class="button primary"
        disabled={isBusy || !canCommit || message.value.trim() === ''}
        {...(canCommit && message.value.trim() === '' && { title: 'Enter a commit message' })}
      >
        {isBlocked ? whatFirst(state) : what}
      </button>
    </form>
  );
}

function AuthorFields({ author }: { readonly author: Signal<Author> }): JSX.Element {
  const isOpen = useSignal(false);
  const id = useId();
  const { name, email } = author.value;
  const shown = name === '' ? 'root <root@localhost>' : `${name} <${email}>`;
  const change = (part: Partial<Author>) => {
    author.value = { ...author.value, ...part };
  };
  return (
    <div class="author">
      <button
        type="button"
        class="author-line truncate"
        aria-expanded={isOpen.value}
        aria-controls={id}
        title="Change author"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        by {shown}
      </button>
      <div id={id} class="author-fields" hidden={!isOpen.value}>
        <input
          class="field"
          placeholder="Name"
          aria-label="Name of the author"
          autocomplete="name"
          value={name}
          onInput={event => change({ name: event.currentTarget.value })}
        />
        <input
          class="field"
          type="email"
          placeholder="Email"
          aria-label="Email of the author"
          autocomplete="email"
          value={email}
          onInput={event => change({ email: event.currentTarget.value })}
        />
      </div>
    </div>
  );
}

/** What is in the way of a commit. */
function whatFirst({ troubles }: WorkingState): string {
  const hasConflicts = troubles.some(({ conflicts, isOfSchema }) => conflicts > 0 || isOfSchema);
  return hasConflicts ? 'Resolve the conflicts first' : 'Resolve the constraint violations first';
}
