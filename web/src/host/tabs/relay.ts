import type {
  ExecuteRequest,
  Failure,
  OpenedDatabase,
  Reply,
  Request,
  SessionImage,
  SessionState,
} from '../../protocol/index.ts';
import type { TransactionEffect } from '../engine.ts';

/** Ids of requests of the relay's own; the client counts from one. */
const OWN_IDS = 2 ** 31;

type OpenRequest = Extract<Request, { kind: 'open' }>;
type Asked = Exclude<
  Request,
  ExecuteRequest | { kind: 'credit' | 'cancel' | 'close_session' | 'close_statement' | 'credentials' }
>;
/** A request without its number. */
type Unnumbered<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never;

/** A session of the client, as far as it goes on where another tab serves. */
interface KnownSession {
  number: number;
  /** Undefined before its first statement, null where it was too large to be told. */
  image: SessionImage | null | undefined;
  isInTransaction: boolean;
  /** What went with the tab that served it: the next statement is told, once. */
  loss: Failure | null;
}

interface KnownStatement {
  number: number;
  readonly session: number;
  readonly sql: string;
}

/**
 * A connection of a tab that works through another one, or did. The client's numbers of sessions and statements stay the
 * same when another tab, or this one, has to serve it: they are made there anew.
 */
export class Relay {
  readonly #open: OpenRequest;
  readonly #tell: (reply: Reply) => void;
  readonly #effectOf: (sql: string) => TransactionEffect;
  readonly #sessions = new Map<number, KnownSession>();
  readonly #statements = new Map<number, KnownStatement>();
  /** What waits for an answer, by its id. */
  readonly #pending = new Map<number, Asked | ExecuteRequest>();
  /** Statements that were told to begin where they run. */
  #begun = new Set<number>();
  /** ROLLBACKs that were given up and run all the same: what is said next in their sessions must not be part of the transactions. */
  readonly #rollingBack = new Map<number, ExecuteRequest>();
  readonly #own = new Map<number, (reply: Reply) => void>();
  /** What came while nobody served. */
  #waiting: Request[] = [];
  #send: ((request: Request) => void) | null = null;
  #last = 0;
  #lastOwn = OWN_IDS;
  #isOpened = false;

  /** @param effectOf what the engine says that a statement does to its transaction */
  constructor(open: OpenRequest, tell: (reply: Reply) => void, effectOf: (sql: string) => TransactionEffect) {
    this.#open = open;
    this.#tell = tell;
    this.#effectOf = effectOf;
  }

