//! What JavaScript calls (`web/src/node/serve/chunk_check.ts`): numbers only, over two buffers of linear memory.
//!
//! The host writes bytes of the file, and addresses, to the memory that [`reserve`] returns; positions count from its first byte. A negative
//! result is a refusal, whose reason is then the output.

use std::cell::RefCell;

use codec::{Address, Corrupt};

use crate::{FileCheck, Packing, Refusal};

/// The state of an instance: the check of one file.
#[derive(Default)]
struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    check: FileCheck,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

const REFUSED: i32 = -1;

impl State {
    fn use_dictionary(&mut self, length: usize) -> Result<i32, Refusal> {
        self.check.use_dictionary(slice(&self.input, 0, length)?)?;
        Ok(0)
    }

    fn add(&mut self, address: usize, packing: Packing, start: usize, length: usize) -> Result<i32, Refusal> {
        let address = Address::from_slice(slice(&self.input, address, Address::LEN)?)?;
        let length = self.check.add(&address, packing, slice(&self.input, start, length)?)?;
        // A chunk has less than 2^25 bytes.
        Ok(length as i32)
    }

    fn outgoing(&mut self) -> Result<i32, Refusal> {
        self.output = self.check.outgoing().iter().flat_map(|address| *address.as_bytes()).collect();
        Ok(0)
    }

    fn answer(&mut self, work: impl FnOnce(&mut State) -> Result<i32, Refusal>) -> i32 {
        work(self).unwrap_or_else(|refusal| {
            self.output = refusal.to_string().into_bytes();
            REFUSED
        })
    }
}

fn slice(input: &[u8], start: usize, length: usize) -> Result<&[u8], Corrupt> {
    let end = start.checked_add(length);
    end.and_then(|end| input.get(start..end)).ok_or(Corrupt::new("the host names bytes that it did not write", start))
}

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

/// Memory for that many bytes of input, and its address.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    with(|state| {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Sets the dictionary whose compressed span is the input.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn use_dictionary(length: usize) -> i32 {
    with(|state| state.answer(|state| state.use_dictionary(length)))
}

/// Checks a Snappy record of the input, whose address is in the input, too. Returns the chunk's length in bytes.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn add_record(address: usize, start: usize, length: usize) -> i32 {
    with(|state| state.answer(|state| state.add(address, Packing::Record, start, length)))
}

/// As [`add_record`], for a zstd frame with the dictionary.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn add_frame(address: usize, start: usize, length: usize) -> i32 {
    with(|state| state.answer(|state| state.add(address, Packing::Frame, start, length)))
}

/// Writes the addresses that the file refers to and does not contain to the output, sorted, 20 bytes each.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn outgoing() -> i32 {
    with(|state| state.answer(State::outgoing))
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    with(|state| state.output.as_ptr())
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn output_length() -> usize {
    with(|state| state.output.len())
}
