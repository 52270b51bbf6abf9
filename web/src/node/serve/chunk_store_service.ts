/** The procedures of Dolt's remotesapi over the databases of this server (docs/format/store.md, section 8.6). */

import { Code, ConnectError, createContextKey, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import { FileFault } from '../../host/files/file.ts';
import { HostFailure } from '../../host/files/source.ts';
import { addressBytes, addressText, EMPTY_ADDRESS, splitName } from '../../host/remotes/manifest_text.ts';
import type { ChunkStoreService, ChunkTableInfo } from '../../host/remotes/remotesapi_pb.ts';
import { JOURNAL_ID } from '../../protocol/index.ts';
import type { Databases } from './databases.ts';
import { ADDRESS_LASTS_MS, type SealedAddresses } from './sealed_addresses.ts';
import {
  type AddedFile,
  type DatabaseWrites,
  type FoundChunk,
  Refusal,
  type ServedDatabase,
  type ServedFile,
  type Snapshot,
} from './served_database.ts';

const FORMAT = '__DOLT__';
const STREAM_CHUNK_LOCATIONS = 1;
const IGNORE_WORKING_SET = 1;
const ASSERT_WORKING_SET = 2;
/** What a message may ask for: Dolt's client asks for 16,384 chunks at most. */
const HASHES_MAX = 65_536;
const FILES_MAX = 1024;

/** How the client calls this server: scheme and host. */
export const ORIGIN = createContextKey<string>('');

interface RepoRequest {
  readonly repoPath: string;
  readonly repoId?: { readonly org: string; readonly repoName: string } | undefined;
}

interface OpenedDatabase {
  readonly path: string;
  readonly database: ServedDatabase;
  readonly snapshot: Snapshot;
}

/** @param uploadBytesMax of one file */
export function chunkStoreService(
  databases: Databases,
  addresses: SealedAddresses,
  uploadBytesMax: number,
): ServiceImpl<typeof ChunkStoreService> {
  const find = ({ repoPath, repoId }: RepoRequest): { readonly path: string; readonly database: ServedDatabase } => {
    const path = (repoPath || `${repoId?.org ?? ''}/${repoId?.repoName ?? ''}`).replace(/^\/+|\/+$/g, '');
    const database = databases.find(path);
    if (database === null) throw new ConnectError(`database not found: ${path}`, Code.NotFound);
    return { path, database };
  };
  const open = async (request: RepoRequest): Promise<OpenedDatabase> => {
    const found = find(request);
    return { ...found, snapshot: await found.database.snapshot() };
  };
  const writesOf = (request: RepoRequest): { readonly path: string; readonly writes: DatabaseWrites } => {
    const { path, database } = find(request);
    if (database.writes === undefined) {
      throw new ConnectError('this server is read-only: start it with --writable and --user', Code.PermissionDenied);
    }
    return { path, writes: database.writes };
  };
  const lookUp = ({ database, snapshot }: OpenedDatabase, hashes: Uint8Array[]): Promise<(FoundChunk | null)[]> => {
    if (hashes.length > HASHES_MAX) throw new ConnectError(`at most ${HASHES_MAX} hashes`, Code.InvalidArgument);
    for (const hash of hashes) checkHash(hash);
    return database.lookup.find(snapshot, hashes);
  };
  const addressOf = (path: string, { name, length }: ServedFile, { values }: HandlerContext): string =>
    addresses.seal(values.get(ORIGIN), { method: 'GET', database: path, name, length });
  const rangesByFile = async (
    request: RepoRequest & { readonly chunkHashes: Uint8Array[] },
    context: HandlerContext,
  ) => {
    const opened = await open(request);
    const chunks = await lookUp(opened, request.chunkHashes);
    const files = new Map<ServedFile, { hash: Uint8Array; chunk: FoundChunk }[]>();
    for (const [index, chunk] of chunks.entries()) {
      if (chunk === null) continue;
      const found = files.get(chunk.file) ?? [];
      files.set(chunk.file, found);
      found.push({ hash: request.chunkHashes[index] as Uint8Array, chunk });
    }
    const locs = [...files].map(([file, found]) => ({
      location: {
        case: 'httpGetRange' as const,
        value: { url: addressOf(opened.path, file, context), ranges: found.map(rangeOf) },
      },
    }));
    return { locs };
  };

  return {
    getRepoMetadata: request =>
      answered(async () => {
        const { database, snapshot } = await open(request);
        return {
          nbfVersion: FORMAT,
          nbsVersion: request.clientRepoFormat?.nbsVersion || '5',
          storageSize: BigInt(snapshot.files.reduce((sum, { length }) => sum + length, 0)),
          pushConcurrencyControl: database.hasWorkingSets ? ASSERT_WORKING_SET : IGNORE_WORKING_SET,
          features: [STREAM_CHUNK_LOCATIONS],
        };
      }),
    root: request => answered(async () => ({ rootHash: addressBytes((await open(request)).snapshot.root) })),
    hasChunks: request =>
      answered(async () => {
        const chunks = await lookUp(await open(request), request.hashes);
        return { absent: chunks.flatMap((chunk, index) => (chunk === null ? [index] : [])) };
      }),
    getDownloadLocations: (request, context) => answered(() => rangesByFile(request, context)),
    async *streamDownloadLocations(requests, context) {
      for await (const request of requests) yield await answered(() => rangesByFile(request, context));
    },
    async *streamChunkLocations(requests, context) {
      const ids = new Map<string, number>();
      for await (const request of requests) {
        yield await answered(async () => {
          const opened = await open(request);
          const chunks = await lookUp(opened, splitHashes(request.chunkHashes));
          const tableFiles: { tableFileId: number; url: string; fileId: string }[] = [];
          const locations = chunks.flatMap((chunk, requestIndex) => {
            if (chunk === null) return [];
            const { file, offset, length, dictionaryOffset, dictionaryLength } = chunk;
            const key = `${opened.path}/${file.name}`;
            let tableFileId = ids.get(key);
            if (tableFileId === undefined) {
              tableFileId = ids.size;
              ids.set(key, tableFileId);
              tableFiles.push({ tableFileId, url: addressOf(opened.path, file, context), fileId: file.name });
            }
            const place = {
              offset: BigInt(offset),
              length,
              dictionaryOffset: BigInt(dictionaryOffset),
              dictionaryLength,
            };
            return [{ tableFileId, requestIndex, ...place }];
          });
          const missingIndexes = chunks.flatMap((chunk, index) => (chunk === null ? [index] : []));
          return { tableFiles, locations, missingIndexes };
        });
      }
    },
    listTableFiles: (request, context) =>
      answered(async () => {
        const { path, snapshot } = await open(request);
        const refreshAfter = { seconds: BigInt(Math.floor((Date.now() + ADDRESS_LASTS_MS / 2) / 1000)), nanos: 0 };
        const tableFileInfo = snapshot.files.map(file => ({
          fileId: file.id,
          numChunks: file.chunks,
          url: addressOf(path, file, context),
          refreshAfter,
          refreshRequest: { fileId: file.name, repoPath: path },
        }));
        return { rootHash: addressBytes(snapshot.root), tableFileInfo };
      }),
    refreshTableFileUrl: (request, context) =>
      answered(async () => {
        const { path, snapshot } = await open(request);
        const file = snapshot.files.find(({ name, id }) => name === request.fileId || id === request.fileId);
        if (file === undefined) throw new ConnectError(`there is no file ${request.fileId}`, Code.NotFound);
        const refreshAfter = { seconds: BigInt(Math.floor((Date.now() + ADDRESS_LASTS_MS / 2) / 1000)), nanos: 0 };
        return { url: addressOf(path, file, context), refreshAfter };
      }),
    rebase: async () => ({}),
    getUploadLocations: (request, context) =>
      answered(async () => {
        const { path } = writesOf(request);
        if (request.tableFileDetails.length > FILES_MAX)
          throw new ConnectError(`at most ${FILES_MAX} files`, Code.InvalidArgument);
        const locs = request.tableFileDetails.map(({ id, suffix, contentLength }) => {
          checkHash(id);
          const name = addressText(id) + suffix;
          if (splitName(name) === null || addressText(id) === JOURNAL_ID)
            throw new ConnectError(`${name} is no name of a data file`, Code.InvalidArgument);
          const length = Number(contentLength);
          if (length > uploadBytesMax)
            throw new ConnectError(
              `a file of ${length} bytes is not taken, ${uploadBytesMax} are`,
              Code.ResourceExhausted,
            );
          const url = addresses.seal(context.values.get(ORIGIN), { method: 'PUT', database: path, name, length });
          return { tableFileHash: id, location: { case: 'httpPost' as const, value: { url } } };
        });
        return { locs };
      }),
    addTableFiles: request =>
      answered(async () => {
        await writesOf(request).writes.add(addedFiles(request.chunkTableInfo));
        return { success: true };
      }),
    commit: request =>
      answered(async () => {
        checkHash(request.current);
        checkHash(request.last);
        const [current, last] = [addressText(request.current), addressText(request.last)];
        if (current === EMPTY_ADDRESS) throw new ConnectError('the new root is empty', Code.InvalidArgument);
        return { success: await writesOf(request).writes.commit(current, last, addedFiles(request.chunkTableInfo)) };
      }),
  };
}

/** What fails in a way that the client can do something about is said in its terms; of the rest it learns nothing. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    if (error instanceof Refusal) throw new ConnectError(error.message, Code.FailedPrecondition);
    if (error instanceof FileFault || error instanceof HostFailure)
      throw new ConnectError(error.message, Code.Unavailable);
    throw new ConnectError(
      `the server could not read its files: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
      Code.Internal,
    );
  }
}

function addedFiles(files: readonly ChunkTableInfo[]): AddedFile[] {
  if (files.length > FILES_MAX) throw new ConnectError(`at most ${FILES_MAX} files`, Code.InvalidArgument);
  return files.map(({ hash, chunkCount }) => {
    checkHash(hash);
    return { id: addressText(hash), chunks: chunkCount };
  });
}

function rangeOf({ hash, chunk }: { hash: Uint8Array; chunk: FoundChunk }) {
  const { offset, length, dictionaryOffset, dictionaryLength } = chunk;
  return { hash, offset: BigInt(offset), length, dictionaryOffset: BigInt(dictionaryOffset), dictionaryLength };
}

function splitHashes(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length % 20 !== 0) throw new ConnectError('hashes have 20 bytes each', Code.InvalidArgument);
  return Array.from({ length: bytes.length / 20 }, (_, index) => bytes.subarray(20 * index, 20 * index + 20));
}

function checkHash(hash: Uint8Array): void {
  if (hash.length !== 20) throw new ConnectError(`a hash has 20 bytes, not ${hash.length}`, Code.InvalidArgument);
}
