//! Structural equality of expressions.

use value::Value;

use super::{AggregateCall, Expr, ExprKind};

impl Expr {
    /// Whether two expressions are written alike over the same columns. Volatile calls never are; a subquery is only what was
    /// copied from it, as its columns are its own.
    pub(crate) fn is_same(&self, other: &Expr) -> bool {
        !self.is_volatile() && self.is_alike(other)
    }

    /// Whether it may give something else each time, or set a variable.
    pub(crate) fn is_volatile(&self) -> bool {
        self.any(&|expr| match &expr.kind {
            ExprKind::SetUserVariable(..) => true,
            ExprKind::Call(call) => call.function.is_volatile(),
            _ => false,
        })
    }

    fn is_alike(&self, other: &Expr) -> bool {
        self.ty.sql == other.ty.sql && self.is_same_step(other) && {
            let (mut own, mut others) = (Vec::new(), Vec::new());
            self.children(|child| own.push(child));
            other.children(|child| others.push(child));
            own.len() == others.len() && own.into_iter().zip(others).all(|(one, other)| one.is_alike(other))
        }
    }

    /// Whether both make the same of what their children are.
    fn is_same_step(&self, other: &Expr) -> bool {
        use ExprKind::*;
        match (&self.kind, &other.kind) {
            (Column(one), Column(other)) | (Outer(one), Outer(other)) | (Param(one), Param(other)) => one == other,
            (Literal(one), Literal(other)) => is_same_value(one, other),
            (Call(one), Call(other)) => std::ptr::eq(one.function, other.function) && one.collation == other.collation,
            (And(_), And(_)) | (Or(_), Or(_)) | (Xor(_), Xor(_)) | (Not(_), Not(_)) | (Negate(_), Negate(_)) => true,
            (Compare(one, by, _), Compare(other, with, _)) => one == other && by == with,
            (Arithmetic(one, _), Arithmetic(other, _)) => one == other,
            (Case(one), Case(other)) => one.otherwise.is_some() == other.otherwise.is_some(),
            (Cast(_, one), Cast(_, other)) => one == other,
            (In(one), In(other)) => one.negated == other.negated && one.comparison == other.comparison,
            (Like(one), Like(other)) => one.negated == other.negated && one.collation == other.collation,
            (Is(_, one), Is(_, other)) => one == other,
            (UserVariable(one, holds), UserVariable(other, held)) => one == other && holds == held,
            (Subquery(one), Subquery(other)) => one.number == other.number && one.test == other.test,
            _ => false,
        }
    }
}

/// Whether two literals are alike down to what no comparison sees: 1 and 1.0, `a` and `A`, 0 and -0 are not.
fn is_same_value(one: &Value<'_>, other: &Value<'_>) -> bool {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => one == other,
        (Value::Text(one), Value::Text(other)) => one == other,
        _ => format!("{one:?}") == format!("{other:?}"),
    }
}

impl AggregateCall {
    pub(crate) fn is_same(&self, other: &AggregateCall) -> bool {
        let all_same = |l: &[Expr], r: &[Expr]| l.len() == r.len() && l.iter().zip(r).all(|(l, r)| l.is_same(r));
        std::ptr::eq(self.function, other.function)
            && self.distinct == other.distinct
            && self.separator == other.separator
            && all_same(&self.args, &other.args)
            && self.order.len() == other.order.len()
            && self.order.iter().zip(&other.order).all(|(l, r)| l.descending == r.descending && l.expr.is_same(&r.expr))
    }
}
