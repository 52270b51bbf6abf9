/** The host of one of several tabs: serves the others, or relays to the tab that has the files. */
import { type Failure, messageOf, type Reply, type Request, type WireSource } from '../../protocol/index.ts';
import { Host, type HostPlatform } from '../host.ts';
import { type HeldLock, tryLock, waitForLock } from './held_lock.ts';
import { channelOf, type DoorMessage, doorOf, type GuestMessage, PROTOCOL } from './messages.ts';
import { Relay } from './relay.ts';
import { Serving } from './serving.ts';

type OpenRequest = Extract<Request, { kind: 'open' }>;

const OF_ANOTHER_VERSION: Failure = {
  kind: 'varve',
  code: 'locked',
  message: 'A tab with another version of this page has the database open: reload that tab and this one, or close it',
};

/** Interval at which waiting tabs ask the serving tab whether it is awake. */
const PING_MS = 1000;

/** The files of a tab that died are free a moment after its lock: so often, and so long apart, they are tried again. */
const TRIES = 50;
const TRY_AGAIN_MS = 20;

/**
 * The host of a worker. Where the browser lets one tab at a time have a file open, the first tab that opens a database of the
 * site's storage serves the others; when it goes, the next one opens the files.
 */
export class TabHost {
  readonly #platform: HostPlatform;
  readonly #isExclusive: boolean;
  readonly #ended = new AbortController();
  readonly #host: Host;
  #path = '';
  /** The request to open that this tab's host answers. */
  #opening: number | null = null;
  #relay: Relay | null = null;
  #serving: Serving | null = null;
  #lock: HeldLock | null = null;

  /** @param isExclusive whether only one tab can have a file open. */
  constructor(platform: HostPlatform, isExclusive: boolean) {
    this.#platform = platform;
    this.#isExclusive = isExclusive;
    this.#host = new Host({ ...platform, reply: reply => this.#hear(reply) });
  }

  take(request: Request): void {
    // Closed, or refused: the client has been told, and what it asked for meanwhile fails there.
    if (this.#relay !== null && this.#ended.signal.aborted) return;
    if (this.#relay !== null) this.#relay.take(request);
    // Where there are no locks there is no storage either, and the host says so.
    else if (request.kind === 'open' && request.source.kind === 'opfs' && this.#isExclusive && 'locks' in navigator)
      this.#open(request, request.source);
    else this.#host.take(request);
  }

  #open(request: OpenRequest, source: Extract<WireSource, { kind: 'opfs' }>): void {
    const names = source.path.split('/').filter(name => name !== '' && name !== '.');
    this.#path = names.join('/');
    this.#openAs(request).catch(error => {
      if (this.#ended.signal.aborted) return;
      const message = messageOf(error);
      this.#tell({ kind: 'failed', id: request.id, failure: { kind: 'varve', code: 'unsupported', message } });
    });
  }

  /** Opens the files, or connects to the tab that has them. */
  async #openAs(request: OpenRequest): Promise<void> {
    this.#lock = await tryLock(doorOf(this.#path));
    if (this.#lock !== null) {
      this.#opening = request.id;
      this.#host.take(request);
      return;
    }
    // Without an engine, what became of a statement is uncertain.
    const effectOf = await (this.#platform.loadEffects?.() ?? Promise.reject()).catch(() => () => 'other' as const);
    this.#relay = new Relay(
      request,
      reply => {
        this.#tell(reply);
        if (reply.kind === 'closed') this.#giveUp();
      },
      effectOf,
    );
    await this.#follow(this.#relay, request.options.lockTimeoutMs);
    this.#relay.orphan();
    await this.#takeOver(this.#relay);
  }

