// `npm start`: builds what changed and serves the console. With --dev, Vite's server with reloading instead of the built page.
import { join } from 'node:path';
import { prepareBuild } from './machine.mjs';
import { command, root, say } from './process.mjs';
import { serve } from './static_server.mjs';
import { buildConsole, buildPackage, buildWasm } from './steps.mjs';

/** Tried first, so that the address stays the same from one start to the next; any free port otherwise. */
const PORT = 4173;

await command(async () => {
  prepareBuild();
  buildWasm();
  if (process.argv.includes('--dev')) {
    const { createServer } = await import('vite');
    const server = await createServer({ configFile: join(root, 'vite.config.ts') });
    await server.listen();
    server.printUrls();
    return;
  }
  buildPackage();
  buildConsole();
  const { url } = await listen(Number(process.env.PORT ?? PORT));
  say(`\nVarve is ready: ${url}\nCtrl-C stops it.`);
});

/** @param {number} port */
async function listen(port) {
  const directory = join(root, 'dist/console');
  try {
    return await serve({ directory, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return serve({ directory });
  }
}
