//! A connection: prepares statements, runs them, remembers variables.
//!
//! Queries run here. Who starts a statement of another kind is told when the session is made ([`Start`]), so that those who
//! run statements inside their own, as stored programs and EXECUTE do, stand above the session and not beside it.

mod below_edits;
mod helped;
mod image;
mod known_statements;
mod reset;
mod script;

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::HashMap;
use parse::ast::{self, InsertSource, StatementKind};
use parse::{LiteralRows, Options, Parsed, Reading};
use value::Value;
use vcs::NonlocalTables;

use crate::bind::{Binder, Bound};
use crate::catalog::{Catalog, ReadStatement, View};
use crate::cursor::Cursor;
use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::exec::PointAnswer;
use crate::expr::{Context, ExprType, Params};
use crate::hint;
use crate::names::{self, SessionNames};
use crate::optimizer;
use crate::page::ResultColumn;
use crate::plan::Plan;
use crate::prepared::{LARGE_TEXT_BYTES, Prepared, QueryPlan, RowsText};
use crate::program::KnownPrograms;
use crate::state::SessionState;
use crate::system_tables::SystemTables;
use crate::transaction::Intent;

use helped::helped;
use known_statements::KnownStatements;
pub use script::{Script, ScriptStep, ScriptWarnings};

/// Before long statements are read, memory is looked at for what a byte of text can become in the tree and in the plan.
const TREE_BYTES: usize = 128;

/// The error of a text without a statement.
const EMPTY: u16 = 1065;

/// Starts a statement that is no query.
pub(crate) type Start = fn(&Session, &Prepared, Rc<Context>) -> Result<Cursor>;

/// One connection to an engine.
pub struct Session {
    catalog: Rc<Catalog>,
    start: Start,
    /// Statements by the names that PREPARE gave them, in lower case.
    prepared: Rc<RefCell<HashMap<Box<str>, Rc<Prepared>>>>,
    known_statements: Rc<RefCell<KnownStatements>>,
    programs: Rc<KnownPrograms>,
    /// The long text that is being read.
    reading: RefCell<Option<(Box<str>, Options, Reading)>>,
}

/// The statement of a text that was read.
fn prepared(sql: &str, parsed: Parsed) -> Result<Prepared> {
    if let Some(error) = parsed.errors.first() {
        let hint = match parsed.beyond_dolt.contains(error) {
            true => Some(hint::BEYOND_DOLT.to_owned()),
            false => error.hint(),
        };
        return Err(SqlError::new(1105, error.to_string()).at(error.span()).with_hint(hint));
    }
    if let Some(rest) = parsed.rest {
        return Err(SqlError::new(1105, "one statement at a time; split a script first").at(rest));
    }
    let statement = parsed.statement.ok_or_else(|| SqlError::new(EMPTY, "Query was empty"))?;
    Ok(Prepared::new(sql, statement, parsed.parameters))
}

/// Runs statements that only read for what stands below sessions.
fn reader(start: Start) -> ReadStatement {
    Rc::new(move |catalog, sql| {
        let (prepared, known_statements, programs) = (Rc::default(), Rc::default(), Rc::default());
        let reading = RefCell::default();
        let session = Session { catalog: catalog.clone(), start, prepared, known_statements, programs, reading };
        let context = Rc::new(Context::new(catalog.clone(), Vec::new()));
        let (columns, rows, _) = session.start(&session.read(sql)?, context)?.collect()?;
        Ok((columns.iter().map(|column| column.ty.clone()).collect(), rows))
    })
}

impl Session {
    pub(crate) fn new(engine: Rc<Engine>, connection_id: u64, start: Start) -> Session {
        let state = Rc::new(SessionState::new(connection_id, engine.host().clone(), engine.globals.clone()));
        Session {
            catalog: Catalog::new(engine, state, &SystemTables, names::bind_stored, reader(start)),
            start,
            prepared: Rc::default(),
            known_statements: Rc::default(),
            programs: Rc::default(),
            reading: RefCell::default(),
        }
    }

    /// The same connection once more, for a stored program to run its statements on.
    pub(crate) fn twin(&self) -> Session {
        Session {
            catalog: self.catalog.clone(),
            start: self.start,
            prepared: self.prepared.clone(),
            known_statements: self.known_statements.clone(),
            programs: self.programs.clone(),
            reading: RefCell::default(),
        }
    }

    pub fn state(&self) -> &Rc<SessionState> {
        &self.catalog.state
    }

