//! Scripts that come in pieces, such as dumps: their statements run one after the other, and their results are dropped.

use std::borrow::Cow;
use std::rc::Rc;

use parse::Splitter;
use parse::ast::{Span, StatementKind};
use vcs::NonlocalTables;

use super::{EMPTY, Session};
use crate::cursor::{Cursor, Step};
use crate::error::{Result, SqlError};
use crate::expr::Params;
use crate::prepared::Prepared;
use crate::state::Warning;
use crate::system_tables;

/// So much text of INSERTs is committed together.
const GATHERED_BYTES_MAX: usize = 32 << 20;

/// What a statement costs besides the rows that it adds, in units of fuel.
const STATEMENT_FUEL: i64 = 16;

/// A piece of a script while it runs. With autocommit, INSERTs of literals that follow each other are committed together, at
/// the latest before an error is reported and at the end of the script: they become durable together, and a flush for each would take most
/// of the time.
pub struct Script {
    session: Session,
    bytes: Vec<u8>,
    /// No other piece follows: the last statement needs no delimiter.
    is_last: bool,
    /// The statement that runs, or ran last.
    statement: Span,
    /// Byte behind the last statement that has ended, and its delimiter.
    end: u32,
    running: Option<(Cursor, u32)>,
    affected: u64,
    warnings: ScriptWarnings,
    /// What the piece ends with, once all before it is committed.
    failure: Option<SqlError>,
}

/// Warnings of the statements of a piece.
#[derive(Default)]
pub struct ScriptWarnings {
    pub count: u32,
    /// The first ones, each with the byte of the piece where its statement begins.
    pub first: Vec<(u32, Warning)>,
}

/// Warnings of a piece that are kept.
const WARNINGS_KEPT: usize = 10;

/// That an object exists, or does not, and that keys stay enabled: every dump has some, and they alter nothing.
const HARMLESS: [u16; 7] = [1007, 1008, 1050, 1051, 1235, 1305, 1360];

impl ScriptWarnings {
    fn add(&mut self, statement: Span, warnings: Vec<Warning>) {
        for warning in warnings {
            if HARMLESS.contains(&warning.code) {
                continue;
            }
            self.count += 1;
            if self.first.len() < WARNINGS_KEPT {
                self.first.push((statement.start, warning));
            }
        }
    }
}

/// What a call of [`Script::next`] gave.
#[derive(Debug, PartialEq, Eq)]
pub enum ScriptStep {
    Yield,
    Wait,
    Sleep(u32),
    /// All whole statements of the piece have run.
    Done,
}

impl Script {
    /// The `bytes` begin where a statement may begin; DELIMITER is remembered by the session.
    pub fn new(session: Session, bytes: Vec<u8>, is_last: bool) -> Script {
        let statement = Span::new(0, 0);
        Script {
            session,
            bytes,
            is_last,
            statement,
            end: 0,
            running: None,
            affected: 0,
            warnings: ScriptWarnings::default(),
            failure: None,
        }
    }

    /// Rows that were changed.
    pub fn affected(&self) -> u64 {
        self.affected
    }

    /// Of the statements that have ended.
    pub fn warnings(&self) -> &ScriptWarnings {
        &self.warnings
    }

    /// The statement that runs, or ran last: for errors.
    pub fn statement(&self) -> Span {
        self.statement
    }

    /// The bytes of the piece that are done with. Those behind it come again at the beginning of the next piece.
    pub fn done_bytes(&self) -> u32 {
        self.end
    }

    /// The text of the statement that spans of errors count in.
    pub fn statement_text(&self) -> Rc<str> {
        let options = self.session.state().variables.borrow().syntax();
        let bytes = self.bytes.get(self.statement.range()).unwrap_or_default();
        parse::text_of_bytes(bytes, options).into()
    }

    /// Goes on for about `fuel` rows.
    ///
    /// # Errors
    /// That of a statement; the piece is over then. What ran before the statement is committed, and the next piece may begin behind
    /// the statement.
    pub fn next(&mut self, mut fuel: i64) -> Result<ScriptStep> {
        self.session.state().work.begin_call();
        loop {
            if let Some(failure) = self.failure.take() {
                return self.end_with(Some(failure));
            }
            if fuel <= 0 || self.session.state().is_call_over() {
                return Ok(ScriptStep::Yield);
            }
            let Some((cursor, end)) = &mut self.running else {
                match self.begin() {
                    Ok(true) => continue,
                    Ok(false) if self.is_last => return self.end_with(None),
                    Ok(false) => return Ok(ScriptStep::Done),
                    Err(error) if error.is_wait() => return Ok(ScriptStep::Wait),
                    Err(error) => {
                        self.failure = Some(error);
                        continue;
                    }
                }
            };
            let end = *end;
            match cursor.next(fuel) {
                Ok(Step::Batch(_) | Step::Result) => {}
                Ok(Step::Yield) => return Ok(ScriptStep::Yield),
                Ok(Step::Wait) => return Ok(ScriptStep::Wait),
                Ok(Step::Sleep(milliseconds)) => return Ok(ScriptStep::Sleep(milliseconds)),
                Ok(Step::Done(summary)) => {
                    let affected = summary.affected.unwrap_or(0);
                    self.affected += affected;
                    self.warnings.add(self.statement, summary.warnings);
                    fuel = fuel.saturating_sub_unsigned(affected).saturating_sub(STATEMENT_FUEL);
                    (self.end, self.running) = (end, None);
                }
                Err(error) => {
                    (self.end, self.running) = (end, None);
                    self.failure = Some(error);
                }
            }
        }
    }

