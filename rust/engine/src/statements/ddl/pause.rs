//! Where definitions stop in the middle.

use core::future::poll_fn;
use core::task::Poll;

use crate::expr::Context;
use crate::state::WRITE_WORK;

/// Takes note of work done on `rows` rows, and gives the host its turn if that was enough for once.
pub async fn pause(context: &Context, rows: usize) {
    context.spend(rows);
    context.spend_work(WRITE_WORK.saturating_mul(rows));
    if context.is_out_of_fuel() {
        give_turn().await;
    }
}

/// Gives the host its turn.
pub async fn give_turn() {
    let mut is_given = false;
    poll_fn(|_| if core::mem::replace(&mut is_given, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}
