//! Updatable views in changes: the table below a view, the mapping of its columns, and WITH CHECK OPTION.

use std::rc::Rc;

use super::from::Source;
use super::{Binder, Frame, Scope, View};
use crate::catalog::{Updatable, ViewCondition};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind};
use crate::write::ViewCheck;

impl Binder<'_> {
    /// What the rows of a view are, where they can be changed.
    fn updatable(&self, view: &View) -> Result<Option<Updatable>> {
        view.updatable(&|name, database| self.names.relation(name, None, Some(database)))
    }

    /// A view as the rows of its table, of which the other columns have no names here.
    pub(super) fn updatable_view(&mut self, view: &View, alias: &str) -> Result<Option<Source>> {
        let Some(updatable) = self.updatable(view)? else { return Ok(None) };
        let mut source = self.scan(updatable.table.clone(), alias)?;
        for condition in &updatable.conditions {
            let bound = self.condition(condition, &source.scope)?;
            if condition.is_checked {
                self.view_checks.push(view_check(view, &bound, &source.scope)?);
            }
            source.plan = source.plan.filter(bound.into_conjuncts());
        }
        name_columns(&mut source.scope, &updatable.columns);
        self.changed_view = Some(updatable);
        Ok(Some(source))
    }

    /// What rows have to meet that are put into a view.
    pub fn view_checks(mut self, view: &View, updatable: &Updatable) -> Result<Vec<ViewCheck>> {
        let scope = self.scan(updatable.table.clone(), "")?.scope;
        let checked = updatable.conditions.iter().filter(|condition| condition.is_checked);
        checked.map(|condition| view_check(view, &self.condition(condition, &scope)?, &scope)).collect()
    }

    /// WHERE of a view, over the columns of its table.
    fn condition(&mut self, condition: &ViewCondition, table: &Scope) -> Result<Expr> {
        let Some(filter) = condition.view.filter() else {
            return Err(SqlError::internal("a view without a condition"));
        };
        let mut scope = table.clone();
        scope.relations[0].name = condition.alias.clone();
        name_columns(&mut scope, &condition.columns);
        let frames = std::mem::replace(&mut self.frames, vec![Frame { scope, ..Frame::default() }]);
        let sql = std::mem::replace(&mut self.sql, condition.view.sql.clone());
        let database = self.database.replace(condition.view.database.clone());
        let hides_locals = std::mem::replace(&mut self.hides_locals, true);
        let bound = self.expr(filter);
        self.hides_locals = hides_locals;
        self.database = database;
        self.sql = sql;
        self.frames = frames;
        bound.map_err(SqlError::elsewhere)
    }
}

/// Gives the columns of a table the names that they have in a view; the others have none.
fn name_columns(scope: &mut Scope, columns: &[(Rc<str>, usize)]) {
    for (position, column) in scope.columns.iter_mut().enumerate() {
        match columns.iter().find(|(_, at)| *at == position) {
            Some((name, _)) => column.name = name.clone(),
            None => {
                column.name = "".into();
                column.hidden = true;
            }
        }
    }
}

/// A condition over the columns of a table as one over its rows.
fn view_check(view: &View, condition: &Expr, table: &Scope) -> Result<ViewCheck> {
    if condition.has_subquery() {
        return Err(SqlError::unsupported("a change through a view WITH CHECK OPTION whose condition has a subquery"));
    }
    let ids: Vec<_> = table.columns.iter().map(|column| column.expr.as_column()).collect();
    let mut condition = condition.clone();
    condition.rewrite(&mut |part| {
        if let ExprKind::Column(id) = &mut part.kind
            && let Some(position) = ids.iter().position(|known| *known == Some(*id))
        {
            *id = position as u32;
        }
    });
    Ok(ViewCheck { view: format!("{}.{}", view.database, view.name).into(), condition })
}
