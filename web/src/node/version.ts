/** The version of the package. */
import { readFileSync } from 'node:fs';

/** Of the package. Its root is three folders up, from this source and from what is built of it. */
export function version(): string {
  const found = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return found.version;
}
