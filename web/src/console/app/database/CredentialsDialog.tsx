import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, FormButtons } from '../../ui/form.tsx';
import type { CredentialsQuestion } from './credentials.ts';

/** Asks for what a remote wants to know: a user and a password, or the keys of a bucket. */
export function CredentialsDialog({ question }: { readonly question: CredentialsQuestion }): JSX.Element {
  const { asked, onAnswer } = question;
  return (
    <Dialog title={asked.scheme === 's3' ? 'Bucket access keys' : 'Sign in'} onClose={() => onAnswer(null)}>
      {asked.scheme === 's3' ? <KeysForm {...question} /> : <UserForm {...question} />}
    </Dialog>
  );
}

function UserForm({ asked, onAnswer }: CredentialsQuestion): JSX.Element {
  const user = useSignal(asked.user ?? '');
  const password = useSignal('');
  return (
    <Form onSubmit={() => onAnswer({ user: user.value, password: password.value })}>
      <Place url={asked.url} />
      <Text label="User" value={user.value} onInput={text => (user.value = text)} />
      <Text label="Password" value={password.value} isSecret onInput={text => (password.value = text)} />
      <StaysHere />
      <FormButtons verb="Sign in" isDisabled={user.value === ''} onCancel={() => onAnswer(null)} />
    </Form>
  );
}

function KeysForm({ asked, onAnswer }: CredentialsQuestion): JSX.Element {
  const accessKeyId = useSignal('');
  const secretAccessKey = useSignal('');
  const sessionToken = useSignal('');
  const answer = () =>
    onAnswer({
      accessKeyId: accessKeyId.value,
      secretAccessKey: secretAccessKey.value,
      ...(sessionToken.value !== '' && { sessionToken: sessionToken.value }),
    });
  return (
    <Form onSubmit={answer}>
      <Place url={asked.url} />
      <Text label="Access key ID" value={accessKeyId.value} onInput={text => (accessKeyId.value = text)} />
      <Text
        label="Secret access key"
        value={secretAccessKey.value}
        isSecret
        onInput={text => (secretAccessKey.value = text)}
      />
      <Text
        label="Session token (optional)"
        value={sessionToken.value}
        isSecret
        onInput={text => (sessionToken.value = text)}
      />
      <StaysHere />
      <FormButtons
        verb="Use keys"
        isDisabled={accessKeyId.value === '' || secretAccessKey.value === ''}
        onCancel={() => onAnswer(null)}
      />
    </Form>
  );
}

function Place({ url }: { readonly url: string }): JSX.Element {
  return <p class="linked-address">{url.replace(/\?.*$/s, '')}</p>;
}

function StaysHere(): JSX.Element {
  return <p class="muted">Kept in this page only, until you close or reload it.</p>;
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly isSecret?: boolean;
  readonly onInput: (text: string) => void;
}

function Text({ label, value, isSecret = false, onInput }: TextProps): JSX.Element {
  return (
    <Field label={label}>
      {id => {
        const given = {
          ...{ id, class: 'field', value, spellcheck: false, autocomplete: 'off' },
          onInput: (event: { readonly currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
        };
        return isSecret ? <input type="password" {...given} /> : <input type="text" {...given} />;
      }}
    </Field>
  );
}
