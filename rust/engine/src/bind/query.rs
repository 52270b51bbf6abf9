//! Whole queries: WITH, set operations, ORDER BY and LIMIT around them.

use std::rc::Rc;

use parse::ast::{self, QueryBody};

use super::expr::{cast_to, is_day, text_of_day};
use super::set_operation::SetGroup;
use super::{Binder, CommonBody, CommonTable, Output};
use value::{LobSize, SqlType, Value};

use crate::error::{Result, SqlError};
use crate::expr::{CastKind, Expr, ExprKind, ExprType, SortKey, types};
use crate::plan::{ColumnId, Limit, OuterSlot, Plan, Recursive, SetKind, Values};

/// An item of ORDER BY: by a select list item or by an expression of its own.
pub(super) struct Ordering {
    pub expr: Expr,
    pub descending: bool,
    pub item: Option<usize>,
}

type Framed = (Plan, Vec<Output>, Vec<(OuterSlot, ColumnId)>);

/// Whether a column of a list is DATE(…), which is text beside text.
fn gives_day(plan: &Plan, column: ColumnId) -> bool {
    matches!(plan, Plan::Project(_, columns) if columns.iter().any(|(id, expr)| *id == column && is_day(expr)))
}

/// The error of INTO in a part of a statement.
pub fn into_within(query: &ast::Query) -> SqlError {
    SqlError::general("INTO clause is not allowed").at(query.span)
}

