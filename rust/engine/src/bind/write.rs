//! Binding of changes: the rows that a statement finds, and the values that it assigns.

use std::rc::Rc;

use parse::ast::{self, TableExprKind};
use value::SqlType;

use super::expr::{cast_to, compare_likes, day_as_text, value_in_json};
use super::selected::given_to;
use super::{Binder, Found, Frame, Scope, ScopeColumn, ScopeRelation};
use crate::catalog::{Column, Relation};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType, SortKey};
use crate::page::ResultColumn;
use crate::plan::{ColumnId, Plan};
use crate::write::ViewCheck;

/// The name under which `VALUES(column)` finds the row that INSERT would have added.
pub(super) const INSERTED: &str = "values()";

/// The value of a column in INSERT and UPDATE.
#[derive(Debug, Clone)]
pub enum Assigned {
    /// `DEFAULT`.
    Default,
    Value(Expr),
}

impl Assigned {
    /// The same for a column of this type: DATE(…) is text in a column of text, and what is true or false by its form is so in a
    /// document, and no number, also where the value comes from a subquery or a column of `plan`.
    pub fn into_column(self, column: &SqlType, plan: &Plan) -> Assigned {
        let given = match self {
            Assigned::Value(expr) => Assigned::Value(given_to(plan, expr, column)),
            Assigned::Default => Assigned::Default,
        };
        match given {
            Assigned::Value(expr) if column.is_text() => Assigned::Value(day_as_text(expr)),
            Assigned::Value(expr) if *column != SqlType::Json => Assigned::Value(expr),
            Assigned::Value(expr) if expr.ty.sql == SqlType::BOOLEAN => {
                let nullable = expr.ty.nullable;
                Assigned::Value(cast_to(expr, &ExprType::new(SqlType::Json, nullable)))
            }
            Assigned::Value(expr) => Assigned::Value(value_in_json(expr)),
            Assigned::Default => Assigned::Default,
        }
    }
}

/// Rows of some tables that a statement is to change.
pub struct BoundRows {
    /// Gives `columns`, in that order.
    pub plan: Plan,
    pub columns: Vec<ColumnId>,
    pub targets: Vec<BoundTarget>,
    /// By position of the target, position of the column in it.
    pub assignments: Vec<(usize, usize, Assigned)>,
    /// What changed rows have to meet: WITH CHECK OPTION of a view.
    pub checks: Vec<ViewCheck>,
    /// The type of every column of the statement, by number.
    pub types: Vec<ExprType>,
}

/// A table whose rows are changed.
pub struct BoundTarget {
    pub relation: Rc<dyn Relation>,
    /// The place as the name was written: a database, maybe with a revision.
    pub database: Option<Box<str>>,
    /// Its columns, in the order of the table.
    pub columns: Vec<ColumnId>,
}

/// A table in FROM.
struct Named<'a> {
    alias: &'a ast::Ident,
    name: &'a ast::ObjectName,
}

/// What UPDATE and DELETE have in common.
pub struct RowsSyntax<'a> {
    pub with: Option<&'a ast::With>,
    pub tables: &'a [ast::TableExpr],
    pub filter: Option<&'a ast::Expr>,
    pub order_by: &'a [ast::OrderItem],
    pub limit: Option<&'a ast::Limit>,
}

impl<'a> Binder<'a> {
    /// An expression of a schema over the columns of its table, by their positions.
    pub fn of_schema(mut self, columns: &[Column], text: &str) -> Result<Expr> {
        let mut scope = Scope::default();
        add_relation(&mut scope, "", columns, 0, true);
        self.stored_expression(text, scope)
    }

    /// The values of one row of INSERT: they see no columns.
    pub fn inserted_row(&mut self, values: &[ast::Expr]) -> Result<Vec<Assigned>> {
        self.frames.push(Frame::default());
        let bound = values.iter().map(|value| self.assigned(value)).collect();
        self.frames.pop();
        bound
    }

    /// The types of columns that [`Binder::inserted_row`] may have made for subqueries.
    pub fn into_types(self) -> Vec<ExprType> {
        self.types
    }

