/** What remotes ask the person for. It stays in the memory of the page, and goes with it. */
import { signal } from '@preact/signals';
import type { Credentials, CredentialsRequest } from '../../../lib/index.ts';

export interface CredentialsQuestion {
  readonly asked: CredentialsRequest;
  /** Null: go on without. */
  readonly onAnswer: (credentials: Credentials | null) => void;
}

/** The question that is shown. */
export const credentialsQuestion = signal<CredentialsQuestion | undefined>(undefined);

/** Answers that were given, by URL. */
const given = new Map<string, Credentials>();

/** Asks the person, or answers what was given for the URL before. */
export async function askCredentials(asked: CredentialsRequest): Promise<Credentials | null> {
  const known = given.get(asked.url);
  if (known !== undefined) return known;
  const credentials = await new Promise<Credentials | null>(resolve => {
    credentialsQuestion.value = { asked, onAnswer: resolve };
  });
  credentialsQuestion.value = undefined;
  if (credentials !== null) given.set(asked.url, credentials);
  return credentials;
}

/** A remote did not do what was asked: perhaps they were wrong, and are asked for again. */
export function forgetCredentials(): void {
  given.clear();
}
