//! Input and output buffers in linear memory, for arguments and answers of the raw exports.

use core::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Past this an unusually large argument or page is not kept for the next call.
const KEPT_BYTES: usize = 1 << 20;

/// Room for `length_bytes` of arguments: where JavaScript writes them before the call. Null where there is no memory for them.
pub(crate) fn reserve_input(length_bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        if length_bytes > input.capacity() || input.capacity() > KEPT_BYTES && length_bytes <= KEPT_BYTES {
            *input = Vec::new();
            if input.try_reserve_exact(length_bytes.max(1)).is_err() {
                return core::ptr::null_mut();
            }
        }
        input.resize(length_bytes.max(input.len()), 0);
        input.as_mut_ptr()
    })
}

/// The first `length_bytes` of what JavaScript wrote, or all of it when that is less.
pub(crate) fn with_input<R>(length_bytes: usize, read: impl FnOnce(&[u8]) -> R) -> R {
    INPUT.with_borrow(|input| read(input.get(..length_bytes).unwrap_or(input)))
}

/// Text from the input. What JavaScript encodes is UTF-8.
pub(crate) fn input_text(length_bytes: usize) -> Rc<str> {
    with_input(length_bytes, |bytes| match core::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => String::from_utf8_lossy(bytes).into(),
    })
}

/// Writes an answer over the last one.
pub(crate) fn write_output<R>(write: impl FnOnce(&mut Vec<u8>) -> R) -> R {
    OUTPUT.with_borrow_mut(|output| {
        if output.capacity() > KEPT_BYTES {
            *output = Vec::new();
        }
        output.clear();
        write(output)
    })
}

/// Address and length of the last answer.
pub(crate) fn output_span() -> (*const u8, usize) {
    OUTPUT.with_borrow(|output| (output.as_ptr(), output.len()))
}
