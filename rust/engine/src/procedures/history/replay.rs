//! Replay of one commit's change, or of its inverse, on top of a branch (docs/format/database.md, section 10.8).

use std::rc::Rc;

use codec::Address;
use value::Value;
use vcs::{Commit, Ignored, MergeProgress, MergeState, Merged, RootDelta, Roots, WorkingSet};

use super::merge::ThreeWay;
use crate::error::Result;
use crate::procedures::call::{Answer, Call, State, number_column, text_column};

/// Which change is made to which version.
pub struct Replay<'a> {
    pub theirs: &'a Commit,
    pub base: &'a Commit,
    pub is_cherry_pick: bool,
    /// See [`Call::pausing`].
    pub progress: Option<&'a MergeProgress>,
}

/// What a replay came to: how many tables have conflicts and violations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unresolved {
    pub data_conflicts: usize,
    pub schema_conflicts: usize,
    pub violations: usize,
}

impl Unresolved {
    /// Violations also of tables that the replay leaves alone: none of them can be committed.
    pub fn of(merged: &Merged) -> Result<Unresolved> {
        let [violated, _] = vcs::tables_with_artifacts(&merged.root)?;
        Ok(Unresolved {
            data_conflicts: merged.conflicted_tables().count(),
            schema_conflicts: merged.schema_conflicts.len(),
            violations: violated.len(),
        })
    }

    /// Of a working set that waits for its conflicts to be resolved.
    pub fn of_state(state: &State) -> Result<Unresolved> {
        let [violated, conflicted] = vcs::tables_with_artifacts(&state.working()?)?;
        let merge = state.set.merge.as_ref();
        Ok(Unresolved {
            data_conflicts: conflicted.len(),
            schema_conflicts: merge.map_or(0, |merge| merge.unmergable_tables.len()),
            violations: violated.len(),
        })
    }

    pub fn is_none(&self) -> bool {
        *self == Unresolved::default()
    }

    /// The row that cherry-pick and revert answer.
    pub fn answer(&self, hash: Option<&Address>) -> Answer {
        let numbers = ["data_conflicts", "schema_conflicts", "constraint_violations"];
        let columns = std::iter::once(text_column("hash")).chain(numbers.into_iter().map(number_column)).collect();
        let counts = [self.data_conflicts, self.schema_conflicts, self.violations];
        let hash = Value::text(hash.map(Address::to_string).unwrap_or_default());
        let row = std::iter::once(hash).chain(counts.into_iter().map(|count| Value::Int(count as i64))).collect();
        Answer::new(columns, row)
    }
}

impl Replay<'_> {
    /// Merges the change into the working root of a branch.
    pub fn merge(&self, call: &Call, state: &State) -> Result<Merged> {
        let merge = ThreeWay {
            ours: state.working()?,
            their_source: self.theirs.address,
            their_root: self.theirs.root,
            base: self.base,
            keeps_schema_conflicts: false,
            is_cherry_pick: self.is_cherry_pick,
            progress: self.progress,
        };
        merge.run(call, state)
    }
}

/// The working set with the merged root; tables that nothing is wrong with are staged.
pub fn staged(state: &State, merged: &Merged) -> Result<WorkingSet> {
    let roots = Roots { working: merged.root.clone(), ..state.roots()? };
    // What was changed before stays unstaged.
    let changed = RootDelta::between(&state.working()?, &roots.working)?;
    let mut names: Vec<Box<str>> = changed
        .tables
        .iter()
        .flat_map(|table| [&table.from, &table.to])
        .flatten()
        .map(|side| side.name.clone())
        .collect();
    names.retain(|name| !merged.artifacts.contains_key(name));
    names.dedup();
    let roots = roots.stage(&names, Ignored::NewLeftOut)?;
    Ok(state.with_roots(&roots))
}

/// The state that a replay with conflicts leaves, to be continued or aborted.
pub fn halted(state: &State, from: &Commit, spec: &str) -> MergeState {
    MergeState {
        pre_working_root: state.set.working,
        from_commit: from.address,
        from_spec: spec.into(),
        unmergable_tables: Vec::new(),
        is_cherry_pick: false,
        is_revert: false,
        pre_merge_head: Some(state.head.address),
        pending_commits: Vec::new(),
    }
}

/// The first parent of a commit.
pub fn parent(state: &State, commit: &Commit) -> Result<Option<Rc<Commit>>> {
    let objects = state.refs.objects();
    Ok(commit.parents.first().map(|parent| objects.commit(parent)).transpose()?)
}
