/** The client of Dolt's remotesapi: `dolt sql-server`, `remotesrv`, DoltHub, `varve serve` (docs/format/store.md, section 8.6). */
import { create } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { FileFault, type HostFile } from '../files/file.ts';
import { isPassing, NETWORK_TIMEOUT_MS, TRIES, unreachable } from '../files/remote/http.ts';
import { type HostFailure, hostFailure } from '../files/source.ts';
import {
  addressBytes,
  addressText,
  EMPTY_ADDRESS,
  type ListedFile,
  type Manifest,
  manifestText,
  parseManifest,
  splitName,
} from './manifest_text.ts';
import { blobOf, type ObjectTransport, type RemoteState } from './object_directory.ts';
import type { Credentials, RemoteContext, RemoteRequest } from './remote_types.ts';
import {
  ChunkStoreService,
  type ChunkTableInfo,
  ChunkTableInfoSchema,
  TableFileDetailsSchema,
} from './remotesapi_pb.ts';

/** What a platform calls the service by: gRPC in Node, gRPC-web in a page. */
export type ServiceChannel = (baseUrl: string, interceptors: Interceptor[]) => Transport | Promise<Transport>;

const FORMAT = { nbfVersion: '__DOLT__', nbsVersion: '5' };
/** The push control of a service whose databases have working sets in use. */
const ASSERT_WORKING_SET = 2;
/** Addresses of `sql-server` end after 15 minutes. */
const ADDRESSES_LAST_MS = 7 * 60_000;

/** One database of a service. */
export class ServiceTransport implements ObjectTransport {
  readonly url: string;
  readonly #path: string;
  readonly #client: Client<typeof ChunkStoreService>;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #isAsserting = false;
  #addressesEndMs = 0;
  #token = '';

  private constructor(url: string, client: Client<typeof ChunkStoreService>, context: RemoteContext) {
    this.url = url;
    this.#path = new URL(url).pathname.replace(/^\/+|\/+$/g, '');
    this.#client = client;
    this.#timeoutMs = context.options.timeoutMs ?? NETWORK_TIMEOUT_MS;
    this.#signal = context.options.signal;
  }

  /**
   * Connects to the service, and asks what the database is.
   *
   * @throws HostFailure when there is no such service or database, or it refuses the user.
   */
  static async connect(
    request: RemoteRequest,
    context: RemoteContext,
    channel: ServiceChannel,
  ): Promise<ServiceTransport> {
    const { url, user } = request;
    const scheme = new URL(url).protocol.slice(0, -1);
    const ask = (): Promise<Credentials | null> => context.credentials({ url, scheme, user });
    let credentials = user === null ? null : ((await ask()) ?? { user, password: '' });
    for (;;) {
      const authorization = credentials === null ? null : authorizationOf(url, credentials);
      const interceptor: Interceptor = next => call => {
        if (authorization !== null) call.header.set('authorization', authorization);
        return next(call);
      };
      const client = createClient(ChunkStoreService, await channel(new URL(url).origin, [interceptor]));
      const transport = new ServiceTransport(url, client, context);
      try {
        await transport.#introduce();
        return transport;
      } catch (error) {
        const wasRefused = error instanceof ConnectError && REFUSALS.has(error.code);
        const offered: Credentials | null = wasRefused && credentials === null ? await ask() : null;
        if (offered === null) throw failureOf(url, error);
        credentials = offered;
      }
    }
  }

  /** Whether a pusher has to check that the branch's working set is clean, and to move it with the branch. */
  get assertsWorkingSet(): boolean {
    return this.#isAsserting;
  }

  get isExpiring(): boolean {
    return Date.now() > this.#addressesEndMs;
  }

