import { type Database, openThrough, type Transport } from '../../client/index.ts';
import { openBrowserFile, openBrowserSource } from '../../host/files/browser_source.ts';
import type { HostPlatform } from '../../host/host.ts';
import { TabHost } from '../../host/tabs/tab_host.ts';
import type { Core } from '../../host/wasm/core.ts';
import { WasmEngine } from '../../host/wasm/wasm_engine.ts';
import { effectOf } from '../../host/wasm/wasm_exports.ts';
import type { Reply, Request, SessionImage } from '../../protocol/index.ts';
import { noRemotes } from '../no_remotes.ts';
import type { CorePool } from './cores.ts';
import type { Actor, World } from './world.ts';

/** A tab from its opening to its end: the client, the host and the engine as they are, over doubles of the browser. */
export class Tab {
  readonly actor: Actor;
  readonly #world: World;
  readonly #isExclusive: boolean;
  readonly #core: Core;
  readonly #engines: WasmEngine[] = [];
  #isEnded = false;
  /** What the engine said when it panicked. */
  get panic(): string | null {
    return this.#core.imports.panicMessage;
  }
  /** Its database was closed, which leaves nothing undone. */
  isClosed = false;

  constructor(world: World, actor: Actor, isExclusive: boolean, pool: CorePool) {
    this.#world = world;
    this.actor = actor;
    this.#isExclusive = isExclusive;
    this.#core = pool.take();
    this.#core.imports.panicMessage = null;
    this.#core.imports.resetClock();
    // In an event of its own: the tab may have been killed within a call of the engine.
    actor.onDeath.push(() => world.post(null, 0, () => this.end(pool)));
  }

  /** To be called by an event of the tab's actor. */
  open(lockTimeoutMs: number, durability: 'full' | 'relaxed'): Promise<Database> {
    return openThrough(
      () => this.#connect(),
      { opfs: 'shop' },
      { lockTimeoutMs, durability, budgetBytes: 16 << 20 },
      {
        acceptsPaths: false,
        baseUrl: 'https://simulated.example/',
        lockTimeoutMs,
        sink: () => Promise.reject(new Error('nothing is copied here')),
      },
    );
  }

  /** Frees what the engines of the tab have, and gives the instance to the next tab. */
  end(pool: CorePool): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.actor.kill();
    // What trapped stays broken: its instance is not used again.
    if (this.#core.isGone) return;
    for (const engine of this.#engines) {
      try {
        engine.close();
      } catch {
        return;
      }
    }
    pool.give(this.#core);
  }

  #connect(): Transport {
    const world = this.#world;
    let onReply: (reply: Reply) => void = () => {};
    let isOver = false;
    const toPage = ordered(world, this.actor);
    const toHost = ordered(world, this.actor);
    const platform: HostPlatform = {
      openSource: openBrowserSource,
      startEngine: async options => {
        const engine = new NotedEngine(this.#core, options);
        engine.world = world;
        this.#engines.push(engine);
        return engine;
      },
      openLocal: openBrowserFile,
      remotes: noRemotes,
      canSuspend: false,
      loadEffects: async () => sql => effectOf(this.#core.glue, sql),
      pause: () => new Promise(resolve => world.post(this.actor, 0, resolve)),
      reply: message =>
        toPage(() => {
          if (!isOver) onReply(message);
        }),
    };
    const host = new TabHost(platform, this.#isExclusive);
    return {
      post: (request: Request) => toHost(() => host.take(request)),
      listen: listener => {
        onReply = listener;
      },
      terminate: () => {
        isOver = true;
      },
    };
  }
}

/** The engine, whose calls are lines of the trace. */
class NotedEngine extends WasmEngine {
  world: World | null = null;

  override prepare(session: number, sql: string): ReturnType<WasmEngine['prepare']> {
    this.world?.note(`engine: session ${session} prepares ${sql.trim().slice(0, 50).replaceAll('\n', ' ')}`);
    return super.prepare(session, sql);
  }

  override openSession(image?: SessionImage): ReturnType<WasmEngine['openSession']> {
    const session = super.openSession(image);
    this.world?.note(`engine: opens session ${session}`);
    return session;
  }

  override closeSession(session: number): void {
    this.world?.note(`engine: closes session ${session}`);
    super.closeSession(session);
  }
}

/** Messages from one thread of a tab to another: late, and in order. */
function ordered(world: World, actor: Actor): (deliver: () => void) => void {
  let lastMs = 0;
  return deliver => {
    lastMs = Math.max(lastMs, world.nowMs + world.random.delay(0.1, 8));
    world.post(actor, lastMs - world.nowMs, deliver);
  };
}
