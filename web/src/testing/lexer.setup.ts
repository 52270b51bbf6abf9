/** Tests of the console read SQL as its page does: by the lexer that was built. */
import { existsSync, readFileSync } from 'node:fs';
import { useLexer } from '../console/sql/lexer.ts';

const built = new URL('../../../dist/wasm/lexer.wasm', import.meta.url);
if (existsSync(built)) useLexer(readFileSync(built));
