//! Procedure call: the session as procedures see it, and their answers.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use value::{SqlType, Value};
use vcs::{Commit, Head, MergeProgress, Refs, RefsDraft, RepoState, RootValue, Roots, WorkingSet};

use crate::catalog::Place;
use crate::engine::Attached;
use crate::error::{NO_DATABASE, Result, SqlError};
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::transaction::Next;
use crate::write::full_text::AfterMerge;
use crate::write::{SchemaExpressions, merge_progress};

/// A call of a procedure.
pub struct Call {
    pub context: Rc<Context>,
    /// As text; what was NULL is empty.
    pub arguments: Vec<String>,
    expressions: SchemaExpressions,
    progress: MergeProgress,
    /// What the next call does in place of the procedure, where the last one paused after it had changed something.
    continuation: RefCell<Option<Continuation>>,
    /// The full-text indexes of a merged root by its address, where the last call paused between their rows.
    words: RefCell<Option<(Address, AfterMerge)>>,
}

type Continuation = Box<dyn FnOnce(&Call) -> Result<Answer>>;

/// What a procedure answers.
pub struct Answer {
    pub columns: Vec<ResultColumn>,
    pub rows: Vec<Vec<Value<'static>>>,
    /// The transaction is committed, as native Dolt does, and another one takes its place then.
    pub commits: Option<Next>,
    /// The session's branch of a database after the call.
    pub moves_to: Option<(Rc<str>, Box<str>)>,
    /// After that the state beside the store of a database changes: remotes, upstreams of branches.
    pub changes_state: Option<(Rc<Attached>, StateChange)>,
    /// After that the statement fails all the same.
    pub error: Option<SqlError>,
}

type StateChange = Box<dyn Fn(&mut RepoState)>;

impl Answer {
    pub fn new(columns: Vec<ResultColumn>, row: Vec<Value<'static>>) -> Answer {
        Answer { columns, rows: vec![row], commits: None, moves_to: None, changes_state: None, error: None }
    }

    /// The one number that most procedures answer.
    pub fn status(status: i64) -> Answer {
        Answer::new(vec![number_column("status")], vec![Value::Int(status)])
    }

    pub fn committing(self) -> Answer {
        Answer { commits: Some(Next::WithNextStatement), ..self }
    }

    /// The next transaction begins before the procedure ends: it made or moved branches that it goes on with.
    pub fn renewing(self) -> Answer {
        Answer { commits: Some(Next::AtOnce), ..self }
    }

    pub fn changing_state(self, attached: &Rc<Attached>, change: impl Fn(&mut RepoState) + 'static) -> Answer {
        Answer { changes_state: Some((attached.clone(), Box::new(change))), ..self }
    }
}

pub fn number_column(name: &str) -> ResultColumn {
    ResultColumn::new(name, SqlType::BIGINT)
}

pub fn text_column(name: &str) -> ResultColumn {
    let kind = SqlType::Text { size: value::LobSize::Long, collation: value::Collation::UTF8MB4_0900_BIN };
    ResultColumn::new(name, kind)
}

/// A branch as the transaction sees it.
#[derive(Clone)]
pub struct State {
    pub attached: Rc<Attached>,
    pub branch: Box<str>,
    pub refs: Refs,
    pub head: Rc<Commit>,
    pub set: WorkingSet,
}

impl Call {
    pub fn new(context: Rc<Context>, arguments: Vec<String>) -> Call {
        let expressions = SchemaExpressions::new(&context.catalog).interruptible();
        Call {
            arguments,
            expressions,
            progress: merge_progress(&context),
            context,
            continuation: RefCell::default(),
            words: RefCell::default(),
        }
    }

    /// Runs a procedure, or goes on where it paused.
    pub fn run(&self, procedure: impl FnOnce(&Call) -> Result<Answer>) -> Result<Answer> {
        match self.continuation.take() {
            Some(goes_on) => goes_on(self),
            None => procedure(self),
        }
    }

    /// For a merge that may pause: the procedure fails then and is called again, from its start or as [`Call::continuing`] says.
    pub fn pausing(&self) -> Option<&MergeProgress> {
        Some(&self.progress)
    }

    /// Has the next call do this, where `result` is a pause.
    pub fn continuing<T>(&self, result: &Result<T>, goes_on: impl FnOnce(&Call) -> Result<Answer> + 'static) {
        if result.is_err() && self.progress.is_paused() {
            self.continuation.replace(Some(Box::new(goes_on)));
        }
    }

    /// Fails where the call is over; the procedure is called again as after a pause of a merge.
    pub fn pause(&self) -> Result<()> {
        if self.progress.pauses() { Err(SqlError::interrupted()) } else { Ok(()) }
    }

    /// Of the merge that came to this root.
    pub fn take_words(&self, merged: Address) -> Option<AfterMerge> {
        self.words.take().filter(|(known, _)| *known == merged).map(|(_, words)| words)
    }

