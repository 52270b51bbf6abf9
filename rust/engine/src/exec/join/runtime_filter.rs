//! Runtime filter (semi-join filter): the keys of one side of a hash join, pushed down to the scan of the other side, which drops rows
//! without a partner before it decodes most of their columns.

use std::rc::Rc;

use super::hash_table::{END, HashTable};
use crate::expr::{Comparison, Expr};
use crate::vector::Vector;

/// The keys that rows must have to be wanted.
#[derive(Clone)]
pub struct RuntimeFilter {
    table: Rc<HashTable>,
    comparisons: Rc<[Comparison]>,
    /// The positions of the keys in the rows of the filtered operator.
    columns: Rc<[usize]>,
}

impl RuntimeFilter {
    /// `None` where keys are computed.
    pub fn new(table: &Rc<HashTable>, keys: &[Expr], comparisons: &[Comparison]) -> Option<RuntimeFilter> {
        let columns = keys.iter().map(|key| Some(key.as_column()? as usize)).collect::<Option<_>>()?;
        Some(RuntimeFilter { table: table.clone(), comparisons: comparisons.into(), columns })
    }

    /// The same for the operator below, where `below` says what becomes which column. `None` where something else does.
    pub fn below(&self, below: impl Fn(usize) -> Option<usize>) -> Option<RuntimeFilter> {
        let columns = self.columns.iter().map(|&column| below(column)).collect::<Option<_>>()?;
        Some(RuntimeFilter { columns, ..self.clone() })
    }

    /// The same where rows are computed by these expressions.
    pub fn below_exprs(&self, exprs: &[Expr]) -> Option<RuntimeFilter> {
        self.below(|column| Some(exprs.get(column)?.as_column()? as usize))
    }

    /// The same for what is grouped by these expressions, where all rows of a group have equal keys.
    pub fn below_groups(&self, groups: &[Expr], told_apart: &[Comparison]) -> Option<RuntimeFilter> {
        if self.holds_for_equals(told_apart) { self.below_exprs(groups) } else { None }
    }

    /// Whether rows that are equal by these comparisons pass together.
    pub fn holds_for_equals(&self, comparisons: &[Comparison]) -> bool {
        let is_same = |(&column, key): (&usize, &Comparison)| match comparisons.get(column) {
            Some(Comparison::Int | Comparison::Bytes) => true,
            Some(Comparison::DecimalWithSign) => *key == Comparison::Decimal,
            own => own == Some(key),
        };
        self.columns.iter().zip(&*self.comparisons).all(is_same)
    }

    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// No row passes.
    pub fn is_empty(&self) -> bool {
        self.table.rows.rows == 0
    }

    /// Whether a look costs next to nothing.
    pub fn is_by_number(&self) -> bool {
        self.table.is_by_number()
    }

    /// The numbers of the rows that pass; `keys` has the columns of the filter.
    pub fn passing(&self, keys: &[Rc<Vector>], rows: usize) -> Vec<u32> {
        let heads = self.table.heads_of_keys(keys, &self.comparisons, rows);
        heads.iter().zip(0..).filter(|(head, _)| **head != END).map(|(_, row)| row).collect()
    }
}
