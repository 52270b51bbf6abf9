import { findDolt } from '../../scripts/dolt.mjs';

/** Native Dolt: where Go or the tests put it, or the one in the PATH. */
export const dolt = findDolt() ?? 'dolt';
