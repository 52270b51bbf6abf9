//! Verification of a database (`dolt fsck`): reads every chunk of its files, compares it with its address, and checks that everything that
//! the refs reach is there and can be read.

use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use store::{Chunks, LossKind, Scan, Scanned, StoreError};
use tree::message::references::each_reference;
use tree::message::root_value::{self, RootValue};
use tree::message::store_root::{self, StoreRoot};
use tree::message::{commit, flat, foreign_keys, schema};
use tree::{Kind, Node, TreeError};

use crate::Database;
use crate::error::{Result, VcsError};
use crate::refs::WORKING_SETS;
use crate::schema::Schema;

/// Problems that are kept; of others only their number is.
const PROBLEMS_MAX: usize = 1_000;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Bytes of a file are not what they were: those of a chunk do not have its address, or an index or a journal is broken.
    Damaged,
    /// Something leads to a chunk that no file has.
    Missing,
    /// A chunk has its address, and is nothing that this version knows.
    Malformed,
    /// The host cannot read the file.
    Unreadable,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub flaw: Flaw,
    /// None where it is about a file.
    pub address: Option<Address>,
    pub file: Option<Rc<str>>,
    pub at_bytes: Option<u64>,
    pub needed_by: Option<Rc<Owner>>,
    pub message: Box<str>,
}

/// What a chunk belongs to; the first that was found where there are several.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owner {
    /// The address of a commit, or the whole name of a dataset, such as `workingSets/heads/main`.
    pub name: Box<str>,
    pub table: Option<Box<str>>,
}

/// What was counted.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Datasets but working sets.
    pub refs: u64,
    pub commits: u64,
    pub reachable_commits: u64,
    pub reachable_chunks: u64,
    /// Chunks that something leads to and that a lazy clone has not fetched.
    pub elsewhere: u64,
    /// Chunks by the ids of their messages, as they lie in files.
    pub kinds: Vec<([u8; 4], u64)>,
    /// All that is wrong.
    pub problems: u64,
}

/// What is known of a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// It was read, and refers to nothing.
    Leaf,
    /// It refers to others, or cannot be told what it is.
    Leading,
    /// It cannot be read, which was told.
    Flawed,
    /// Something led to it already.
    Reached,
}

/// Which names the keys of an address map are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    None,
    Datasets,
    Tables,
}

/// A chunk that something leads to.
struct Visit {
    address: Address,
    owner: Rc<Owner>,
    names: Names,
}

/// A verification that is under way, in steps: see [`Database::verify`].
#[derive(Default)]
pub struct Verification {
    scan: Scan,
    scanned: Scanned,
    /// About 30 bytes for each chunk.
    known: HashMap<Address, Known>,
    open: Vec<Visit>,
    pub problems: Vec<Problem>,
    pub counts: Counts,
}

impl Verification {
    fn tell(&mut self, address: Option<Address>, error: &StoreError, needed_by: Option<&Rc<Owner>>) {
        self.counts.problems += 1;
        if self.problems.len() == PROBLEMS_MAX {
            return;
        }
        let mut address = address;
        let flaw = match error {
            StoreError::Loss(loss) if loss.kind == LossKind::MissingRoot => {
                address = Some(loss.expected);
                Flaw::Missing
            }
            StoreError::Loss(_) => Flaw::Damaged,
            StoreError::Missing(_) => Flaw::Missing,
            StoreError::Corrupt { .. } | StoreError::WrongAddress { .. } => Flaw::Damaged,
            StoreError::Unreadable { .. } => Flaw::Malformed,
            _ => Flaw::Unreadable,
        };
        let (file, at_bytes) = error.place();
        let (file, needed_by, message) = (file.cloned(), needed_by.cloned(), error.to_string().into());
        self.problems.push(Problem { flaw, address, file, at_bytes, needed_by, message });
    }

    /// Takes in what a scan has found.
    fn take(&mut self, address: Option<Address>, chunk: core::result::Result<Vec<u8>, StoreError>) {
        let known = match chunk {
            Ok(chunk) => {
                let id = flat::file_id(&chunk).unwrap_or(*b"????");
                match self.counts.kinds.iter_mut().find(|(kind, _)| *kind == id) {
                    Some((_, count)) => *count += 1,
                    None => self.counts.kinds.push((id, 1)),
                }
                let is_new = address.is_some_and(|address| !self.known.contains_key(&address));
                self.counts.commits += u64::from(is_new && id == commit::ID);
                if is_leaf(chunk) { Known::Leaf } else { Known::Leading }
            }
            Err(error) => {
                self.tell(address, &error, None);
                Known::Flawed
            }
        };
        if let Some(address) = address {
            self.known.insert(address, known);
        }
    }

