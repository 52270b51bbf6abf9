/** What tabs tell each other where only one of them can have the files open. */
import type { Reply, Request } from '../../protocol/index.ts';

/** Version of the messages: a page that was loaded before an update of the site is refused, instead of being misunderstood. */
export const PROTOCOL = 4;

/** Said to all tabs that want a database. */
export type DoorMessage =
  /**
   * A tab asks to be served. It counts how often it has: a connection has the number of the hello that began it, and its messages carry
   * that number, for browsers promise no order among channels and locks.
   */
  | { readonly kind: 'hello'; readonly guest: string; readonly connection?: number; readonly protocol?: number }
  /** It cannot be. */
  | { readonly kind: 'refused'; readonly guest: string }
  /** It is, from now on, over a channel of its own. */
  | { readonly kind: 'welcome'; readonly guest: string; readonly connection: number }
  /** A tab has the files open and serves the others: who was served by another says hello again. */
  | { readonly kind: 'serving' };

/**
 * Between the tab that has the files and one that it serves. A statement begins in two phases: the holder says that it has arrived, and
 * begins it when the guest says `go`. So the guest knows of each statement whether it cannot have begun, whatever is still on its way when
 * the holder dies.
 */
export type GuestMessage = { readonly connection: number } & (
  | { readonly to: 'holder'; readonly request: Request }
  /** Begins the statement that was asked for with this id. */
  | { readonly to: 'holder'; readonly go: number }
  /** Is the holder awake? It answers the same. */
  | { readonly to: 'holder' | 'guest'; readonly ping: true }
  | { readonly to: 'guest'; readonly reply: Reply }
  /** A statement has arrived. */
  | { readonly to: 'guest'; readonly taken: number }
);

/** The lock of the tab that has the files, and the channel over which tabs find it. */
export function doorOf(path: string): string {
  return `varve-tabs:${path}`;
}

/** The channel of a guest, and the lock that it has as long as it lives. */
export function channelOf(guest: string): string {
  return `varve-tab:${guest}`;
}
