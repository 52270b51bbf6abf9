//! Address fields of a tuple: which fields refer to other chunks (docs/format/tree.md, section 5.6).

use std::rc::Rc;

use codec::Address;

use crate::tuple::{Encoding, Tuple, TupleDescriptor};

/// The fields of a tree's tuples that may hold addresses. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct AddressFields {
    /// From the last to the first, as their places are listed.
    adaptive: Rc<[usize]>,
    addresses: Rc<[usize]>,
}

impl AddressFields {
    /// Whether tuples hold no addresses.
    pub fn is_empty(&self) -> bool {
        self.adaptive.is_empty() && self.addresses.is_empty()
    }

    /// Of the value tuples of rows, or the key tuples of artifacts.
    pub fn of(descriptor: &TupleDescriptor) -> AddressFields {
        let fields = |wanted: fn(Encoding) -> bool| {
            let fields = descriptor.fields().iter().enumerate().rev();
            fields.filter(|(_, field)| wanted(field.encoding)).map(|(i, _)| i).collect()
        };
        AddressFields {
            adaptive: fields(Encoding::is_adaptive),
            addresses: fields(|encoding| encoding.is_address() || encoding == Encoding::CommitAddr),
        }
    }

    /// Calls `each` with the place of every address in a tuple, in the order in which leaves list them.
    pub(crate) fn positions(&self, tuple: Tuple<'_>, mut each: impl FnMut(usize)) {
        let present = |i: usize| Some((tuple.span(i)?, tuple.field(i)?));
        for (span, field) in self.adaptive.iter().filter_map(|i| present(*i)) {
            if field.first() != Some(&0) && field.len() > Address::LEN {
                each(span.end - Address::LEN);
            }
        }
        for (span, field) in self.addresses.iter().filter_map(|i| present(*i)) {
            if field.iter().any(|byte| *byte != 0) {
                each(span.start);
            }
        }
    }
}
