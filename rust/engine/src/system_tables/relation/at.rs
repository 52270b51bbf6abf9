//! Position of a system table: the database and the revision that it is read at.

use std::rc::Rc;

use value::Value;
use vcs::{Commit, Objects, RootValue};

use crate::catalog::Place;
use crate::error::{Result, SqlError};

/// A database, the root that its tables are read from, and what AS OF said.
#[derive(Clone)]
pub struct At {
    pub place: Place,
    pub root: RootValue,
    as_of: Option<Value<'static>>,
}

impl At {
    pub fn new(place: &Place, root: &RootValue, as_of: Option<&Value<'static>>) -> At {
        At { place: place.clone(), root: root.clone(), as_of: as_of.cloned() }
    }

    pub fn objects(&self) -> &Rc<Objects> {
        self.place.refs.objects()
    }

    /// The commit from which history is seen.
    pub fn head(&self) -> Result<Rc<Commit>> {
        match &self.as_of {
            None => Ok(self.place.refs.head(&self.place.head)?),
            Some(as_of) => {
                let commit = self.place.commit_as_of(as_of)?;
                commit.ok_or_else(|| SqlError::general("AS OF a time before the first commit"))
            }
        }
    }

    /// The branch whose working set is looked at: none where AS OF says something that never changes.
    pub fn branch(&self) -> Result<Option<Rc<str>>> {
        let own = || self.place.branch().map(Rc::from);
        let Some(as_of) = &self.as_of else { return Ok(own()) };
        let Value::Text(text) = as_of else { return Ok(None) };
        if text.eq_ignore_ascii_case("HEAD") {
            return Ok(own());
        }
        Ok(self.place.refs.branch(text)?.map(|_| Rc::from(&**text)))
    }

    /// The commit with this hash, if it is one and the history of the head has it.
    pub fn reachable(&self, hash: &str) -> Result<Option<Rc<Commit>>> {
        let head = self.head()?;
        let Some(commit) = self.commit(hash)? else { return Ok(None) };
        Ok(self.objects().has_ancestor(&head, &commit)?.then_some(commit))
    }

    /// The commit with this hash, whatever branch it is on.
    pub fn commit(&self, hash: &str) -> Result<Option<Rc<Commit>>> {
        if hash.parse::<codec::Address>().is_err() {
            return Ok(None);
        }
        match self.place.refs.commit(hash, &self.place.head) {
            Ok(commit) => Ok(Some(commit)),
            Err(error) if matches!(error.reason(), vcs::VcsReason::CommitNotFound(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub fn database(&self) -> Rc<str> {
        self.place.name.clone()
    }
}
