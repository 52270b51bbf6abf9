import { prepareBuild } from './machine.mjs';
import { command } from './process.mjs';
import { buildAll } from './steps.mjs';

await command(async () => {
  prepareBuild();
  buildAll();
});
