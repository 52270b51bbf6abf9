//! Depth-first walk of the commit graph.

use std::rc::Rc;

use codec::Address;
use hashbrown::HashSet;

use crate::commit::Commit;
use crate::error::Result;
use crate::objects::{Objects, is_ghost};

/// Every commit reachable from some, once: a commit, then its last parent with all that leads to, then the one before.
///
/// This is the order of Dolt's tables of history (`dolt_diff`, `dolt_diff_<table>`, `dolt_history_<table>`, `dolt_commits`,
/// `dolt_commit_ancestors`), which is not that of [`Log`](crate::Log): a commit may come before some of its children. Where
/// a merge offers two children to compare a commit with, the order decides.
pub struct Walk {
    objects: Rc<Objects>,
    /// Starts that were not reached yet, the next one last.
    starts: Vec<Address>,
    /// Commits to come, the next one last.
    stack: Vec<Address>,
    seen: HashSet<Address>,
}

impl Walk {
    pub(crate) fn new(objects: &Rc<Objects>, from: &[Address]) -> Walk {
        let starts = from.iter().rev().copied().collect();
        Walk { objects: objects.clone(), starts, stack: Vec::new(), seen: HashSet::new() }
    }

    fn step(&mut self) -> Result<Option<Rc<Commit>>> {
        loop {
            let next = match self.stack.pop() {
                Some(next) => next,
                None => match self.starts.pop() {
                    Some(start) if self.seen.insert(start) => start,
                    Some(_) => continue,
                    None => return Ok(None),
                },
            };
            let commit = match self.objects.commit(&next) {
                Ok(commit) => commit,
                // A shallow clone's history ends where it was cut.
                Err(error) if is_ghost(&error) => continue,
                Err(error) => return Err(error),
            };
            for parent in &commit.parents {
                if self.seen.insert(*parent) {
                    self.stack.push(*parent);
                }
            }
            return Ok(Some(commit));
        }
    }
}

impl Iterator for Walk {
    type Item = Result<Rc<Commit>>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            self.starts.clear();
            self.stack.clear();
        }
        step.transpose()
    }
}