    /// A value that is assigned to a column.
    fn assigned(&mut self, value: &ast::Expr) -> Result<Assigned> {
        match &value.kind {
            // As in the reference `DEFAULT(other)` is the default of the column that is assigned.
            ast::ExprKind::Default(_) => Ok(Assigned::Default),
            _ => Ok(Assigned::Value(self.expr(value)?)),
        }
    }

    /// What ON DUPLICATE KEY UPDATE does, over rows that have the columns of the row that is there, those of the row that was
    /// to be added, then those of the query that it comes from: the position of a column of the table and its value. `given` are the
    /// columns that the statement has values for; an alias may rename them.
    pub fn on_duplicate(
        &mut self,
        table: (&str, &[Column]),
        given: &[usize],
        alias: Option<&ast::RowAlias>,
        source: &[ResultColumn],
        assignments: &[ast::Assignment],
    ) -> Result<Vec<(usize, Assigned)>> {
        let (name, columns) = table;
        let mut scope = Scope::default();
        add_relation(&mut scope, name, columns, 0, false);
        add_relation(&mut scope, INSERTED, columns, columns.len(), true);
        if let Some(alias) = alias {
            let mut renamed = columns.to_vec();
            let first = scope.columns.len();
            if !alias.columns.is_empty() && alias.columns.len() != given.len() {
                let text = "column list and values list have different column counts";
                return Err(SqlError::general(text).at(alias.span));
            }
            let named = || given.iter().zip(&alias.columns);
            named().for_each(|(&position, name)| renamed[position].name = (*name.text).into());
            add_relation(&mut scope, &alias.name.text, &renamed, columns.len(), true);
            // Names that only the alias gives mean something by themselves.
            named().for_each(|(&position, _)| scope.columns[first + position].merged = false);
        }
        // The columns of INSERT … SELECT come behind.
        let source_relations = scope.relations.len();
        let first = columns.len() * 2;
        for (position, column) in source.iter().enumerate() {
            let known = scope.relations.iter().rposition(|relation| *relation.name == *column.table);
            let relation = known.filter(|relation| *relation >= source_relations).unwrap_or_else(|| {
                scope.relations.push(ScopeRelation {
                    database: Rc::from(""),
                    name: (*column.table).into(),
                    key: Vec::new(),
                });
                scope.relations.len() - 1
            });
            scope.columns.push(ScopeColumn {
                shown: None,
                relation,
                name: (*column.name).into(),
                expr: Expr::column((first + position) as ColumnId, ExprType::new(column.ty.clone(), true)),
                primary: false,
                hidden: false,
                merged: false,
            });
        }
        self.types.resize(first + source.len(), ExprType::null());
        self.frames.push(Frame { scope, ..Frame::default() });
        let bound = assignments.iter().map(|assignment| {
            let position = position_in(columns, &assignment.column, name)?;
            Ok((position, self.assigned(&assignment.value)?))
        });
        let bound = bound.collect();
        self.frames.pop();
        bound
    }

