//! References between chunks: which addresses a chunk contains, for writes and for garbage collection.

use codec::Address;

use crate::TreeError;
use crate::message::commit::{self, Commit};
use crate::message::node::Kind;
use crate::message::root_value::{self, RootValue};
use crate::message::stash::{self, Stash, StashList};
use crate::message::statistic::{self, Statistic};
use crate::message::store_root::{self, StoreRoot};
use crate::message::table::{self, Table};
use crate::message::tag::{self, Tag};
use crate::message::working_set::{self, WorkingSet};
use crate::message::{flat, foreign_keys, schema, tuple_value};
use crate::node::Node;
use crate::tuple::Tuple;

/// Calls `each` with every address in `message`, the zeros of absent ones left out. Ancestors in a closure are left out too: the
/// commits that have the closure lead to them.
///
/// # Errors
/// What is wrong with the message.
pub fn each_reference(message: &[u8], each: &mut dyn FnMut(Address)) -> Result<(), TreeError> {
    let mut each = |address: Address| {
        if !address.is_empty() {
            each(address);
        }
    };
    match flat::file_id(message)? {
        store_root::ID => of_node(StoreRoot::decode(message)?.datasets, &mut each)?,
        commit::ID => {
            let commit = Commit::decode(message)?;
            each(commit.root);
            commit.parents.into_iter().chain(commit.parent_closure).for_each(each);
        }
        tag::ID => each(Tag::decode(message)?.commit),
        working_set::ID => {
            let set = WorkingSet::decode(message)?;
            let merge = set.merge.into_iter().flat_map(|merge| {
                [Some(merge.pre_working_root), Some(merge.from_commit), merge.pre_merge_head].into_iter().flatten()
            });
            let rebase = set.rebase.into_iter().flat_map(|rebase| [rebase.pre_working_root, rebase.onto_commit]);
            each(set.working);
            set.staged.into_iter().chain(merge).chain(rebase).for_each(each);
        }
        root_value::ID => {
            let root = RootValue::decode(message)?;
            of_node(root.tables, &mut each)?;
            root.foreign_keys.into_iter().for_each(each);
        }
        table::ID => {
            let table = Table::decode(message)?;
            each(table.schema);
            of_node(table.primary_index, &mut each)?;
            of_node(table.secondary_indexes, &mut each)?;
            let legacy = table.legacy_conflicts.into_iter().chain([table.legacy_violations]);
            legacy.chain(table.artifacts).for_each(each);
        }
        stash::LIST_ID => of_node(StashList::decode(message)?.stashes, &mut each)?,
        stash::ID => {
            let stash = Stash::decode(message)?;
            each(stash.root);
            each(stash.head_commit);
        }
        statistic::ID => each(Statistic::decode(message)?.root),
        schema::ID | foreign_keys::ID | tuple_value::ID => {}
        _ => of_node(message, &mut each)?,
    }
    Ok(())
}

fn of_node(message: &[u8], each: &mut impl FnMut(Address)) -> Result<(), TreeError> {
    match Kind::of(message)? {
        Some(Kind::Vectors) => of_vectors(&Node::new(message.to_vec())?, each),
        _ => super::node::each_address(message, each)?,
    }
    Ok(())
}

/// A vector out of band is in no list of addresses. Such a field begins with its length, which is not zero, and ends with the
/// address.
fn of_vectors(node: &Node, each: &mut impl FnMut(Address)) {
    if !node.is_leaf() {
        return (0..node.len()).filter_map(|child| node.child_address(child)).for_each(each);
    }
    let vectors = node.keys().iter().filter_map(|key| Tuple::new(key).field(0));
    vectors.filter(|vector| vector.first() != Some(&0)).filter_map(|vector| vector.last_chunk()).for_each(|address| {
        each(Address::from_bytes(*address));
    });
}
