/** The same in a browser. */
import lexerUrl from '../../../dist/wasm/lexer.wasm?url';
import { loadLexer } from '../console/sql/lexer.ts';

await loadLexer(fetch(lexerUrl));
