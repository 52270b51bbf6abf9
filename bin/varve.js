#!/usr/bin/env node
import { existsSync } from 'node:fs';

const commandLine = new URL('../dist/package/node/main.js', import.meta.url);
if (existsSync(commandLine)) {
  await import(commandLine.href);
} else {
  process.stderr.write('varve is not built in this checkout yet: run `npm run build` first.\n');
  process.exitCode = 1;
}