  take(request: Request): void {
    if (this.#send === null) this.#waiting.push(request);
    else this.#pass(request, this.#send);
  }

  /** A reply of whoever serves. */
  hear(reply: Reply): void {
    if (reply.kind === 'moved') {
      this.#tell(reply);
      return;
    }
    // The engine of another tab: when its lock is free, somebody serves again.
    if (reply.kind === 'died') {
      this.orphan();
      return;
    }
    const own = this.#own.get(reply.id);
    if (own !== undefined) {
      if (!isLast(reply)) return;
      this.#own.delete(reply.id);
      own(reply);
      return;
    }
    const rollingBack = this.#rollingBack.get(reply.id);
    const request = this.#pending.get(reply.id) ?? rollingBack;
    if (request === undefined) return;
    if (isLast(reply)) {
      this.#pending.delete(reply.id);
      this.#begun.delete(reply.id);
      this.#rollingBack.delete(reply.id);
    }
    const known = this.#known(reply, request);
    if (rollingBack === undefined) this.#tell(known);
  }

  /** A statement has arrived where it runs. Whether it is to begin: it is still wanted, and from now on its fate may be uncertain. */
  begins(id: number): boolean {
    if (this.#own.has(id) || this.#rollingBack.has(id)) return true;
    if (!this.#pending.has(id)) return false;
    this.#begun.add(id);
    return true;
  }

  /** Whoever served is gone: what has begun there is told to have failed, what was only asked waits for the next. */
  orphan(): void {
    this.#send = null;
    const pending = [...this.#pending.values()];
    const begun = this.#begun;
    this.#begun = new Set();
    this.#pending.clear();
    // What the relay asked for itself is asked again by whoever moves it.
    this.#own.clear();
    this.#rollingBack.clear();
    for (const session of this.#sessions.values()) if (session.isInTransaction) session.loss = LOST_TRANSACTION;
    for (const request of pending) {
      // Opening is what the next one is asked for first.
      if (request.kind === 'open') continue;
      const failure = request.kind === 'execute' ? this.#lost(request, begun.has(request.id)) : null;
      if (failure === null) this.#waiting.push(request);
      else this.#tell({ kind: 'failed', id: request.id, failure });
    }
  }

  /** Whether somebody waits for an answer. */
  get isAsking(): boolean {
    return !this.#isOpened || this.#pending.size > 0 || this.#waiting.some(isAsked);
  }

  /**
   * Whoever serves says nothing, or nobody does: what was asked has failed. A statement that was told to begin may run yet, when that tab
   * wakes, unless it reads its cancel first.
   */
  giveUp(failure: Failure): void {
    if (!this.#isOpened) {
      this.refuse(failure);
      return;
    }
    const sent = [...this.#pending.values()];
    const unsent = this.#waiting;
    const begun = this.#begun;
    this.#pending.clear();
    this.#begun = new Set();
    this.#waiting = unsent.filter(isClosing);
    for (const request of sent) {
      const isRollback = request.kind === 'execute' && this.#effectOf(this.#sqlOf(request.statement)) === 'rolls_back';
      if (isRollback) this.#rollingBack.set(request.id, request);
      else if (request.kind === 'execute') this.#send?.({ kind: 'cancel', id: request.id });
      const mayRun = isRollback || begun.has(request.id);
      this.#tell({ kind: 'failed', id: request.id, failure: mayRun ? NO_ANSWER : failure });
    }
    for (const request of unsent) if (isAsked(request)) this.#tell({ kind: 'failed', id: request.id, failure });
  }

  /** Nobody will serve: opening fails, or what is open is over. */
  refuse(failure: Failure): void {
    this.#tell(this.#isOpened ? { kind: 'died', failure } : { kind: 'failed', id: this.#open.id, failure });
  }

  /**
   * Somebody serves from now on.
   *
   * @returns what went wrong with opening there, or null
   */
  async move(send: (request: Request) => void): Promise<Failure | null> {
    if (!this.#isOpened) {
      this.#pending.set(this.#open.id, this.#open);
      send(this.#open);
    } else {
      const { id: _id, ...open } = this.#open;
      const opened = await this.#ask(send, open);
      if (opened.kind === 'failed') return opened.failure;
      if (opened.kind !== 'opened') return null;
      await this.#rebuild(send, opened.database);
    }
    this.#send = send;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const request of waiting) this.take(request);
    return null;
  }

  /** Makes the sessions and statements of the client anew. */
  async #rebuild(send: (request: Request) => void, database: OpenedDatabase): Promise<void> {
    send({ kind: 'close_session', session: database.session });
    for (const session of this.#sessions.values()) {
      const { image } = session;
      const reply = await this.#ask(send, { kind: 'open_session', ...(image && { image }) });
      session.number = reply.kind === 'session' ? reply.session : -1;
      session.isInTransaction = false;
      if (image === null) session.loss ??= LOST_STATE;
    }
    for (const statement of this.#statements.values()) {
      const session = this.#sessions.get(statement.session)?.number ?? -1;
      const reply = await this.#ask(send, { kind: 'prepare', session, sql: statement.sql });
      statement.number = reply.kind === 'prepared' ? reply.statement : -1;
    }
  }

  #ask(send: (request: Request) => void, request: Unnumbered<Asked>): Promise<Reply> {
    const id = ++this.#lastOwn;
    return new Promise(resolve => {
      this.#own.set(id, resolve);
      send({ ...request, id } as Request);
    });
  }

  /** A request with the numbers of whoever serves. */
  #pass(request: Request, send: (request: Request) => void): void {
    switch (request.kind) {
      case 'credit':
        // A buffer on its way to another tab would be a copy.
        send({ kind: 'credit', id: request.id, pages: request.pages });
        return;
      case 'cancel':
        send(request);
        return;
      case 'close_session':
        send({ ...request, session: this.#session(request.session) });
        this.#sessions.delete(request.session);
        return;
      case 'close_statement':
        send({ ...request, statement: this.#statement(request.statement) });
        this.#statements.delete(request.statement);
        return;
      case 'credentials':
        send(request);
        return;
      case 'execute':
        this.#execute(request, send);
        return;
      case 'prepare':
      case 'complete':
      case 'analyze':
        this.#pending.set(request.id, request);
        send({ ...request, session: this.#session(request.session) });
        return;
      default:
        this.#pending.set(request.id, request);
        send(request);
    }
  }

  #execute(request: ExecuteRequest, send: (request: Request) => void): void {
    const session = this.#sessions.get(request.session);
    const loss = session?.loss ?? null;
    if (session !== undefined) session.loss = null;
    // It begins anew: what it had is not missed.
    if (loss !== null && request.beside === undefined) {
      this.#tell({ kind: 'failed', id: request.id, failure: loss });
      return;
    }
    const { statement } = request;
    this.#pending.set(request.id, request);
    const known = typeof statement === 'number' ? this.#statement(statement) : statement;
    const beside = request.beside === undefined ? {} : { beside: this.#session(request.beside) };
    const asked = { ...request, session: this.#session(request.session), ...beside, statement: known };
    send({ ...asked, wantsState: true });
  }

  /** A reply with the numbers of the client. */
  #known(reply: Reply, request: Asked | ExecuteRequest): Reply {
    switch (reply.kind) {
      case 'opened':
        this.#isOpened = true;
        return { ...reply, database: { ...reply.database, session: this.#addSession(reply.database.session) } };
      case 'session':
        return { ...reply, session: this.#addSession(reply.session) };
      case 'prepared': {
        if (request.kind !== 'prepare') return reply;
        const number = ++this.#last;
        this.#statements.set(number, { number: reply.statement, session: request.session, sql: request.sql });
        return { ...reply, statement: number };
      }
      case 'rows':
      case 'failed': {
        const { state, ...known } = reply;
        if (state !== undefined && request.kind === 'execute') this.#note(request, state);
        // An image may be large, and the page has no use for it.
        return known;
      }
      default:
        return reply;
    }
  }

  #note({ session, statement }: ExecuteRequest, { image, isInTransaction }: SessionState): void {
    const known = this.#sessions.get(session);
    if (known === undefined) return;
    if (image !== undefined) known.image = image;
    // Between two pieces of a script are rows that were added and are committed with those of the next.
    const isGathering = typeof statement === 'object' && !statement.isLast;
    known.isInTransaction = isInTransaction || isGathering;
  }

  /** The text of a statement; none of a script, which has many. */
  #sqlOf(statement: ExecuteRequest['statement']): string {
    if (typeof statement === 'number') return this.#statements.get(statement)?.sql ?? '';
    return typeof statement === 'string' ? statement : '';
  }

  #addSession(number: number): number {
    const own = ++this.#last;
    this.#sessions.set(own, { number, image: undefined, isInTransaction: false, loss: null });
    return own;
  }

  #session(number: number): number {
    return this.#sessions.get(number)?.number ?? -1;
  }

  #statement(number: number): number {
    return this.#statements.get(number)?.number ?? -1;
  }

  /** What became of a statement that was sent and has no answer; null where it cannot have begun and is sent again. */
  #lost(request: ExecuteRequest, hasBegun: boolean): Failure | null {
    if (!hasBegun) return null;
    const session = this.#sessions.get(request.session);
    if (session?.loss !== LOST_TRANSACTION) return LOST_CONNECTION;
    session.loss = null;
    // A COMMIT may have been done. What stays in the transaction is rolled back with it, as ROLLBACK does.
    return this.#effectOf(this.#sqlOf(request.statement)) === 'other' ? LOST_CONNECTION : LOST_TRANSACTION;
  }
}

type Closing = Extract<Request, { kind: 'close_session' | 'close_statement' }>;

function isClosing(request: Request): request is Closing {
  return request.kind === 'close_session' || request.kind === 'close_statement';
}

/** Whether it has an answer. */
function isAsked(request: Request): request is Asked | ExecuteRequest {
  return !isClosing(request) && request.kind !== 'credit' && request.kind !== 'cancel';
}

/** ER_LOCK_DEADLOCK, as for a transaction that met another: run again, it may work. */
const LOST_TRANSACTION: Failure = {
  kind: 'sql',
  errno: 1213,
  sqlstate: '40001',
  message: 'The tab that had the files was closed: the transaction was rolled back, try restarting it',
  position: null,
};

/** CR_SERVER_LOST, for a session whose variables were too large to be kept in its own tab. */
const LOST_STATE: Failure = {
  kind: 'sql',
  errno: 2013,
  sqlstate: 'HY000',
  message:
    'The tab that had the files was closed; the variables of this session were too large to be kept, and are lost: set them again',
  position: null,
};

/** CR_SERVER_LOST: it may have been done, or not. */
const LOST_CONNECTION: Failure = {
  kind: 'sql',
  errno: 2013,
  sqlstate: 'HY000',
  message:
    'The tab that had the files was closed while the statement ran: it may or may not have taken effect. Check the data before you run it again',
  position: null,
};

/** The same, of a tab that is there and says nothing. */
const NO_ANSWER: Failure = {
  kind: 'sql',
  errno: 2013,
  sqlstate: 'HY000',
  message:
    'The tab that has the files does not respond: it is busy or suspended. The statement may have taken effect, or may when the tab resumes',
  position: null,
};

/** Whether no other reply to its request follows. */
function isLast(reply: Reply): boolean {
  return reply.kind === 'rows' ? reply.summary !== undefined : reply.kind !== 'opening' && reply.kind !== 'busy';
}
