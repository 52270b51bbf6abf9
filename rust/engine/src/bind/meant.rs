//! Suggestions ("did you mean") for unknown column names.

use parse::ast;

use super::Binder;
use super::scope::Scope;

impl Binder<'_> {
    /// The column in scope whose name is nearest to one that is in none.
    pub(super) fn column_meant(&self, name: &ast::ColumnName) -> Option<String> {
        let scopes = || self.frames.iter().map(|frame| &frame.scope);
        let tables = scopes().flat_map(|scope| scope.relations.iter().map(|relation| &*relation.name));
        let (table, as_written) = match &name.table {
            None => (None, true),
            Some(table) if self.knows_table(table) => (Some(&*table.text), true),
            Some(table) => (Some(parse::nearest_name(&table.text, tables)?), false),
        };
        let is_of = |scope: &Scope, relation: usize| {
            table.is_none_or(|table| scope.relations[relation].name.eq_ignore_ascii_case(table))
        };
        let columns = scopes().flat_map(|scope| {
            let columns = scope.columns.iter().filter(move |column| is_of(scope, column.relation));
            columns.map(|column| &*column.name)
        });
        let column = match as_written {
            true => parse::nearest_name(&name.name.text, columns)?,
            false => &name.name.text,
        };
        Some(match table {
            Some(table) => format!("did you mean {table}.{column}?"),
            None => format!("did you mean {column}?"),
        })
    }
}
