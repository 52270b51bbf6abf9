/**
 * What a visit needs comes side by side: the engine compiles while its worker starts and the page's scripts arrive, and the
 * editor, which is as large as all the others, waits for none of them.
 */
import coreUrl from '../../../dist/wasm/core_bg.wasm?url';
import lexerUrl from '../../../dist/wasm/lexer.wasm?url';
import { startWorkerWith } from '../lib/start_worker.ts';
import { keepForOffline } from './app/database/offline.ts';

const host = document.getElementById('app');
if (host === null) throw new Error('The page has no #app');

/** Begins before there is a worker to do it, and once for all databases. */
const core = WebAssembly.compileStreaming(fetch(coreUrl));

/** For the first database that is opened; others get a worker of their own. */
let spare: Worker | undefined = startWorkerWith(core);
spare.addEventListener('error', () => {
  // A new worker reports its failure when a database is opened.
  spare = undefined;
});

function takeWorker(): Worker {
  const worker = spare ?? startWorkerWith(core);
  spare = undefined;
  return worker;
}

/** A few kilobytes, which are there before the scripts that need them. */
const lexer = fetch(lexerUrl);
lexer.catch(() => {});

import('./begin.ts')
  .then(async ({ begin }) => {
    await begin(host, takeWorker, lexer);
    // It is here by now, or on its way: the page is drawn before it runs.
    void import('./editor/editor.ts');
  })
  .catch(error => {
    host.textContent = 'Part of the page failed to load. Reload the page.';
    throw error;
  });
keepForOffline();
