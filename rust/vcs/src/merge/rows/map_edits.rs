//! Batched edits of a map by a merge.

use tree::{Edit, Map};

use crate::error::Result;
use crate::merge::options::MergeOptions;

/// Edits between which a merge may pause: some milliseconds.
const STEP_EDITS: usize = 1024;

/// A map, and edits of it that are still to be made.
pub(crate) struct MapEdits {
    map: Map,
    /// Keys and values, without a value where the key is deleted; ascending.
    edits: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    made: usize,
}

impl MapEdits {
    /// The keys of `edits` ascend.
    pub(crate) fn new(map: Map, edits: Vec<(Vec<u8>, Option<Vec<u8>>)>) -> MapEdits {
        MapEdits { map, edits, made: 0 }
    }

    /// The map with all edits; `None` where the merge pauses.
    pub(crate) fn write(&mut self, options: &MergeOptions<'_>) -> Result<Option<&Map>> {
        while self.made < self.edits.len() {
            if options.pauses() {
                return Ok(None);
            }
            let made = self.step()?;
            options.expressions.worked(made)?;
        }
        Ok(Some(&self.map))
    }

    /// The map with all edits.
    pub(crate) fn at_once(mut self) -> Result<Map> {
        while self.step()? > 0 {}
        Ok(self.map)
    }

    /// Makes the next edits; how many.
    fn step(&mut self) -> Result<usize> {
        let edits = &self.edits[self.made..self.edits.len().min(self.made + STEP_EDITS)];
        if !edits.is_empty() {
            self.map = self.map.edited(edits.iter().map(|(key, value)| Edit { key, value: value.as_deref() }))?;
        }
        self.made += edits.len();
        Ok(edits.len())
    }
}
