import type { Database } from '../../client/index.ts';
import { Browser } from './browser.ts';
import type { CorePool } from './cores.ts';
import { SessionDriver } from './driver.ts';
import { Model, READ_STATE, Violation } from './model.ts';
import { type DirectoryNode, Storage } from './opfs.ts';
import type { Plan, PlannedFault, PlannedOperation } from './plan.ts';
import { Tab } from './tab.ts';
import { Actor, World } from './world.ts';

/** After so long on the virtual clock everything has an answer, whatever happened. */
const PATIENCE_MS = 600_000;

/** Openings of a tab that may fail one after the other while nothing is wrong with the storage. */
const OPENINGS_MAX = 200;

export interface ScheduleResult {
  readonly violation: string | null;
  /** Equal for equal runs. */
  readonly fingerprint: number;
  readonly trace: readonly string[];
  readonly events: number;
  readonly acknowledged: number;
  readonly uncertain: number;
}

/** Runs a plan over a copy of a storage, and checks what its end promises. */
export async function runPlan(
  plan: Plan,
  start: DirectoryNode,
  pool: CorePool,
  isTraced = false,
): Promise<ScheduleResult> {
  const run = new Run(plan, start.copy(), pool);
  run.world.isTraced = isTraced;
  const restore = run.browser.install();
  let violation: string | null = null;
  try {
    await run.play();
    await run.checkEnd();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    violation = error.message;
  } finally {
    run.free();
    restore();
  }
  const { world, model } = run;
  return {
    violation,
    fingerprint: world.fingerprint,
    trace: world.trace,
    events: world.eventCount,
    acknowledged: model.acknowledged.size + model.raisedAcknowledged,
    uncertain: model.uncertain.size + model.raisedUncertain,
  };
}

/** A tab over its lives: after a kill its page is loaded again and goes on with what is left to do. */
interface TabPlace {
  readonly index: number;
  readonly sessions: PlannedOperation[][];
  tab: Tab | null;
  database: Database | null;
  lives: number;
}

class Run {
  readonly world: World;
  readonly model = new Model();
  readonly browser: Browser;
  readonly #storage: Storage;
  readonly #plan: Plan;
  readonly #pool: CorePool;
  readonly #places: TabPlace[];
  readonly #tabs: Tab[] = [];
  #violation: Violation | null = null;
  #hasLostPower = false;
  /** Pages that were to be loaded are not any more, and faults that were to come do not. */
  #isOver = false;
  #failedOpenings = 0;

