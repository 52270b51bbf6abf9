/** The serving tab: runs requests of other tabs that cannot open the files. */
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
      if (data.protocol === PROTOCOL && data.connection !== undefined) this.#admit(data.guest, data.connection);
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
    const guest = this.#guests.get(number);
    if (guest !== undefined && !guest.isGone) guest.tell({ ...reply, id: reply.id % GUEST_IDS });
    else if (reply.kind === 'session') this.#host.take({ kind: 'close_session', session: reply.session });
    else if (reply.kind === 'prepared') this.#host.take({ kind: 'close_statement', statement: reply.statement });
    return true;
  }

  close(): void {
    this.#door.close();
    for (const guest of this.#guests.values()) guest.close();
    this.#guests.clear();
  }

  #admit(name: string, connection: number): void {
    for (const [number, guest] of this.#guests) {
      if (guest.name !== name) continue;
      // Two hellos need not arrive in their order.
      if (guest.connection >= connection) return;
      // What it asked for over the one before it has given up.
      guest.leave();
      this.#guests.delete(number);
    }
    const number = ++this.#last;
    const forget = () => this.#guests.delete(number);
    this.#guests.set(number, new Guest(name, connection, number * GUEST_IDS, this.#host, forget));
    this.#door.postMessage({ kind: 'welcome', guest: name, connection } satisfies DoorMessage);
  }
}

/** A request that has arrived. A statement waits for its `go`, and what was asked behind it for its turn. */
interface Queued {
  readonly request: Request;
  mayBegin: boolean;
}

/** A connection of one of them. What it left behind is closed when it is gone. */
class Guest {
  readonly name: string;
  readonly connection: number;
  readonly #firstId: number;
  readonly #host: ServingHost;
  readonly #channel: BroadcastChannel;
  readonly #sessions = new Set<number>();
  readonly #statements = new Set<number>();
  readonly #running = new Set<number>();
  #queue: Queued[] = [];
  readonly #ended = new AbortController();
  /** It has closed its connection, or is dead: what arrives late must not run, for its sessions' numbers may be those of others by then. */
  #isGone = false;

  get isGone(): boolean {
    return this.#isGone;
  }

  constructor(name: string, connection: number, firstId: number, host: ServingHost, onGone: () => void) {
    this.name = name;
    this.connection = connection;
    this.#firstId = firstId;
    this.#host = host;
    this.#channel = new BroadcastChannel(channelOf(name));
    this.#channel.onmessage = ({ data }: MessageEvent<GuestMessage>) => {
      if (data.to !== 'holder' || data.connection !== connection || this.#isGone) return;
      if ('ping' in data) this.#post({ to: 'guest', connection, ping: true });
      else if ('go' in data) this.#begin(data.go);
      else this.#hear(data.request);
    };
    waitForLock(channelOf(name), this.#ended.signal).then(
      lock => {
        lock.release();
        this.leave();
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
    this.#post({ to: 'guest', connection: this.connection, reply });
  }

  /** The host is about to go. */
  close(): void {
    this.#ended.abort();
    this.#channel.close();
  }

  /** The connection is over: nothing of it runs on, or stays open. */
  leave(): void {
    this.#forget();
    this.close();
  }

  #post(message: GuestMessage): void {
    this.#channel.postMessage(message);
  }

  #hear(request: Request): void {
    const isStatement = request.kind === 'execute';
    const waiting = request.kind === 'cancel' ? this.#queue.findIndex(queued => isFor(queued, request.id)) : -1;
    if (waiting >= 0 && request.kind === 'cancel') {
      this.#queue.splice(waiting, 1);
      const failure = { kind: 'varve', code: 'aborted', message: 'The statement was cancelled' } as const;
      this.tell({ kind: 'failed', id: request.id, failure });
    } else this.#queue.push({ request, mayBegin: !isStatement });
    if (isStatement) this.#post({ to: 'guest', connection: this.connection, taken: request.id });
    this.#drain();
  }

  #begin(id: number): void {
    const queued = this.#queue.find(queued => isFor(queued, id));
    if (queued !== undefined) queued.mayBegin = true;
    this.#drain();
  }

  #drain(): void {
    while (this.#queue[0]?.mayBegin) void this.#take((this.#queue.shift() as Queued).request);
  }

  async #take(request: Request): Promise<void> {
    switch (request.kind) {
      case 'open':
        await this.#open(request.id);
        return;
      case 'close':
        this.#forget();
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
        if (request.kind === 'execute') this.#running.add(request.id);
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

  #forget(): void {
    this.#isGone = true;
    this.#queue = [];
    for (const id of this.#running) this.#host.take({ kind: 'cancel', id: this.#firstId + id });
    for (const statement of this.#statements) this.#host.take({ kind: 'close_statement', statement });
    for (const session of this.#sessions) this.#host.take({ kind: 'close_session', session });
    this.#running.clear();
    this.#statements.clear();
    this.#sessions.clear();
  }
}

/** Whether it is the statement with this id. */
function isFor({ request }: Queued, id: number): boolean {
  return request.kind === 'execute' && request.id === id;
}