  /** A reply of the host in this tab. */
  #hear(reply: Reply): void {
    if (this.#serving?.route(reply)) return;
    if (reply.kind === 'opened' && this.#lock !== null) this.#serving = new Serving(this.#path, this.#host);
    if (this.#relay !== null && reply.kind !== 'died') this.#relay.hear(reply);
    else this.#tell(reply);
    const isNotOpened = reply.kind === 'failed' && reply.id === this.#opening && this.#serving === null;
    // The engine is gone, or the client: another tab may have the files.
    if (isNotOpened || reply.kind === 'died' || reply.kind === 'closed') this.#giveUp();
  }

  #tell(reply: Reply): void {
    const buffers = reply.kind === 'rows' ? [reply.header, reply.page] : reply.kind === 'bytes' ? [reply.bytes] : [];
    this.#platform.reply(
      reply,
      buffers.filter(buffer => buffer !== undefined),
    );
  }

  #giveUp(): void {
    this.#serving?.close();
    this.#serving = null;
    this.#lock?.release();
    this.#lock = null;
    this.#ended.abort();
  }

  /**
   * Works through the tab that has the files, until it is this one's turn to open them.
   *
   * @param waitMs after so long without a word of it, those who wait for it are told so.
   */
  async #follow(relay: Relay, waitMs: number): Promise<void> {
    const guest = crypto.randomUUID();
    const alive = await tryLock(channelOf(guest));
    const door = new BroadcastChannel(doorOf(this.#path));
    const channel = new BroadcastChannel(channelOf(guest));
    // The last one that was asked for, and whether it is there.
    let connection = 0;
    let isConnected = false;
    const post = (message: GuestMessage) => channel.postMessage(message);
    const hello = () => {
      isConnected = false;
      connection++;
      door.postMessage({ kind: 'hello', guest, connection, protocol: PROTOCOL } satisfies DoorMessage);
    };
    channel.onmessage = ({ data }: MessageEvent<GuestMessage>) => {
      // A late message of a closed tab.
      if (data.to !== 'guest' || data.connection !== connection) return;
      silentMs = 0;
      if ('taken' in data) {
        if (relay.begins(data.taken)) post({ to: 'holder', connection, go: data.taken });
      } else if ('reply' in data) relay.hear(data.reply);
    };
    // Not by the clock, which goes on while this tab sleeps itself.
    let silentMs = 0;
    const pingMs = Math.min(PING_MS, waitMs);
    const listening = setInterval(() => {
      if (!relay.isAsking) silentMs = 0;
      else if (silentMs >= waitMs) {
        silentMs = 0;
        relay.giveUp(this.#asleep(waitMs));
      } else {
        silentMs += pingMs;
        post({ to: 'holder', connection, ping: true });
      }
    }, pingMs);
    door.onmessage = ({ data }: MessageEvent<DoorMessage>) => {
      if (data.kind === 'serving') {
        relay.orphan();
        hello();
      } else if (data.kind === 'welcome' && data.guest === guest && data.connection === connection) {
        if (isConnected) return;
        isConnected = true;
        const here = connection;
        void relay.move(request => post({ to: 'holder', connection: here, request }));
      } else if (data.kind === 'refused' && data.guest === guest) this.#refuse(relay);
    };
    hello();
    try {
      this.#lock = await waitForLock(doorOf(this.#path), this.#ended.signal);
    } finally {
      clearInterval(listening);
      door.close();
      channel.close();
      alive?.release();
    }
  }

  #asleep(waitMs: number): Failure {
    const message =
      `Another tab has the files of ${this.#path} and has not answered for ${waitMs / 1000} s: it is busy, or suspended by the browser. ` +
      'Switch to that tab, or close it';
    return { kind: 'varve', code: 'locked', message };
  }

  /** The tab that has the files runs another version of the protocol: requests would not be understood. */
  #refuse(relay: Relay): void {
    this.#giveUp();
    relay.refuse(OF_ANOTHER_VERSION);
  }

  async #takeOver(relay: Relay): Promise<void> {
    for (let tries = 1; ; tries++) {
      const failure = await relay.move(request => this.#host.take(request));
      if (failure === null) return;
      const isHeld = failure.kind === 'varve' && failure.code === 'locked';
      if (!isHeld || tries === TRIES) {
        this.#giveUp();
        this.#tell({ kind: 'died', failure });
        return;
      }
      await new Promise(resolve => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}