impl Binder<'_> {
    /// Binds a query in the innermost frame.
    pub(super) fn bind_query(&mut self, query: &ast::Query) -> Result<(Plan, Vec<Output>)> {
        if let Some(with) = &query.with {
            self.with(with, true)?;
        }
        let limit = query.limit.as_ref();
        let (plan, outputs) = self.body(&query.body, &query.order_by)?;
        let plan = match limit {
            None => plan,
            Some(limit) => {
                // A nested query needs none.
                let counts_all = self.frames.len() == 1
                    && matches!(&query.body, QueryBody::Select(select) if select.options.calc_found_rows);
                self.limited(plan, limit, counts_all)?
            }
        };
        match &query.into {
            None => Ok((plan, outputs)),
            // Only the rows of the whole query go somewhere else.
            Some(_) if self.frames.len() > 1 => Err(into_within(query)),
            Some(ast::Into::Variables(_)) => Ok((plan, outputs)),
            Some(_) => Err(SqlError::new(1290, "INTO OUTFILE and DUMPFILE write files of a server, and here is none")),
        }
    }

    /// The first rows of a plan, as LIMIT and OFFSET say.
    pub(super) fn limited(&mut self, plan: Plan, limit: &ast::Limit, counts_all: bool) -> Result<Plan> {
        let rows = Some(self.limit_expr(&limit.count)?);
        let offset = limit.offset.as_ref().map(|offset| self.limit_expr(offset)).transpose()?;
        Ok(Plan::Limit(Box::new(Limit { input: plan, rows, offset, counts_all })))
    }

    fn limit_expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let bound = self.expr(expr)?;
        if !bound.is_row_independent() && !matches!(bound.kind, ExprKind::UserVariable(..)) {
            return Err(SqlError::general("LIMIT and OFFSET take a number or a parameter").at(expr.span));
        }
        Ok(bound)
    }

    /// Defines common tables. Where chains of them are long and `may_stage`, some are run before the query.
    pub(super) fn with(&mut self, with: &ast::With, may_stage: bool) -> Result<()> {
        let staged = if may_stage { self.ends_of_stages(with) } else { Vec::new() };
        for (at, table) in with.tables.iter().enumerate() {
            let columns = table.columns.iter().map(|name| (*name.text).into()).collect();
            let recursive = with.recursive && mentions(&table.query.body, &table.name);
            let body = CommonBody::Query { query: table.query.clone(), columns, recursive };
            let name = (*table.name.text).into();
            self.frame().common.push(CommonTable { name, body });
            if staged.get(at) == Some(&true) {
                self.stage(&table.name)?;
            }
        }
        Ok(())
    }

    /// ORDER BY reaches into a SELECT; of everything else it sees the output columns.
    pub(super) fn body(&mut self, body: &QueryBody, order_by: &[ast::OrderItem]) -> Result<(Plan, Vec<Output>)> {
        if let QueryBody::Select(select) = body {
            return self.select(select, order_by);
        }
        let (plan, outputs) = match body {
            QueryBody::Select(_) => unreachable!("bound above"),
            QueryBody::Values(rows) => self.values(rows)?,
            QueryBody::Table(name) => {
                let select = ast::Select {
                    options: Default::default(),
                    items: vec![ast::SelectItem::Star { database: None, table: None, span: name.span }],
                    from: vec![ast::TableExpr {
                        kind: ast::TableExprKind::Table(Box::new(ast::TableReference {
                            name: (**name).clone(),
                            alias: None,
                            as_of: None,
                            partitions: Vec::new(),
                            hints: Vec::new(),
                        })),
                        span: name.span,
                    }],
                    filter: None,
                    group_by: None,
                    having: None,
                    windows: Vec::new(),
                    span: name.span,
                };
                return self.select(&select, order_by);
            }
            QueryBody::Nested(query) => self.in_own_frame(|binder| binder.bind_query(query))?,
            QueryBody::SetOperation(operation) => {
                let (plan, outputs, before) = self.set_operation(&operation.first, &operation.arms)?;
                let mut keys = self.output_order(order_by, &outputs)?;
                keys.iter_mut().for_each(|key| as_left_side(key, &outputs, &before));
                return Ok((if keys.is_empty() { plan } else { Plan::Sort(Box::new(plan), keys) }, outputs));
            }
        };
        let keys = self.output_order(order_by, &outputs)?;
        Ok((if keys.is_empty() { plan } else { Plan::Sort(Box::new(plan), keys) }, outputs))
    }

    /// A part of this query with a scope of its own; what it reads from outside, this query reads.
    pub(super) fn in_own_frame(
        &mut self,
        bind: impl FnOnce(&mut Self) -> Result<(Plan, Vec<Output>)>,
    ) -> Result<(Plan, Vec<Output>)> {
        let frame = self.frame();
        let scope = std::mem::take(&mut frame.scope);
        let aliases = std::mem::take(&mut frame.aliases);
        let aggregation = frame.aggregation.take();
        let windows = frame.windows.take();
        let common = frame.common.len();
        let bound = bind(self);
        let frame = self.frame();
        frame.scope = scope;
        frame.aliases = aliases;
        frame.aggregation = aggregation;
        frame.windows = windows;
        frame.common.truncate(common);
        bound
    }

    fn output_order(&mut self, order_by: &[ast::OrderItem], outputs: &[Output]) -> Result<Vec<SortKey>> {
        let mut keys = Vec::new();
        for item in order_by {
            let ordinal = match &item.expr.kind {
                ast::ExprKind::Literal(ast::Literal::Integer(n)) => {
                    Some(usize::try_from(*n).map_or(usize::MAX, |n| n.wrapping_sub(1)))
                }
                _ => None,
            };
            let expr = match (ordinal, &item.expr.kind) {
                (Some(at), _) => outputs.get(at).map(Output::expr),
                (None, ast::ExprKind::Column(name)) if name.table.is_none() => {
                    outputs.iter().find(|output| name.name.is(&output.name)).map(Output::expr)
                }
                _ => {
                    self.frame().aliases = outputs.iter().map(|o| (o.name.clone(), o.expr())).collect();
                    Some(self.with_aliases(|binder| binder.expr(&item.expr))?)
                }
            };
            let unknown = || SqlError::column_not_found(item.expr.span.text(&self.sql)).at(item.span);
            keys.push(SortKey { expr: expr.ok_or_else(unknown)?, descending: item.is_descending() });
        }
        Ok(keys)
    }

    fn values(&mut self, rows: &[ast::ValuesRow]) -> Result<(Plan, Vec<Output>)> {
        let mut bound = Vec::new();
        for row in rows {
            let values = self.exprs(&row.values)?;
            if bound.first().is_some_and(|first: &Vec<Expr>| first.len() != values.len()) {
                return Err(SqlError::general("Column count doesn't match value count").at(row.span));
            }
            bound.push(values);
        }
        let width = bound.first().map_or(0, Vec::len);
        let mut outputs = Vec::new();
        for column in 0..width {
            let ty = types::common(bound.iter().map(|row| &row[column].ty));
            for row in &mut bound {
                row[column] = cast_to(row[column].clone(), &ty);
            }
            let id = self.column(ty.clone());
            outputs.push(Output::new(id, &format!("column_{column}"), ty));
        }
        let columns = outputs.iter().map(|output| output.id).collect();
        Ok((Plan::Values(Values { columns, rows: bound, is_counted: false }), outputs))
    }

    pub(super) fn cast_outputs(&mut self, plan: Plan, from: &[Output], to: &[Output]) -> Result<Plan> {
        let mut columns = Vec::with_capacity(to.len());
        for (from, to) in from.iter().zip(to) {
            let value = from.expr();
            let expr = match (&value.ty.sql, &to.ty.sql) {
                // A number keeps its own digits: 1.50 does not become 1.500000000000000000000000000000.
                (SqlType::Decimal { .. }, SqlType::Decimal { .. }) => value,
                (number, SqlType::Decimal { .. }) if number.is_number() => self.call("cast_decimal", vec![value])?,
                (_, sql) if sql.is_text() && gives_day(&plan, from.id) => text_of_day(value),
                _ => cast_to(value, &to.ty),
            };
            columns.push((self.column(to.ty.clone()), expr));
        }
        Ok(plan.project(columns))
    }

    /// Gives columns the room that values of later rounds may need.
    fn with_room(&mut self, plan: Plan, outputs: Vec<Output>) -> Result<(Plan, Vec<Output>)> {
        let widened = outputs.iter().map(|output| {
            let ty = ExprType { sql: with_room(&output.ty.sql), ..output.ty.clone() };
            Output { id: self.column(ty.clone()), ty, ..output.clone() }
        });
        let widened: Vec<Output> = widened.collect();
        if widened.iter().zip(&outputs).all(|(to, from)| to.ty.sql == from.ty.sql) {
            return Ok((plan, outputs));
        }
        Ok((self.cast_outputs(plan, &outputs, &widened)?, widened))
    }

    /// A common table that reads itself: everything before the first arm that does is the start.
    pub(super) fn recursive_query(
        &mut self,
        name: &Rc<str>,
        query: &ast::Query,
        columns: &[Rc<str>],
    ) -> Result<Framed> {
        let no_union =
            || SqlError::general(format!("Recursive Common Table Expression '{name}' should contain a UNION"));
        let QueryBody::SetOperation(operation) = &query.body else { return Err(no_union()) };
        let ident = ast::Ident { text: (**name).into(), quoted: false, span: query.span };
        let first_step = operation.arms.iter().position(|arm| mentions(&arm.body, &ident));
        let Some(first_step) = first_step.filter(|_| !mentions(&operation.first, &ident)) else {
            let text = format!(
                "Recursive Common Table Expression '{name}' should have one or more non-recursive query blocks followed \
                 by one or more recursive ones"
            );
            return Err(SqlError::general(text));
        };
        if operation.arms[first_step..].iter().any(|arm| arm.operator != ast::SetOperator::Union) {
            return Err(no_union());
        }
        self.subquery_frame(|binder| {
            let (before, steps) = operation.arms.split_at(first_step);
            let (mut first, mut outputs) = binder.in_own_frame(|binder| {
                let (plan, outputs, _) = binder.set_operation(&operation.first, before)?;
                Ok((plan, outputs))
            })?;
            (first, outputs) = binder.with_room(first, outputs)?;
            for (output, name) in outputs.iter_mut().zip(columns) {
                output.name = name.clone();
            }
            for output in &mut outputs {
                // Later rounds may bring NULL and longer text.
                output.ty.nullable = true;
            }
            let id = binder.rounds;
            binder.rounds += 1;
            let round = CommonTable { name: name.clone(), body: CommonBody::Round { id, outputs: outputs.clone() } };
            let mut step = SetGroup::default();
            for arm in steps {
                let bound = binder.in_own_frame(|binder| {
                    binder.frame().common.push(round.clone());
                    binder.body(&arm.body, &[])
                })?;
                binder.add_to(&mut step, SetKind::Union, true, bound)?;
            }
            let all = steps.iter().all(|arm| arm.all);
            let (step, step_outputs) = step.finish();
            if step_outputs.len() != outputs.len() {
                return Err(of_other_width(outputs.len(), step_outputs.len()));
            }
            let step = binder.cast_outputs(step, &step_outputs, &outputs)?;
            let ids = outputs.iter().map(|output| output.id).collect();
            let plan = Plan::Recursive(Box::new(Recursive { id, first, step, all, columns: ids }));
            let keys = binder.output_order(&query.order_by, &outputs)?;
            let mut plan = if keys.is_empty() { plan } else { Plan::Sort(Box::new(plan), keys) };
            if let Some(limit) = &query.limit {
                plan = binder.limited(plan, limit, false)?;
            }
            Ok((plan, outputs))
        })
    }
}

