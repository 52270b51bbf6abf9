import { messageOf, type OpenedDatabase, type Reply, type Request } from '../../protocol/index.ts';
import { waitForLock } from './held_lock.ts';
import { channelOf, type DoorMessage, doorOf, type GuestMessage, PROTOCOL } from './messages.ts';

/** Requests of the guest number N have ids from N times this on. */
const GUEST_IDS = 2 ** 32;

/** The host that has the files open. */
export interface ServingHost {
  take(request: Request): void;
  /** Another connection to what is open, with a session of its own. */
  welcome(): Promise<OpenedDatabase>;
}

/** The other tabs that work through this one, because it has the files. */
export class Serving {
  readonly #host: ServingHost;
  readonly #door: BroadcastChannel;
  readonly #guests = new Map<number, Guest>();
  #last = 0;

  constructor(path: string, host: ServingHost) {
    this.#host = host;
    this.#door = new BroadcastChannel(doorOf(path));
    this.#door.onmessage = ({ data }: MessageEvent<DoorMessage>) => {
      if (data.kind !== 'hello') return;
      if (data.protocol === PROTOCOL) this.#admit(data.guest);
      else this.#door.postMessage({ kind: 'refused', guest: data.guest } satisfies DoorMessage);
    };
    this.#door.postMessage({ kind: 'serving' } satisfies DoorMessage);
  }

  /** Whether a reply is for a guest, and none of this tab's own. */
  route(reply: Reply): boolean {
    if (reply.kind === 'moved' || reply.kind === 'died') {
      for (const guest of this.#guests.values()) guest.tell(reply);
      return false;
    }
    const number = Math.floor(reply.id / GUEST_IDS);
    if (number < 1) return false;
    this.#guests.get(number)?.tell({ ...reply, id: reply.id % GUEST_IDS });
    return true;
  }

  close(): void {
    this.#door.close();
    for (const guest of this.#guests.values()) guest.close();
    this.#guests.clear();
  }

  #admit(name: string): void {
    const welcome = (): void => this.#door.postMessage({ kind: 'welcome', guest: name } satisfies DoorMessage);
    // It has forgotten what it asked for, since it heard that somebody serves: without an answer it would wait for ever.
    if ([...this.#guests.values()].some(guest => guest.name === name)) {
      welcome();
      return;
    }
    const number = ++this.#last;
    const forget = () => this.#guests.delete(number);
    this.#guests.set(number, new Guest(name, number * GUEST_IDS, this.#host, forget));
    welcome();
  }
}

/** One of them. What it left behind is closed when it is gone. */
class Guest {
  readonly name: string;
  readonly #firstId: number;
  readonly #host: ServingHost;
  readonly #channel: BroadcastChannel;
  readonly #sessions = new Set<number>();
  readonly #statements = new Set<number>();
  readonly #running = new Set<number>();
  readonly #ended = new AbortController();
  /** It has closed its connection, or is dead: what arrives late must not run, for its sessions' numbers may be those of others by then. */
  #isGone = false;

  constructor(name: string, firstId: number, host: ServingHost, onGone: () => void) {
    this.name = name;
    this.#firstId = firstId;
    this.#host = host;
    this.#channel = new BroadcastChannel(channelOf(name));
    this.#channel.onmessage = ({ data }: MessageEvent<GuestMessage>) => {
      if (data.to !== 'holder' || this.#isGone) return;
      if ('ping' in data) this.#channel.postMessage({ to: 'guest', ping: true } satisfies GuestMessage);
      else void this.#take(data.request);
    };
    waitForLock(channelOf(name), this.#ended.signal).then(
      lock => {
        lock.release();
        this.#leave();
        this.#channel.close();
        onGone();
      },
      () => {},
    );
  }

  tell(reply: Reply): void {
    if (reply.kind === 'session') this.#sessions.add(reply.session);
    if (reply.kind === 'prepared') this.#statements.add(reply.statement);
    if (reply.kind === 'failed' || (reply.kind === 'rows' && reply.summary !== undefined))
      this.#running.delete(reply.id);
    this.#channel.postMessage({ to: 'guest', reply } satisfies GuestMessage);
  }

  close(): void {
    this.#ended.abort();
    this.#channel.close();
  }

  async #take(request: Request): Promise<void> {
    switch (request.kind) {
      case 'open':
        await this.#open(request.id);
        return;
      case 'close':
        this.#leave();
        this.tell({ kind: 'closed', id: request.id });
        return;
      case 'close_session':
        this.#sessions.delete(request.session);
        this.#host.take(request);
        return;
      case 'close_statement':
        this.#statements.delete(request.statement);
        this.#host.take(request);
        return;
      default:
        if (request.kind === 'execute') {
          this.#running.add(request.id);
          this.#channel.postMessage({ to: 'guest', taken: request.id } satisfies GuestMessage);
        }
        this.#host.take({ ...request, id: this.#firstId + request.id });
    }
  }

  async #open(id: number): Promise<void> {
    try {
      const database = await this.#host.welcome();
      if (this.#isGone) {
        this.#host.take({ kind: 'close_session', session: database.session });
        return;
      }
      this.#sessions.add(database.session);
      this.tell({ kind: 'opened', id, database });
    } catch (error) {
      if (this.#isGone) return;
      const message = messageOf(error);
      this.tell({ kind: 'failed', id, failure: { kind: 'varve', code: 'locked', message } });
    }
  }

  #leave(): void {
    this.#isGone = true;
    for (const id of this.#running) this.#host.take({ kind: 'cancel', id: this.#firstId + id });
    for (const statement of this.#statements) this.#host.take({ kind: 'close_statement', statement });
    for (const session of this.#sessions) this.#host.take({ kind: 'close_session', session });
    this.#running.clear();
    this.#statements.clear();
    this.#sessions.clear();
  }
}
