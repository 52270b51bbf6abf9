//! The regular expressions of tests: those of the product, in the same process.

use std::ops::ControlFlow;
use std::rc::Rc;

use engine::{Groups, Regex, RegexFailure, RegexFlags, RegexSearch, RegexWanted};
use regexp::{Budget, Error, Flags, NONE, Wanted, next_start};

struct NativeRegex(regexp::Regex);

pub fn compile(pattern: &str, flags: RegexFlags) -> Result<Rc<dyn Regex>, RegexFailure> {
    let compiled = regexp::Regex::new(pattern, Flags::from_bits(flags.bits())).map_err(failure)?;
    Ok(Rc::new(NativeRegex(compiled)))
}

fn failure(error: Error) -> RegexFailure {
    match error {
        Error::Invalid(why) => RegexFailure::Invalid(why.into()),
        Error::Unsupported(what) => RegexFailure::Unsupported(what.into()),
        Error::TooBig => RegexFailure::TooBig,
        Error::Timeout => RegexFailure::Timeout,
        Error::StackOverflow => RegexFailure::StackOverflow,
    }
}

impl Regex for NativeRegex {
    fn group(&self, name: &str) -> Option<usize> {
        Some(self.0.names().iter().position(|known| known.as_deref() == Some(name))? + 1)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn find_each(
        &self,
        text: &str,
        start: usize,
        search: RegexSearch,
        visit: &mut dyn FnMut(&Groups) -> ControlFlow<()>,
    ) -> Result<u32, RegexFailure> {
        let wanted = match search.wanted {
            RegexWanted::Existence => Wanted::Existence,
            RegexWanted::Span => Wanted::Span,
            RegexWanted::Groups => Wanted::Groups,
        };
        let mut budget = Budget::new(search.steps.into(), search.stack_bytes as usize);
        let mut next = Some(start);
        for _ in 0..search.limit {
            let Some(at) = next else { break };
            let Some(slots) = self.0.find(text, at, wanted, &mut budget).map_err(failure)? else { break };
            let group = |pair: &[u32]| (pair[1] != NONE).then_some((pair[0] as usize, pair[1] as usize));
            if visit(&slots.chunks_exact(2).map(group).collect()).is_break() {
                break;
            }
            next = next_start(text, slots[0] as usize, slots[1] as usize);
        }
        Ok(search.steps - budget.steps as u32)
    }
}
