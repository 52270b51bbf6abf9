//! Yield points of definitions.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context as Task, Poll};

use crate::expr::Context;
use crate::state::WRITE_WORK;

/// Takes note of work done on `rows` rows, and gives the host its turn if that was enough for once.
pub fn pause(context: &Context, rows: usize) -> Turn {
    context.spend(rows);
    context.spend_work(WRITE_WORK.saturating_mul(rows));
    Turn { is_given: !context.is_out_of_fuel() }
}

/// Gives the host its turn.
pub fn give_turn() -> Turn {
    Turn { is_given: false }
}

/// The host's turn: pending once.
#[must_use = "nothing pauses unless it is awaited"]
pub struct Turn {
    is_given: bool,
}

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<()> {
        if core::mem::replace(&mut self.is_given, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}
