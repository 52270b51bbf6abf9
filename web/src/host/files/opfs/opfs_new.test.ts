import { expect, test, vi } from 'vitest';
import { DirectoryNode, Storage } from '../../../testing/simulation/opfs.ts';
import { Actor, World } from '../../../testing/simulation/world.ts';
import { emptyDatabase } from '../empty_database.ts';
import { hasManifest, isLeft, removeLeft, writeNew } from './opfs_new.ts';

const END_MS = 100_000;

/** Does something as a tab of the simulated browser, until it is done or the tab is killed. */
async function runAs<T>(world: World, actor: Actor, work: () => Promise<T>): Promise<T | undefined> {
  let outcome: { value: T } | { error: unknown } | undefined;
  world.post(actor, 0, () => {
    work().then(
      value => {
        outcome = { value };
      },
      error => {
        outcome = { error };
      },
    );
  });
  await world.run(END_MS, () => outcome !== undefined || actor.isDead);
  if (actor.isDead || outcome === undefined) return undefined;
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function filesOf(root: DirectoryNode): Record<string, number[]> {
  const files = [...root.files()].filter(([path]) => !path.startsWith('.dolt/varve/'));
  return Object.fromEntries(files.map(([path, file]) => [path, [...file.bytes.view()]]));
}

const WHOLE = Object.fromEntries(Object.entries(emptyDatabase()).map(([path, bytes]) => [path, [...bytes]]));

test('a new database is whole, or begun anew, whenever its tab is killed and the power fails', async () => {
  vi.stubGlobal('FileSystemSyncAccessHandle', class {});
  const found = { whole: 0, left: 0 };
  for (let seed = 0; seed < 160; seed++) {
    const world = new World(seed);
    const root = new DirectoryNode();
    const directory = new Storage(world, root, false).directory();
    const [first, second] = [new Actor('first'), new Actor('second')];
    // Within each of its file operations, then at moments between them.
    if (seed < 12) first.operationsLeft = seed;
    else world.post(null, (seed - 12) * 0.8, () => first.kill());
    await runAs(world, first, () => writeNew(directory, emptyDatabase()));
    first.kill();
    await world.run(world.nowMs + 500, () => false);
    if (seed % 2 === 0) root.losePower(world);
    const state = await runAs(world, second, async () => {
      if (await hasManifest(directory)) return 'whole';
      await removeLeft(directory);
      await writeNew(directory, emptyDatabase());
      return 'left';
    });
    found[state ?? 'left']++;
    expect(filesOf(root), `seed ${seed}`).toEqual(WHOLE);
  }
  expect(found.whole).toBeGreaterThan(10);
  expect(found.left).toBeGreaterThan(30);
  vi.unstubAllGlobals();
});

test('bytes of a database whose manifest is gone are no part of a new one', async () => {
  const world = new World(1);
  const root = new DirectoryNode();
  const directory = new Storage(world, root, false).directory();
  const tab = new Actor('tab');
  const left = await runAs(world, tab, async () => {
    await writeNew(directory, {
      ...emptyDatabase(),
      '.dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv': new Uint8Array(5000).fill(1),
    });
    const noms = await (await directory.getDirectoryHandle('.dolt')).getDirectoryHandle('noms');
    await noms.removeEntry('manifest');
    return [await hasManifest(directory), await isLeft(directory)];
  });
  expect(left).toEqual([false, false]);
});
