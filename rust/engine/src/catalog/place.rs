//! Place: the database and the branch or commit that a database name refers to.

use std::rc::Rc;

use value::Value;
use vcs::{Commit, Head, NamedRoot, Refs, RootValue, TableNames};

use crate::engine::Attached;
use crate::error::{Result, SqlError};

/// A database at the branch or commit of a session, or of a name such as `db/branch`.
#[derive(Clone)]
pub struct Place {
    pub attached: Rc<Attached>,
    /// The name as it was written, revision and all.
    pub name: Rc<str>,
    pub refs: Refs,
    pub head: Head,
}

impl Place {
    /// All tables as a session sees them: the working set of a branch, or the commit.
    pub fn root(&self) -> Result<RootValue> {
        Ok(self.named_root("WORKING")?.root)
    }

    /// The state that a revision names. Without a branch nothing is changed or staged: WORKING and STAGED are the commit.
    pub fn named_root(&self, text: &str) -> Result<NamedRoot> {
        if self.branch().is_none() && matches!(text, "WORKING" | "STAGED") {
            return Ok(NamedRoot { commit: None, ..self.refs.named_root("HEAD", &self.head)? });
        }
        Ok(self.refs.named_root(text, &self.head)?)
    }

    /// What names of tables mean here.
    pub fn names(&self) -> TableNames<'_> {
        TableNames { refs: &self.refs, head: &self.head }
    }

    pub fn branch(&self) -> Option<&str> {
        match &self.head {
            Head::Branch(name) => Some(name),
            Head::Commit(_) => None,
        }
    }

    /// The state that AS OF names; `None` before the first commit.
    pub fn root_as_of(&self, as_of: &Value<'_>) -> Result<Option<RootValue>> {
        match as_of {
            Value::Text(text) => Ok(Some(self.named_root(text)?.root)),
            _ => {
                let commit = self.commit_as_of(as_of)?;
                Ok(commit.map(|commit| self.refs.objects().root_value(&commit.root)).transpose()?)
            }
        }
    }

    /// The commit that AS OF names, HEAD for WORKING and STAGED; `None` before the first commit.
    pub fn commit_as_of(&self, as_of: &Value<'_>) -> Result<Option<Rc<Commit>>> {
        match as_of {
            Value::Text(text) => match self.named_root(text)?.commit {
                Some(commit) => Ok(Some(commit)),
                None => Ok(Some(self.refs.head(&self.head)?)),
            },
            Value::DateTime(_) | Value::Date(_) => {
                let moment = value::convert::to_moment(as_of)?
                    .round(6)
                    .ok_or_else(|| SqlError::general("AS OF a time that no calendar has"))?;
                // A commit in the same millisecond counts.
                let millis = moment.microseconds().div_euclid(1000);
                Ok(self.refs.commit_at(millis, &self.head)?)
            }
            other => Err(SqlError::general(format!("AS OF takes a revision or a time, not {}", other.family()))),
        }
    }
}
