//! Exports of the wasm module for JavaScript (`web/src/host/wasm/regexes.ts`): numbers only, over two buffers of linear memory.
//!
//! The host writes a pattern or a text to the address that [`reserve`] answers. Answers that are no number are in the output.

use std::cell::RefCell;

use crate::{Budget, Error, Flags, Regex, Wanted, next_start};

/// The state of the module, which has one thread.
#[derive(Default)]
struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    compiled: Vec<Option<Regex>>,
    text: String,
    budget: Option<Budget>,
}

#[expect(unsafe_code, reason = "a raw import")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Whether the statement that searches is to go on.
    safe fn goes_on() -> i32;
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Answers of functions that fail, below zero.
fn number_of(error: &Error) -> i32 {
    match error {
        Error::Invalid(_) => -1,
        Error::Unsupported(_) => -2,
        Error::TooBig => -3,
        Error::Timeout => -4,
        Error::StackOverflow => -5,
    }
}

impl State {
    fn failed(&mut self, error: &Error) -> i32 {
        self.output.clear();
        if let Error::Invalid(why) | Error::Unsupported(why) = error {
            self.output.extend(why.as_bytes());
        }
        number_of(error)
    }

    fn compile(&mut self, length: usize, flags: u32) -> Result<i32, Error> {
        let pattern = self.input.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let regex = Regex::new(pattern.ok_or(Error::Invalid("it is not UTF-8"))?, Flags::from_bits(flags))?;
        self.output.clear();
        for name in regex.names() {
            self.output.extend(name.as_deref().unwrap_or_default().as_bytes());
            self.output.push(b'\n');
        }
        let free = self.compiled.iter().position(Option::is_none).unwrap_or(self.compiled.len());
        if free == self.compiled.len() {
            self.compiled.push(None);
        }
        self.compiled[free] = Some(regex);
        Ok(free as i32)
    }

    fn find(&mut self, regex: usize, start: usize, limit: u32, wanted: Wanted) -> Result<i32, Error> {
        let State { output, text, compiled, budget, .. } = self;
        let (Some(Some(regex)), Some(budget)) = (compiled.get(regex), budget) else {
            return Err(Error::Invalid("it is closed"));
        };
        output.clear();
        let (mut next, mut found) = (Some(start).filter(|start| text.is_char_boundary(*start)), 0);
        while found < limit
            && let Some(at) = next
            && let Some(slots) = regex.find(text, at, wanted, budget)?
        {
            output.extend(slots.iter().flat_map(|slot| slot.to_le_bytes()));
            next = next_start(text, slots[0] as usize, slots[1] as usize);
            found += 1;
        }
        Ok(found as i32)
    }
}

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

/// Room for so many bytes of input, and its address.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    with(|state| {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Compiles the pattern in the input: its number, and the names of its groups in the output, a line each.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn compile(length: usize, flags: u32) -> i32 {
    with(|state| state.compile(length, flags).unwrap_or_else(|error| state.failed(&error)))
}

/// Bytes that a compiled pattern takes.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn bytes_of(regex: usize) -> usize {
    with(|state| state.compiled.get(regex).and_then(Option::as_ref).map_or(0, Regex::bytes))
}

#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn close(regex: usize) {
    with(|state| {
        if let Some(place) = state.compiled.get_mut(regex) {
            *place = None;
        }
    });
}

/// Makes the input the text of the searches that follow, which share a budget. Text of the engine is UTF-8.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn begin(steps: u32, stack_bytes: usize) {
    with(|state| {
        // The memory of the text before is the next input's.
        let before = std::mem::take(&mut state.text).into_bytes();
        state.text = String::from_utf8(std::mem::replace(&mut state.input, before)).unwrap_or_default();
        state.budget = Some(Budget::asking(steps.into(), stack_bytes, || goes_on() != 0));
    });
}

/// Finds up to `limit` matches from `start` on: their number, and the slots of each in the output. `wanted`: 0 for existence, 1 for
/// spans, 2 for groups.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn find(regex: usize, start: usize, limit: u32, wanted: u32) -> i32 {
    let wanted = match wanted {
        0 => Wanted::Existence,
        1 => Wanted::Span,
        _ => Wanted::Groups,
    };
    with(|state| state.find(regex, start, limit, wanted).unwrap_or_else(|error| state.failed(&error)))
}

/// Steps that the searches may still take.
#[expect(unsafe_code, reason = "a raw export")]
#[unsafe(no_mangle)]
extern "C" fn steps_left() -> u32 {
    with(|state| state.budget.map_or(0, |budget| budget.steps as u32))
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