/// The widest type of its kind. Dates are moments: what is added to them may be hours.
fn with_room(ty: &SqlType) -> SqlType {
    match ty {
        SqlType::Integer(integer) if integer.unsigned => SqlType::BIGINT_UNSIGNED,
        SqlType::Integer(_) => SqlType::BIGINT,
        SqlType::Float => SqlType::Double,
        SqlType::Decimal { scale, .. } => SqlType::Decimal { precision: 65, scale: *scale },
        SqlType::Char { collation, .. } | SqlType::VarChar { collation, .. } | SqlType::Text { collation, .. } => {
            SqlType::Text { size: LobSize::Long, collation: *collation }
        }
        SqlType::Binary { .. } | SqlType::VarBinary { .. } | SqlType::Blob { .. } => SqlType::LONGBLOB,
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => SqlType::DateTime { decimals: 6 },
        other => other.clone(),
    }
}

/// The reference sorts the rows of a set operation by the types that the left side of the last one has: what became text is read
/// as a moment, a member, a number again, or is an error.
fn as_left_side(key: &mut SortKey, outputs: &[Output], left: &[Output]) {
    let Some(at) = key.expr.as_column().and_then(|id| outputs.iter().position(|output| output.id == id)) else {
        return;
    };
    if !key.expr.ty.sql.is_text() {
        return;
    }
    let (sql, kind) = match &left[at].ty.sql {
        SqlType::Integer(integer) if !integer.unsigned => (SqlType::Double, CastKind::Implicit),
        SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Float | SqlType::Double => {
            (SqlType::Double, CastKind::Assigned)
        }
        SqlType::Enum(_) | SqlType::Set(_) | SqlType::Year => (left[at].ty.sql.clone(), CastKind::Assigned),
        sql if sql.is_date() => (SqlType::DateTime { decimals: 6 }, CastKind::Assigned),
        _ => return,
    };
    let column = std::mem::replace(&mut key.expr, Expr::literal(Value::Null, ExprType::null()));
    key.expr = Expr::new(ExprKind::Cast(Box::new(column), kind), ExprType::new(sql, true));
}

