//! The host's functions. `rust/wasm/host_imports.js` defines them, `web/src/host/wasm/imports.ts` does the work.

pub(crate) use crate::layout::Refusal;

#[expect(unsafe_code, reason = "declares functions of the host; those that take pointers stay unsafe to call")]
#[link(wasm_import_module = "./host_imports.js")]
unsafe extern "C" {
    /// Bits of `DirectoryTrait`.
    pub(crate) safe fn directory_traits(directory: u32) -> u32;
    fn directory_list(directory: u32, path: *const u8, path_len: usize) -> i32;
    fn file_open(directory: u32, path: *const u8, path_len: usize) -> i32;
    fn file_open_remote(directory: u32, path: *const u8, path_len: usize) -> i32;
    safe fn file_len(file: u32) -> f64;
    safe fn file_page_bytes(file: u32) -> u32;
    pub(crate) safe fn file_close(file: u32);
    safe fn temporary_file() -> i32;
    fn local_file_open(name: *const u8, name_len: usize) -> i32;
    fn page_in(file: u32, offset: f64, dest: *mut u8, len: usize) -> i32;
    fn page_in_remote(file: u32, offset: f64, dest: *mut u8, len: usize) -> i32;
    fn will_need(file: u32, ranges: *const [f64; 2], count: usize);
    safe fn file_renew(file: u32, start: f64, end: f64);
    fn file_write(file: u32, offset: f64, bytes: *const u8, len: usize) -> i32;
    safe fn file_truncate(file: u32, len: f64) -> i32;
    safe fn file_flush(file: u32) -> i32;
    fn file_create(directory: u32, path: *const u8, path_len: usize) -> i32;
    fn file_rename(directory: u32, from: *const u8, from_len: usize, to: *const u8, to_len: usize) -> i32;
    fn file_remove(directory: u32, path: *const u8, path_len: usize) -> i32;
    /// The change counter of the files: another number when another writer may have written; -1 where it is unknown.
    pub(crate) safe fn directory_news(directory: u32) -> f64;
    safe fn lock_take(directory: u32) -> i32;
    safe fn lock_claim(directory: u32) -> i32;
    /// Term of the right to write while it is taken; 0 when it is not, or is lost, or the host keeps no count.
    pub(crate) safe fn lock_term(directory: u32) -> u32;
    pub(crate) safe fn lock_release(directory: u32);
    fn database_create(beside: u32, name: *const u8, name_len: usize) -> i32;
    fn database_remove(beside: u32, name: *const u8, name_len: usize, for_good: bool) -> i32;
    safe fn databases_removed(beside: u32) -> i32;
    fn database_restore(beside: u32, name: *const u8, name_len: usize) -> i32;
    safe fn databases_purge(beside: u32) -> i32;
    fn remote_open(beside: u32, url: *const u8, url_len: usize, user: *const u8, user_len: usize, create: bool) -> i32;
    fn pinned_open(beside: u32, list: *const u8, list_len: usize) -> i32;
    pub(crate) safe fn remote_close(directory: u32);
    safe fn host_text_len() -> usize;
    fn host_text(dest: *mut u8);
    safe fn now_ms() -> f64;
    /// What the statement that runs is to do: a `WishCode`.
    pub(crate) safe fn wish() -> i32;
    /// What the session at work has cost of the network; see `REMOTE_FIGURES`.
    pub(crate) safe fn remote_figure(number: u32) -> f64;
    fn random_fill(dest: *mut u8, len: usize);
    fn zone_offset(zone: *const u8, zone_len: usize, epoch_seconds: f64) -> i32;
    fn regex_compile(pattern: *const u8, pattern_len: usize, flags: u32) -> i32;
    pub(crate) safe fn regex_bytes(regex: u32) -> u32;
    fn regex_begin(regex: u32, text: *const u8, text_len: usize, steps: u32, stack_bytes: u32) -> i32;
    pub(crate) safe fn regex_find(regex: u32, start: u32, limit: u32, wanted: u32) -> i32;
    pub(crate) safe fn regex_steps_left() -> u32;
    pub(crate) safe fn regex_close(regex: u32);
    safe fn collations_load() -> i32;
    fn panicked(message: *const u8, len: usize);
}

/// A number of the host, or why there is none.
fn answer(number: i32) -> Result<u32, Refusal> {
    let refusal = || Refusal::from_number(number.unsigned_abs().wrapping_sub(1)).unwrap_or(Refusal::Host);
    u32::try_from(number).map_err(|_| refusal())
}

