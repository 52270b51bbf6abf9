import { browserSink, openThrough } from '../client/index.ts';
import type { Database, OpenOptions, Source } from '../client/types.ts';
import { openPortable } from '../host/files/portable_source.ts';
import { inlineHost } from '../host/inline.ts';
import type { Reach } from '../host/reach.ts';
import { FakeEngine } from './fake_engine.ts';
import { noRemotes } from './no_remotes.ts';

export const MANIFEST = { 'shop/.dolt/noms/manifest': new Uint8Array([1]) };

export interface Opened {
  readonly database: Database;
  readonly engine: FakeEngine;
}

/** A database over the fake engine, with the real client, host and scheduler between. */
export async function openFake(
  source: Source = { memory: MANIFEST },
  options: OpenOptions = {},
  reach: () => Reach | null = () => null,
): Promise<Opened> {
  const engine = new FakeEngine();
  const connect = () =>
    inlineHost({
      startEngine: async () => engine,
      openSource: async (wire, context) => ({
        ...(await openPortable(wire, context)),
        interrupt: () => engine.interrupt(),
      }),
      remotes: noRemotes,
      openLocal: (_file, name) => {
        throw new Error(`no file ${name}`);
      },
      canSuspend: true,
      reach,
      pause: () => new Promise(resolve => setImmediate(resolve)),
    });
  const database = await openThrough(connect, source, options, {
    acceptsPaths: true,
    baseUrl: undefined,
    lockTimeoutMs: 1000,
    sink: browserSink,
  });
  return { database, engine };
}
