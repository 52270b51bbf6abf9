//! Scope: the columns that a name may refer to.

use std::rc::Rc;

use parse::ast;

use super::Output;
use crate::catalog::column_notes::HIDDEN_PREFIX;
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprType};
use crate::plan::ColumnId;

/// The columns that FROM brings, in the order of `*`.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub relations: Vec<ScopeRelation>,
    pub columns: Vec<ScopeColumn>,
    /// Of an expression that the schema of one table keeps: it may name the table as it was called then.
    pub is_of_schema: bool,
    /// In GROUP BY, and in ORDER BY of groups, a name without table is the first column of that name.
    pub takes_first: bool,
}

#[derive(Debug, Clone)]
pub struct ScopeRelation {
    /// Empty for derived tables.
    pub database: Rc<str>,
    /// Alias, else name.
    pub name: Rc<str>,
    /// Columns that tell its rows apart, for functional dependence.
    pub key: Vec<ColumnId>,
}

#[derive(Debug, Clone)]
pub struct ScopeColumn {
    /// Position in [`Scope::relations`].
    pub relation: usize,
    pub name: Rc<str>,
    pub expr: Expr,
    /// As what it is shown, if that is another type.
    pub shown: Option<ExprType>,
    pub primary: bool,
    /// Left out of `*`.
    pub hidden: bool,
    /// Merged away by USING or NATURAL: only reachable as `table.column`.
    pub merged: bool,
}

impl Scope {
    /// Adds the columns of another FROM item behind these.
    pub fn extend(&mut self, other: Scope) -> Result<()> {
        if self.relations.is_empty() {
            *self = other;
            return Ok(());
        }
        for relation in &other.relations {
            // A derived table is in no database, and shares its names with all of them.
            let twice = |known: &&ScopeRelation| {
                let databases = [&known.database, &relation.database];
                known.name.eq_ignore_ascii_case(&relation.name)
                    && (databases[0] == databases[1] || databases.iter().any(|name| name.is_empty()))
            };
            if !relation.name.is_empty() && self.relations.iter().find(twice).is_some() {
                return Err(SqlError::general(format!("Not unique table/alias: {}", relation.name)));
            }
        }
        let shift = self.relations.len();
        self.relations.extend(other.relations);
        self.columns.extend(other.columns.into_iter().map(|c| ScopeColumn { relation: c.relation + shift, ..c }));
        Ok(())
    }

    fn is_of(&self, column: &ScopeColumn, database: Option<&ast::Ident>, table: &ast::Ident) -> bool {
        let relation = &self.relations[column.relation];
        if self.is_of_schema {
            return true;
        }
        table.is(&relation.name) && database.is_none_or(|database| database.is(&relation.database))
    }

    /// The column that a name means; `None` when there is none here.
    pub fn find(&self, name: &ast::ColumnName) -> Result<Option<&ScopeColumn>> {
        let mut candidates = self.columns.iter().filter(|column| {
            name.name.is(&column.name)
                && !is_behind_index(column)
                && match &name.table {
                    Some(table) => self.is_of(column, name.database.as_ref(), table),
                    None => !column.merged,
                }
        });
        let Some(first) = candidates.next() else { return Ok(None) };
        let Some(second) = candidates.next().filter(|_| !self.takes_first) else { return Ok(Some(first)) };
        // A table that is computed has columns beside those of the user's table, which may have their names: it means its own.
        if first.relation == second.relation && !self.relations[first.relation].database.is_empty() {
            let mut last = second;
            if candidates.all(|other| {
                last = other;
                other.relation == first.relation
            }) {
                return Ok(Some(last));
            }
        }
        let table = |column: &ScopeColumn| self.relations[column.relation].name.clone();
        let text = format!(
            "ambiguous column name \"{}\", it's present in all these tables: [{} {}]",
            name.name.text,
            table(second),
            table(first)
        );
        Err(SqlError::general(text).at(name.span))
    }

    /// The columns of `*` or `table.*`.
    pub fn star(&self, database: Option<&ast::Ident>, table: Option<&ast::Ident>) -> Result<Vec<&ScopeColumn>> {
        let columns: Vec<_> = self
            .columns
            .iter()
            .filter(|column| match table {
                Some(table) => self.is_of(column, database, table) && !column.hidden,
                None => !column.merged && !column.hidden,
            })
            .collect();
        if let (Some(table), true) = (table, columns.is_empty()) {
            return Err(SqlError::table_not_found(&table.text).at(table.span));
        }
        Ok(columns)
    }

    /// A column of the result that is a column of these, under a name of its own.
    pub(super) fn output(&self, column: &ScopeColumn, id: ColumnId, name: &str) -> Output {
        let ScopeRelation { database, name: table, .. } = &self.relations[column.relation];
        let original = column.name.clone();
        Output {
            id,
            name: if *original == *name { original.clone() } else { name.into() },
            ty: column.shown.as_ref().unwrap_or(&column.expr.ty).clone(),
            computed: column.shown.is_some().then(|| column.expr.ty.clone()),
            primary: column.primary,
            database: database.clone(),
            table: table.clone(),
            original,
        }
    }

    /// Adds select aliases as columns; a column of FROM with the same name wins.
    pub fn add_aliases(&mut self, aliases: &[(Rc<str>, Expr)]) {
        let relation = self.relations.len();
        for (name, expr) in aliases {
            if !self.columns.iter().any(|column| !column.merged && column.name.eq_ignore_ascii_case(name)) {
                self.columns.push(ScopeColumn {
                    relation,
                    name: name.clone(),
                    expr: expr.clone(),
                    shown: None,
                    primary: false,
                    hidden: true,
                    merged: false,
                });
            }
        }
        let empty = || Rc::from("");
        self.relations.push(ScopeRelation { database: empty(), name: empty(), key: Vec::new() });
    }

    /// Merges columns of the same name from two sides of a join, the second of which begins at `split`: the kept one moves to the
    /// front of `*`, where the side that is kept comes first.
    pub fn merge_columns(&mut self, split: usize, pairs: Vec<((usize, usize), Expr)>, keep_right: bool) {
        let mut front = Vec::new();
        for ((left, right), expr) in pairs {
            let (kept, gone) = if keep_right { (right, left) } else { (left, right) };
            let mut column = self.columns[kept].clone();
            column.expr = expr;
            front.push(column);
            self.columns[gone].merged = true;
            // The kept side stays reachable by its own table name, without being shown twice.
            self.columns[kept].merged = true;
        }
        // A qualified name must find one column only: the merged one answers unqualified names alone.
        for column in &mut front {
            column.relation = self.relations.len();
        }
        if !front.is_empty() {
            self.relations.push(ScopeRelation { database: Rc::from(""), name: Rc::from(""), key: Vec::new() });
        }
        if keep_right {
            self.columns.rotate_left(split);
        }
        front.append(&mut self.columns);
        self.columns = front;
    }
}

/// Columns behind expressions in indexes have no name in statements.
fn is_behind_index(column: &ScopeColumn) -> bool {
    column.hidden && column.name.starts_with(HIDDEN_PREFIX)
}
