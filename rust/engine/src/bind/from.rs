//! FROM: tables, views, derived tables, table functions, joins.

use std::rc::Rc;

use codec::CompactSort;
use parse::ast::{self, TableExprKind};
use value::{SqlType, Value};

use super::expr::{cast_to, compare};
use super::stages::VIEWS_MAX;
use super::{Binder, CommonBody, Found, Frame, Output, Scope, ScopeColumn, ScopeRelation, View};
use crate::catalog::{IndexChoice, Relation};
use crate::error::{Result, SqlError};
use crate::expr::{CompareOp, Expr, ExprType};
use crate::plan::{ColumnId, Join, JoinKind, JoinStrategy, MaterializedCte, OuterSlot, Plan, Scan};

/// Views and common tables that read others twice, which read others twice, would grow without bounds.
const TABLES_MAX: usize = 2048;
/// What binding a table costs at least, and what the rules do with it.
const TABLE_WORK: usize = 4 << 10;

/// A FROM item with the columns that it brings.
pub(super) struct Source {
    pub plan: Plan,
    pub scope: Scope,
    /// A lateral item reads these columns of the items to its left.
    pub outer: Vec<(OuterSlot, crate::plan::ColumnId)>,
}

impl Source {
    pub(super) fn new(plan: Plan, scope: Scope) -> Source {
        Source { plan, scope, outer: Vec::new() }
    }
}

