//! Scan of system tables and table functions.

use std::rc::Rc;

use codec::CompactSort;
use value::{SqlType, Value};

use crate::batch::{BATCH_ROWS, Batch};
use crate::catalog::{Pushed, Relation, RowIterator};
use crate::error::Result;
use crate::exec::filter::select;
use crate::exec::operator::{Operator, Poll};
use crate::expr::{CompareOp, Context, Expr, ExprKind, InList};
use crate::vector::VectorBuilder;

/// What it costs to compute a row of a system table, beside what every row costs.
const ROW_WORK: usize = 2048;

pub struct RelationScan {
    rows: RowIterator,
    columns: Rc<[usize]>,
    filter: Rc<[Expr]>,
    /// Rows of the next batch. The first has one, each further one twice as many: a row of history may cost a commit, and
    /// `LIMIT 1` must not read a thousand.
    want: usize,
}

impl RelationScan {
    pub fn new(
        relation: &Rc<dyn Relation>,
        columns: Rc<[usize]>,
        filter: Rc<[Expr]>,
        context: &Rc<Context>,
    ) -> Result<RelationScan> {
        let mut pushed = Vec::new();
        for term in filter.iter() {
            if let ExprKind::In(list) = &term.kind {
                push_list(&mut pushed, &columns, list, context)?;
            }
            if let ExprKind::Compare(op, _, sides) = &term.kind {
                let [left, right] = &**sides;
                match (left.as_column(), right.as_column()) {
                    (Some(at), None) if right.is_row_independent() => {
                        push(&mut pushed, &columns, at, *op, right, context)?
                    }
                    (None, Some(at)) if left.is_row_independent() => {
                        push(&mut pushed, &columns, at, op.mirrored(), left, context)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(RelationScan { rows: relation.rows(context, &columns, &pushed)?, columns, filter, want: 1 })
    }
}

fn push(
    pushed: &mut Vec<Pushed>,
    columns: &[usize],
    at: u32,
    op: CompareOp,
    constant: &Expr,
    context: &Context,
) -> Result<()> {
    let value = constant.eval_constant(context)?;
    if !value.is_null() {
        pushed.push(Pushed { column: columns[at as usize], op, value, among: None });
    }
    Ok(())
}

/// One value in a list is an equal one, and a list of whole numbers is a range with gaps.
fn push_list(pushed: &mut Vec<Pushed>, columns: &[usize], list: &InList, context: &Context) -> Result<()> {
    let Some(at) = list.value.as_column().filter(|_| !list.negated) else { return Ok(()) };
    if let [one] = &*list.list
        && one.is_row_independent()
    {
        return push(pushed, columns, at, CompareOp::Equal, one, context);
    }
    if !matches!(list.value.ty.sql, SqlType::Integer(_)) || !list.list.iter().all(Expr::is_row_independent) {
        return Ok(());
    }
    let mut values = Vec::with_capacity(list.list.len());
    for item in &list.list {
        match item.eval_constant(context)? {
            Value::Null => {}
            value @ (Value::Int(_) | Value::UInt(_)) => values.push(value),
            _ => return Ok(()),
        }
    }
    let number = |value: &Value<'_>| match value {
        Value::UInt(number) => i128::from(*number),
        Value::Int(number) => i128::from(*number),
        _ => 0,
    };
    values.compact_sort_by_key(number);
    values.dedup_by_key(|value| number(value));
    let [lowest, .., highest] = &*values else { return Ok(()) };
    let (lowest, highest) = (lowest.clone(), highest.clone());
    let column = columns[at as usize];
    pushed.push(Pushed { column, op: CompareOp::GreaterOrEqual, value: lowest, among: Some(values.into()) });
    pushed.push(Pushed { column, op: CompareOp::LessOrEqual, value: highest, among: None });
    Ok(())
}

impl Operator for RelationScan {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            if context.is_out_of_fuel() {
                return Ok(Poll::Yield);
            }
            let mut builders: Vec<_> = self.columns.iter().map(|_| VectorBuilder::with_capacity(self.want)).collect();
            let (mut rows, mut is_done) = (0, true);
            while rows < self.want
                && (rows == 0 || !context.is_out_of_fuel())
                && let Some(row) = self.rows.next()
            {
                let mut row = row?;
                if row.is_empty() {
                    is_done = false;
                    break;
                }
                for (builder, &column) in builders.iter_mut().zip(self.columns.iter()) {
                    builder
                        .push(row.get_mut(column).map_or(Value::Null, |value| std::mem::replace(value, Value::Null)));
                }
                rows += 1;
                context.spend(1);
                context.spend_work(ROW_WORK);
            }
            if rows == 0 && is_done {
                return Ok(Poll::Done);
            }
            if rows == 0 {
                context.spend(BATCH_ROWS);
                continue;
            }
            self.want = (self.want * 2).min(BATCH_ROWS);
            let batch = Batch::new(rows, builders.into_iter().map(|builder| Rc::new(builder.finish())).collect());
            let kept = select(batch, &self.filter, context)?;
            if kept.rows > 0 {
                return Ok(Poll::Batch(kept));
            }
        }
    }
}
