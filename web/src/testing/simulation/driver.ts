import { type Row, type Session, SqlError, VarveError } from '../../client/index.ts';
import { BULK_ROWS, type Model, READ_STATE, Violation } from './model.ts';
import type { PlannedOperation } from './plan.ts';
import type { Actor, World } from './world.ts';

/** What became of an operation, as its session was told. */
type Outcome = 'done' | 'failed' | 'uncertain';

const CR_SERVER_LOST = 2013;

/** Codes after which a statement may have been done or not: the connection ended before its answer. */
const WITHOUT_ANSWER = new Set(['closed', 'died', 'aborted']);

/** Runs the operations of one session and tells the model what was acknowledged. */
export class SessionDriver {
  readonly #world: World;
  readonly #model: Model;
  readonly #actor: Actor;
  readonly #session: Session;
  readonly #who: string;
  readonly #flushesFail: () => boolean;
  /** What this session has seen or was told to be done: it never goes away again. */
  readonly #known = new Set<number>();

  constructor(world: World, model: Model, actor: Actor, session: Session, who: string, flushesFail: () => boolean) {
    this.#world = world;
    this.#model = model;
    this.#actor = actor;
    this.#session = session;
    this.#who = who;
    this.#flushesFail = flushesFail;
  }

  async run(operation: PlannedOperation): Promise<void> {
    const { number, kind } = operation;
    const raises = kind === 'raise' ? 1 : 0;
    // A tab that is killed says nothing more: then this is what is known.
    if (raises === 0) this.#model.uncertain.add(number);
    this.#model.raisedUncertain += raises;
    this.#world.note(`${this.#who} begins ${kind} ${number}`);
    let flushesFail = this.#flushesFail();
    const outcome = await this.#outcomeOf(operation);
    flushesFail ||= this.#flushesFail();
    if (this.#actor.isDead) return;
    this.#world.note(`${this.#who} ${kind} ${number}: ${outcome}`);
    if (outcome === 'uncertain') return;
    this.#model.uncertain.delete(number);
    this.#model.raisedUncertain -= raises;
    if (outcome === 'failed') {
      if (flushesFail && raises === 0) this.#model.unflushed.add(number);
      if (flushesFail) this.#model.raisedUnflushed += raises;
      return;
    }
    if (raises === 1) this.#model.raisedAcknowledged++;
    else if (WRITES_ROWS.has(kind)) {
      this.#model.acknowledged.add(number);
      this.#known.add(number);
    } else if (kind === 'table') this.#model.tableMade(`made_${number}`);
  }

  async #outcomeOf(operation: PlannedOperation): Promise<Outcome> {
    try {
      await this.#perform(operation);
      return 'done';
    } catch (error) {
      if (error instanceof Violation) throw error;
      this.#world.note(`${this.#who} ${operation.kind} ${operation.number}: ${String(error)}`);
      return this.#meaningOf(error);
    }
  }

  #meaningOf(error: unknown): Outcome {
    if (this.#actor.isDead) return 'uncertain';
    if (error instanceof SqlError) return error.errno === CR_SERVER_LOST ? 'uncertain' : 'failed';
    if (error instanceof VarveError) {
      if (error.code === 'died' && /The engine stopped/.test(error.message))
        throw new Violation(`${this.#who}: ${error.message}`);
      return WITHOUT_ANSWER.has(error.code) ? 'uncertain' : 'failed';
    }
    if (error instanceof DOMException && error.name === 'AbortError') return 'uncertain';
    throw new Violation(`${this.#who} got an error without a type: ${error instanceof Error ? error.stack : error}`);
  }

