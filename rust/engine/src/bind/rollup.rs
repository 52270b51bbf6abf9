//! GROUP BY … WITH ROLLUP: every row counts once for its groups, once for its groups without the last, and so on up to all
//! rows together. A number says how many groups are missing; it is one more group.

use parse::ast;
use value::Value;

use super::Binder;
use super::aggregate::Aggregation;
use super::expr::{arithmetic, case, compare};
use crate::error::{Result, SqlError};
use crate::expr::{ArithmeticOp, CompareOp, Expr, ExprType, SortKey};
use crate::plan::{Aggregate, ColumnId, Join, JoinKind, JoinStrategy, Plan};

pub(super) fn no_rollup() -> SqlError {
    SqlError::new(1111, "GROUPING is for queries with GROUP BY … WITH ROLLUP")
}

impl Binder<'_> {
    /// `GROUPING(a, b)`: a bit for each argument, set in rows that are not grouped by it. What it refers to is known behind
    /// the select list, so it is a column for now.
    pub(super) fn grouping(&mut self, call: &ast::FunctionCall, span: ast::Span) -> Result<Expr> {
        if call.arguments.is_empty() || call.arguments.len() > 60 {
            return Err(
                SqlError::general("Incorrect parameter count in the call to native function 'GROUPING'").at(span)
            );
        }
        let args = self.exprs(&call.arguments)?;
        let id = self.column(ExprType::bigint());
        let Some(aggregation) = &mut self.frame().aggregation else { return Err(no_rollup().at(span)) };
        aggregation.groupings.push((id, args));
        Ok(Expr::column(id, ExprType::bigint()))
    }

    /// Groups the rows of `plan`; behind each group comes the row of what it is part of.
    pub(super) fn rollup(&mut self, plan: Plan, aggregation: Aggregation) -> Result<Plan> {
        let Aggregation { groups, calls, groupings, .. } = aggregation;
        let count = groups.len();
        let ty = ExprType::new(value::SqlType::BIGINT, false);
        let missing = self.column(ty.clone());
        let levels = (0..=count).map(|level| vec![Value::Int(level as i64)]).collect();
        let input = Plan::Join(Box::new(Join {
            kind: JoinKind::Inner,
            left: plan,
            right: Plan::values(vec![missing], levels, ty.clone()),
            on: Vec::new(),
            strategy: JoinStrategy::Nested,
            straight: false,
            estimate: None,
        }));
        // Whether the row is grouped by expression `at`.
        let is_missing = |level: ColumnId, at: usize| {
            let last_level = integer((count - at) as i64);
            compare(CompareOp::GreaterOrEqual, Expr::column(level, ty.clone()), last_level)
        };
        let keyed = groups.iter().enumerate().map(|(at, (id, expr))| {
            let nothing = Expr { ty: expr.ty.clone(), ..Expr::null() };
            (*id, case(vec![(is_missing(missing, at), nothing)], Some(expr.clone())))
        });
        let level = self.column(ty.clone());
        let keyed: Vec<_> = keyed.chain([(level, Expr::column(missing, ty.clone()))]).collect();
        let mut order = Vec::new();
        for (at, (id, expr)) in groups.iter().enumerate() {
            order.push(SortKey { expr: is_missing(level, at), descending: false });
            order.push(SortKey { expr: Expr::column(*id, expr.ty.clone()), descending: false });
        }
        let mut columns: Vec<(ColumnId, Expr)> =
            groups.iter().map(|(id, expr)| (*id, Expr::column(*id, expr.ty.clone()))).collect();
        columns.extend(calls.iter().map(|(id, call)| (*id, Expr::column(*id, call.ty.clone()))));
        for (id, args) in groupings {
            let mut bits = integer(0);
            for arg in args {
                let at = groups
                    .iter()
                    .position(|(_, group)| group.is_same(&arg))
                    .ok_or_else(|| SqlError::new(3602, "Argument of GROUPING function is not in GROUP BY"))?;
                let doubled = arithmetic(ArithmeticOp::Multiply, bits, integer(2));
                bits = arithmetic(ArithmeticOp::Add, doubled, is_missing(level, at));
            }
            columns.push((id, bits));
        }
        let grouped = Plan::Aggregate(Box::new(Aggregate { input, groups: keyed, calls, in_order: false }));
        Ok(Plan::Sort(Box::new(grouped), order).project(columns))
    }
}

fn integer(number: i64) -> Expr {
    Expr::literal(Value::Int(number), ExprType::of(&Value::Int(number)))
}
