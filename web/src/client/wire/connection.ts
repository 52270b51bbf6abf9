/** The connection to a host: numbered requests and their replies. */
import type { Credentials, CredentialsRequest, ExecuteRequest, Failure, Reply, Request } from '../../protocol/index.ts';
import { errorOf, VarveError } from '../errors.ts';
import type { Transport } from './transport.ts';

/** A request without its number. */
type Unnumbered<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never;
type Asked = Unnumbered<Exclude<Request, ExecuteRequest | { kind: 'credit' | 'cancel' | 'credentials' }>>;

/** Takes the replies to one request; returns true after the last one. */
export type ReplySink = (reply: Exclude<Reply, { kind: 'died' | 'moved' | 'credentials_wanted' }>) => boolean;

/** Answers what a remote asks for; null: go on without. */
export type AskCredentials = (asked: CredentialsRequest) => Credentials | null | Promise<Credentials | null>;

/** Numbers requests and resolves them with their replies. After the host's death every request fails. */
export class Connection {
  readonly closed: Promise<Error | null>;
  /** Who wants to hear that something was committed, by this tab or another, or that nothing will be any more. */
  readonly moved = new Set<() => void>();
  /** Who answers what remotes ask for. */
  credentials: AskCredentials | undefined;
  readonly #transport: Transport;
  readonly #sinks = new Map<number, ReplySink>();
  #idLast = 0;
  #end: { readonly error: Error | null } | null = null;
  #onClosed: (error: Error | null) => void = () => {};

  constructor(transport: Transport) {
    this.#transport = transport;
    this.closed = new Promise(resolve => {
      this.#onClosed = resolve;
    });
    transport.listen(
      reply => this.#take(reply),
      reason => this.#die({ kind: 'varve', code: 'died', message: `The engine stopped: ${reason}` }),
    );
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  /** Sends a request whose replies go to `sink`. When the connection is gone, `sink` gets a failure at once. */
  send(request: Unnumbered<Request>, sink: ReplySink): number {
    const id = ++this.#idLast;
    if (this.#end !== null) {
      sink({ kind: 'failed', id, failure: this.#endFailure() });
      return id;
    }
    this.#sinks.set(id, sink);
    this.#transport.post({ ...request, id } as Request);
    return id;
  }

  /** Sends what has no answer. */
  tell(request: Request, transfer?: ArrayBuffer[]): void {
    if (this.#end === null) this.#transport.post(request, transfer);
  }

  /** Sends a request with one answer, and gives that answer. */
  ask<K extends Reply['kind']>(
    request: Asked,
    answer: K,
    onOther: ReplySink = () => false,
  ): Promise<Extract<Reply, { kind: K }>> {
    return new Promise((resolve, reject) => {
      this.send(request, reply => {
        if (reply.kind === 'failed') reject(errorOf(reply.failure));
        else if (reply.kind === answer) resolve(reply as Extract<Reply, { kind: K }>);
        else {
          try {
            return onOther(reply);
          } catch (error) {
            // A callback failed that came with the request: the request rejects.
            reject(error);
          }
        }
        return true;
      });
    });
  }

  /** Ends the connection: what still waits fails with `error`, or with "closed". */
  end(error: Error | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#transport.terminate();
    const waiting = [...this.#sinks.entries()];
    this.#sinks.clear();
    for (const [id, sink] of waiting) sink({ kind: 'failed', id, failure: this.#endFailure() });
    this.#onClosed(error);
    if (error !== null) this.#tellMoved();
  }

  #endFailure(): Failure {
    const error = this.#end?.error;
    if (error instanceof VarveError) return { kind: 'varve', code: error.code, message: error.message };
    return { kind: 'varve', code: 'closed', message: 'The database is closed' };
  }

  #tellMoved(): void {
    for (const hear of [...this.moved]) hear();
  }

  #die(failure: Failure): void {
    this.end(errorOf(failure));
  }

  async #answer(id: number, asked: CredentialsRequest): Promise<void> {
    const credentials = await Promise.resolve(asked)
      .then(this.credentials)
      .catch(() => null);
    this.tell({ kind: 'credentials', id, credentials: credentials ?? null });
  }

  #take(reply: Reply): void {
    if (reply.kind === 'died') {
      this.#die(reply.failure);
      return;
    }
    if (reply.kind === 'moved') {
      this.#tellMoved();
      return;
    }
    if (reply.kind === 'credentials_wanted') {
      void this.#answer(reply.id, reply.asked);
      return;
    }
    const sink = this.#sinks.get(reply.id);
    if (sink?.(reply)) this.#sinks.delete(reply.id);
  }
}
