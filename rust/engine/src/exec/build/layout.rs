//! Layout: maps column numbers to positions in rows.

use std::rc::Rc;

use hashbrown::HashMap;

use crate::error::{Result, SqlError};
use crate::exec::sort::order_by::Key;
use crate::expr::{Comparison, Expr, ExprKind, SortKey};
use crate::plan::{ColumnId, OuterSlot, Plan, columns_of};

/// The position of each column in the rows of an operator.
pub struct Layout(HashMap<ColumnId, u32>);

impl Layout {
    pub fn of(plan: &Plan) -> Layout {
        Layout::new(columns_of(plan))
    }

    pub fn new(columns: impl IntoIterator<Item = ColumnId>) -> Layout {
        Layout(columns.into_iter().zip(0..).collect())
    }

    pub fn position(&self, id: ColumnId) -> Result<u32> {
        self.0.get(&id).copied().ok_or_else(|| SqlError::internal(format!("column {id} is not in the input")))
    }

    /// The expression over positions instead of column numbers; what it compares by must be at hand.
    pub fn place(&self, expr: &Expr) -> Result<Expr> {
        let mut placed = expr.clone();
        let mut missing = Ok(());
        placed.rewrite(&mut |expr| {
            let found = match &mut expr.kind {
                ExprKind::Column(id) => self.position(*id).map(|position| *id = position),
                _ => expr.comparison().map_or(Ok(()), Comparison::ready),
            };
            if missing.is_ok() {
                missing = found;
            }
        });
        missing.map(|()| placed)
    }

    pub fn place_all<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Result<Rc<[Expr]>> {
        exprs.into_iter().map(|expr| self.place(expr)).collect()
    }

    pub fn keys(&self, keys: &[SortKey]) -> Result<Rc<[Key]>> {
        let placed = |key: &SortKey| {
            let key = Key::of(&SortKey { expr: self.place(&key.expr)?, descending: key.descending });
            key.comparison.ready()?;
            Ok(key)
        };
        keys.iter().map(placed).collect()
    }

    pub fn outer(&self, outer: &[(OuterSlot, ColumnId)]) -> Result<Rc<[(OuterSlot, usize)]>> {
        outer.iter().map(|&(slot, id)| Ok((slot, self.position(id)? as usize))).collect()
    }
}
