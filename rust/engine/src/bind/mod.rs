//! From syntax to plans: names are looked up, types decided, functions found. Errors say where in the text.
//!
//! Each query has a [`Frame`] on a stack. A name that the innermost frame does not know is looked for in the frames
//! enclosing it; what is found there becomes an outer column: a slot that the enclosing plan fills row by row.

mod aggregate;
mod call;
mod changed_view;
pub mod data_type;
mod declared;
mod expr;
mod from;
mod full_text;
mod json_table;
pub mod literal;
mod meant;
mod query;
mod rollup;
mod scope;
mod select;
mod selected;
mod set_operation;
mod stages;
mod subquery;
mod table_function;
mod window;
mod write;

use std::rc::Rc;

use parse::ast;
use value::Value;

use crate::catalog::{Found, Relation, Updatable, View};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType};
use crate::page::ResultColumn;
use crate::plan::{ColumnId, OuterSlot, Plan, WindowCall};
use crate::write::ViewCheck;

use aggregate::Aggregation;
use expr::cast_to;
pub use from::unreadable_view;
pub use query::into_within;
pub use scope::{Scope, ScopeColumn, ScopeRelation};
pub use write::{Assigned, BoundRows, BoundTarget, RowsSyntax};

/// What the binder asks of the world: the catalog and the session.
pub trait Names {
    /// A table, system table or view.
    /// Inside a view `database` is its own one, for names that say none.
    fn relation(&self, name: &ast::ObjectName, as_of: Option<&Value<'static>>, database: Option<&str>)
    -> Result<Found>;

    /// A table function such as `dolt_diff('main', 'other', 't')`.
    fn table_function(&self, name: &ast::ObjectName, arguments: &[Value<'static>]) -> Result<Rc<dyn Relation>>;

    /// Arguments that give a table function the columns that it has with any others; `None` where it takes only literals.
    fn late_arguments(&self, function: &str) -> Option<&'static [Value<'static>]>;

    fn system_variable(&self, variable: &ast::SystemVariable) -> Result<(Value<'static>, ExprType)>;

    fn user_variable(&self, name: &str) -> Value<'static>;

    /// A variable of the enclosing stored program.
    fn local(&self, _name: &ast::ColumnName) -> Option<(u32, ExprType)> {
        None
    }

    /// The statement that is being bound.
    fn context(&self) -> &Rc<crate::expr::Context>;
}

/// A bound query.
#[derive(Debug)]
pub struct Bound {
    pub plan: Plan,
    pub columns: Vec<ResultColumn>,
    /// The type of every column of the statement, by number.
    pub types: Vec<ExprType>,
}

/// A column that a query returns, with its metadata for the client.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    pub id: ColumnId,
    pub name: Rc<str>,
    pub ty: ExprType,
    /// What its values are, where they are only shown as of the type.
    pub computed: Option<ExprType>,
    pub primary: bool,
    pub database: Rc<str>,
    pub table: Rc<str>,
    pub original: Rc<str>,
}

/// Columns of the query around one, by the slots through which it reads them.
pub(crate) type OuterColumns = Vec<(OuterSlot, ColumnId)>;

/// A query in work.
#[derive(Default)]
pub(crate) struct Frame {
    pub scope: Scope,
    /// Columns of the frame around this one that this one reads.
    pub outer: OuterColumns,
    /// Select items by alias, for HAVING, GROUP BY and ORDER BY.
    pub aliases: Vec<(Rc<str>, Expr)>,
    /// Collects aggregate calls where they are allowed.
    pub aggregation: Option<Aggregation>,
    /// Inside the arguments of an aggregate, where another aggregate is not allowed.
    pub in_aggregate: bool,
    /// Collects calls of window functions where they are allowed.
    pub windows: Option<Vec<(ColumnId, WindowCall)>>,
    /// `WINDOW name AS (…)`.
    pub named_windows: Option<Rc<[ast::NamedWindow]>>,
    /// Common tables that this query defines.
    pub common: Vec<CommonTable>,
    /// Those of them that are run before the query.
    pub stages: Vec<Rc<stages::CommonStage>>,
}

/// `WITH name AS (…)`.
#[derive(Clone)]
pub(crate) struct CommonTable {
    pub name: Rc<str>,
    pub body: CommonBody,
}

#[derive(Clone)]
pub(crate) enum CommonBody {
    /// Bound anew wherever it is used; sees the common tables before it.
    Query { query: Rc<ast::Query>, columns: Vec<Rc<str>>, recursive: bool },
    /// Bound where it is defined, and run once.
    Staged(Rc<stages::CommonStage>),
    /// The rows of the round before, inside the recursive part.
    Round { id: u32, outputs: Vec<Output> },
}

/// Levels of expressions and queries inside each other, views and common tables among them. The stack is 1 MiB, and 500 KB in a worker.
const DEPTH_MAX: usize = 60 * QUERY_LEVELS + Expr::HEIGHT_MAX;

/// Levels of expressions that take as much of the stack as a query inside another.
const QUERY_LEVELS: usize = 8;

/// Operators above each other.
const PLAN_LEVELS_MAX: usize = 500;

pub struct Binder<'a> {
    names: &'a dyn Names,
    /// The text of the statement, for column names of expressions.
    sql: Rc<str>,
    /// Where names without a database are looked up; the session's database, or a view's inside it.
    database: Option<Rc<str>>,
    /// The revision at which the tables of a view are read, inside one that is.
    as_of: Option<Value<'static>>,
    /// Types of the values given for `?`.
    params: &'a [ExprType],
    types: Vec<ExprType>,
    slots: OuterSlot,
    rounds: u32,
    subqueries: u32,
    frames: Vec<Frame>,
    /// Levels of the stack in use, of [`DEPTH_MAX`].
    depth: usize,
    /// Items of FROM that were bound so far, in views and common tables as well.
    tables: usize,
    /// Inside a view or an expression of a schema: variables of a stored program are not seen.
    hides_locals: bool,
    /// The one table of an UPDATE or DELETE is being bound: a view is the table behind it.
    changes_rows: bool,
    /// The view that is one, and what new rows have to meet there.
    changed_view: Option<Updatable>,
    view_checks: Vec<ViewCheck>,
    /// The views whose queries are being bound, outermost first: their databases and names.
    views: Vec<(Rc<str>, Rc<str>)>,
    /// Views that the innermost frames read as stages.
    staged_views: Vec<stages::StagedView>,
    /// The relations that were scanned so far, by the first of their columns.
    origins: Vec<(ColumnId, Rc<dyn Relation>)>,
    /// What columns are declared as that are made of some outputs, where that is another type than that of the values.
    declared: Vec<(ColumnId, ExprType)>,
    /// Outputs that are stored columns, with their defaults: see [`Binder::keep_defaults`].
    defaults: Vec<(ColumnId, Rc<str>)>,
}

impl<'a> Binder<'a> {
    pub fn new(names: &'a dyn Names, sql: impl Into<Rc<str>>, params: &'a [ExprType]) -> Binder<'a> {
        Binder {
            names,
            sql: sql.into(),
            database: None,
            as_of: None,
            params,
            types: Vec::new(),
            slots: 0,
            rounds: 0,
            subqueries: 0,
            // Frames are large, and most queries have one.
            frames: Vec::with_capacity(1),
            depth: 0,
            tables: 0,
            hides_locals: false,
            changes_rows: false,
            changed_view: None,
            view_checks: Vec::new(),
            views: Vec::new(),
            staged_views: Vec::new(),
            origins: Vec::new(),
            declared: Vec::new(),
            defaults: Vec::new(),
        }
    }

