import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The address of the engine's glue, beside which its other files are. */
export function engineAddress(): URL {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve('#core'));
  } catch {
    // A bundler has taken the code away from the engine.
    throw new Error(`there is no engine beside ${import.meta.url}: leave varve out of what is bundled for a server`);
  }
}