    /// The rows that UPDATE changes, and how.
    pub fn update(mut self, syntax: &RowsSyntax<'_>, assignments: &[ast::Assignment]) -> Result<BoundRows> {
        self.frames.push(Frame::default());
        let (plan, names) = self.rows(syntax)?;
        let mut targets: Vec<(usize, BoundTarget)> = Vec::new();
        let mut bound = Vec::new();
        for assignment in assignments {
            let (relation, name) = self.assigned_column(&assignment.column)?;
            let known = targets.iter().position(|(known, _)| *known == relation);
            let target = match known {
                Some(target) => target,
                None => {
                    targets.push((relation, self.target(relation, &names, "UPDATE")?));
                    targets.len() - 1
                }
            };
            let columns = targets[target].1.relation.columns();
            let column = match &self.changed_view {
                Some(view) => {
                    view.columns.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).map(|(_, at)| *at)
                }
                None => columns.iter().position(|column| column.name.eq_ignore_ascii_case(&name)),
            };
            let column = column.ok_or_else(|| SqlError::internal("a column that is in scope is not in its table"))?;
            let to = columns[column].ty.sql.clone();
            bound.push((target, column, self.assigned(&assignment.value)?.into_column(&to, &plan)));
        }
        self.finish_rows(plan, syntax, targets.into_iter().map(|(_, target)| target).collect(), bound)
    }

    /// The rows that DELETE takes away.
    pub fn delete(mut self, syntax: &RowsSyntax<'_>, wanted: &[ast::ObjectName]) -> Result<BoundRows> {
        self.frames.push(Frame::default());
        let (plan, names) = self.rows(syntax)?;
        let mut targets = Vec::new();
        if wanted.is_empty() {
            targets.push(self.target(0, &names, "DELETE")?);
        }
        for name in wanted {
            let relations = &self.frames[self.frames.len() - 1].scope.relations;
            let relation = relations.iter().position(|known| {
                name.name.is(&known.name) && name.database.as_ref().is_none_or(|database| database.is(&known.database))
            });
            let relation = relation.ok_or_else(|| SqlError::table_not_found(&name.name.text).at(name.span))?;
            targets.push(self.target(relation, &names, "DELETE")?);
        }
        self.finish_rows(plan, syntax, targets, Vec::new())
    }

    /// FROM and WHERE.
    fn rows<'s>(&mut self, syntax: &RowsSyntax<'s>) -> Result<(Plan, Vec<Named<'s>>)> {
        if let Some(with) = syntax.with {
            self.with(with, false)?;
        }
        self.changes_rows = matches!(syntax.tables, [ast::TableExpr { kind: ast::TableExprKind::Table(_), .. }]);
        let plan = self.from(syntax.tables);
        self.changes_rows = false;
        let plan = plan?;
        let mut names = Vec::new();
        syntax.tables.iter().for_each(|table| named(table, &mut names));
        let predicate = match syntax.filter {
            Some(filter) => {
                let mut filter = self.expr(filter)?;
                compare_likes(&mut filter);
                filter.into_conjuncts()
            }
            None => Vec::new(),
        };
        Ok((plan.filter(predicate), names))
    }

    /// The table behind a relation of the scope.
    fn target(&mut self, relation: usize, names: &[Named<'_>], statement: &str) -> Result<BoundTarget> {
        let scope = &self.frames[self.frames.len() - 1].scope;
        let known = &scope.relations[relation];
        let not_updatable = || {
            let text = format!("The target table {} of the statement is not updatable", known.name);
            SqlError::general(text)
        };
        let named = names.iter().find(|named| named.alias.is(&known.name)).ok_or_else(not_updatable)?;
        let columns: Option<Vec<ColumnId>> =
            scope.columns.iter().filter(|column| column.relation == relation).map(|c| c.expr.as_column()).collect();
        let found = match self.names.relation(named.name, None, None)? {
            Found::Relation(found) if found.base().is_some() || vcs::is_system_table(found.name()) => found,
            Found::View(view) => match &self.changed_view {
                Some(updatable) => updatable.table.clone(),
                None => return Err(view.not_updatable(statement, false)),
            },
            Found::Relation(_) => return Err(not_updatable()),
        };
        let columns = columns.filter(|columns| columns.len() == found.columns().len()).ok_or_else(not_updatable)?;
        let database = named.name.database.as_ref().map(|database| database.text.clone());
        Ok(BoundTarget { relation: found, database, columns })
    }

    /// The relation of the scope and the column that an assignment names.
    fn assigned_column(&mut self, name: &ast::ColumnName) -> Result<(usize, Rc<str>)> {
        let scope = &self.frames[self.frames.len() - 1].scope;
        match scope.find(name)? {
            Some(column) if !scope.relations[column.relation].name.is_empty() => {
                Ok((column.relation, column.name.clone()))
            }
            _ => match self.column_name(name) {
                Err(error) => Err(error),
                Ok(_) => Err(SqlError::general(format!("column {} cannot be assigned", name.name.text)).at(name.span)),
            },
        }
    }

    /// ORDER BY and LIMIT, and a projection on what the statement needs.
    fn finish_rows(
        mut self,
        mut plan: Plan,
        syntax: &RowsSyntax<'_>,
        targets: Vec<BoundTarget>,
        mut assignments: Vec<(usize, usize, Assigned)>,
    ) -> Result<BoundRows> {
        let mut keys = Vec::new();
        for item in syntax.order_by {
            let is_place = matches!(item.expr.kind, ast::ExprKind::Literal(ast::Literal::Integer(_)));
            if is_place && !assignments.is_empty() {
                return Err(SqlError::general("invalid order by ordinal context").at(item.expr.span));
            }
            keys.push(SortKey { expr: self.expr(&item.expr)?, descending: item.is_descending() });
        }
        if !keys.is_empty() {
            plan = Plan::Sort(Box::new(plan), keys);
        }
        if let Some(limit) = syntax.limit {
            plan = self.limited(plan, limit, false)?;
        }
        let mut columns: Vec<ColumnId> = targets.iter().flat_map(|target| target.columns.iter().copied()).collect();
        let mut projected: Vec<(ColumnId, Expr)> =
            columns.iter().map(|id| (*id, Expr::column(*id, self.types[*id as usize].clone()))).collect();
        for (_, _, assigned) in &mut assignments {
            let Assigned::Value(expr) = assigned else { continue };
            // Subqueries are computed with the rows; all else sees what assignments before it have made of the row.
            if expr.any(&|expr| matches!(expr.kind, ExprKind::Subquery(_))) {
                let id = self.column(expr.ty.clone());
                let computed = std::mem::replace(expr, Expr::column(id, expr.ty.clone()));
                columns.push(id);
                projected.push((id, computed));
                continue;
            }
            for id in expr.columns().iter() {
                if !columns.contains(&id) {
                    columns.push(id);
                    projected.push((id, Expr::column(id, self.types[id as usize].clone())));
                }
            }
        }
        let plan = plan.project(projected);
        Ok(BoundRows { plan, columns, targets, assignments, checks: self.view_checks, types: self.types })
    }
}

