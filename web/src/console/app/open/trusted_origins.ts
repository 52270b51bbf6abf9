/**
 * Origins that this page may read databases from. The author of a link chooses the URL that `?open=` opens: the user is asked
 * before the first request to another origin, and the answer is kept.
 */
import { readStoredJson, writeStoredJson } from '../../ui/stored.ts';
import { dialog } from '../dialogs.ts';
import { overlay } from '../layout_state.ts';

/** Kept in the browser. */
const TRUSTED = 'origins';
/** Kept until the tab is closed. */
const REFUSED = 'refused-origins';

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

export function trustOrigin(origin: string): void {
  const known = readStoredJson(TRUSTED, isList) ?? [];
  if (origin !== location.origin && !known.includes(origin)) writeStoredJson(TRUSTED, [...known, origin]);
  const refused = readStoredJson(REFUSED, isList, 'tab') ?? [];
  if (refused.includes(origin))
    writeStoredJson(
      REFUSED,
      refused.filter(other => other !== origin),
      'tab',
    );
}

/** Whether a link may open an address. Asks where its origin is neither this page's nor known. */
export async function mayOpenLink(url: URL): Promise<boolean> {
  const { origin } = url;
  if (origin === location.origin || readStoredJson(TRUSTED, isList)?.includes(origin)) return true;
  const refused = readStoredJson(REFUSED, isList, 'tab') ?? [];
  if (refused.includes(origin)) return false;
  const isTrusted = await new Promise<boolean>(resolve => {
    overlay.value = undefined;
    dialog.value = {
      kind: 'trust-origin',
      url: url.href,
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    };
  });
  if (isTrusted) trustOrigin(origin);
  else writeStoredJson(REFUSED, [...refused, origin], 'tab');
  return isTrusted;
}