  async #perform({ kind, number }: PlannedOperation): Promise<void> {
    const session = this.#session;
    const { random } = this.#world;
    switch (kind) {
      case 'append':
        await session.query(`INSERT INTO log VALUES (${number}, -1, 0)`);
        return;
      case 'cancelled': {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), random.fraction() * 20);
        await session.query('INSERT INTO log VALUES (?, -1, 0)', [number], { signal: controller.signal });
        return;
      }
      case 'timedOut':
        await session.query('INSERT INTO log VALUES (?, -1, 0)', [number], { timeoutMs: random.below(30) });
        return;
      case 'raise':
        await session.query(`UPDATE counter SET n = n + 1, w = ${number} WHERE k = ${random.below(2)}`);
        return;
      case 'bulk':
        await session.query(`INSERT INTO bulk VALUES ${bulkRows(number).join()}`);
        return;
      case 'script':
        await this.#runScript(number);
        return;
      case 'table':
        await session.query(`CREATE TABLE made_${number} (id INT PRIMARY KEY)`);
        return;
      case 'versionCommit':
        await session.query(`CALL DOLT_COMMIT('-A', '--allow-empty', '-m', 'operation ${number}')`);
        return;
      case 'collect':
        await session.query('CALL DOLT_GC()');
        return;
      case 'read':
        this.#check(await this.#read(), []);
        return;
      case 'readTwice':
        await this.#inTransaction(() => this.#readTwice(), 'COMMIT');
        return;
      case 'move':
        await this.#inTransaction(() => this.#move(number), 'COMMIT');
        return;
      case 'rolledBack':
        await this.#inTransaction(() => this.#move(number), 'ROLLBACK');
        this.#model.uncertain.delete(number);
        return;
    }
  }

  async #runScript(number: number): Promise<void> {
    const script = `INSERT INTO log VALUES (${number}, -1, 0);\n`;
    const runner = this.#session as Session & {
      runScript(bytes: Uint8Array, isLast: boolean): Promise<{ error: unknown }>;
    };
    const { error } = await runner.runScript(new TextEncoder().encode(script), true);
    if (error !== null) throw error;
  }

  async #inTransaction(work: () => Promise<void>, end: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    try {
      await this.#session.query('START TRANSACTION');
      await work();
      await this.#session.query(end);
    } catch (error) {
      // What failed within a transaction is rolled back with it; what ended it says itself what became of it.
      await this.#session.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async #move(number: number): Promise<void> {
    const { random } = this.#world;
    const [account, amount] = [random.below(4), random.below(9) - 4];
    this.#world.note(`${this.#who} moves ${amount} to account ${account}`);
    await this.#session.query('UPDATE account SET n = n + ?, w = ? WHERE k = ?', [amount, number, account]);
    if (random.chance(0.2)) await this.#pause();
    await this.#session.query('INSERT INTO log VALUES (?, ?, ?)', [number, account, amount]);
    if (random.chance(0.3)) {
      const state = this.#model.read(await this.#read(), this.#who, [number]);
      this.#model.contains(state, [number], this.#who, 'which its own transaction has done');
    }
  }

  async #readTwice(): Promise<void> {
    const first = this.#check(await this.#read(), []);
    await this.#pause();
    const second = this.#model.read(await this.#read(), this.#who);
    const differs = first.raised !== second.raised || first.operations.join() !== second.operations.join();
    if (differs) throw new Violation(`${this.#who} saw two states in one transaction`);
  }

  async #read(): Promise<readonly Row[]> {
    return (await this.#session.query(READ_STATE)).rows;
  }

  #check(rows: readonly Row[], own: readonly number[]): ReturnType<Model['read']> {
    const state = this.#model.read(rows, this.#who, own);
    this.#model.contains(state, this.#known, this.#who, 'which it has seen or done before');
    for (const operation of state.operations) this.#known.add(operation);
    return state;
  }

  #pause(): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, this.#world.random.delay(10, 600)));
  }
}

const WRITES_ROWS: ReadonlySet<string> = new Set(['append', 'cancelled', 'timedOut', 'bulk', 'script', 'move']);

function bulkRows(number: number): string[] {
  return Array.from({ length: BULK_ROWS }, (_, row) => `(${number}, ${row}, 'row ${row} of operation ${number}')`);
}
