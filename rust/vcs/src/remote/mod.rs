//! Fetch, push, clone and backup (docs/decisions/2026-11-29-remotes.md).
//!
//! A remote is a [`Database`] over a [`store::Remote`], with an empty [`RepoState`](crate::RepoState). Everything here goes between two
//! databases; which of them is far away is not known. Long work is done in steps, of which each one ends soon; a step whose error
//! [is to wait](crate::VcsError::is_wait) is called again. Dropping what is under way gives it up, and leaves both sides as they were.
//!
//! The order of calls:
//!
//! - **Fetch**: `remote.refresh()`, [`Fetch::begin`], [`Fetch::step`] until it is done; then [`Fetch::write`] puts the changed names into a
//!   draft of the local ones, which the caller commits.
//! - **Push**, for each name: `remote.refresh()`, [`Push::begin`], [`Push::step`] until it has an outcome. The remote is changed then. The
//!   caller sets or removes the remote-tracking branch ([`tracking_ref`]) and commits that.
//! - **Clone**: `remote.refresh()`, [`Cloning::begin`]; the caller makes an empty database with [`Cloning::state`] beside it; then
//!   [`Cloning::step`] until it is done, [`Cloning::write`] into a draft of its (empty) names, and its first commit, which makes the
//!   database. Nothing is there before.
//! - **Lazy clone**: as a clone, of which only what the remote has in a journal is copied. Later `remote.refresh()`,
//!   [`Completion::begin`] and [`Completion::step`] until it is done bring the rest.
//! - **Backup**: [`Sync::begin`] and [`Sync::step`] until it is done, from the database to the backup, or to a new database from the backup.

mod clone;
mod complete;
mod fetch;
mod push;
mod ref_spec;
mod sync;

use std::rc::Rc;

use codec::Address;
use store::{Copy, References};
use tree::message::references::each_reference;

pub use clone::{CloneOptions, Cloning, Lazy};
pub use complete::Completion;
pub use fetch::{Fetch, FetchOptions, RefUpdate};
pub use push::{Push, PushChange, Pushed, Pushing};
pub use ref_spec::RefSpec;
pub use store::Copied;
pub use sync::Sync;

use crate::error::{Result, VcsReason};
use crate::refs::REMOTE_BRANCHES;

/// The whole name of the remote-tracking branch of `branch`.
pub fn tracking_ref(remote: &str, branch: &str) -> String {
    format!("{REMOTE_BRANCHES}{remote}/{branch}")
}

/// Maximum attempts to change the root while other writers win the race.
const ATTEMPTS_MAX: u32 = 100;

/// Counts an attempt that another writer won.
fn lost_race(attempts: &mut u32) -> Result<()> {
    *attempts += 1;
    if *attempts < ATTEMPTS_MAX { Ok(()) } else { Err(VcsReason::RemoteBusy.into()) }
}

/// A copy of all that `roots` lead to.
fn copy(roots: Vec<Address>) -> Copy {
    Copy::new(roots, references())
}

fn references() -> References {
    let references = |chunk: &[u8], each: &mut dyn FnMut(Address)| {
        let told = each_reference(chunk, each);
        // Ancestors are announced as soon as they are known, or each of a long history would take a round trip.
        told.and_then(|()| tree::each_ancestor(chunk, each)).map_err(|error| error.to_string().into())
    };
    Rc::new(references)
}
