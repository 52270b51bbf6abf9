//! Subqueries in the values of INSERT, computed before a row is added.

use std::rc::Rc;

use crate::bind::Assigned;
use crate::error::Result;
use crate::expr::{Context, Expr, ExprKind, ExprType};
use crate::one_value::value_over;
use crate::plan::Plan;
use crate::state::WRITE_WORK;

/// Rows whose subqueries are computed.
pub fn computed(
    rows: Vec<Vec<Assigned>>,
    mut types: Vec<ExprType>,
    context: &Rc<Context>,
) -> Result<Vec<Vec<Assigned>>> {
    let compute = |expr: Expr, types: &mut Vec<ExprType>| -> Result<Expr> {
        let ty = expr.ty.clone();
        Ok(Expr::literal(value_over(Plan::Unit, expr, types, context)?, ty))
    };
    let mut done = Vec::with_capacity(rows.len());
    for row in rows {
        let mut values = Vec::with_capacity(row.len());
        for assigned in row {
            values.push(match assigned {
                Assigned::Value(expr) if expr.has_subquery() => Assigned::Value(compute(expr, &mut types)?),
                other => other,
            });
        }
        done.push(values);
    }
    Ok(done)
}

/// Listed rows as constants: an expression that fails does so before a row takes a number. `None` when they are that.
pub fn constants(rows: &[Vec<Assigned>], context: &Context) -> Result<Option<Vec<Vec<Assigned>>>> {
    let is_plain = |assigned: &Assigned| match assigned {
        Assigned::Value(expr) => matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Param(_)),
        Assigned::Default => true,
    };
    if rows.iter().flatten().all(is_plain) {
        return Ok(None);
    }
    let constant = |assigned: &Assigned| match assigned {
        Assigned::Value(expr) if !is_plain(assigned) => {
            Ok(Assigned::Value(Expr::literal(expr.eval_constant(context)?, expr.ty.clone())))
        }
        plain => Ok(plain.clone()),
    };
    let constants = rows.iter().map(|row| {
        context.work(WRITE_WORK)?;
        row.iter().map(constant).collect()
    });
    constants.collect::<Result<_>>().map(Some)
}

pub fn has_subquery(assigned: &Assigned) -> bool {
    matches!(assigned, Assigned::Value(expr) if expr.has_subquery())
}