    /// Binds a whole query statement. What it puts into variables is not shown.
    pub fn query(self, query: &ast::Query) -> Result<Bound> {
        self.bound(query, query.into.is_none())
    }

    /// Binds the query that gives rows to a table: with their values as they are.
    pub fn source(self, query: &ast::Query) -> Result<Bound> {
        if query.into.is_some() {
            return Err(into_within(query));
        }
        self.bound(query, false)
    }

    fn bound(mut self, query: &ast::Query, is_shown: bool) -> Result<Bound> {
        let (mut plan, mut outputs, _) = self.subquery_frame(|binder| binder.bind_query(query))?;
        if is_shown {
            plan = as_shown(plan, &mut outputs);
        }
        let columns = outputs.into_iter().map(|output| {
            let declared = self.declared(output.id).cloned();
            let default = self.default_of(output.id);
            ResultColumn { declared: declared.map(Rc::new), default, ..output.into_result_column() }
        });
        let columns = columns.collect();
        Ok(Bound { plan, columns, types: self.types })
    }

    /// Binds the query of a view in the view's database.
    pub fn of_view(names: &'a dyn Names, view: &View) -> Result<Bound> {
        let mut binder = Binder::new(names, view.sql.clone(), &[]);
        binder.database = Some(view.database.clone());
        binder.hides_locals = true;
        binder.views.push((view.database.clone(), view.name.clone()));
        binder.query(&view.query)
    }

    /// Binds a standalone expression: SET, LIMIT, arguments of CALL.
    pub fn constant(&mut self, expr: &ast::Expr) -> Result<Expr> {
        self.frames.push(Frame::default());
        let bound = self.expr(expr);
        self.frames.pop();
        bound
    }

    /// A condition over the columns of one relation, by their positions.
    pub fn over_relation(&mut self, columns: &[crate::catalog::Column], condition: &ast::Expr) -> Result<Expr> {
        self.over_table("", columns, condition)
    }