    pub fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }

    pub(crate) fn programs(&self) -> &KnownPrograms {
        &self.programs
    }

    /// The statement that PREPARE gave this name.
    pub(crate) fn named_prepared(&self, name: &str) -> Option<Rc<Prepared>> {
        self.prepared.borrow().get(name.to_lowercase().as_str()).cloned()
    }

    /// Gives a statement a name; `None` forgets the name.
    pub(crate) fn name_prepared(&self, name: &str, statement: Option<Rc<Prepared>>) {
        let name = name.to_lowercase().into_boxed_str();
        self.state().has_changed();
        match statement {
            Some(statement) => self.prepared.borrow_mut().insert(name, statement),
            None => self.prepared.borrow_mut().remove(&name),
        };
    }

    /// Forgets statements that were read, whose plans hold on to a database that is gone.
    pub(crate) fn forget_statements(&self) {
        self.known_statements.borrow_mut().forget();
    }

    /// Reads one statement.
    ///
    /// # Errors
    /// The first syntax error, with its place; an error for an empty text and for more than one statement. One that [`SqlError::is_wait`]
    /// where the host wants its turn before a long text is read: the same call goes on with it.
    pub fn prepare(&self, sql: &str) -> Result<Rc<Prepared>> {
        self.state().work.begin_call();
        let options = self.state().variables.borrow().syntax();
        if let Some((text, with, reading)) = self.reading.take()
            && *text == *sql
            && with == options
        {
            return self.read_on(sql, reading).map(Rc::new);
        }
        self.state().begin_memory();
        self.prepare_with(sql, |sql| {
            if sql.len() < LARGE_TEXT_BYTES {
                return self.read(sql);
            }
            self.check_tree(sql)?;
            self.read_on(sql, Reading::default())
        })
    }

    /// The same within a call that has begun.
    pub(crate) fn prepare_within(&self, sql: &str) -> Result<Rc<Prepared>> {
        self.prepare_with(sql, |sql| self.read(sql))
    }

    fn prepare_with(&self, sql: &str, read: impl Fn(&str) -> Result<Prepared>) -> Result<Rc<Prepared>> {
        let variables_set = self.state().variables.borrow().times_set();
        if let Some(known) = self.known_statements.borrow_mut().get(sql, variables_set) {
            return Ok(known);
        }
        if let Some(prepared) = self.prepare_literals(sql) {
            return Ok(Rc::new(prepared));
        }
        let prepared = Rc::new(read(sql)?);
        self.known_statements.borrow_mut().put(&prepared);
        Ok(prepared)
    }

    /// An INSERT of nothing but literals, whose rows are read when they are added.
    fn prepare_literals(&self, sql: &str) -> Option<Prepared> {
        let options = self.state().variables.borrow().syntax();
        let literals = LiteralRows::of(sql, options)?;
        let head = sql.get(..literals.start as usize)?;
        let known = self.known_statements.borrow().insert(head, literals.width);
        if let Some(known) = known {
            return Some(known.with_rows(sql, literals, options));
        }
        let first = Rc::new(self.read(sql.get(..literals.first_end as usize)?).ok()?);
        match &first.statement.kind {
            StatementKind::Insert(insert) if matches!(insert.source, InsertSource::Values(_)) => {}
            _ => return None,
        }
        self.known_statements.borrow_mut().put_insert(head, literals.width, &first);
        Some(first.with_rows(sql, literals, options))
    }

    /// Reads one statement, whatever it is.
    pub(crate) fn read(&self, sql: &str) -> Result<Prepared> {
        self.check_tree(sql)?;
        let parsed = self.parsed(|options, goes_on| Some(parse::statement_while(sql, options, goes_on)))?;
        prepared(sql, parsed.unwrap_or_default())
    }

    /// Looks whether there is memory for what becomes of a long text.
    fn check_tree(&self, sql: &str) -> Result<()> {
        match sql.len() < LARGE_TEXT_BYTES {
            true => Ok(()),
            false => self.state().check_memory(sql.len().saturating_mul(TREE_BYTES)),
        }
    }

    /// Goes on with a text of which the lists of `reading` were read.
    fn read_on(&self, sql: &str, mut reading: Reading) -> Result<Prepared> {
        // The host is asked with each question whether to go on.
        let is_over = || self.state().work.is_used_up();
        let parsed =
            self.parsed(|options, goes_on| parse::statement_in_turns(sql, options, goes_on, &is_over, &mut reading))?;
        let Some(parsed) = parsed else {
            let options = self.state().variables.borrow().syntax();
            *self.reading.borrow_mut() = Some((sql.into(), options, reading));
            return Err(SqlError::wait());
        };
        prepared(sql, parsed)
    }

    fn parsed(&self, parse: impl FnOnce(&Options, &dyn Fn() -> bool) -> Option<Parsed>) -> Result<Option<Parsed>> {
        let options = self.state().variables.borrow().syntax();
        let interruption = RefCell::new(None);
        let parsed = parse(&options, &|| match self.state().check_at_once() {
            Ok(()) => true,
            Err(error) => interruption.replace(Some(error)).is_some(),
        });
        interruption.take().map_or(Ok(parsed), Err)
    }

    /// Looks up one row by its whole key and writes its page into `out`, where that is what the statement is: 1 or 0 rows.
    /// `None` when it is something else or a value is of another kind; then [`Session::execute`] answers.
    pub fn find(&self, prepared: &Prepared, params: &[Value<'static>], out: &mut Vec<u8>) -> Result<Option<u32>> {
        self.find_row(prepared, params, out).map_err(|error| self.catalog.located(error))
    }

    fn find_row(&self, prepared: &Prepared, params: &[Value<'static>], out: &mut Vec<u8>) -> Result<Option<u32>> {
        let Some(plan) = prepared.query_plan(self.state().rules.get()) else { return Ok(None) };
        let Some(point) = plan.point() else { return Ok(None) };
        // A point read takes values of any whole-number type, so only their number counts here.
        if prepared.gives_variables() || params.len() != plan.parameters.len() {
            return Ok(None);
        }
        // The general way asks whether it is about one of the rows that were changed.
        if self.catalog.transaction.edits().is_some() {
            return Ok(None);
        }
        let is_autocommit = self.state().variables.borrow().is_autocommit();
        self.catalog.transaction.begin_statement(is_autocommit, Intent::ReadRows)?;
        self.catalog.transaction.publish()?;
        if !self.catalog.is_at(&plan.version) {
            // The general way moves the plan to the tables of now, or makes another.
            return Ok(None);
        }
        let rows = match point.write_page(params, &plan.columns, out)? {
            PointAnswer::Row(()) => 1,
            PointAnswer::NoRow => 0,
            PointAnswer::Other => return Ok(None),
        };
        self.state().clear_warnings();
        self.state().row_count.set(-1);
        self.state().found_rows.set(u64::from(rows));
        Ok(Some(rows))
    }

    /// Starts a statement with values for its `?`.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again.
    pub fn execute(&self, prepared: &Prepared, params: &[Value<'static>]) -> Result<Cursor> {
        self.execute_with(prepared, &Rc::new(params.to_vec()))
    }

    /// The same with values that the statement shares while it runs: there may be many.
    ///
    /// # Errors
    /// As [`Session::execute`].
    pub fn execute_with(&self, prepared: &Prepared, params: &Params) -> Result<Cursor> {
        self.state().work.begin_call();
        let begun = self.catalog.transaction.commit_gathered().and_then(|()| self.begin(prepared, params));
        begun.map_err(|error| self.catalog.located(error))
    }

    /// Starts a prepared INSERT that takes its parameters from each row of a text.
    ///
    /// # Errors
    /// As [`Session::execute`].
    pub fn insert_rows(&self, prepared: &Prepared, text: &Rc<RowsText>) -> Result<Cursor> {
        match &prepared.statement.kind {
            StatementKind::Insert(insert) if matches!(insert.source, InsertSource::Values(_)) => {}
            _ => return Err(SqlError::general("rows of a text go into an INSERT")),
        }
        // The statement is bound for texts.
        let params = vec![Value::text(""); prepared.parameters as usize];
        self.execute(&prepared.with_text(text.clone()), &params)
    }

    /// A piece of a script, which begins where the pieces before it were done with.
    pub fn script(&self, bytes: Vec<u8>, is_last: bool) -> Script {
        Script::new(self.twin(), bytes, is_last)
    }

    fn begin(&self, prepared: &Prepared, params: &Params) -> Result<Cursor> {
        self.state().begin_memory();
        if params.len() != prepared.parameters as usize {
            let text =
                format!("the statement has {} parameters, {} values were given", prepared.parameters, params.len());
            return Err(SqlError::general(text));
        }
        let is_query = matches!(prepared.statement.kind, StatementKind::Query(_));
        if is_query {
            self.state().query.replace(prepared.sql.clone());
        }
        if is_query && let Some(cursor) = self.query_below_edits(prepared, params)? {
            return Ok(cursor.honor_sleep());
        }
        let intent = match prepared.statement.kind {
            StatementKind::Query(_)
                if prepared.query_plan(self.state().rules.get()).is_some_and(|plan| plan.may_miss()) =>
            {
                Intent::ReadRows
            }
            StatementKind::Query(_) | StatementKind::Show(_) | StatementKind::Describe(_) | StatementKind::Use(_) => {
                Intent::Read
            }
            StatementKind::Start(_) => Intent::Begin,
            StatementKind::Commit(_) => Intent::Commit,
            StatementKind::Rollback(_) => Intent::RollBack,
            _ if prepared.is_small_change() => Intent::ChangeRows,
            _ => Intent::Other,
        };
        if let StatementKind::Insert(_) | StatementKind::Update(_) | StatementKind::Delete(_) | StatementKind::Call(_) =
            prepared.statement.kind
        {
            self.catalog.transaction.claim()?;
        }
        Ok(self.as_whole(prepared, intent, || self.execute_within(prepared, params))?.honor_sleep())
    }

    /// Starts a statement of a stored procedure: a whole one with a transaction of its own, unless one is open.
    pub(crate) fn execute_in(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        self.as_whole(prepared, Intent::Other, || self.start(prepared, context))
    }

    /// Whether the end of the statement commits.
    fn commits(&self, prepared: &Prepared) -> bool {
        let is_create = || matches!(prepared.statement.kind, StatementKind::CreateTable(_));
        prepared.defines() && !(is_create() && self.state().variables.borrow().creates_in_transaction())
    }

    fn as_whole(&self, prepared: &Prepared, intent: Intent, start: impl FnOnce() -> Result<Cursor>) -> Result<Cursor> {
        let transaction = &self.catalog.transaction;
        transaction.begin_statement(self.state().variables.borrow().is_autocommit(), intent)?;
        if !prepared.changes_single_rows() && !matches!(intent, Intent::Begin | Intent::Commit | Intent::RollBack) {
            transaction.publish()?;
        }
        // A query has nothing to commit or to take back, and may still run when the next statement begins.
        if matches!(prepared.statement.kind, StatementKind::Query(_)) {
            return start().map_err(|error| helped(error, &self.catalog));
        }
        let mark = transaction.mark();
        match start() {
            Ok(cursor) => Ok(cursor.ending_statement(mark, self.commits(prepared), prepared.row_count())),
            Err(error) => {
                transaction.restore(&mark);
                if error.is_wait() {
                    return Err(error);
                }
                // Nothing is left that could fail to be committed.
                transaction.end_statement()?;
                Err(helped(error, &self.catalog))
            }
        }
    }

    /// Starts a statement inside another one: of PREPARE, of a routine. It neither begins nor ends a transaction.
    pub(crate) fn execute_within(&self, prepared: &Prepared, params: &Params) -> Result<Cursor> {
        // As in native Dolt SET leaves the warnings of the statement before.
        let keeps_warnings = match &prepared.statement.kind {
            StatementKind::Set(_) => true,
            StatementKind::Show(show) => {
                use ast::ShowKind::{Count, Errors, Warnings};
                matches!(show.kind, Warnings { .. } | Errors { .. } | Count { .. })
            }
            _ => false,
        };
        if !keeps_warnings {
            self.state().clear_warnings();
        }
        let context = Rc::new(Context::new(self.catalog.clone(), params.clone()));
        self.begin_work(&context);
        self.start(prepared, context)
    }

    /// A statement begins to run in this context.
    fn begin_work(&self, context: &Rc<Context>) {
        self.state().calculated_rows.set(None);
        self.state().sleep_microseconds.set(0);
        self.catalog.transaction.runs(context);
    }

    /// Starts a statement whose parameters, or variables of a stored program, are in the context.
    pub(crate) fn start(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        match &prepared.statement.kind {
            StatementKind::Query(query) => self.run_query(prepared, query, context),
            _ => (self.start)(self, prepared, context),
        }
    }

    /// Reads and starts one statement without parameters.
    pub fn query(&self, sql: &str) -> Result<Cursor> {
        let prepared = loop {
            match self.prepare(sql) {
                // A caller of this has no other turns to give.
                Err(error) if error.is_wait() => {}
                prepared => break prepared,
            }
        };
        match prepared {
            // Nothing but comments is a statement that does nothing.
            Err(error) if error.errno == EMPTY => {
                let context = Context::new(self.catalog.clone(), Vec::new());
                Ok(Cursor::of_effect(0, Rc::new(context)))
            }
            prepared => {
                let prepared = prepared?;
                self.execute(&prepared, &[])
            }
        }
    }

    #[inline(never)]
    fn run_query(&self, prepared: &Prepared, query: &ast::Query, context: Rc<Context>) -> Result<Cursor> {
        let plan = match self.known_plan(prepared, &context)? {
            Some(plan) => plan,
            None => self.new_plan(prepared, query, &context)?,
        };
        let into = match &query.into {
            Some(ast::Into::Variables(targets)) => {
                for target in targets {
                    // Stored programs keep theirs to themselves.
                    if let ast::IntoTarget::Local(name) = target {
                        return Err(SqlError::general(format!("Undeclared variable: {}", name.text)).at(name.span));
                    }
                }
                Some(targets.clone())
            }
            _ => None,
        };
        self.run_plan(&plan, context, into)
    }

    fn run_plan(&self, plan: &QueryPlan, context: Rc<Context>, into: Option<Vec<ast::IntoTarget>>) -> Result<Cursor> {
        if let (Some(point), None) = (plan.point(), &into) {
            match point.read(&context)? {
                PointAnswer::Row(row) => return Ok(Cursor::of_batch(plan.columns.clone(), Some(row), context)),
                PointAnswer::NoRow => return Ok(Cursor::of_batch(plan.columns.clone(), None, context)),
                PointAnswer::Other => {}
            }
        }
        Cursor::of_query(plan.columns.clone(), plan.operators()?.build(&context)?, context, into)
    }

    /// The plan of the last execution, over the tables of now, if it still serves.
    fn known_plan(&self, prepared: &Prepared, context: &Context) -> Result<Option<Rc<QueryPlan>>> {
        if self.state().variables.borrow().select_limit().is_some() {
            return Ok(None);
        }
        let Some(plan) = prepared.query_plan(self.state().rules.get()).filter(|plan| plan.serves(context)) else {
            return Ok(None);
        };
        if self.catalog.is_at(&plan.version) {
            return Ok(Some(plan));
        }
        let Some(moved) = plan.moved(&self.catalog)? else { return Ok(None) };
        let moved = Rc::new(moved);
        prepared.keep_query_plan(moved.clone());
        Ok(Some(moved))
    }

    /// A new plan, which is kept where it may serve again.
    fn new_plan(&self, prepared: &Prepared, query: &ast::Query, context: &Rc<Context>) -> Result<Rc<QueryPlan>> {
        let parameters = context.parameter_types();
        let version = self.catalog.version();
        let names = SessionNames::new(self.catalog.clone(), context.clone());
        let mut bound = Binder::new(&names, prepared.sql.clone(), &parameters).query(query)?;
        let limit = if query.limit.is_none() { self.state().variables.borrow().select_limit() } else { None };
        if let Some(rows) = limit {
            bound.plan = bound.plan.limit(rows);
        }
        let in_turns = prepared.is_large();
        let mut plan = QueryPlan::new(bound, parameters, version, in_turns, context)?;
        plan.is_of_state |= names.is_of_state();
        let plan = Rc::new(plan);
        // What was looked up in variables is in the plan, or it goes by the values of its parameters: it serves once.
        if !in_turns && !names.is_volatile() && limit.is_none() && !context.plans_for_values.get() {
            prepared.keep_query_plan(plan.clone());
        }
        Ok(plan)
    }

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

    /// The columns of a view.
    pub(crate) fn view_columns(&self, view: &View, context: &Rc<Context>) -> Result<Vec<ResultColumn>> {
        let names = SessionNames::new(self.catalog.clone(), context.clone());
        let mut columns = Binder::of_view(&names, view)?.columns;
        for (column, name) in columns.iter_mut().zip(&view.columns) {
            column.name = (**name).into();
        }
        Ok(columns)
    }

    /// The optimized plan of a query and the types of its columns, for EXPLAIN.
    pub(crate) fn explain(
        &self,
        sql: &str,
        query: &ast::Query,
        context: &Rc<Context>,
    ) -> Result<(Plan, Vec<ExprType>)> {
        let parameters = context.parameter_types();
        let names = SessionNames::new(self.catalog.clone(), context.clone());
        let Bound { plan, mut types, .. } = Binder::new(&names, sql, &parameters).query(query)?;
        Ok((optimizer::optimize(plan, &mut types, context)?, types))
    }
}
