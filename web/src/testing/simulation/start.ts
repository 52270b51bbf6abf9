import { emptyDatabase } from '../../host/files/empty_database.ts';
import { Browser } from './browser.ts';
import type { CorePool } from './cores.ts';
import { SCHEMA } from './model.ts';
import { DirectoryNode, FileNode, Storage } from './opfs.ts';
import { Tab } from './tab.ts';
import { Actor, World } from './world.ts';

/** The storage that every schedule begins with: a database with the tables of the model. */
export async function startingStorage(pool: CorePool): Promise<DirectoryNode> {
  const root = new DirectoryNode();
  for (const [path, bytes] of Object.entries(emptyDatabase())) {
    const names = ['shop', ...path.split('/')];
    const name = names.pop() ?? '';
    let directory = root;
    for (const part of names) {
      const child = directory.children.get(part) ?? new DirectoryNode();
      directory.children.set(part, child);
      directory = child as DirectoryNode;
    }
    const file = new FileNode();
    file.bytes.write(0, bytes);
    file.bytes.flush();
    directory.children.set(name, file);
  }
  const world = new World(1);
  const restore = new Browser(world, new Storage(world, root, false)).install();
  const tab = new Tab(world, new Actor('maker'), false, pool);
  try {
    let outcome: unknown = 'no answer';
    const make = async (): Promise<void> => {
      const database = await tab.open(1000, 'full');
      for (const statement of SCHEMA) await database.query(statement);
      await database.query("CALL DOLT_COMMIT('-A', '-m', 'Tables of the model')");
      await database.close();
    };
    world.post(tab.actor, 0, () => {
      make().then(
        () => {
          outcome = null;
        },
        error => {
          outcome = error;
        },
      );
    });
    await world.run(Infinity, () => outcome !== 'no answer');
    if (outcome !== null) throw outcome;
  } finally {
    tab.end(pool);
    restore();
  }
  return root.copy();
}
