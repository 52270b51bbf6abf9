//! Merge options.

use codec::Address;

use crate::expressions::Expressions;
use crate::merge::progress::MergeProgress;
use crate::nonlocal::TableNames;

/// How a merge is made, and what names the versions in conflicts and violations.
pub struct MergeOptions<'a> {
    /// The commit that theirs is.
    pub their_source: Address,
    /// The commit that the base is.
    pub base_source: Address,
    /// Evaluates checks, defaults and generated columns.
    pub expressions: &'a dyn Expressions,
    /// What the names in foreign keys mean.
    pub names: TableNames<'a>,
    /// JSON documents are merged member by member.
    pub merges_json: bool,
    /// Tables with schema conflicts stay as ours has them; otherwise such a conflict is an error.
    pub keeps_schema_conflicts: bool,
    /// A table that only theirs changed is merged row by row all the same, as cherry-picks do.
    pub is_cherry_pick: bool,
    /// Foreign keys are merged, and rows that violate constraints recorded.
    pub records_violations: bool,
    /// Where the merge may stop, and what was done before it did.
    pub progress: Option<&'a MergeProgress>,
}

impl MergeOptions<'_> {
    pub(crate) fn pauses(&self) -> bool {
        self.progress.is_some_and(MergeProgress::pauses)
    }
}