  constructor(plan: Plan, root: DirectoryNode, pool: CorePool) {
    this.#plan = plan;
    this.#pool = pool;
    this.world = new World(plan.seed);
    this.#storage = new Storage(this.world, root, plan.isExclusive);
    this.browser = new Browser(this.world, this.#storage);
    this.#places = Array.from({ length: plan.tabs }, (_, index) => ({
      index,
      sessions: sessionsOf(plan, index),
      tab: null,
      database: null,
      lives: 0,
    }));
  }

  async play(): Promise<void> {
    const { world } = this;
    for (const place of this.#places) this.#live(place, world.random.fraction() * 20);
    for (const step of this.#plan.steps)
      if (step.what !== 'operation') world.post(null, step.atMs, () => this.#fault(step));
    const isOver = (): boolean =>
      this.#violation !== null || this.#hasLostPower || this.#places.every(({ sessions }) => sessions.length === 0);
    const ended = await world.run(world.nowMs + PATIENCE_MS, isOver);
    if (this.#violation !== null) throw this.#violation;
    if (!ended) throw new Violation(`the schedule does not end: ${this.#unfinished()}`);
  }

  /** Opens the storage anew, when every tab is gone. */
  async checkEnd(): Promise<void> {
    const { world, model } = this;
    this.#isOver = true;
    Object.assign(this.#storage.faults, { quotaLeft: Infinity, failingFlush: 0 });
    if (!this.#hasLostPower && world.random.chance(0.5)) await this.#closeAll();
    for (const tab of this.#tabs) tab.actor.kill();
    await world.run(world.nowMs + 2000, () => false);
    if (this.#violation !== null) throw this.#violation;
    let isDone = false;
    const tab = new Tab(world, new Actor('end'), this.#plan.isExclusive, this.#pool);
    this.#tabs.push(tab);
    world.post(tab.actor, 0, () => {
      this.#lookAtEnd(tab).then(
        () => {
          isDone = true;
        },
        error => this.#broken(error),
      );
    });
    const ended = await world.run(world.nowMs + PATIENCE_MS, () => isDone || this.#violation !== null);
    if (this.#violation !== null) throw this.#violation;
    if (!ended) throw new Violation('the storage cannot be opened at the end: no answer');
    world.note(`end: ${model.acknowledged.size} acknowledged, ${model.uncertain.size} uncertain`);
  }

  free(): void {
    for (const tab of this.#tabs) tab.end(this.#pool);
  }

  async #lookAtEnd(tab: Tab): Promise<void> {
    const { model } = this;
    const database = await tab.open(this.#plan.lockTimeoutMs, 'full');
    if (database.unreadable.length > 0) throw new Violation(`the end: ${JSON.stringify(database.unreadable)}`);
    const state = model.read((await database.query(READ_STATE)).rows, 'the end');
    model.checkEnd(state, this.#hasLostPower);
    const tables = new Set((await database.query('SHOW TABLES')).rowArrays().map(([name]) => String(name)));
    for (const name of model.tables)
      if (!model.mayForget && !tables.has(name))
        throw new Violation(`the end has no table ${name}, which was acknowledged`);
    await database.query('INSERT INTO log VALUES (1000000, -1, 0)');
    const { rows } = await database.query('SELECT COUNT(*) AS n FROM log WHERE op = 1000000');
    if (Number(rows[0]?.n) !== 1) throw new Violation('the end does not see what it has written itself');
  }

  /** A tab begins a life. */
  #live(place: TabPlace, delayMs: number): void {
    const actor = new Actor(`tab ${place.index}.${place.lives++}`);
    const { world, model } = this;
    world.post(actor, delayMs, () => {
      if (this.#isOver) return;
      const tab = new Tab(world, actor, this.#plan.isExclusive, this.#pool);
      this.#tabs.push(tab);
      place.tab = tab;
      place.database = null;
      actor.onDeath.push(() => {
        if (!tab.isClosed && this.#plan.durability === 'relaxed') model.mayForget = true;
        if (place.tab !== tab) return;
        place.tab = null;
        place.database = null;
        world.note(`${actor.name} is dead`);
        if (!this.#hasLostPower && place.sessions.length > 0) this.#live(place, world.random.delay(50, 1000));
      });
      this.#work(place, tab).catch(error => this.#broken(error));
    });
  }

  async #work(place: TabPlace, tab: Tab): Promise<void> {
    const { world, model } = this;
    const { actor } = tab;
    let database: Database;
    try {
      database = await tab.open(this.#plan.lockTimeoutMs, this.#plan.durability);
    } catch (error) {
      if (actor.isDead) return;
      world.note(`${actor.name} cannot open: ${String(error)}`);
      if (tab.panic !== null) throw new Violation(`${actor.name}: ${tab.panic}`);
      if (++this.#failedOpenings > OPENINGS_MAX) throw new Violation(`no tab can open the database: ${String(error)}`);
      actor.kill();
      return;
    }
    if (actor.isDead) return;
    if (database.unreadable.length > 0) throw new Violation(`${actor.name}: ${JSON.stringify(database.unreadable)}`);
    world.note(`${actor.name} has opened`);
    place.database = database;
    void database.closed.then(error => {
      if (actor.isDead) return;
      if (tab.panic !== null) this.#broken(new Violation(`${actor.name}: ${tab.panic}`));
      world.note(`${actor.name} is closed: ${String(error)}`);
      tab.isClosed = error === null;
      actor.kill();
    });
    const drivers = [...place.sessions].map(async (operations, index) => {
      const session = await database.session();
      const who = `${actor.name} session ${index}`;
      const driver = new SessionDriver(world, model, actor, session, who, () => this.#storage.faults.failingFlush > 0);
      for (;;) {
        const next = operations[0];
        if (next === undefined || actor.isDead) break;
        if (next.atMs > world.nowMs) await new Promise(resolve => setTimeout(resolve, next.atMs - world.nowMs));
        if (actor.isDead) break;
        operations.shift();
        await driver.run(next);
      }
      if (!actor.isDead && operations.length === 0) place.sessions.splice(place.sessions.indexOf(operations), 1);
    });
    await Promise.all(drivers).catch(error => {
      // A session that could not be made: the tab is loaded again.
      if (error instanceof Violation) throw error;
      world.note(`${actor.name} fails: ${String(error)}`);
      if (++this.#failedOpenings > OPENINGS_MAX) throw new Violation(`no tab gets a session: ${String(error)}`);
      actor.kill();
    });
  }

  #fault({ what, tab: index, amount }: PlannedFault): void {
    if (this.#isOver) return;
    const { world } = this;
    const place = this.#places[index];
    const tab = place?.tab;
    const { faults } = this.#storage;
    world.note(`fault ${what} of tab ${index}`);
    switch (what) {
      case 'kill':
        tab?.actor.kill();
        return;
      case 'killWithin':
        if (tab) tab.actor.operationsLeft = amount;
        return;
      case 'close':
        if (tab && place?.database) this.#close(tab, place.database);
        return;
      case 'freeze':
        if (tab) tab.actor.frozenUntilMs = world.nowMs + amount;
        return;
      case 'quota':
        Object.assign(faults, { quotaLeft: amount, isShort: world.random.chance(0.5) });
        return;
      case 'failingFlushes':
        faults.failingFlush = amount;
        return;
      case 'heal':
        Object.assign(faults, { quotaLeft: Infinity, failingFlush: 0 });
        return;
      case 'clockJump':
        world.wallAheadMs += amount;
        return;
      case 'steal':
        this.browser.locks.steal('varve:shop', amount);
        return;
      case 'powerLoss':
        this.#hasLostPower = true;
        for (const { actor } of this.#tabs) actor.kill();
        this.#storage.root.losePower(world);
    }
  }

  #close(tab: Tab, database: Database): void {
    this.world.post(tab.actor, 0, () => {
      database.close().catch(() => {
        // It was told that the last commits could not be stored.
        if (this.#plan.durability === 'relaxed') this.model.mayForget = true;
      });
    });
  }

  async #closeAll(): Promise<void> {
    const { world } = this;
    let open = 0;
    for (const { tab, database } of this.#places) {
      if (tab === null || database === null) continue;
      open++;
      const end = (): void => {
        open--;
      };
      tab.actor.onDeath.push(end);
      this.#close(tab, database);
    }
    const ended = await world.run(world.nowMs + PATIENCE_MS, () => open <= 0 || this.#violation !== null);
    if (this.#violation !== null) throw this.#violation;
    if (!ended) throw new Violation('a database does not close');
  }

  #broken(error: unknown): void {
    this.#violation ??=
      error instanceof Violation
        ? error
        : new Violation(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  #unfinished(): string {
    return this.#places
      .filter(({ sessions }) => sessions.length > 0)
      .map(
        ({ index, tab, database }) =>
          `tab ${index} (${tab === null ? 'dead' : database === null ? 'opening' : 'at work'})`,
      )
      .join(', ');
  }
}

function sessionsOf(plan: Plan, tab: number): PlannedOperation[][] {
  const sessions = new Map<number, PlannedOperation[]>();
  for (const step of plan.steps) {
    if (step.what !== 'operation' || step.tab !== tab) continue;
    const operations = sessions.get(step.session) ?? [];
    operations.push(step);
    sessions.set(step.session, operations);
  }
  return [...sessions.values()];
}
