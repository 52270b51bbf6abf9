//! Assignments as expressions over the rows that a statement finds.

use crate::bind::Assigned;
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind};
use crate::plan::ColumnId;

/// Assignments to the columns of the first target, as expressions over rows of these columns.
pub fn placed(columns: &[ColumnId], assignments: Vec<(usize, usize, Assigned)>) -> Result<Vec<(usize, Expr)>> {
    let placed = assignments.into_iter().map(|(_, column, assigned)| {
        let mut value = value_of(assigned);
        place_columns(columns, &mut value)?;
        Ok((column, value))
    });
    placed.collect()
}

/// Makes an expression read rows of these columns.
pub fn place_columns(columns: &[ColumnId], expr: &mut Expr) -> Result<()> {
    let mut missing = false;
    expr.rewrite(&mut |expr| {
        if let ExprKind::Column(id) = &mut expr.kind {
            match columns.iter().position(|known| known == id) {
                Some(position) => *id = position as u32,
                None => missing = true,
            }
        }
    });
    match missing {
        true => Err(SqlError::internal("an assignment reads a column that its rows do not have")),
        false => Ok(()),
    }
}

/// An assignment's value; DEFAULT is NULL here.
fn value_of(assigned: Assigned) -> Expr {
    match assigned {
        Assigned::Value(value) => value,
        Assigned::Default => Expr::null(),
    }
}
