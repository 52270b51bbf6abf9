/** Who makes commits and tags here. */
import { effect, signal } from '@preact/signals';
import { readStoredJson, writeStoredJson } from '../../../ui/stored.ts';
import type { Author } from '../../../versions/CommitForm.tsx';

function isAuthor(value: unknown): value is Author {
  const given = value as Partial<Author> | null;
  return typeof given?.name === 'string' && typeof given.email === 'string';
}

/** Of commits and tags that are made here. */
export const author = signal<Author>(readStoredJson('author', isAuthor) ?? { name: '', email: '' });
effect(() => writeStoredJson('author', author.value));

/** `Name <email>`, or nothing: then it is the database's own. */
export function signature(): { readonly author?: string } {
  const { name, email } = author.peek();
  return name.trim() === '' ? {} : { author: `${name.trim()} <${email.trim()}>` };
}
