//! Where definitions stop in the middle.

use core::future::poll_fn;
use core::task::Poll;

use crate::expr::Context;
use crate::state::WRITE_WORK;

/// Takes note of work done on `rows` rows, and gives the host its turn if that was enough for once.
pub async fn pause(context: &Context, rows: usize) {
    context.spend(rows);
    context.spend_work(WRITE_WORK.saturating_mul(rows));
    let mut has_paused = !context.is_out_of_fuel();
    poll_fn(|_| if core::mem::replace(&mut has_paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}