/// The tables in FROM by name.
fn named<'a>(table: &'a ast::TableExpr, into: &mut Vec<Named<'a>>) {
    match &table.kind {
        TableExprKind::Table(table) => {
            into.push(Named { alias: table.alias.as_ref().unwrap_or(&table.name.name), name: &table.name });
        }
        TableExprKind::Join(join) => {
            named(&join.left, into);
            named(&join.right, into);
        }
        TableExprKind::List(items) => items.iter().for_each(|item| named(item, into)),
        TableExprKind::Derived(_) | TableExprKind::Function(_) | TableExprKind::JsonTable(_) => {}
    }
}

/// Columns as positions, beginning at `first`.
fn add_relation(scope: &mut Scope, name: &str, columns: &[Column], first: usize, is_unqualified: bool) {
    let relation = scope.relations.len();
    scope.relations.push(ScopeRelation { database: Rc::from(""), name: name.into(), key: Vec::new() });
    for (position, column) in columns.iter().enumerate() {
        scope.columns.push(ScopeColumn {
            shown: None,
            relation,
            name: column.name.clone(),
            expr: Expr::column((first + position) as ColumnId, column.ty.clone()),
            primary: false,
            hidden: false,
            merged: first > 0 && is_unqualified,
        });
    }
}

/// The position of a column that an assignment of INSERT names.
fn position_in(columns: &[Column], name: &ast::ColumnName, table: &str) -> Result<usize> {
    let is_other = name.table.as_ref().is_some_and(|written| !written.is(table));
    let position = columns.iter().position(|column| name.name.is(&column.name));
    position
        .filter(|_| !is_other)
        .ok_or_else(|| SqlError::column_not_found(&name.name.text).at(name.span))
        .map_err(|error| error.with_hint(crate::hint::column(&name.name.text, columns)))
}

impl Binder<'_> {
    /// `VALUES(column)`: what INSERT would have put there.
    pub(super) fn inserted_column(&mut self, name: &ast::ColumnName) -> Result<Expr> {
        let of_row = |column: &&ScopeColumn, scope: &Scope| {
            &*scope.relations[column.relation].name == INSERTED && name.name.is(&column.name)
        };
        for level in (0..self.frames.len()).rev() {
            let scope = &self.frames[level].scope;
            if let Some(column) = scope.columns.iter().find(|column| of_row(column, scope)) {
                let expr = column.expr.clone();
                return Ok(self.seen_from_inside(level, expr));
            }
        }
        // Outside of ON DUPLICATE KEY UPDATE there is no such row.
        Ok(Expr::null())
    }
}