  async read(): Promise<RemoteState> {
    const answer = await this.#call(options => this.#client.listTableFiles(this.#repo, options));
    let addressesEndMs = Date.now() + ADDRESSES_LAST_MS;
    const files = new Map<string, ListedFile>();
    const addresses = new Map<string, string>();
    for (const { fileId, numChunks, url, refreshAfter } of [...answer.tableFileInfo, ...answer.appendixTableFileInfo]) {
      // Early versions of Dolt have the folder in it.
      const id = fileId.replace(/^oldgen\//, '').replace(/\.darc$/, '');
      if (splitName(id) === null || !URL.canParse(url)) {
        throw new FileFault(
          'host',
          `${this.url}: the service lists a file ${JSON.stringify(fileId)} without an address`,
        );
      }
      files.set(id, { id, chunks: numChunks });
      addresses.set(new URL(url).pathname.endsWith('.darc') ? `${id}.darc` : id, url);
      if (refreshAfter !== undefined) addressesEndMs = Math.min(addressesEndMs, 1000 * Number(refreshAfter.seconds));
    }
    const root = this.#address(answer.rootHash);
    const manifest: Manifest = { root, gcGeneration: EMPTY_ADDRESS, files: [...files.values()] };
    this.#token = answer.repoToken || this.#token;
    // One whose clock is ahead is asked again in a minute, not at once.
    this.#addressesEndMs = Math.max(addressesEndMs, Date.now() + 60_000);
    const isEmpty = root === EMPTY_ADDRESS && files.size === 0;
    return { manifest: isEmpty ? null : await manifestText(manifest), version: root, addresses };
  }

  async upload(name: string, content: HostFile): Promise<void> {
    const split = splitName(name);
    if (split === null) throw new FileFault('host', `${name} is no name of a data file`);
    const tableFileDetails = [
      create(TableFileDetailsSchema, {
        id: addressBytes(split.id),
        contentLength: BigInt(content.length),
        numChunks: BigInt(chunksIn(content, split.isArchive)),
        suffix: split.isArchive ? '.darc' : '',
      }),
    ];
    const { locs } = await this.#call(options =>
      this.#client.getUploadLocations({ ...this.#repo, tableFileDetails }, options),
    );
    const [location] = locs;
    if (location?.location.case !== 'httpPost') {
      throw new FileFault('host', `${this.url}: the service names no address to upload ${name} to`);
    }
    await this.#put(name, location.location.value.url, blobOf(content));
  }

  async replace(text: string, before: RemoteState): Promise<boolean> {
    const next = parseManifest(text);
    const known = new Set(before.manifest === null ? [] : parseManifest(before.manifest).files.map(({ id }) => id));
    const last = before.version ?? EMPTY_ADDRESS;
    const chunkTableInfo = next.files.filter(({ id }) => !known.has(id)).map(chunkTableInfoOf);
    const { repoPath, repoToken } = this.#repo;
    if (next.root === last) {
      const clientRepoFormat = FORMAT;
      await this.#call(options =>
        this.#client.addTableFiles({ repoPath, repoToken, clientRepoFormat, chunkTableInfo }, options),
      );
      return true;
    }
    const { success } = await this.#call(options =>
      this.#client.commit(
        {
          repoPath,
          current: addressBytes(next.root),
          last: addressBytes(last),
          chunkTableInfo,
          clientRepoFormat: FORMAT,
        },
        options,
      ),
    );
    return success;
  }

  get #repo(): { readonly repoPath: string; readonly repoToken: string } {
    return { repoPath: this.#path, repoToken: this.#token };
  }

  async #introduce(): Promise<void> {
    const answer = await this.#client.getRepoMetadata(
      { ...this.#repo, clientRepoFormat: FORMAT },
      { timeoutMs: this.#timeoutMs, ...(this.#signal && { signal: this.#signal }) },
    );
    if (answer.nbfVersion !== FORMAT.nbfVersion) {
      throw hostFailure('unsupported', `${this.url} has the format ${answer.nbfVersion}, not ${FORMAT.nbfVersion}`);
    }
    this.#token = answer.repoToken;
    this.#isAsserting = answer.pushConcurrencyControl === ASSERT_WORKING_SET;
  }

  /** Calls the service, again while it cannot be reached. What was done twice is done once: files are sets, Commit compares. */
  async #call<T>(ask: (options: { timeoutMs: number; signal?: AbortSignal }) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await ask({ timeoutMs: this.#timeoutMs, ...(this.#signal && { signal: this.#signal }) });
      } catch (error) {
        const isPassing = error instanceof ConnectError && error.code === Code.Unavailable;
        if (!isPassing || tried === TRIES) throw failureOf(this.url, error);
        await new Promise(resolve => setTimeout(resolve, 200 * 2 ** (tried - 1)));
      }
    }
  }

  async #put(name: string, address: string, body: Blob): Promise<void> {
    for (let tried = 1; ; tried++) {
      let failure: Error;
      try {
        const response = await fetch(address, { method: 'PUT', body, ...(this.#signal && { signal: this.#signal }) });
        if (response.ok) return void response.body?.cancel();
        const words = (await response.text()).slice(0, 200).trim();
        failure = new FileFault(
          'host',
          `${this.url}: the upload of ${name} was answered with ${response.status} ${words}`,
        );
        if (!isPassing(response.status)) throw failure;
      } catch (error) {
        failure = error instanceof FileFault ? error : unreachable(this.url, error);
        if (error instanceof FileFault && error !== failure) throw error;
      }
      if (tried === TRIES) throw failure;
      await new Promise(resolve => setTimeout(resolve, 200 * 2 ** (tried - 1)));
    }
  }

  #address(bytes: Uint8Array): string {
    if (bytes.length === 20) return addressText(bytes);
    throw new FileFault('host', `${this.url}: the service answered with a root of ${bytes.length} bytes`);
  }
}