    /// Commits what is gathered, then tells the error.
    fn end_with(&mut self, failure: Option<SqlError>) -> Result<ScriptStep> {
        self.session.state().refuses_stray_bytes.set(false);
        match self.session.catalog().transaction.commit_gathered() {
            Err(error) if error.is_wait() => {
                self.failure = failure;
                Ok(ScriptStep::Wait)
            }
            Err(error) => Err(error),
            Ok(()) => failure.map_or(Ok(ScriptStep::Done), Err),
        }
    }

    /// Begins the next statement; false when the piece has no other whole one.
    fn begin(&mut self) -> Result<bool> {
        let options = self.session.state().variables.borrow().syntax();
        let delimiter = self.session.state().delimiter.borrow().clone();
        let mut splitter = Splitter::resume(&self.bytes, self.end, &delimiter, options);
        let Some(piece) = splitter.next().filter(|piece| piece.terminated || self.is_last) else {
            return Ok(false);
        };
        self.statement = piece.span;
        let sql = parse::text_of_bytes(self.bytes.get(piece.span.range()).unwrap_or_default(), options);
        self.session.state().refuses_stray_bytes.set(matches!(sql, Cow::Owned(_)));
        let prepared = self.session.prepare_within(&sql);
        if prepared.as_ref().is_ok_and(|prepared| uses_mysql(&self.session, prepared)) {
            let message = "statements about the tables of the database mysql are left out".to_owned();
            self.warnings.add(self.statement, vec![Warning { level: "Warning", code: 1105, message }]);
        }
        if prepared.as_ref().is_ok_and(|prepared| is_of_server(&self.session, prepared)) {
            *self.session.state().delimiter.borrow_mut() = splitter.delimiter().into();
            self.end = piece.end;
            return Ok(true);
        }
        let prepared = prepared.and_then(|prepared| {
            let transaction = &self.session.catalog().transaction;
            match gathered_table(&prepared) {
                Some(table) => {
                    let may_write_elsewhere = || self.session.may_write_elsewhere(table);
                    transaction.gather((sql.len(), GATHERED_BYTES_MAX), table, may_write_elsewhere)?;
                }
                None => transaction.commit_gathered()?,
            }
            Ok(prepared)
        });
        let begun = prepared.and_then(|prepared| self.session.start_client_statement(&prepared, &Params::default()));
        if begun.as_ref().is_err_and(SqlError::is_wait) {
            return begun.map(|_| true);
        }
        // It is over, or it runs: it does not begin again.
        *self.session.state().delimiter.borrow_mut() = splitter.delimiter().into();
        match begun {
            Ok(cursor) => self.running = Some((cursor.in_script(), piece.end)),
            Err(error) => {
                self.end = piece.end;
                // Nothing but comments does nothing.
                return if error.errno == EMPTY { Ok(true) } else { Err(error) };
            }
        }
        Ok(true)
    }
}

impl Session {
    /// Whether rows that are put into a table of the current database may be those of another branch, or be followed, through triggers, by
    /// changes of other databases or branches, as far as texts tell.
    fn may_write_elsewhere(&self, table: &str) -> Result<bool> {
        let place = self.catalog.place(None)?;
        let root = place.root()?;
        if NonlocalTables::are_in(&root)? {
            return Ok(true);
        }
        if self.programs.triggers(&self.catalog, &place, &root, table)?.is_empty() {
            return Ok(false);
        }
        let databases = self.catalog.engine.databases();
        let is_alone = databases.iter().filter(|attached| !attached.is_temporary).count() == 1;
        // Triggers fire those of other tables. A branch is named with a slash; what procedures name is not looked at.
        let stays = |text: &str| !text.contains('/') && !text.to_ascii_lowercase().contains("call");
        let all = self.programs.all_triggers(&self.catalog, &place, &root)?;
        Ok(!is_alone || !all.iter().all(|(text, _)| stays(text)))
    }
}

/// Whether what follows in a dump of a whole server is about the server's own tables.
fn uses_mysql(session: &Session, prepared: &Prepared) -> bool {
    let StatementKind::Use(name) = &prepared.statement.kind else { return false };
    name.is(system_tables::MYSQL) && session.state().variables.borrow().is_beyond_dolt()
}

/// Whether a statement is passed over: it is about the server's own tables, of which there are none here.
fn is_of_server(session: &Session, prepared: &Prepared) -> bool {
    let state = session.state();
    let is_there = || state.database().is_some_and(|name| name.eq_ignore_ascii_case(system_tables::MYSQL));
    state.variables.borrow().is_beyond_dolt() && is_about_tables(&prepared.statement.kind) && is_there()
}

/// Whether it defines tables, or programs, of the current database, or changes them.
fn is_about_tables(kind: &StatementKind) -> bool {
    use StatementKind as Kind;
    matches!(
        kind,
        Kind::CreateTable(_)
            | Kind::AlterTable(_)
            | Kind::DropTable(_)
            | Kind::Truncate(_)
            | Kind::Insert(_)
            | Kind::Update(_)
            | Kind::Delete(_)
            | Kind::LockTables(_)
            | Kind::CreateView(_)
            | Kind::DropView(_)
            | Kind::CreateTrigger(_)
            | Kind::CreateProcedure(_)
            | Kind::DropProcedure(_)
            | Kind::CreateEvent(_)
    )
}

/// The table of a statement whose commit may come with that of others: rows of literals for the current database.
fn gathered_table(prepared: &Prepared) -> Option<&str> {
    match &prepared.statement.kind {
        StatementKind::Insert(insert) if prepared.literals.is_some() && insert.table.database.is_none() => {
            Some(&*insert.table.name.text).filter(|table| !vcs::is_system_table(table))
        }
        _ => None,
    }
}
