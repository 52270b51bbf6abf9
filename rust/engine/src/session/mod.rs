//! A connection: prepares statements, runs them, remembers variables.

mod auto_commit;
mod cursor;
mod defaults;
mod known_queries;
mod merge;
mod names;
mod regex;
mod state;
mod transaction;
mod validate;
pub mod variables;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use hashbrown::HashMap;
use parse::ast::{self, StatementKind};
use value::Value;

use crate::bind::{Binder, Bound};
use crate::catalog::objects::StoredProcedure;
use crate::catalog::{Catalog, Stamp};
use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::exec::{self, PointAnswer, PointRead, Template};
use crate::expr::{Context, ExprType};
use crate::hint;
use crate::page::ResultColumn;
use crate::plan::{Plan, rules};
use crate::routine::{self, Program};
use crate::statements;
use crate::write::insert::{self, InsertPlan};
use crate::write::update::{self, ChangePlan};

pub use cursor::{Cursor, Effect, Outcome, Progress, Step, Summary};
use known_queries::KnownQueries;
pub use names::{SessionNames, is_about_names};
pub use regex::{Groups, Regex, RegexFlags};
pub use state::{FileRead, Host, LocalFile, SessionState, Spill, Warning};
pub use transaction::{Mark, SharedWriter, Transaction};

/// The error of a text without a statement.
const EMPTY: u16 = 1065;

/// One connection to an engine.
pub struct Session {
    catalog: Rc<Catalog>,
    /// Statements by the names that PREPARE gave them, in lower case.
    prepared: Rc<RefCell<HashMap<Box<str>, Rc<Prepared>>>>,
    known_queries: Rc<RefCell<KnownQueries>>,
    /// Stored programs by their texts.
    programs: Rc<RefCell<HashMap<Rc<str>, Rc<Program>>>>,
    /// The triggers of the `dolt_schemas` with this address.
    pub(crate) known_triggers: Rc<RefCell<Option<KnownTriggers>>>,
}

type KnownTriggers = (codec::Address, Rc<[routine::Definition]>);

/// Stored programs that a session keeps compiled.
const PROGRAMS_MAX: usize = 256;

/// A statement that was read, with the plan of its last execution.
pub struct Prepared {
    pub sql: Rc<str>,
    pub statement: ast::Statement,
    /// How many `?` there are.
    pub parameters: u32,
    plan: RefCell<Option<Rc<QueryPlan>>>,
    /// The same of a statement that changes rows.
    write_plan: RefCell<Option<WritePlan>>,
}

/// What is kept of a statement that changes rows.
#[derive(Clone)]
pub(crate) enum WritePlan {
    Change(Rc<ChangePlan>),
    Insert(Rc<InsertPlan>),
}

/// A query that is ready to run.
pub struct QueryPlan {
    work: Work,
    columns: Rc<[ResultColumn]>,
    /// Types of the parameters it was made for.
    parameters: Vec<ExprType>,
    /// What the catalog looked like when it was made, or moved to other versions of its tables.
    stamp: Stamp,
    /// It is right only where the catalog looks as the stamp says.
    is_of_state: bool,
}

/// How a query comes to its rows.
enum Work {
    Operators(Template),
    Lookup(Box<Lookup>),
}

/// A plan that is a lookup of one row. It is lowered to operators only for values that a lookup does not take.
struct Lookup {
    point: PointRead,
    /// With the types of its columns.
    plan: Rc<(Plan, Vec<ExprType>)>,
    operators: OnceCell<Template>,
}

impl Prepared {
    /// Whether it is a SELECT … INTO.
    fn gives_variables(&self) -> bool {
        matches!(&self.statement.kind, StatementKind::Query(query) if query.into.is_some())
    }

    /// Whether it ran before as one that changes rows without looking at others. If it does not do so again it publishes the
    /// changes of the statements before by itself.
    fn changes_single_rows(&self) -> bool {
        match &*self.write_plan.borrow() {
            Some(WritePlan::Change(plan)) => plan.is_of_one_row(),
            Some(WritePlan::Insert(_)) => true,
            None => false,
        }
    }

    pub(crate) fn kept(&self) -> Option<WritePlan> {
        self.write_plan.borrow().clone()
    }

