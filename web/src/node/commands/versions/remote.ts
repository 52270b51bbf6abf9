/** `remote`, `fetch`, `pull`, `push` and `backup`: what other places have, and what they get. */
import { ownControl } from '../../render/terminal.ts';
import { call, type Invocation } from '../call.ts';
import { UsageError } from '../output.ts';

/** Lists the places that branches are pushed to and fetched from, and keeps them in the database. */
export async function remote({ database, args, output }: Invocation): Promise<number> {
  const [verb] = args;
  if (verb === 'add' || verb === 'remove') {
    await call(database, 'dolt_remote', args);
    return 0;
  }
  const isVerbose = verb === '-v' || verb === '--verbose';
  if (args.length > (isVerbose ? 1 : 0)) throw new UsageError('remote takes -v, add NAME URL or remove NAME');
  const { rows } = await database.query('SELECT name, url FROM dolt_remotes ORDER BY name');
  for (const { name, url } of rows) await output.out(isVerbose ? `${name} ${url} \n` : `${name}\n`);
  return 0;
}

export async function pull({ database, args, output }: Invocation): Promise<number> {
  const told = await call(database, 'dolt_pull', args);
  if (Number(told.fast_forward) === 1) await output.out('Fast-forward\n');
  await output.out(`${told.message}\n`);
  return Number(told.conflicts) > 0 ? 1 : 0;
}

export async function push({ database, args, output }: Invocation): Promise<number> {
  const { message } = await call(database, 'dolt_push', args);
  if (message) await output.out(`${message}\n`);
  return 0;
}

/** Fetches what a lazy clone lacks, and says on a terminal how far it is. */
export async function complete({ database, args, output }: Invocation): Promise<number> {
  if (args.length > 0) throw new UsageError('complete takes no arguments but SOURCE');
  const lazy = await database.lazyClone();
  if (lazy === null) {
    await output.out('Nothing is lacking\n');
    return 0;
  }
  const onProgress = ({ bytes }: { readonly bytes: number }): void =>
    output.error(`${ownControl('\r')}Fetched ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  await database.completeClone(output.isTerminal === true ? { onProgress } : {});
  await output.out(`${output.isTerminal === true ? '\n' : ''}Complete: nothing is read from ${lazy.url} any more\n`);
  return 0;
}

export async function backup({ database, args, output }: Invocation): Promise<number> {
  const isVerbose = args[0] === '-v' || args[0] === '--verbose';
  if (args.length > (isVerbose ? 1 : 0)) {
    await call(database, 'dolt_backup', args);
    return 0;
  }
  const { rows } = await database.query('SELECT name, url FROM dolt_backups ORDER BY name');
  for (const { name, url } of rows) await output.out(isVerbose ? `${name} ${url} \n` : `${name}\n`);
  return 0;
}
