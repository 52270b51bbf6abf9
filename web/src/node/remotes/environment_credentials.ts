/** Credentials from the environment and from `~/.aws`. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Credentials, CredentialsRequest } from '../../host/remotes/remote_types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Credentials as native Dolt and the tools of AWS find them: in the environment, and in `~/.aws/credentials`. */
export async function environmentCredentials(
  { scheme, user }: CredentialsRequest,
  environment: Environment = process.env,
  home = homedir(),
): Promise<Credentials | null> {
  if (scheme === 's3') return accessKey(environment, home);
  const password = environment.DOLT_REMOTE_PASSWORD;
  return user === null || password === undefined ? null : { user, password };
}

function accessKey(environment: Environment, home: string): Credentials | null {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_PROFILE } = environment;
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
    return keyOf(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN);
  const path = environment.AWS_SHARED_CREDENTIALS_FILE || join(home, '.aws/credentials');
  const profile = profilesIn(path).get(AWS_PROFILE || 'default');
  const [id, secret] = [profile?.get('aws_access_key_id'), profile?.get('aws_secret_access_key')];
  return id && secret ? keyOf(id, secret, profile?.get('aws_session_token')) : null;
}

function keyOf(accessKeyId: string, secretAccessKey: string, sessionToken: string | undefined): Credentials {
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** The settings of each `[profile]` of a file; none where it cannot be read. */
function profilesIn(path: string): Map<string, Map<string, string>> {
  const profiles = new Map<string, Map<string, string>>();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return profiles;
  }
  let profile = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[\s*(.+?)\s*\]/.exec(line)?.[1];
    const setting = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (name !== undefined) {
      profile = profiles.get(name) ?? new Map();
      profiles.set(name, profile);
    } else if (setting !== null) profile.set(setting[1] as string, setting[2] as string);
  }
  return profiles;
}
