//! Views whose rows can be changed: those over one table that show columns of it under their own names.

use parse::ast::{self, ObjectName, QueryBody, SelectItem, TableExprKind};

use super::View;

/// What rows of a view are rows of.
pub struct Updatable<'v> {
    pub table: &'v ObjectName,
    /// As the view's query calls the table.
    pub alias: &'v ast::Ident,
    /// The columns that it shows; `None` for all.
    columns: Option<Vec<&'v ast::Ident>>,
    /// Rows of the table that do not meet this are none of the view's.
    pub filter: Option<&'v ast::Expr>,
}

impl View {
    /// `None` for a view whose rows are made of others, and for one that renames columns: MySQL changes some of those.
    pub fn updatable(&self) -> Option<Updatable<'_>> {
        let ast::Query { with: None, body: QueryBody::Select(select), limit: None, into: None, .. } = &*self.query
        else {
            return None;
        };
        let is_plain = !select.options.distinct
            && select.group_by.is_none()
            && select.having.is_none()
            && select.windows.is_empty()
            && self.columns.is_empty();
        let [ast::TableExpr { kind: TableExprKind::Table(table), .. }] = &select.from[..] else { return None };
        let is_elsewhere = table.name.database.as_ref().is_some_and(|database| !database.is(&self.database));
        if !is_plain || is_elsewhere || table.as_of.is_some() || !table.partitions.is_empty() {
            return None;
        }
        let alias = table.alias.as_ref().unwrap_or(&table.name.name);
        let columns = match &select.items[..] {
            [SelectItem::Star { .. }] => None,
            items => Some(items.iter().map(shown_column).collect::<Option<_>>()?),
        };
        Some(Updatable { table: &table.name, alias, columns, filter: select.filter.as_ref() })
    }
}

impl<'v> Updatable<'v> {
    /// The columns of the view, in its order; `None` for those of the table.
    pub fn order(&self) -> Option<&[&'v ast::Ident]> {
        self.columns.as_deref()
    }

    /// Whether a column of the table is one of the view.
    pub fn shows(&self, column: &str) -> bool {
        self.columns.as_ref().is_none_or(|shown| shown.iter().any(|name| name.is(column)))
    }
}

/// The column that an item shows under its own name.
fn shown_column(item: &SelectItem) -> Option<&ast::Ident> {
    match item {
        SelectItem::Expr { expr: ast::Expr { kind: ast::ExprKind::Column(column), .. }, alias, .. } => {
            let keeps_name = alias.as_ref().is_none_or(|alias| alias.is(&column.name.text));
            keeps_name.then_some(&column.name)
        }
        _ => None,
    }
}
