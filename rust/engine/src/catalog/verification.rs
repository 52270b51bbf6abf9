//! Commit verification: tests that commits have to pass. `@@dolt_commit_verification_groups` names groups of `dolt_tests`
//! (docs/format/database.md, section 12.4).

use super::Catalog;
use crate::error::{Result, SqlError};

impl Catalog {
    /// Whether tests have to pass before a commit.
    pub fn has_verification(&self) -> bool {
        !self.verification_groups().is_empty()
    }

    /// Runs the tests over what the session sees: why there can be no commit of it, if there cannot.
    ///
    /// # Errors
    /// 1105 for a group that no test is in.
    pub fn verification_failure(&self) -> Result<Option<SqlError>> {
        let mut failures = Vec::new();
        for group in self.verification_groups() {
            let failed = self.computed.failed_tests(self, &group).map_err(|error| {
                SqlError::general(format!("failed to run dolt_test_run for group {group}: {}", error.message))
            })?;
            failures.extend(failed.into_iter().map(|(test, why)| format!("{test} ({why})")));
        }
        let text = || SqlError::general(format!("commit verification failed: {}", failures.join(", ")));
        Ok((!failures.is_empty()).then(text))
    }

    fn verification_groups(&self) -> Vec<String> {
        let groups = self.state.variables.borrow().text("dolt_commit_verification_groups");
        match groups.is_empty() {
            true => Vec::new(),
            false => groups.split(',').map(|group| group.trim().to_owned()).collect(),
        }
    }
}