impl Binder<'_> {
    /// A comma list. Items to the right may be LATERAL and see the ones before them.
    pub(super) fn from(&mut self, items: &[ast::TableExpr]) -> Result<Plan> {
        let mut plan: Option<Plan> = None;
        for item in items {
            let source = self.table_expr(item)?;
            plan = Some(match plan {
                None => source.plan,
                Some(left) => join(JoinKind::Inner, left, source.plan, Vec::new(), source.outer),
            });
            self.frame().scope.extend(source.scope).map_err(|error| error.at(item.span))?;
        }
        Ok(plan.unwrap_or(Plan::Unit))
    }

    fn table_expr(&mut self, item: &ast::TableExpr) -> Result<Source> {
        self.tables += 1;
        if self.tables > TABLES_MAX {
            let text = format!("Too many tables; a statement can use {TABLES_MAX}, those in its views among them");
            return Err(SqlError::new(1116, text).at(item.span));
        }
        self.names.context().work(TABLE_WORK)?;
        match &item.kind {
            TableExprKind::Table(table) => self.table(table, item.span),
            TableExprKind::Derived(derived) => self.derived(derived, item.span),
            TableExprKind::Function(function) => self.table_function(function),
            TableExprKind::JsonTable(table) => self.json_table(table, item.span),
            TableExprKind::Join(join) => self.join(join, item.span),
            TableExprKind::List(items) => {
                let outer_scope = std::mem::take(&mut self.frame().scope);
                let plan = self.from(items);
                let scope = std::mem::replace(&mut self.frame().scope, outer_scope);
                Ok(Source::new(plan?, scope))
            }
        }
    }

    fn table(&mut self, table: &ast::TableReference, span: ast::Span) -> Result<Source> {
        let alias = table.alias.as_ref().unwrap_or(&table.name.name);
        // All rows in place of a partition's would be a wrong answer, and for a DELETE a loss.
        if let [partition, ..] = &table.partitions[..] {
            return Err(SqlError::partition_clause().at(partition.span));
        }
        if table.name.database.is_none()
            && let Some(source) = self.common_table(&table.name.name, alias)?
        {
            return Ok(source);
        }
        let as_of = match &table.as_of {
            None => self.as_of.clone(),
            Some(expr) => Some(self.revision_value(expr)?),
        };
        match self
            .names
            .relation(&table.name, as_of.as_ref(), self.database.as_deref())
            .map_err(|error| error.at(span))?
        {
            Found::Relation(relation) => self.scan(relation, &alias.text),
            Found::View(view) => {
                if std::mem::take(&mut self.changes_rows)
                    && as_of.is_none()
                    && let Some(source) = self.updatable_view(&view, &alias.text)?
                {
                    return Ok(source);
                }
                self.view(&view, &alias.text, as_of)
            }
        }
    }

    /// An expression of literals and variables, such as the argument of AS OF.
    pub(super) fn constant_value(&mut self, expr: &ast::Expr) -> Result<Value<'static>> {
        // A bare word names a branch: `AS OF main`.
        if let ast::ExprKind::Column(name) = &expr.kind
            && name.table.is_none()
            && self.local(name).is_none()
        {
            return Ok(Value::text(name.name.text.to_string()));
        }
        let bound = self.constant(expr)?;
        if bound.has_subquery() {
            return Err(SqlError::general("invalid AS OF expression type").at(expr.span));
        }
        bound.eval_constant(self.names.context()).map_err(|error| error.at(expr.span))
    }

    /// What AS OF says: a name or a moment. `TIMESTAMP('…')` is a moment though its argument is text.
    pub(super) fn revision_value(&mut self, expr: &ast::Expr) -> Result<Value<'static>> {
        let value = self.constant_value(expr)?;
        match &expr.kind {
            ast::ExprKind::Function(call) if call.name.is("timestamp") => {
                let moment = SqlType::DateTime { decimals: 6 };
                self.names.context().cast(&value, &moment).map_err(|error| error.at(expr.span))
            }
            _ => Ok(value),
        }
    }

    pub(super) fn scan(&mut self, relation: Rc<dyn Relation>, alias: &str) -> Result<Source> {
        let given = relation.columns();
        let mut scope = Scope {
            relations: Vec::with_capacity(1),
            columns: Vec::with_capacity(given.len()),
            is_of_schema: false,
            takes_first: false,
        };
        let mut columns = Vec::with_capacity(given.len());
        let mut key = Vec::new();
        self.types.reserve(given.len());
        self.origins.push((self.types.len() as ColumnId, relation.clone()));
        for (position, column) in given.iter().enumerate() {
            let id = self.column(column.ty.clone());
            columns.push((id, position));
            if column.primary {
                key.push(id);
            }
            scope.columns.push(ScopeColumn {
                shown: None,
                relation: 0,
                name: column.name.clone(),
                expr: Expr::column(id, column.ty.clone()),
                primary: column.primary,
                hidden: column.hidden,
                merged: false,
            });
        }
        let name = relation.name();
        let name = if **name == *alias { name.clone() } else { alias.into() };
        let database = relation.base().map_or(relation.database(), |base| base.known_as().0).clone();
        scope.relations.push(ScopeRelation { database, name: name.clone(), key });
        let is_virtual = |(_, position): &(ColumnId, usize)| relation.virtual_expression(*position).is_some();
        let with_virtual = columns.iter().any(is_virtual).then(|| columns.clone());
        if with_virtual.is_some() {
            columns.retain(|column| !is_virtual(column));
        }
        let base = relation.clone();
        let scan = Scan {
            relation,
            alias: name,
            columns,
            parts: Vec::new(),
            access: IndexChoice::default(),
            filter: Vec::new(),
            reverse: false,
            estimate: None,
        };
        let mut plan = Plan::Scan(Box::new(scan));
        if let Some(columns) = with_virtual {
            plan = self.virtual_columns(plan, &*base, &columns, &scope)?;
        }
        Ok(Source::new(plan, scope))
    }

    /// Computes the columns that are generated when they are read. Each may use those before it; itself and those behind it are
    /// NULL to it.
    fn virtual_columns(
        &mut self,
        plan: Plan,
        relation: &dyn Relation,
        columns: &[(ColumnId, usize)],
        scope: &Scope,
    ) -> Result<Plan> {
        let mut projected: Vec<(ColumnId, Expr)> = Vec::new();
        for (id, position) in columns {
            let ty = relation.columns()[*position].ty.clone();
            let expr = match relation.virtual_expression(*position) {
                Some(expression) => {
                    let mut expr = self.stored_expression(expression, scope.clone())?;
                    let is_virtual = |id| {
                        let generated = |at: &usize| relation.virtual_expression(*at).is_some();
                        columns.iter().any(|(known, at)| *known == id && generated(at))
                    };
                    expr.substitute(&|id| match projected.iter().find(|(known, _)| *known == id) {
                        Some((_, expr)) => Some(expr.clone()),
                        None => is_virtual(id).then(Expr::null),
                    });
                    if expr.is_higher_than(Expr::HEIGHT_MAX) {
                        return Err(SqlError::too_deep());
                    }
                    Expr { ty: ExprType { nullable: true, ..ty.clone() }, ..cast_to(expr, &ty) }
                }
                None => Expr::column(*id, ty),
            };
            projected.push((*id, expr));
        }
        Ok(plan.project(projected))
    }

    /// An expression that a schema keeps as text: defaults, generated columns, checks.
    pub(super) fn stored_expression(&mut self, text: &str, scope: Scope) -> Result<Expr> {
        let scope = Scope { is_of_schema: true, ..scope };
        let sql = format!("SELECT {text}");
        let unreadable = || SqlError::general(format!("the stored expression {text} cannot be read"));
        let Some(ast::StatementKind::Query(query)) = parse::kept(&sql, "") else {
            return Err(unreadable());
        };
        let ast::QueryBody::Select(select) = query.body else { return Err(unreadable()) };
        let [ast::SelectItem::Expr { expr, .. }] = &select.items[..] else { return Err(unreadable()) };
        let frames = std::mem::replace(&mut self.frames, vec![Frame { scope, ..Frame::default() }]);
        let hides_locals = std::mem::replace(&mut self.hides_locals, true);
        let bound = self.expr(expr);
        self.hides_locals = hides_locals;
        self.frames = frames;
        bound.map_err(SqlError::elsewhere)
    }

    /// The view is the current one also with AS OF, which says when its tables are read.
    pub(super) fn view(&mut self, view: &View, alias: &str, as_of: Option<Value<'static>>) -> Result<Source> {
        let is_this =
            |(database, name): &(Rc<str>, Rc<str>)| *database == view.database && name.eq_ignore_ascii_case(&view.name);
        if self.views.iter().any(is_this) {
            return Err(recursive_view(&view.database, &view.name));
        }
        if as_of.is_none()
            && let Some(source) = self.staged_view(view, alias)
        {
            return Ok(source);
        }
        // A view sees nothing of the enclosing statement: neither its columns nor its common tables.
        let frames = std::mem::take(&mut self.frames);
        let sql = std::mem::replace(&mut self.sql, view.sql.clone());
        let database = self.database.replace(view.database.clone());
        let as_of = std::mem::replace(&mut self.as_of, as_of);
        let hides_locals = std::mem::replace(&mut self.hides_locals, true);
        self.views.push((view.database.clone(), view.name.clone()));
        // The tables of stages are those of today.
        let may_stage = self.views.len() == VIEWS_MAX as usize && self.as_of.is_none();
        let bound = self.subquery_frame(|binder| {
            if may_stage {
                binder.stage_views(view)?;
            }
            binder.bind_query(&view.query)
        });
        if may_stage {
            self.staged_views.clear();
        }
        self.views.pop();
        self.as_of = as_of;
        self.hides_locals = hides_locals;
        self.sql = sql;
        self.database = database;
        self.frames = frames;
        let (plan, outputs, _) = bound.map_err(|error| match error.errno {
            1146 => unreadable_view(&view.database, &view.name),
            _ => error.elsewhere(),
        })?;
        let scope = derived_scope(&view.database, alias, &outputs, &view.columns)?;
        Ok(Source::new(plan, scope))
    }

    fn derived(&mut self, derived: &ast::DerivedTable, span: ast::Span) -> Result<Source> {
        let Some(alias) = &derived.alias else {
            return Err(SqlError::general("every derived table must have its own alias").at(span));
        };
        let hidden = if derived.lateral { None } else { Some(std::mem::take(&mut self.frame().scope)) };
        let bound = self.subquery_frame(|binder| binder.bind_query(&derived.query));
        if let Some(scope) = hidden {
            self.frame().scope = scope;
        }
        let (plan, outputs, outer) = bound?;
        let names: Vec<Rc<str>> = derived.columns.iter().map(|name| (*name.text).into()).collect();
        let scope = derived_scope("", &alias.text, &outputs, &names).map_err(|error| error.at(span))?;
        Ok(Source { plan, scope, outer })
    }

    /// A table of WITH, if the name is one.
    pub(super) fn common_table(&mut self, name: &ast::Ident, alias: &ast::Ident) -> Result<Option<Source>> {
        let found = self.frames.iter().enumerate().rev().find_map(|(level, frame)| {
            let at = frame.common.iter().rposition(|table| name.is(&table.name))?;
            Some((level, at))
        });
        let Some((level, at)) = found else { return Ok(None) };
        let table = self.frames[level].common[at].clone();
        match table.body {
            CommonBody::Round { id, outputs } => {
                // Each use has columns of its own.
                let fresh: Vec<Output> =
                    outputs.iter().map(|o| Output { id: self.column(o.ty.clone()), ..o.clone() }).collect();
                let scope = derived_scope("", &alias.text, &fresh, &[])?;
                let plan = Plan::RecursiveRows(id, fresh.iter().map(|output| output.id).collect());
                Ok(Some(Source::new(plan, scope)))
            }
            CommonBody::Staged(stage) => Ok(Some(self.stage_rows(&stage, &alias.text))),
            CommonBody::Query { query, columns, recursive } => {
                // It sees the tables defined before it, and the frames around its WITH, but no columns of the user's.
                let inner = self.frames.split_off(level + 1);
                let later = self.frames[level].common.split_off(at);
                let scope = std::mem::take(&mut self.frames[level].scope);
                let bound = if recursive {
                    self.recursive_query(&table.name, &query, &columns)
                } else {
                    self.subquery_frame(|binder| binder.bind_query(&query))
                };
                let frame = &mut self.frames[level];
                frame.scope = scope;
                frame.common.extend(later);
                self.frames.extend(inner);
                let (plan, outputs, _) = bound?;
                let scope = derived_scope("", &alias.text, &outputs, &columns)?;
                let cte = MaterializedCte { name: table.name.clone(), plan };
                Ok(Some(Source::new(Plan::MaterializedCte(Box::new(cte)), scope)))
            }
        }
    }

    fn join(&mut self, join_expr: &ast::Join, span: ast::Span) -> Result<Source> {
        let left = self.table_expr(&join_expr.left)?;
        if !left.outer.is_empty() {
            return Err(SqlError::unsupported("LATERAL on the left side of a join").at(span));
        }
        let around = self.frame().scope.clone();
        // The right side may be LATERAL: it sees the left side, if its rows are those of the left.
        if !matches!(join_expr.kind, ast::JoinKind::Right | ast::JoinKind::Full) {
            self.frame().scope.extend(left.scope.clone()).map_err(|error| error.at(span))?;
        }
        let right = self.table_expr(&join_expr.right);
        self.frame().scope = around.clone();
        let right = right?;
        let mut scope = left.scope;
        let split = scope.columns.len();
        scope.extend(right.scope).map_err(|error| error.at(span))?;
        let kind = match join_expr.kind {
            ast::JoinKind::Inner | ast::JoinKind::Cross | ast::JoinKind::Straight => JoinKind::Inner,
            ast::JoinKind::Left => JoinKind::Left,
            ast::JoinKind::Right => JoinKind::Right,
            ast::JoinKind::Full => JoinKind::Full,
        };
        if join_expr.natural && kind == JoinKind::Full {
            return Err(SqlError::general("unknown using join type: natural full join").at(span));
        }
        let mut on = Vec::new();
        let names: Vec<Rc<str>> = match &join_expr.constraint {
            _ if join_expr.natural => common_names(&scope, split),
            Some(ast::JoinConstraint::Using(names)) => names.iter().map(|name| (*name.text).into()).collect(),
            Some(ast::JoinConstraint::On(condition)) => {
                // It sees the two sides and nothing of the tables before them.
                self.frame().scope = scope.clone();
                let condition = self.expr(condition);
                self.frame().scope = around;
                on = condition?.into_conjuncts();
                Vec::new()
            }
            None => Vec::new(),
        };
        if !names.is_empty() {
            on = self.merge(&mut scope, split, &names, kind).map_err(|error| error.at(span))?;
        }
        let straight = join_expr.kind == ast::JoinKind::Straight;
        let mut plan = join(kind, left.plan, right.plan, on, right.outer);
        if let Plan::Join(join) = &mut plan {
            join.straight = straight;
        }
        Ok(Source::new(plan, scope))
    }

    /// `USING (names)`: equal columns of both sides become one.
    fn merge(&mut self, scope: &mut Scope, split: usize, names: &[Rc<str>], kind: JoinKind) -> Result<Vec<Expr>> {
        let (mut on, mut pairs) = (Vec::new(), Vec::new());
        for name in names {
            let position = |range: std::ops::Range<usize>| {
                let mut found = range.filter(|&i| {
                    let column = &scope.columns[i];
                    !column.merged && column.name.eq_ignore_ascii_case(name)
                });
                match (found.next(), found.next()) {
                    (Some(at), None) => Ok(at),
                    (None, _) => Err(SqlError::new(1054, format!("Unknown column '{name}' in 'from clause'"))),
                    _ => Err(SqlError::general(format!("Column '{name}' in from clause is ambiguous"))),
                }
            };
            let (left, right) = (position(0..split)?, position(split..scope.columns.len())?);
            let (l, r) = (scope.columns[left].expr.clone(), scope.columns[right].expr.clone());
            on.push(compare(CompareOp::Equal, l.clone(), r.clone()));
            let merged_column = match kind {
                JoinKind::Right => r,
                JoinKind::Full => self.call("coalesce", vec![l, r])?,
                _ => l,
            };
            pairs.push(((left, right), merged_column));
        }
        // In the order of the first table, whatever order they are listed in.
        pairs.compact_sort_by_key(|((left, right), _)| if kind == JoinKind::Right { *right } else { *left });
        scope.merge_columns(split, pairs, kind == JoinKind::Right);
        Ok(on)
    }
}