    pub fn keep_words(&self, merged: Address, words: AfterMerge) {
        self.words.replace(Some((merged, words)));
    }

    /// Whether the procedure has failed only to be called again.
    pub fn is_paused(&self) -> bool {
        self.progress.take_pause()
    }

    /// The database in use, at the session's position.
    pub fn place(&self) -> Result<Place> {
        match self.context.catalog.place(None) {
            Err(error) if error.message == NO_DATABASE => Err(SqlError::general("Empty database name.")),
            place => place,
        }
    }

    /// The session's current branch.
    pub fn state(&self) -> Result<State> {
        let place = self.place()?;
        match &place.head {
            Head::Branch(branch) => self.state_of(&place.attached, branch),
            Head::Commit(_) => Err(vcs::VcsReason::DetachedHead.into()),
        }
    }

    /// The branch that `--branch` names, else the session's.
    pub fn state_at(&self, branch: Option<&str>) -> Result<State> {
        match branch {
            None => self.state(),
            Some(branch) => {
                let place = self.place()?;
                if place.refs.branch(branch)?.is_none() {
                    let name = format!("{}/{branch}", place.attached.name);
                    return Err(SqlError::general(format!("Could not load database {name}")));
                }
                self.state_of(&place.attached, branch)
            }
        }
    }

    pub fn state_of(&self, attached: &Rc<Attached>, branch: &str) -> Result<State> {
        let refs = self.context.catalog.transaction.refs(attached)?;
        let head = refs.branch_head(branch)?;
        let set = refs.working_set(branch)?;
        Ok(State { attached: attached.clone(), branch: branch.into(), refs, head, set })
    }

    pub fn expressions(&self) -> &SchemaExpressions {
        &self.expressions
    }

    /// A session variable that is a switch.
    pub fn is_on(&self, variable: &str) -> bool {
        self.context.session.variables.borrow().integer(variable) != 0
    }

    pub fn warn(&self, text: &str) {
        self.context.session.warn(1105, text);
    }

    /// Makes other names those that the transaction sees.
    pub fn set_refs(&self, attached: &Rc<Attached>, draft: RefsDraft) -> Result<()> {
        let transaction = &self.context.catalog.transaction;
        transaction.will_write();
        transaction.set_refs(attached, draft.write()?)
    }

    /// A working set as it is to be written: by whom and when.
    pub fn written(&self, set: &WorkingSet) -> WorkingSet {
        let text = |name: &str, default: &str| {
            let text = self.context.session.variables.borrow().text(name);
            if text.is_empty() { default.into() } else { text.into_boxed_str() }
        };
        let written = vcs::Written {
            name: text("dolt_committer_name", "root"),
            email: text("dolt_committer_email", "root@localhost"),
            description: "sql transaction".into(),
            seconds: self.context.session.now_seconds(),
        };
        WorkingSet { written: Some(written), ..set.clone() }
    }

    /// Puts the working set of a branch in place of the one it has.
    pub fn set_working_set(&self, state: &State, set: &WorkingSet) -> Result<()> {
        self.context.catalog.transaction.will_write();
        let mut draft = self.context.catalog.transaction.refs(&state.attached)?.draft();
        draft.set_working_set(&state.branch, Some(&self.written(set)))?;
        self.set_refs(&state.attached, draft)
    }
}

impl State {
    /// The session's position.
    pub fn at(&self) -> Head {
        Head::Branch(self.branch.clone())
    }

    pub fn root(&self, address: &codec::Address) -> Result<RootValue> {
        Ok(self.refs.objects().root_value(address)?)
    }

    pub fn working(&self) -> Result<RootValue> {
        self.root(&self.set.working)
    }

    pub fn roots(&self) -> Result<Roots> {
        Ok(Roots { head: self.root(&self.head.root)?, staged: self.root(&self.set.staged)?, working: self.working()? })
    }

    /// The commit that a text names, seen from this branch.
    pub fn commit(&self, text: &str) -> Result<Rc<Commit>> {
        Ok(self.refs.commit(text, &Head::Branch(self.branch.clone()))?)
    }

    /// The same with other roots.
    pub fn with_roots(&self, roots: &Roots) -> WorkingSet {
        WorkingSet { working: roots.working.address(), staged: roots.staged.address(), ..self.set.clone() }
    }
}

/// The stored name of a table that is in one of some roots.
pub fn find_table(name: &str, roots: &[&RootValue]) -> Result<Option<Box<str>>> {
    for root in roots {
        if let Some((stored, _)) = root.find_table(name)? {
            return Ok(Some(stored));
        }
    }
    Ok(None)
}

/// `error: the table(s) a, b …`.
pub fn table_error(tables: &[Box<str>], what: &str) -> SqlError {
    SqlError::general(format!("error: the table(s) {} {what}", tables.join(", ")))
}
