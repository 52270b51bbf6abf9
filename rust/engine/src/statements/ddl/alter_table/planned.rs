//! Planned columns: those that native Dolt expects a table to have before it runs the actions of one ALTER TABLE.
//!
//! An action that writes the rows anew gives the table its columns as they were planned, not as earlier actions left them. The plan
//! forgets FIRST, where MODIFY moves a column to, and, where a column is dropped, which collation is the table's; schemas, and so
//! hashes of commits, follow.

use codec::CompactSort;
use parse::ast::{ColumnDefinition, ColumnPosition};
use value::{Collation, SqlType};

use super::super::column::NewColumn;
use super::Change;
use crate::error::Result;

pub struct Planned {
    /// Names in lower case.
    order: Vec<String>,
    /// Of columns that are new or changed.
    types: Vec<PlannedType>,
}

struct PlannedType {
    /// In lower case.
    name: String,
    of_table: SqlType,
    of_server: SqlType,
}

/// Where a text has its collation from, if nothing is said.
#[derive(Clone, Copy, PartialEq)]
pub enum CollationOf {
    Table,
    Server,
}

impl Planned {
    pub fn new(order: Vec<String>) -> Planned {
        Planned { order, types: Vec::new() }
    }

    fn place(&self, name: &str) -> Option<usize> {
        let folded = name.to_lowercase();
        self.order.iter().position(|known| *known == folded)
    }

    pub fn add(
        &mut self,
        column: &ColumnDefinition,
        position: Option<&ColumnPosition>,
        of_table: Collation,
    ) -> Result<()> {
        let after = match position {
            Some(ColumnPosition::After(name)) => self.place(&name.text).map(|at| at + 1),
            Some(ColumnPosition::First) | None => None,
        };
        let name = column.name.text.to_lowercase();
        self.order.insert(after.unwrap_or(self.order.len()), name);
        self.set_type(column, of_table)
    }

    pub fn change(&mut self, name: &str, column: &ColumnDefinition, of_table: Collation) -> Result<()> {
        self.rename(name, &column.name.text);
        self.set_type(column, of_table)
    }

    fn set_type(&mut self, column: &ColumnDefinition, of_table: Collation) -> Result<()> {
        let name = column.name.text.to_lowercase();
        let of_table = NewColumn::read(column, of_table)?.column.sql_type;
        let of_server = NewColumn::read(column, Collation::UTF8MB4_0900_BIN)?.column.sql_type;
        self.types.retain(|known| known.name != name);
        self.types.push(PlannedType { name, of_table, of_server });
        Ok(())
    }

    pub fn rename(&mut self, from: &str, to: &str) {
        let folded = from.to_lowercase();
        let types = self.types.iter_mut().map(|planned| &mut planned.name);
        for name in self.order.iter_mut().chain(types).filter(|name| **name == folded) {
            *name = to.to_lowercase();
        }
    }

    pub fn remove(&mut self, name: &str) {
        let folded = name.to_lowercase();
        self.order.retain(|known| *known != folded);
        self.types.retain(|known| known.name != folded);
    }
}

impl Change<'_> {
    /// Gives the columns their planned types.
    pub(super) fn take_planned_types(&mut self, collation: CollationOf) {
        for planned in &self.planned.types {
            let ty = if collation == CollationOf::Table { &planned.of_table } else { &planned.of_server };
            let column = self.schema.column(&planned.name).map(|at| &mut self.schema.columns[at]);
            if let Some(column) = column.filter(|column| column.sql_type != *ty) {
                column.type_text = ty.to_string().into();
                column.sql_type = ty.clone();
            }
        }
    }

    /// Gives the columns their planned order.
    pub(super) async fn take_planned_order(&mut self) -> Result<()> {
        let columns = &self.schema.columns;
        let mut order: Vec<usize> = (0..columns.len()).collect();
        // Columns that no plan knows stay behind the others.
        order.compact_sort_by_key(|at| self.planned.place(&columns[*at].name).unwrap_or(usize::MAX));
        if order.is_sorted() {
            return Ok(());
        }
        self.schema.columns = order.iter().map(|at| columns[*at].clone()).collect();
        self.rewrite(|row, _| Ok(order.iter().map(|at| row[*at].clone()).collect())).await?;
        self.reload();
        Ok(())
    }
}