pub(super) fn join(
    kind: JoinKind,
    left: Plan,
    right: Plan,
    on: Vec<Expr>,
    outer: Vec<(OuterSlot, crate::plan::ColumnId)>,
) -> Plan {
    let strategy = if outer.is_empty() { JoinStrategy::Nested } else { JoinStrategy::Lookup { outer } };
    if matches!(left, Plan::Unit) && on.is_empty() && kind == JoinKind::Inner {
        return right;
    }
    Plan::Join(Box::new(Join { kind, left, right, on, strategy, straight: false, estimate: None }))
}

/// The error of a view over a table that there is not, or not yet.
pub fn unreadable_view(database: &str, view: &str) -> SqlError {
    SqlError::general(format!(
        "View '{database}.{view}' references invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them"
    ))
}

/// The error of a view whose query reads the view itself, mostly through another view.
fn recursive_view(database: &str, view: &str) -> SqlError {
    SqlError::new(1462, format!("`{database}`.`{view}` contains view recursion"))
}

fn common_names(scope: &Scope, split: usize) -> Vec<Rc<str>> {
    let (left, right) = scope.columns.split_at(split);
    let shown = |column: &&ScopeColumn| !column.merged && !column.hidden;
    left.iter()
        .filter(shown)
        .filter(|l| right.iter().filter(shown).any(|r| r.name.eq_ignore_ascii_case(&l.name)))
        .map(|column| column.name.clone())
        .collect()
}

fn of_column(expr: Expr) -> Expr {
    Expr { ty: expr.ty.of_column(), ..expr }
}

/// The columns of a query in FROM. Names given in parentheses replace the query's own.
pub(super) fn derived_scope(database: &str, alias: &str, outputs: &[Output], names: &[Rc<str>]) -> Result<Scope> {
    if !names.is_empty() && names.len() != outputs.len() {
        let text = "In definition of view, derived table or common table expression, SELECT list and column names list \
                    have different column counts";
        return Err(SqlError::general(text));
    }
    let columns = outputs.iter().enumerate().map(|(i, output)| ScopeColumn {
        shown: output.computed.is_some().then(|| output.ty.clone()),
        relation: 0,
        name: names.get(i).unwrap_or(&output.name).clone(),
        expr: of_column(output.expr()),
        primary: false,
        hidden: false,
        merged: false,
    });
    let columns: Vec<ScopeColumn> = columns.collect();
    let relation = ScopeRelation { database: database.into(), name: alias.into(), key: Vec::new() };
    Ok(Scope { relations: vec![relation], columns, is_of_schema: false, takes_first: false })
}
