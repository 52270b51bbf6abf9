//! `WRST`: the working set of a branch (docs/format/database.md, section 4).

use codec::Address;

use crate::TreeError;
use crate::message::Copies;
use crate::message::build::{Builder, Offset};
use crate::message::flat::{self, FileId, Shape, Table};

pub const ID: FileId = *b"WRST";
static SHAPE: Shape = Shape { name: "WorkingSet", known_slots: 8 };
static MERGE_SHAPE: Shape = Shape { name: "MergeState", known_slots: 8 };
static REBASE_SHAPE: Shape = Shape { name: "RebaseState", known_slots: 8 };

#[derive(Debug, Clone, PartialEq)]
pub struct WorkingSet {
    /// The root value with every edit.
    pub working: Address,
    /// The root value that the next commit takes.
    pub staged: Option<Address>,
    /// Who wrote it and when; a moved branch head leaves it out.
    pub written: Option<Written>,
    pub merge: Option<MergeState>,
    pub rebase: Option<RebaseState>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub name: Box<str>,
    pub email: Box<str>,
    pub description: Box<str>,
    /// Seconds since 1970 UTC, although the format calls the field milliseconds.
    pub seconds: u64,
}

/// A merge, cherry-pick or revert that waits for its conflicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeState {
    /// The working root before, which an abort restores.
    pub pre_working_root: Address,
    /// The commit that is merged, picked or reverted.
    pub from_commit: Address,
    /// What the user wrote for it.
    pub from_spec: Box<str>,
    /// Tables with schema conflicts.
    pub unmergable_tables: Vec<Box<str>>,
    pub is_cherry_pick: bool,
    pub is_revert: bool,
    /// HEAD when it began.
    pub pre_merge_head: Option<Address>,
    /// Hashes that a revert of several commits has still to do.
    pub pending_commits: Vec<Box<str>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RebaseState {
    pub pre_working_root: Address,
    /// The branch that is rebased.
    pub branch: Box<str>,
    pub onto_commit: Address,
    /// 1 drop, 2 keep.
    pub empty_commit_handling: u8,
    /// 1 drop, 2 keep.
    pub commit_becomes_empty_handling: u8,
    /// The `rebase_order` of the last step that was tried.
    pub last_attempted_step: f32,
    pub started: bool,
    pub skip_verification: bool,
}

impl WorkingSet {
    pub fn decode(message: &[u8]) -> Result<WorkingSet, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        let mut copies = Copies::of(message);
        let written = match table.has(2) {
            false => None,
            true => Some(Written {
                name: copies.prose(&table, 2)?.unwrap_or_default(),
                email: copies.prose(&table, 3)?.unwrap_or_default(),
                description: copies.prose(&table, 4)?.unwrap_or_default(),
                seconds: table.u64(5, 0)?,
            }),
        };
        Ok(WorkingSet {
            working: table.required_address(0)?,
            staged: table.address(1)?,
            written,
            merge: table.table(6, &MERGE_SHAPE)?.map(|merge| MergeState::decode(&merge, &mut copies)).transpose()?,
            rebase: table
                .table(7, &REBASE_SHAPE)?
                .map(|rebase| RebaseState::decode(&rebase, &mut copies))
                .transpose()?,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(512);
        let working = builder.bytes(self.working.as_bytes());
        let staged = self.staged.map(|staged| builder.bytes(staged.as_bytes()));
        let merge = self.merge.as_ref().map(|merge| merge.encode(&mut builder));
        let rebase = self.rebase.as_ref().map(|rebase| rebase.encode(&mut builder));
        let written = self.written.as_ref().map(|written| {
            let name = builder.string(&written.name);
            let email = builder.string(&written.email);
            (name, email, builder.string(&written.description), written.seconds)
        });
        builder.start_table();
        builder.offset(0, working);
        builder.offset_if(1, staged);
        builder.offset_if(6, merge);
        builder.offset_if(7, rebase);
        if let Some((name, email, description, seconds)) = written {
            builder.offset(2, name);
            builder.offset(3, email);
            builder.offset(4, description);
            builder.u64(5, seconds);
        }
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}

impl MergeState {
    fn decode(table: &Table<'_>, copies: &mut Copies) -> Result<MergeState, TreeError> {
        Ok(MergeState {
            pre_working_root: table.required_address(0)?,
            from_commit: table.required_address(1)?,
            from_spec: copies.prose(table, 2)?.unwrap_or_default(),
            unmergable_tables: copies.texts(table, 3)?,
            is_cherry_pick: table.bool(4)?,
            is_revert: table.bool(5)?,
            pre_merge_head: table.address(6)?,
            pending_commits: copies.texts(table, 7)?,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let pre_working_root = builder.bytes(self.pre_working_root.as_bytes());
        let from_commit = builder.bytes(self.from_commit.as_bytes());
        let from_spec = builder.string(&self.from_spec);
        let unmergable_tables = builder.strings(&self.unmergable_tables);
        let pre_merge_head = self.pre_merge_head.map(|head| builder.bytes(head.as_bytes()));
        let pending = (!self.pending_commits.is_empty()).then(|| builder.strings(&self.pending_commits));
        builder.start_table();
        builder.offset(0, pre_working_root);
        builder.offset(1, from_commit);
        builder.offset(2, from_spec);
        builder.offset(3, unmergable_tables);
        builder.bool(4, self.is_cherry_pick);
        builder.bool(5, self.is_revert);
        builder.offset_if(6, pre_merge_head);
        builder.offset_if(7, pending);
        builder.end_table()
    }
}

impl RebaseState {
    fn decode(table: &Table<'_>, copies: &mut Copies) -> Result<RebaseState, TreeError> {
        Ok(RebaseState {
            pre_working_root: table.required_address(0)?,
            branch: copies.text(table, 1)?,
            onto_commit: table.required_address(2)?,
            empty_commit_handling: table.u8(3, 0)?,
            commit_becomes_empty_handling: table.u8(4, 0)?,
            last_attempted_step: table.f32(5, 0.0)?,
            started: table.bool(6)?,
            skip_verification: table.bool(7)?,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let pre_working_root = builder.bytes(self.pre_working_root.as_bytes());
        let onto_commit = builder.bytes(self.onto_commit.as_bytes());
        let branch = builder.string(&self.branch);
        builder.start_table();
        builder.offset(0, pre_working_root);
        builder.offset(1, branch);
        builder.offset(2, onto_commit);
        builder.u8(4, self.commit_becomes_empty_handling);
        builder.u8(3, self.empty_commit_handling);
        builder.f32(5, self.last_attempted_step);
        builder.bool(6, self.started);
        builder.bool(7, self.skip_verification);
        builder.end_table()
    }
}