    /// As [`Binder::over_relation`], where columns may be written with the name of their table.
    pub fn over_table(
        &mut self,
        table: &str,
        columns: &[crate::catalog::Column],
        condition: &ast::Expr,
    ) -> Result<Expr> {
        let mut scope = Scope::default();
        scope.relations.push(ScopeRelation { database: Rc::from(""), name: table.into(), key: Vec::new() });
        for column in columns {
            // The first columns of the statement: their numbers are their positions.
            let id = self.column(column.ty.clone());
            scope.columns.push(ScopeColumn {
                shown: None,
                relation: 0,
                name: column.name.clone(),
                expr: Expr::column(id, column.ty.clone()),
                primary: false,
                hidden: false,
                merged: false,
            });
        }
        self.frames.push(Frame { scope, ..Frame::default() });
        self.expr(condition)
    }

    /// The value of AS OF.
    pub fn revision(mut self, expr: &ast::Expr) -> Result<Value<'static>> {
        self.revision_value(expr)
    }

    pub(crate) fn column(&mut self, ty: ExprType) -> ColumnId {
        self.types.push(ty);
        self.types.len() as ColumnId - 1
    }

    /// What tells a query inside an expression from the others of the statement.
    fn subquery_number(&mut self) -> u32 {
        self.subqueries += 1;
        self.subqueries
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let top = self.frames.len() - 1;
        &mut self.frames[top]
    }

    /// Runs `bind` in a frame of its own; gives its answer and the outer columns that the frame reads.
    pub(crate) fn subquery_frame<T>(
        &mut self,
        bind: impl FnOnce(&mut Self) -> Result<(Plan, T)>,
    ) -> Result<(Plan, T, OuterColumns)> {
        self.deeper(QUERY_LEVELS)?;
        self.frames.push(Frame::default());
        let bound = bind(self);
        self.depth -= QUERY_LEVELS;
        let frame = self.frames.pop().unwrap_or_default();
        let (plan, answer) = bound?;
        if plan.is_higher_than(PLAN_LEVELS_MAX) {
            return Err(SqlError::too_deep());
        }
        Ok((stages::after(frame.stages, plan), answer, frame.outer))
    }

    /// Takes `levels` of the stack. The caller gives them back.
    fn deeper(&mut self, levels: usize) -> Result<()> {
        if self.depth + levels > DEPTH_MAX {
            return Err(SqlError::too_deep());
        }
        self.depth += levels;
        Ok(())
    }

    /// The outer slot through which the frames above `level` see a column of frame `level`.
    fn outer_slot(&mut self, level: usize, id: ColumnId) -> OuterSlot {
        let inner = &mut self.frames[level + 1];
        if let Some((slot, _)) = inner.outer.iter().find(|(_, known)| *known == id) {
            return *slot;
        }
        let slot = self.slots;
        inner.outer.push((slot, id));
        self.slots += 1;
        slot
    }

    /// An expression of frame `level` as the innermost frame may use it.
    pub(crate) fn seen_from_inside(&mut self, level: usize, mut expr: Expr) -> Expr {
        if level + 1 < self.frames.len() {
            expr.rewrite(&mut |expr| {
                match &mut expr.kind {
                    ExprKind::Column(id) => expr.kind = ExprKind::Outer(self.outer_slot(level, *id)),
                    // A copy of a query of that frame: what it reads there comes through the slots of the enclosing query.
                    ExprKind::Subquery(copy) => {
                        let inner = &mut self.frames[level + 1].outer;
                        for read in copy.outer.drain(..) {
                            if !inner.contains(&read) {
                                inner.push(read);
                            }
                        }
                    }
                    _ => {}
                }
            });
        }
        expr
    }
}

/// The rows with their values as they are shown: elsewhere they are counted on with as they are.
fn as_shown(plan: Plan, outputs: &mut [Output]) -> Plan {
    if outputs.iter().all(|output| output.computed.is_none()) {
        return plan;
    }
    let shown = |output: &mut Output| {
        let value = output.expr();
        output.computed = None;
        (output.id, cast_to(value, &output.ty))
    };
    plan.project(outputs.iter_mut().map(shown).collect())
}

impl Output {
    pub fn new(id: ColumnId, name: &str, ty: ExprType) -> Output {
        let empty: Rc<str> = Rc::from("");
        let (database, table) = (empty.clone(), empty.clone());
        Output { id, name: name.into(), ty, computed: None, primary: false, database, table, original: empty }
    }

    pub fn expr(&self) -> Expr {
        Expr::column(self.id, self.computed.as_ref().unwrap_or(&self.ty).clone())
    }

    fn into_result_column(self) -> ResultColumn {
        let ty = self.expr().ty;
        let Output { name, primary, database, table, original, .. } = self;
        let (declared, default) = (None, None);
        ResultColumn { name, ty: ty.sql, nullable: ty.nullable, primary, database, table, original, declared, default }
    }
}
