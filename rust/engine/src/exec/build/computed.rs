//! Computed columns below an operator that needs all rows, such as a sort: batch by batch, so that the statement can yield between rows.

use std::rc::Rc;

use crate::exec::operator::Source;
use crate::exec::project::Project;
use crate::exec::sort::row_order::Key;
use crate::expr::{Expr, ExprKind};

/// The columns of an input, and those that are computed behind them.
pub struct Computed {
    input_columns: usize,
    exprs: Vec<Expr>,
}

impl Computed {
    pub fn over(input_columns: usize) -> Computed {
        Computed { input_columns, exprs: Vec::new() }
    }

    /// Makes a column of an expression, over positions, that may take long for many rows.
    pub fn take(&mut self, expr: &mut Expr) {
        let takes_long = |part: &Expr| matches!(part.kind, ExprKind::Call(_) | ExprKind::Like(_) | ExprKind::Case(_));
        if !expr.any(&takes_long) || expr.sets_variables() {
            return;
        }
        let position = (self.input_columns + self.exprs.len()) as u32;
        let column = Expr::column(position, expr.ty.clone());
        self.exprs.push(std::mem::replace(expr, column));
    }

    pub fn take_keys(&mut self, keys: Rc<[Key]>) -> Rc<[Key]> {
        let key = |key: &Key| {
            let mut expr = key.expr.clone();
            self.take(&mut expr);
            Key { expr, descending: key.descending, comparison: key.comparison }
        };
        keys.iter().map(key).collect()
    }

    /// How many columns the operator reads.
    pub fn columns(&self) -> usize {
        self.input_columns + self.exprs.len()
    }

    /// What computes the columns, and what drops them again; `None` where there are none. The operator gives `added` columns of its own.
    pub fn around(self, added: usize) -> Option<Around> {
        if self.exprs.is_empty() {
            return None;
        }
        // The type of a batch column is not read here.
        let column = |position: usize| Expr::column(position as u32, Expr::integer(0).ty);
        let kept = (0..self.input_columns).map(column);
        let below = kept.clone().chain(self.exprs.iter().cloned()).collect();
        let all = self.columns();
        let above = kept.chain((all..all + added).map(column)).collect();
        Some(Around { below, above })
    }
}

/// See [`Computed::around`].
pub struct Around {
    below: Rc<[Expr]>,
    above: Rc<[Expr]>,
}

impl Around {
    pub fn below(around: &Option<Around>, input: Source) -> Source {
        match around {
            Some(around) => Box::new(Project::new(input, around.below.clone())),
            None => input,
        }
    }

    pub fn above(around: &Option<Around>, operator: Source) -> Source {
        match around {
            Some(around) => Box::new(Project::new(operator, around.above.clone())),
            None => operator,
        }
    }
}