/// Whether some FROM of the body names this table.
fn mentions(body: &QueryBody, name: &ast::Ident) -> bool {
    let mut is_there = false;
    tables_in(body, &mut |table| is_there |= table.database.is_none() && table.name.is(&name.text));
    is_there
}

/// Visits the names of the tables in each FROM of the body.
pub(super) fn tables_in(body: &QueryBody, visit: &mut dyn FnMut(&ast::ObjectName)) {
    fn in_table(table: &ast::TableExpr, visit: &mut dyn FnMut(&ast::ObjectName)) {
        use ast::TableExprKind as T;
        match &table.kind {
            T::Table(table) => visit(&table.name),
            T::Derived(derived) => tables_in(&derived.query.body, visit),
            T::Join(join) => {
                in_table(&join.left, visit);
                in_table(&join.right, visit);
            }
            T::List(items) => items.iter().for_each(|item| in_table(item, visit)),
            T::Function(_) | T::JsonTable(_) => {}
        }
    }
    match body {
        QueryBody::Select(select) => select.from.iter().for_each(|table| in_table(table, visit)),
        QueryBody::Values(_) => {}
        QueryBody::Table(table) => visit(table),
        QueryBody::Nested(query) => tables_in(&query.body, visit),
        QueryBody::SetOperation(operation) => {
            tables_in(&operation.first, visit);
            operation.arms.iter().for_each(|arm| tables_in(&arm.body, visit));
        }
    }
}

pub(super) fn of_other_width(left: usize, right: usize) -> SqlError {
    SqlError::general(format!(
        "cannot union two queries whose schemas are different lengths; left has {left} column(s) right has {right} column(s)."
    ))
}
