//! Page table: which frame holds which segment of a file. It has two levels, so that a huge file costs nothing until it is touched.

use core::cell::RefCell;
use std::rc::Rc;

use crate::frame::Frame;

const LEAF_SLOTS: usize = 64;

type Leaf = [Option<Rc<Frame>>; LEAF_SLOTS];

#[derive(Default)]
pub(crate) struct Table {
    leaves: RefCell<Vec<Option<Box<Leaf>>>>,
}

impl Table {
    /// Calls `with` with the frame of `segment`, if it has one.
    #[inline]
    pub(crate) fn with<T>(&self, segment: u64, with: impl FnOnce(&Rc<Frame>) -> Option<T>) -> Option<T> {
        let leaves = self.leaves.borrow();
        let leaf = leaves.get((segment / LEAF_SLOTS as u64) as usize)?.as_ref()?;
        with(leaf[segment as usize % LEAF_SLOTS].as_ref()?)
    }

    pub(crate) fn get(&self, segment: u64) -> Option<Rc<Frame>> {
        self.with(segment, |frame| Some(frame.clone()))
    }

    pub(crate) fn set(&self, segment: u64, frame: Rc<Frame>) {
        let mut leaves = self.leaves.borrow_mut();
        let at = (segment / LEAF_SLOTS as u64) as usize;
        if leaves.len() <= at {
            leaves.resize_with(at + 1, || None);
        }
        let leaf = leaves[at].get_or_insert_with(|| Box::new([const { None }; LEAF_SLOTS]));
        leaf[segment as usize % LEAF_SLOTS] = Some(frame);
    }

    /// Takes `frame` off `segment`, unless another took its place.
    pub(crate) fn remove(&self, segment: u64, frame: &Rc<Frame>) {
        let mut leaves = self.leaves.borrow_mut();
        if let Some(Some(leaf)) = leaves.get_mut((segment / LEAF_SLOTS as u64) as usize) {
            let slot = &mut leaf[segment as usize % LEAF_SLOTS];
            if slot.as_ref().is_some_and(|there| Rc::ptr_eq(there, frame)) {
                *slot = None;
            }
        }
    }

    /// Takes every frame of `segments` off. Pinned ones live on with their pins and are not found any more.
    pub(crate) fn clear(&self, segments: core::ops::Range<u64>) {
        let mut leaves = self.leaves.borrow_mut();
        let end = segments.end.min(leaves.len() as u64 * LEAF_SLOTS as u64);
        for segment in segments.start..end {
            if let Some(Some(leaf)) = leaves.get_mut((segment / LEAF_SLOTS as u64) as usize) {
                leaf[segment as usize % LEAF_SLOTS] = None;
            }
        }
    }
}
