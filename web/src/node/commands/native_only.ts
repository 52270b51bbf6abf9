/** Commands of native Dolt that would do nothing here, and what does it instead. */
const SERVER =
  'there is no SQL server: `varve serve` is a remote, the package and `varve serve-json` answer other programs';
const SETTINGS = 'accounts and settings are kept by native Dolt; Varve reads user.name, user.email and core.editor';
const STORE = 'native Dolt does it in the same directory';

const NATIVE_ONLY: ReadonlyMap<string, string> = new Map([
  ...['sql-server', 'sql-client'].map(name => [name, SERVER] as const),
  ...['config', 'creds', 'login', 'profile'].map(name => [name, SETTINGS] as const),
  ...['read-tables', 'filter-branch', 'archive', 'admin', 'ci', 'debug'].map(name => [name, STORE] as const),
]);

/** Why there is no command of this name, where native Dolt has one. */
export function whyNone(command: string): string | undefined {
  const why = NATIVE_ONLY.get(command);
  return why && `unknown command ${command}: ${why}`;
}