    pub(crate) fn keep(&self, plan: WritePlan) {
        *self.write_plan.borrow_mut() = Some(plan);
    }

    /// A statement of a stored program; `sql` is the text of the whole definition.
    pub(crate) fn embedded(sql: Rc<str>, statement: ast::Statement) -> Prepared {
        Prepared { sql, statement, parameters: 0, plan: RefCell::default(), write_plan: RefCell::default() }
    }
}

impl Lookup {
    fn new(point: PointRead, plan: Rc<(Plan, Vec<ExprType>)>) -> Lookup {
        Lookup { point, plan, operators: OnceCell::new() }
    }
}

impl QueryPlan {
    fn point(&self) -> Option<&PointRead> {
        match &self.work {
            Work::Operators(_) => None,
            Work::Lookup(lookup) => Some(&lookup.point),
        }
    }

    fn operators(&self) -> Result<Template> {
        match &self.work {
            Work::Operators(template) => Ok(template.clone()),
            Work::Lookup(lookup) => match lookup.operators.get() {
                Some(known) => Ok(known.clone()),
                None => {
                    let (plan, types) = &*lookup.plan;
                    let lowered = exec::lower(plan, types)?.over(vec![lookup.point.relation().clone()]);
                    Ok(lookup.operators.get_or_init(|| lowered).clone())
                }
            },
        }
    }

    /// Whether it was made for values of these types.
    fn serves(&self, context: &Context) -> bool {
        context.has_parameters(&self.parameters)
    }
}

impl Prepared {
    /// Whether it is about tables and other objects, and not about rows: then the whole transaction is committed at its end.
    fn defines(&self) -> bool {
        use StatementKind as Kind;
        match &self.statement.kind {
            Kind::CreateTable(create) if create.temporary => return false,
            Kind::DropTable(drop) if drop.temporary => return false,
            _ => {}
        }
        matches!(
            self.statement.kind,
            Kind::Truncate(_)
                | Kind::CreateDatabase(_)
                | Kind::AlterDatabase(_)
                | Kind::DropDatabase { .. }
                | Kind::CreateTable(_)
                | Kind::AlterTable(_)
                | Kind::DropTable(_)
                | Kind::RenameTable(_)
                | Kind::CreateIndex(_)
                | Kind::DropIndex { .. }
                | Kind::CreateView(_)
                | Kind::DropView(_)
                | Kind::CreateTrigger(_)
                | Kind::DropTrigger(_)
                | Kind::CreateProcedure(_)
                | Kind::DropProcedure(_)
                | Kind::CreateEvent(_)
                | Kind::AlterEvent(_)
                | Kind::DropEvent(_)
        )
    }
}

impl Prepared {
    /// What ROW_COUNT() tells after a statement that is not about rows.
    fn row_count(&self) -> Option<i8> {
        use StatementKind as Kind;
        match self.statement.kind {
            Kind::Show(_) | Kind::Describe(_) | Kind::CreateDatabase(_) | Kind::DropDatabase { .. } => Some(0),
            Kind::Use(_)
            | Kind::Set(_)
            | Kind::Start(_)
            | Kind::Commit(_)
            | Kind::Rollback(_)
            | Kind::Savepoint(_)
            | Kind::RollbackTo(_)
            | Kind::ReleaseSavepoint(_)
            | Kind::Prepare(_)
            | Kind::Deallocate(_)
            | Kind::LockTables(_)
            | Kind::UnlockTables
            | Kind::Flush
            | Kind::Kill(_) => Some(-1),
            _ => None,
        }
    }
}

impl Session {
    pub(crate) fn new(engine: Rc<Engine>, connection_id: u64) -> Session {
        let state = Rc::new(SessionState::new(connection_id, engine.host().clone()));
        Session {
            catalog: Catalog::new(engine, state),
            prepared: Rc::default(),
            known_queries: Rc::default(),
            programs: Rc::default(),
            known_triggers: Rc::default(),
        }
    }

    /// The same connection once more, for a stored program to run its statements on.
    pub(crate) fn twin(&self) -> Session {
        Session {
            catalog: self.catalog.clone(),
            prepared: self.prepared.clone(),
            known_queries: self.known_queries.clone(),
            programs: self.programs.clone(),
            known_triggers: self.known_triggers.clone(),
        }
    }

