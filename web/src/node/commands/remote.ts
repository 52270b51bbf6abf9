import { call, type Invocation } from './call.ts';
import { UsageError } from './output.ts';

/** The places that native Dolt pushes to and fetches from: lists them, and keeps them in the database. */
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
