//! What JavaScript calls (`web/src/console/sql/lexer.ts`): numbers only, over two buffers of linear memory.
//!
//! The page writes a text to the address that [`reserve`] answers. Answers are in the output: so many numbers of four bytes.

use std::cell::RefCell;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// The count of the numbers that `read` makes of the input.
fn answer(length: usize, read: fn(&str) -> Vec<u32>) -> usize {
    let numbers = INPUT.with_borrow(|input| {
        // What JavaScript encodes is UTF-8.
        read(input.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default())
    });
    let count = numbers.len();
    OUTPUT.replace(numbers);
    count
}

/// Room for so many bytes of input, and its address.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn tokens(length: usize) -> usize {
    answer(length, crate::tokens)
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn statements(length: usize) -> usize {
    answer(length, crate::statements)
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn outline(length: usize) -> usize {
    answer(length, crate::outline)
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u32 {
    OUTPUT.with_borrow(Vec::as_ptr)
}