function chunkTableInfoOf({ id, chunks }: ListedFile): ChunkTableInfo {
  return create(ChunkTableInfoSchema, { hash: addressBytes(id), chunkCount: chunks });
}

/** From the end of a table file or an archive (docs/format/store.md, sections 4.2 and 5.2). */
function chunksIn(file: HostFile, isArchive: boolean): number {
  const footer = new Uint8Array(isArchive ? 220 : 20);
  if (file.length < footer.length) throw new FileFault('host', 'a data file is too short');
  file.read(file.length - footer.length, footer);
  return new DataView(footer.buffer).getUint32(isArchive ? 12 : 0);
}

function authorizationOf(url: string, credentials: Credentials): string {
  if (!('user' in credentials)) throw hostFailure('usage', `${url} takes a user and a password, no access key`);
  const bytes = new TextEncoder().encode(`${credentials.user}:${credentials.password}`);
  const base64 = btoa(String.fromCharCode(...bytes));
  return `Basic ${base64.replaceAll('+', '-').replaceAll('/', '_')}`;
}

const REFUSALS = new Set([Code.Unauthenticated, Code.PermissionDenied]);

/** What a call of the service failed with, and what to do about it. */
function failureOf(url: string, error: unknown): HostFailure | FileFault | Error {
  if (!(error instanceof ConnectError)) return error instanceof Error ? error : new Error(String(error));
  const said = `${error.rawMessage} (gRPC: ${Code[error.code]?.toLowerCase()})`;
  const path = new URL(url).pathname.slice(1);
  switch (error.code) {
    case Code.Canceled:
      return new FileFault('cancelled', `${url}: the call was cancelled`);
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return hostFailure(
        'unreadable',
        `${url} refused the user: ${said}. Give the user and its password (on the command line by --user and DOLT_REMOTE_PASSWORD). A sql-server lets those read that have the privilege CLONE_ADMIN, and those push that have SUPER`,
      );
    case Code.NotFound:
      return hostFailure('not_a_database', `${url}: there is no database ${path}: ${said}. Check its name`);
    case Code.Unavailable:
      return new FileFault('host', `${url} could not be reached: ${said}`);
    case Code.DeadlineExceeded:
      return new FileFault(
        'host',
        `${url} did not answer in time: ${said}. Try again, or with a longer networkTimeoutMs`,
      );
    case Code.FailedPrecondition:
      return new FileFault('host', `${url} refused the files: ${said}`);
    case Code.Unimplemented:
      return hostFailure(
        'unsupported',
        `${url} is no Dolt remote: ${said}. Expected a remotesapi, or files of a database`,
      );
    default:
      // A page is not told which of these it was.
      if (error.cause instanceof TypeError) {
        const why = 'the server is unreachable, or it blocks cross-site access (CORS)';
        return new FileFault('host', `${url} could not be reached: ${why}. Check the address (${error.rawMessage})`);
      }
      if (/database not found/i.test(said)) {
        return hostFailure('not_a_database', `${url}: there is no database ${path}: ${said}. Check its name`);
      }
      return hostFailure(
        'unreadable',
        `${url} answered with an error: ${said}. Check that it is the address of a remotesapi`,
      );
  }
}
