//! Updatable views: each row is one row of a table, and each column a column of it.

use std::rc::Rc;

use parse::ast::{self, ObjectName, QueryBody, SelectItem, TableExprKind};

use super::{Column, Found, Relation, View};
use crate::error::{Result, SqlError};

/// Views over views are followed so deep.
const VIEWS_MAX: usize = 32;

/// What rows of a view are rows of.
pub struct Updatable {
    pub table: Rc<dyn Relation>,
    /// The columns of the view: their names, and where they are in the table.
    pub columns: Vec<(Rc<str>, usize)>,
    /// What rows of the table meet that are the view's, of the innermost view first.
    pub conditions: Vec<ViewCondition>,
}

/// WHERE of a view.
pub struct ViewCondition {
    pub view: View,
    /// What the view's query calls that which it reads, and its columns by their places in the table.
    pub alias: Rc<str>,
    pub columns: Vec<(Rc<str>, usize)>,
    /// Rows that are put in have to meet it: WITH CHECK OPTION.
    pub is_checked: bool,
}

impl Updatable {
    /// The columns of the table as the view calls them; those that it does not show are hidden.
    pub fn named_columns(&self) -> Vec<Column> {
        let columns = self.table.columns().iter().enumerate();
        let named = columns.map(|(position, column)| match self.columns.iter().find(|(_, at)| *at == position) {
            Some((name, _)) => Column { name: name.clone(), hidden: false, ..column.clone() },
            None => Column { name: "".into(), hidden: true, ..column.clone() },
        });
        named.collect()
    }
}

/// A query over one table or view, without groups and the like.
struct Plain<'v> {
    table: &'v ObjectName,
    alias: &'v ast::Ident,
    items: &'v [SelectItem],
}

impl View {
    /// WHERE of the view's query.
    pub fn filter(&self) -> Option<&ast::Expr> {
        match &self.query.body {
            QueryBody::Select(select) => select.filter.as_ref(),
            _ => None,
        }
    }

    /// `None` for a view whose rows are made of others, or that computes columns.
    ///
    /// @param find what a name means in a view of a database
    pub fn updatable(&self, find: &dyn Fn(&ObjectName, &str) -> Result<Found>) -> Result<Option<Updatable>> {
        self.updatable_within(find, VIEWS_MAX, false)
    }

    fn updatable_within(
        &self,
        find: &dyn Fn(&ObjectName, &str) -> Result<Found>,
        levels: usize,
        is_cascaded: bool,
    ) -> Result<Option<Updatable>> {
        let Some(plain) = self.plain() else { return Ok(None) };
        let is_cascaded = is_cascaded || self.check_option == Some(ast::CheckOption::Cascaded);
        let inner = match find(plain.table, &self.database)? {
            Found::Relation(table) if table.base().is_some() && !vcs::is_system_table(table.name()) => {
                let columns = table.columns().iter().enumerate().filter(|(_, column)| !column.hidden);
                let columns = columns.map(|(position, column)| (column.name.clone(), position)).collect();
                Some(Updatable { table, columns, conditions: Vec::new() })
            }
            Found::View(view) if levels > 0 => view.updatable_within(find, levels - 1, is_cascaded)?,
            _ => None,
        };
        let Some(Updatable { table, columns: read, mut conditions }) = inner else { return Ok(None) };
        let Some(columns) = self.shown(plain.items, &read) else { return Ok(None) };
        if self.filter().is_some() {
            let alias = (*plain.alias.text).into();
            let is_checked = is_cascaded || self.check_option.is_some();
            conditions.push(ViewCondition { view: self.clone(), alias, columns: read, is_checked });
        }
        Ok(Some(Updatable { table, columns, conditions }))
    }

    /// Why nothing can be put into the view, or be changed or taken away there.
    pub fn not_updatable(&self, statement: &str, has_columns: bool) -> SqlError {
        let name = format!("'{}.{}'", self.database, self.name);
        match statement {
            "INSERT" if self.is_join() && !has_columns => {
                SqlError::new(1394, format!("Can not insert into join view {name} without fields list"))
            }
            "DELETE" if self.is_join() => SqlError::new(1395, format!("Can not delete from join view {name}")),
            "INSERT" => {
                SqlError::new(1471, format!("The target table {} of the INSERT is not insertable-into", self.name))
            }
            _ => SqlError::new(1288, format!("The target table {} of the {statement} is not updatable", self.name)),
        }
        .with_hint(Some(
            "change its tables: a view can be changed whose rows and columns are those of one table".into(),
        ))
    }

    fn is_join(&self) -> bool {
        matches!(&self.query.body, QueryBody::Select(select) if select.from.len() > 1
            || matches!(select.from[..], [ast::TableExpr { kind: TableExprKind::Join(_) | TableExprKind::List(_), .. }]))
    }

    fn plain(&self) -> Option<Plain<'_>> {
        let ast::Query { with: None, body: QueryBody::Select(select), limit: None, into: None, .. } = &*self.query
        else {
            return None;
        };
        let is_plain = !select.options.distinct
            && select.group_by.is_none()
            && select.having.is_none()
            && select.windows.is_empty();
        let [ast::TableExpr { kind: TableExprKind::Table(table), .. }] = &select.from[..] else { return None };
        let is_elsewhere = table.name.database.as_ref().is_some_and(|database| !database.is(&self.database));
        if !is_plain || is_elsewhere || table.as_of.is_some() || !table.partitions.is_empty() {
            return None;
        }
        let alias = table.alias.as_ref().unwrap_or(&table.name.name);
        Some(Plain { table: &table.name, alias, items: &select.items })
    }

    /// The columns of the view among those that it reads; `None` where one is computed, or there twice.
    fn shown(&self, items: &[SelectItem], read: &[(Rc<str>, usize)]) -> Option<Vec<(Rc<str>, usize)>> {
        let mut shown: Vec<(Rc<str>, usize)> = Vec::new();
        for item in items {
            match item {
                SelectItem::Star { .. } => shown.extend(read.iter().cloned()),
                SelectItem::Expr { expr: ast::Expr { kind: ast::ExprKind::Column(column), .. }, alias, .. } => {
                    let (name, position) = read.iter().find(|(name, _)| column.name.is(name))?;
                    let name = alias.as_ref().map_or_else(|| name.clone(), |alias| (*alias.text).into());
                    shown.push((name, *position));
                }
                _ => return None,
            }
        }
        if !self.columns.is_empty() {
            if self.columns.len() != shown.len() {
                return None;
            }
            shown.iter_mut().zip(&self.columns).for_each(|((name, _), given)| *name = given.clone());
        }
        let is_once = |(at, (_, position)): (usize, &(Rc<str>, usize))| {
            shown.iter().skip(at + 1).all(|(_, other)| other != position)
        };
        shown.iter().enumerate().all(is_once).then_some(shown)
    }
}