#[expect(unsafe_code, reason = "the host reads the path")]
pub(crate) fn open(directory: u32, path: &str, suspends: bool) -> Result<u32, Refusal> {
    let call = if suspends { file_open_remote } else { file_open };
    // SAFETY: the host reads `path` before it returns, or before it suspends this stack, which keeps `path` borrowed.
    answer(unsafe { call(directory, path.as_ptr(), path.len()) })
}

/// Length of the listing that [`text`] then gives.
#[expect(unsafe_code, reason = "the host reads the path")]
pub(crate) fn list(directory: u32, path: &str) -> Result<u32, Refusal> {
    // SAFETY: the host reads `path` before it returns.
    answer(unsafe { directory_list(directory, path.as_ptr(), path.len()) })
}

pub(crate) fn length(file: u32) -> u64 {
    file_len(file) as u64
}

pub(crate) fn page_bytes(file: u32) -> usize {
    file_page_bytes(file) as usize
}

/// Fills `dest`. Offsets are exact to 2^53, far beyond any file.
#[expect(unsafe_code, reason = "the host writes into linear memory")]
pub(crate) fn read(file: u32, offset: u64, dest: &mut [u8], suspends: bool) -> Result<(), Refusal> {
    let call = if suspends { page_in_remote } else { page_in };
    // SAFETY: the host writes within `dest` and before the call ends; while the stack is suspended `dest` stays borrowed and
    // nothing else enters this instance.
    answer(unsafe { call(file, offset as f64, dest.as_mut_ptr(), dest.len()) }).map(|_| ())
}

#[expect(unsafe_code, reason = "the host reads the ranges")]
pub(crate) fn announce(file: u32, ranges: &[[f64; 2]]) {
    // SAFETY: the host reads the ranges before it returns.
    unsafe { will_need(file, ranges.as_ptr(), ranges.len()) };
}

/// Has a range fetched anew.
pub(crate) fn renew(file: u32, range: &core::ops::Range<u64>) {
    file_renew(file, range.start as f64, range.end as f64);
}

/// Writes all of `bytes`.
#[expect(unsafe_code, reason = "the host reads the bytes")]
pub(crate) fn write(file: u32, offset: u64, bytes: &[u8]) -> Result<(), Refusal> {
    // SAFETY: the host reads `bytes` before it returns.
    answer(unsafe { file_write(file, offset as f64, bytes.as_ptr(), bytes.len()) }).map(|_| ())
}

pub(crate) fn truncate(file: u32, len: u64) -> Result<(), Refusal> {
    answer(file_truncate(file, len as f64)).map(|_| ())
}

pub(crate) fn flush(file: u32) -> Result<(), Refusal> {
    answer(file_flush(file)).map(|_| ())
}

#[expect(unsafe_code, reason = "the host reads the path")]
pub(crate) fn create(directory: u32, path: &str) -> Result<u32, Refusal> {
    // SAFETY: the host reads `path` before it returns.
    answer(unsafe { file_create(directory, path.as_ptr(), path.len()) })
}

#[expect(unsafe_code, reason = "the host reads the paths")]
pub(crate) fn rename(directory: u32, from: &str, to: &str) -> Result<(), Refusal> {
    // SAFETY: the host reads both paths before it returns.
    answer(unsafe { file_rename(directory, from.as_ptr(), from.len(), to.as_ptr(), to.len()) }).map(|_| ())
}

#[expect(unsafe_code, reason = "the host reads the path")]
pub(crate) fn remove(directory: u32, path: &str) -> Result<(), Refusal> {
    // SAFETY: the host reads `path` before it returns.
    answer(unsafe { file_remove(directory, path.as_ptr(), path.len()) }).map(|_| ())
}

/// The directory of a new database, beside another of its source.
#[expect(unsafe_code, reason = "the host reads the name")]
pub(crate) fn create_database(beside: u32, name: &str) -> Result<u32, Refusal> {
    // SAFETY: the host reads `name` before it returns.
    answer(unsafe { database_create(beside, name.as_ptr(), name.len()) })
}

/// Puts a database aside, or removes it for good.
#[expect(unsafe_code, reason = "the host reads the name")]
pub(crate) fn remove_database(beside: u32, name: &str, for_good: bool) -> Result<(), Refusal> {
    // SAFETY: the host reads `name` before it returns.
    answer(unsafe { database_remove(beside, name.as_ptr(), name.len(), for_good) }).map(|_| ())
}

/// The names of databases that were removed and can be brought back, one a line.
pub(crate) fn removed_databases(beside: u32) -> Result<String, Refusal> {
    answer(databases_removed(beside)).map(|_| text())
}

/// The directory of one of them, which is where it was again, and its own name.
#[expect(unsafe_code, reason = "the host reads the name")]
pub(crate) fn restore_database(beside: u32, name: &str) -> Result<(u32, String), Refusal> {
    // SAFETY: the host reads `name` before it returns.
    let directory = answer(unsafe { database_restore(beside, name.as_ptr(), name.len()) })?;
    Ok((directory, text()))
}

