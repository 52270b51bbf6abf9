// Prints `RAW GZIP BROTLI` in bytes for the file named as argument, as a web server with both encoders would send it.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const bytes = readFileSync(process.argv[2] ?? '');
const gzip = gzipSync(bytes, { level: 9 });
const brotli = brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
});
process.stdout.write(`${bytes.length} ${gzip.length} ${brotli.length}\n`);