    pub fn state(&self) -> &Rc<SessionState> {
        &self.catalog.state
    }

    pub fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }

    /// The statement that PREPARE gave this name.
    pub(crate) fn named_prepared(&self, name: &str) -> Option<Rc<Prepared>> {
        self.prepared.borrow().get(name.to_lowercase().as_str()).cloned()
    }

    /// Gives a statement a name; `None` forgets the name.
    pub(crate) fn name_prepared(&self, name: &str, statement: Option<Rc<Prepared>>) {
        let name = name.to_lowercase().into_boxed_str();
        match statement {
            Some(statement) => self.prepared.borrow_mut().insert(name, statement),
            None => self.prepared.borrow_mut().remove(&name),
        };
    }

    /// A stored procedure as it runs.
    ///
    /// # Errors
    /// 1105 for a definition that cannot be read or that names what it does not declare.
    pub(crate) fn program(&self, stored: &StoredProcedure) -> Result<Rc<Program>> {
        if let Some(known) = self.programs.borrow().get(&stored.create) {
            return Ok(known.clone());
        }
        let program = Rc::new(routine::compiled(stored)?);
        let mut programs = self.programs.borrow_mut();
        if programs.len() >= PROGRAMS_MAX {
            programs.clear();
        }
        programs.insert(stored.create.clone(), program.clone());
        Ok(program)
    }

    /// Whether a trigger may run a statement.
    ///
    /// # Errors
    /// 1442 for a write to a table that a statement around the trigger writes to, 1422 for a definition or a commit, 1336 for
    /// PREPARE and EXECUTE.
    pub(crate) fn check_within_trigger(&self, statement: &ast::Statement) -> Result<()> {
        let tables: Vec<&ast::ObjectName> = match &statement.kind {
            StatementKind::Insert(insert) => vec![&insert.table],
            StatementKind::Truncate(name) => vec![name],
            StatementKind::Update(update) => written(&update.tables),
            StatementKind::Delete(delete) => written(&delete.from),
            StatementKind::Query(_) | StatementKind::Set(_) | StatementKind::Show(_) | StatementKind::Signal(_) => {
                return Ok(());
            }
            StatementKind::Prepare(_) | StatementKind::Execute(_) | StatementKind::Deallocate(_) => {
                return Err(SqlError::new(1336, "Dynamic SQL is not allowed in stored function or trigger"));
            }
            _ => {
                let text = "Explicit or implicit commit is not allowed in stored function or trigger.";
                return Err(SqlError::new(1422, text));
            }
        };
        let current = self.state().database().unwrap_or_default();
        for table in tables {
            let database = table.database.as_ref().map_or(&*current, |database| &database.text);
            let key = routine::table_key(database, &table.name.text);
            if self.state().written_tables.borrow().contains(&key) {
                let name = &table.name.text;
                let text = format!(
                    "Can't update table {name} in stored function/trigger because it is already used by statement which invoked this stored function/trigger"
                );
                return Err(SqlError::new(1442, text));
            }
        }
        Ok(())
    }

    /// Reads one statement.
    ///
    /// # Errors
    /// The first syntax error, with its place; an error for an empty text and for more than one statement.
    pub fn prepare(&self, sql: &str) -> Result<Rc<Prepared>> {
        let variables_set = self.state().variables.borrow().times_set();
        if let Some(known) = self.known_queries.borrow_mut().get(sql, variables_set) {
            return Ok(known);
        }
        let options = self.state().variables.borrow().syntax();
        let parsed = parse::statement(sql, &options);
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
        let parameters = parsed.parameters;
        let prepared = Rc::new(Prepared {
            sql: sql.into(),
            statement,
            parameters,
            plan: RefCell::default(),
            write_plan: RefCell::default(),
        });
        self.known_queries.borrow_mut().put(&prepared);
        Ok(prepared)
    }

    /// Looks up one row by its whole key and writes its page into `out`, where that is what the statement is: 1 or 0 rows.
    /// `None` when it is something else or a value is of another kind; then [`Session::execute`] answers.
    pub fn find(&self, prepared: &Prepared, params: &[Value<'static>], out: &mut Vec<u8>) -> Result<Option<u32>> {
        let plan = prepared.plan.borrow();
        let Some(QueryPlan { work: Work::Lookup(lookup), columns, parameters, stamp, .. }) = plan.as_deref() else {
            return Ok(None);
        };
        // A point read takes values of any whole-number type, so only their number counts here.
        if prepared.gives_variables() || params.len() != parameters.len() {
            return Ok(None);
        }
        self.catalog.transaction.begin_statement(self.state().variables.borrow().is_autocommit())?;
        self.catalog.transaction.publish()?;
        if !self.catalog.is_at(stamp) {
            // The general way moves the plan to the tables of now, or makes another.
            return Ok(None);
        }
        let rows = match lookup.point.write_page(params, columns, out)? {
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
    pub fn execute(&self, prepared: &Prepared, params: &[Value<'static>]) -> Result<Cursor> {
        if params.len() != prepared.parameters as usize {
            let text =
                format!("the statement has {} parameters, {} values were given", prepared.parameters, params.len());
            return Err(SqlError::new(1210, text));
        }
        Ok(self.as_whole(prepared, || self.execute_within(prepared, params))?.that_sleeps())
    }

    /// Starts a statement of a stored procedure: a whole one with a transaction of its own, unless one is open.
    pub(crate) fn execute_in(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        self.as_whole(prepared, || self.start(prepared, context))
    }

    fn as_whole(&self, prepared: &Prepared, start: impl FnOnce() -> Result<Cursor>) -> Result<Cursor> {
        let transaction = &self.catalog.transaction;
        transaction.begin_statement(self.state().variables.borrow().is_autocommit())?;
        if !prepared.changes_single_rows() {
            transaction.publish()?;
        }
        // A query has nothing to commit or to take back, and may still run when the next statement begins.
        if matches!(prepared.statement.kind, StatementKind::Query(_)) {
            return start().map_err(|error| hint::helped(error, &self.catalog));
        }
        let mark = transaction.mark();
        match start() {
            Ok(cursor) => Ok(cursor.ending_statement(mark, prepared.defines(), prepared.row_count())),
            Err(error) => {
                transaction.restore(&mark);
                if error.is_wait() {
                    return Err(error);
                }
                // Nothing is left that could fail to be committed.
                transaction.end_statement()?;
                Err(hint::helped(error, &self.catalog))
            }
        }
    }

    /// Starts a statement inside another one: of PREPARE, of a routine. It neither begins nor ends a transaction.
    pub(crate) fn execute_within(&self, prepared: &Prepared, params: &[Value<'static>]) -> Result<Cursor> {
        let shows_warnings = matches!(&prepared.statement.kind, StatementKind::Show(show) if matches!(show.kind, ast::ShowKind::Warnings { .. }));
        if !shows_warnings {
            self.state().clear_warnings();
        }
        self.state().calculated_rows.set(None);
        self.state().sleep_microseconds.set(0);
        let context = Rc::new(Context::new(self.catalog.clone(), params.to_vec(), self.state().now()));
        self.catalog.transaction.runs(&context);
        self.start(prepared, context)
    }

    /// Starts a statement whose parameters, or variables of a stored program, are in the context.
    pub(crate) fn start(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        match &prepared.statement.kind {
            StatementKind::Query(query) => self.run_query(prepared, query, context),
            StatementKind::Insert(insert) => insert::run(self, prepared, insert, context),
            StatementKind::Update(update) => update::update(self, prepared, update, context),
            StatementKind::Delete(delete) => update::delete(self, prepared, delete, context),
            _ => statements::run(self, &prepared.sql, &prepared.statement, context),
        }
    }

    /// Reads and starts one statement without parameters.
    pub fn query(&self, sql: &str) -> Result<Cursor> {
        match self.prepare(sql) {
            // Nothing but comments is a statement that does nothing.
            Err(error) if error.errno == EMPTY => {
                let context = Context::new(self.catalog.clone(), Vec::new(), self.state().now());
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
        let known = prepared.plan.borrow().clone().filter(|_| self.state().variables.borrow().select_limit().is_none());
        let known = match known.filter(|plan| plan.serves(&context)) {
            Some(plan) if self.catalog.is_at(&plan.stamp) => Some(plan),
            Some(plan) => self.moved(&plan)?.inspect(|moved| *prepared.plan.borrow_mut() = Some(moved.clone())),
            None => None,
        };
        let plan = match known {
            Some(plan) => plan,
            None => {
                let parameters = context.parameter_types();
                let stamp = self.catalog.stamp();
                let names = SessionNames::new(self.catalog.clone(), context.clone());
                let mut bound = Binder::new(&names, prepared.sql.clone(), &parameters).query(query)?;
                let limit = if query.limit.is_none() { self.state().variables.borrow().select_limit() } else { None };
                if let Some(rows) = limit {
                    bound.plan = bound.plan.limit(rows);
                }
                let mut plan = self.lower(bound, parameters, stamp, &context)?;
                plan.is_of_state |= names.is_of_state();
                let plan = Rc::new(plan);
                // What was looked up in variables is in the plan: it serves once.
                if !names.is_volatile() && limit.is_none() {
                    *prepared.plan.borrow_mut() = Some(plan.clone());
                }
                plan
            }
        };
        let into = match &query.into {
            Some(ast::Into::Variables(targets)) => Some(targets.clone()),
            _ => None,
        };
        if let (Some(point), None) = (plan.point(), &into) {
            match point.read(&context)? {
                PointAnswer::Row(row) => return Ok(Cursor::of_batch(plan.columns.clone(), Some(row), context)),
                PointAnswer::NoRow => return Ok(Cursor::of_batch(plan.columns.clone(), None, context)),
                PointAnswer::Other => {}
            }
        }
        Cursor::of_query(plan.columns.clone(), plan.operators()?.build(&context)?, context, into)
    }

    fn lower(&self, bound: Bound, parameters: Vec<ExprType>, stamp: Stamp, context: &Context) -> Result<QueryPlan> {
        let Bound { plan, columns, mut types } = bound;
        let plan = rules::optimize(plan, &mut types, context)?;
        let (work, is_of_state) = match PointRead::of(&plan, &columns)? {
            Some(point) => (Work::Lookup(Box::new(Lookup::new(point, Rc::new((plan, types))))), false),
            None => {
                let template = exec::lower(&plan, &types)?;
                let is_of_state = template.movable_tables().is_none();
                (Work::Operators(template), is_of_state)
            }
        };
        Ok(QueryPlan { work, columns: columns.into(), parameters, stamp, is_of_state })
    }

    /// A plan over the tables of now, where they have the schemas for which it was made and about as many rows.
    fn moved(&self, plan: &QueryPlan) -> Result<Option<Rc<QueryPlan>>> {
        if plan.is_of_state || !self.catalog.is_placed_as(&plan.stamp) {
            return Ok(None);
        }
        let work = match &plan.work {
            Work::Operators(template) => {
                let Some(tables) = template.movable_tables() else { return Ok(None) };
                self.catalog.moved(tables)?.map(|tables| Work::Operators(template.over(tables)))
            }
            Work::Lookup(lookup) => {
                let table = self.catalog.moved(std::slice::from_ref(lookup.point.relation()))?;
                let point = table.and_then(|mut table| lookup.point.over(table.pop()?));
                point.map(|point| Work::Lookup(Box::new(Lookup::new(point, lookup.plan.clone()))))
            }
        };
        let QueryPlan { columns, parameters, .. } = plan;
        let (columns, parameters, stamp) = (columns.clone(), parameters.clone(), self.catalog.stamp());
        Ok(work.map(|work| Rc::new(QueryPlan { work, columns, parameters, stamp, is_of_state: false })))
    }

    /// The columns of a view.
    pub(crate) fn view_columns(&self, view: &crate::bind::View, context: &Rc<Context>) -> Result<Vec<ResultColumn>> {
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
        Ok((rules::optimize(plan, &mut types, context)?, types))
    }
}

/// The tables that stand in a FROM by their names.
fn written(items: &[ast::TableExpr]) -> Vec<&ast::ObjectName> {
    items
        .iter()
        .flat_map(|item| match &item.kind {
            ast::TableExprKind::Table(table) => vec![&table.name],
            ast::TableExprKind::Join(join) => {
                [&join.left, &join.right].into_iter().flat_map(|side| written(std::slice::from_ref(side))).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}