pub(crate) fn purge_databases(beside: u32) -> Result<(), Refusal> {
    answer(databases_purge(beside)).map(|_| ())
}

/// The directory of a remote, which [`remote_close`] gives back. An empty user is none.
#[expect(unsafe_code, reason = "the host reads the texts")]
pub(crate) fn open_remote(beside: u32, url: &str, user: &str, create: bool) -> Result<u32, Refusal> {
    // SAFETY: the host reads both texts before it returns.
    answer(unsafe { remote_open(beside, url.as_ptr(), url.len(), user.as_ptr(), user.len(), create) })
}

/// The directory of the files that a lazy clone lists, which [`remote_close`] gives back.
#[expect(unsafe_code, reason = "the host reads the list")]
pub(crate) fn open_pinned(beside: u32, list: &str) -> Result<u32, Refusal> {
    // SAFETY: the host reads `list` before it returns.
    answer(unsafe { pinned_open(beside, list.as_ptr(), list.len()) })
}

/// A new private file, deleted when it is closed.
pub(crate) fn temporary() -> Result<u32, Refusal> {
    answer(temporary_file())
}

/// A file that came with the statement which begins now.
#[expect(unsafe_code, reason = "the host reads the name")]
pub(crate) fn open_local(name: &str) -> Result<u32, Refusal> {
    // SAFETY: the host reads `name` before it returns.
    answer(unsafe { local_file_open(name.as_ptr(), name.len()) })
}

/// Takes the right to write. Returns its lease epoch, which changes when another writer may have had it since; 0 where that is not known.
pub(crate) fn take_lock(directory: u32) -> Result<u32, Refusal> {
    answer(lock_take(directory))
}

/// Whether the right to write is held and can be taken before the host has a turn.
pub(crate) fn claim_lock(directory: u32) -> Result<(), Refusal> {
    answer(lock_claim(directory)).map(|_| ())
}

/// The host's last words: of a refusal, or a listing.
pub(crate) fn text() -> String {
    String::from_utf8_lossy(&last_bytes()).into_owned()
}

#[expect(unsafe_code, reason = "the host writes into linear memory")]
pub(crate) fn last_bytes() -> Vec<u8> {
    let mut bytes = vec![0; host_text_len()];
    // SAFETY: the host writes as many bytes as it just said.
    unsafe { host_text(bytes.as_mut_ptr()) };
    bytes
}

/// The number of a compiled expression, whose groups' names are then the [`text`], a line each.
#[expect(unsafe_code, reason = "the host reads the pattern")]
pub(crate) fn compile_regex(pattern: &str, flags: u32) -> i32 {
    // SAFETY: the host reads `pattern` before it returns.
    unsafe { regex_compile(pattern.as_ptr(), pattern.len(), flags) }
}

/// Gives the host the text of the searches that follow.
#[expect(unsafe_code, reason = "the host reads the text")]
pub(crate) fn begin_regex(regex: u32, subject: &str, steps: u32, stack_bytes: u32) -> i32 {
    // SAFETY: the host copies `subject` before it returns.
    unsafe { regex_begin(regex, subject.as_ptr(), subject.len(), steps, stack_bytes) }
}

/// Milliseconds since 1970-01-01 UTC.
pub(crate) fn now_milliseconds() -> f64 {
    now_ms()
}

#[expect(unsafe_code, reason = "the host writes into linear memory")]
pub(crate) fn random(bytes: &mut [u8]) {
    // SAFETY: the host fills exactly `bytes`.
    unsafe { random_fill(bytes.as_mut_ptr(), bytes.len()) };
}

/// Seconds east of UTC of a named zone at a moment; `None` for a name that the host does not know.
#[expect(unsafe_code, reason = "the host reads the name")]
pub(crate) fn zone_offset_seconds(zone: &str, epoch_seconds: i64) -> Option<i32> {
    // SAFETY: the host reads `zone` before it returns.
    let seconds = unsafe { zone_offset(zone.as_ptr(), zone.len(), epoch_seconds as f64) };
    (seconds != i32::MIN).then_some(seconds)
}

/// The weights of further collations (`rust/value/weights/collations.bin`); `None` where they cannot be fetched.
pub(crate) fn collations() -> Option<Vec<u8>> {
    (collations_load() >= 0).then(last_bytes)
}

#[expect(unsafe_code, reason = "the host reads the message")]
pub(crate) fn tell_panic(message: &str) {
    // SAFETY: the host reads `message` before it returns.
    unsafe { panicked(message.as_ptr(), message.len()) };
}
