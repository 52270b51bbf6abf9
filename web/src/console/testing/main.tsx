/** The console over the fake database, for work on its looks: `/testing.html` of the development server. */
import lexerUrl from '../../../../dist/wasm/lexer.wasm?url';
import { mountConsole } from '../app/mount.tsx';
import { loadLexer } from '../sql/lexer.ts';
import { FakeDatabase } from './fake_database.ts';

const host = document.getElementById('app');
if (host === null) throw new Error('The page has no #app');
await loadLexer(fetch(lexerUrl));
mountConsole(host, async source => {
  if (String(source).includes('missing')) throw new Error('No .dolt directory there');
  return new FakeDatabase();
});