    /// Goes to a chunk that something leads to.
    fn visit(&mut self, visit: &Visit, chunks: &dyn Chunks) -> Result<()> {
        let address = visit.address;
        let known = match self.known.entry(address) {
            Entry::Occupied(mut entry) => entry.insert(Known::Reached),
            Entry::Vacant(entry) => {
                entry.insert(Known::Reached);
                if chunks.lazy().is_some() {
                    self.counts.elsewhere += 1;
                    return Ok(());
                }
                Known::Leading
            }
        };
        match known {
            Known::Reached => return Ok(()),
            Known::Leaf => {}
            Known::Flawed => {
                let of_it = self.problems.iter_mut().filter(|problem| problem.address == Some(address));
                of_it.for_each(|problem| problem.needed_by = Some(visit.owner.clone()));
                return Ok(());
            }
            Known::Leading => {
                let followed = chunks.read_scanned(&self.scan, &address).and_then(|chunk| {
                    let unreadable =
                        |error: VcsError| StoreError::Unreadable { address, reason: error.to_string().into() };
                    self.follow(visit, &chunk).map_err(unreadable)
                });
                match followed {
                    // A shallow clone has left it behind.
                    Err(StoreError::Ghost(_)) => return Ok(()),
                    Err(error) if error.is_wait() || error.is_gone() => {
                        self.known.insert(address, known);
                        return Err(error.into());
                    }
                    Err(error) => {
                        self.tell(Some(address), &error, Some(&visit.owner));
                        return Ok(());
                    }
                    Ok(()) => {}
                }
            }
        }
        self.counts.reachable_chunks += 1;
        Ok(())
    }

    /// Notes what a chunk leads to.
    fn follow(&mut self, visit: &Visit, chunk: &[u8]) -> Result<()> {
        let before = self.open.len();
        let open = &mut self.open;
        let mut lead = |address: Address, owner: &Rc<Owner>, names| {
            // There are none of those that are absent.
            if !address.is_empty() {
                open.push(Visit { address, owner: owner.clone(), names });
            }
        };
        match (visit.names, flat::file_id(chunk)?) {
            (Names::None, store_root::ID) => {
                let names = StoreRoot::decode(chunk)?.datasets;
                self.counts.refs += each_name(names, Names::Datasets, &visit.owner, &mut lead)?;
            }
            (Names::None, root_value::ID) => {
                let root = RootValue::decode(chunk)?;
                each_name(root.tables, Names::Tables, &visit.owner, &mut lead)?;
                root.foreign_keys.iter().for_each(|keys| lead(*keys, &visit.owner, Names::None));
            }
            (Names::None, commit::ID) => {
                self.counts.reachable_commits += 1;
                let owner = Rc::new(Owner { name: visit.address.to_string().into(), table: None });
                each_reference(chunk, &mut |address| lead(address, &owner, Names::None))?;
            }
            (Names::None, schema::ID) => {
                Schema::from_message(visit.address, schema::Schema::decode(chunk)?)?;
            }
            (Names::None, foreign_keys::ID) => drop(foreign_keys::decode(chunk)?),
            (Names::None, _) => each_reference(chunk, &mut |address| lead(address, &visit.owner, Names::None))?,
            (names, _) => {
                let count = each_name(chunk, names, &visit.owner, &mut lead)?;
                self.counts.refs += if names == Names::Datasets { count } else { 0 };
            }
        }
        self.open[before..].reverse();
        if Kind::of(chunk)?.is_some() {
            Node::new(chunk.to_vec())?;
        }
        Ok(())
    }
}

/// Whether a chunk refers to nothing, and is whole.
fn is_leaf(chunk: Vec<u8>) -> bool {
    let mut is_leaf = true;
    let is_read = each_reference(&chunk, &mut |_| is_leaf = false).is_ok();
    is_leaf && is_read && matches!(Kind::of(&chunk), Ok(Some(_))) && Node::new(chunk).is_ok()
}

/// Goes through an address map whose keys are `names`. How many of them are no working sets.
fn each_name(
    message: &[u8],
    names: Names,
    owner: &Rc<Owner>,
    lead: &mut dyn FnMut(Address, &Rc<Owner>, Names),
) -> core::result::Result<u64, TreeError> {
    let node = Node::new(message.to_vec())?;
    let mut refs = 0;
    for at in 0..node.len() {
        let Some(address) = node.child_address(at) else { continue };
        if !node.is_leaf() {
            lead(address, owner, names);
            continue;
        }
        let name: Box<str> = String::from_utf8_lossy(node.key(at)).into();
        refs += u64::from(!name.starts_with(WORKING_SETS));
        let of_name = match names {
            Names::Tables => Owner { name: owner.name.clone(), table: Some(name) },
            _ => Owner { name, table: None },
        };
        lead(address, &Rc::new(of_name), Names::None);
    }
    Ok(refs)
}

impl Database {
    /// Continues a verification, for about `chunks_max` chunks: first all chunks of the files, then everything that the refs reach. Called
    /// until it is done; what is wrong is in it then, and no error.
    ///
    /// # Errors
    /// Where the host has something to do first, after which the call is repeated; where files were taken away meanwhile.
    pub fn verify(&self, verification: &mut Verification, chunks_max: usize) -> Result<Scanned> {
        let chunks = self.objects().nodes().chunks();
        if !verification.scanned.is_done {
            let mut scan = core::mem::take(&mut verification.scan);
            let scanned = chunks.scan(&mut scan, chunks_max, &mut |address, chunk| verification.take(address, chunk));
            verification.scan = scan;
            verification.scanned = scanned?;
            if verification.scanned.is_done && !verification.scanned.root.is_empty() {
                let (address, owner) = (verification.scanned.root, Rc::default());
                verification.open.push(Visit { address, owner, names: Names::None });
            }
            return Ok(Scanned { is_done: false, ..verification.scanned });
        }
        for _ in 0..chunks_max.max(1) {
            let Some(visit) = verification.open.pop() else { return Ok(verification.scanned) };
            let outcome = verification.visit(&visit, &**chunks);
            if let Err(error) = outcome {
                verification.open.push(visit);
                return Err(error);
            }
        }
        Ok(Scanned { is_done: false, ..verification.scanned })
    }
}
