// What the engine imports, beside `core.js` in dist/wasm. Written by hand, because `page_in_remote` and `file_open_remote`
// must be WebAssembly.Suspending objects when the module is instantiated, which generated glue cannot make.
// `host` is the HostImports of web/src/host/wasm/imports.ts, given before the first call.

/** @type {import('../../web/src/host/wasm/imports.ts').HostImports} */
let host;

/** @param {import('../../web/src/host/wasm/imports.ts').HostImports} given */
export function connect(given) {
  host = given;
  // Written so that bundlers see files to bring along. They are fetched when a statement first needs them.
  host.regexModule = new URL('regexp.wasm', import.meta.url);
  host.deferred.address = new URL('deferred.wasm', import.meta.url);
}

/**
 * An import that suspends the stack of whoever called it through `WebAssembly.promising`. Where the browser cannot do that
 * the engine never calls these: its directories say that they do not suspend.
 *
 * @param {(...numbers: number[]) => Promise<number>} call
 */
function suspending(call) {
  return typeof WebAssembly.Suspending === 'function' ? new WebAssembly.Suspending(call) : call;
}

export const directory_traits = directory => host.traits(directory);
export const directory_list = (directory, path, length) => host.list(directory, path, length);
export const file_open = (directory, path, length) => host.open(directory, path, length);
export const file_open_remote = suspending((directory, path, length) => host.openLater(directory, path, length));
export const file_len = file => host.length(file);
export const file_page_bytes = file => host.pageBytes(file);
export const file_close = file => host.close(file);
export const temporary_file = () => host.temporary();
export const local_file_open = (name, length) => host.openLocal(name, length);
export const page_in = (file, offset, dest, length) => host.read(file, offset, dest, length);
export const page_in_remote = suspending((file, offset, dest, length) => host.readLater(file, offset, dest, length));
export const will_need = (file, ranges, count) => host.willNeed(file, ranges, count);
export const file_renew = (file, start, end) => host.renew(file, start, end);
export const file_write = (file, offset, bytes, length) => host.write(file, offset, bytes, length);
export const file_truncate = (file, length) => host.truncate(file, length);
export const file_flush = file => host.flush(file);
export const file_create = (directory, path, length) => host.create(directory, path, length);
export const file_rename = (directory, from, fromLength, to, toLength) =>
  host.rename(directory, from, fromLength, to, toLength);
export const file_remove = (directory, path, length) => host.remove(directory, path, length);
export const directory_news = directory => host.news(directory);
export const lock_take = directory => host.takeLock(directory);
export const lock_claim = directory => host.claimLock(directory);
export const lock_term = directory => host.lockTerm(directory);
export const lock_release = directory => host.releaseLock(directory);
export const database_create = (beside, name, length) => host.createDatabase(beside, name, length);
export const database_remove = (beside, name, length, forGood) => host.removeDatabase(beside, name, length, forGood);
export const databases_removed = beside => host.removedDatabases(beside);
export const database_restore = (beside, name, length) => host.restoreDatabase(beside, name, length);
export const databases_purge = beside => host.purgeDatabases(beside);
export const remote_open = (beside, url, urlLength, user, userLength, create) =>
  host.openRemote(beside, url, urlLength, user, userLength, create);
export const pinned_open = (beside, list, length) => host.openPinned(beside, list, length);
export const remote_close = directory => host.closeRemote(directory);
export const host_text_len = () => host.textLength();
export const host_text = dest => host.text(dest);
export const now_ms = () => host.now();
export const wish = () => host.wish();
export const remote_figure = number => host.remoteFigure(number);
export const random_fill = (dest, length) => host.random(dest, length);
export const zone_offset = (zone, length, seconds) => host.zoneOffset(zone, length, seconds);
export const regex_compile = (pattern, length, flags) => host.compileRegex(pattern, length, flags);
export const regex_bytes = regex => host.regexBytes(regex);
export const regex_begin = (regex, text, length, steps, stackBytes) =>
  host.beginRegex(regex, text, length, steps, stackBytes);
export const regex_find = (regex, start, limit, wanted) => host.findRegex(regex, start, limit, wanted);
export const regex_steps_left = () => host.regexStepsLeft();
export const regex_close = regex => host.closeRegex(regex);
// Written so that bundlers see a file to bring along.
export const collations_load = () => host.loadCollations(new URL('collations.bin', import.meta.url));
// Imported by the stubs that the build puts in place of deferred functions.
export const deferred_load = () => host.deferred.instantiate();
export const panicked = (message, length) => host.panic(message, length);
