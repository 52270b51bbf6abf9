//! Earlier refs, from the records of the journal (docs/format/database.md, section 11.3).

use store::StoreError;

use crate::error::Result;
use crate::refs::Refs;

/// The names at an earlier moment.
pub struct PastRefs {
    pub refs: Refs,
    /// When they became so, in seconds since 1970, where that was recorded.
    pub seconds: Option<u64>,
}

impl Refs {
    /// All earlier names that the store still records, the oldest first, and the current ones. One chunk is read for each.
    pub fn past(&self) -> impl Iterator<Item = Result<PastRefs>> + use<> {
        let objects = self.objects().clone();
        let roots = objects.nodes().chunks().past_roots();
        roots.into_iter().filter_map(move |root| match Refs::read(&objects, root.address) {
            Ok(refs) => Some(Ok(PastRefs { refs, seconds: root.seconds })),
            // Collected since.
            Err(error) if matches!(error.of_store(), Some(StoreError::Missing(_))) => None,
            Err(error) => Some(Err(error)),
        })
    }
}
