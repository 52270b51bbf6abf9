//! Walking and rewriting expressions.

use super::{Call, Case, Comparison, Expr, ExprKind, Holds, InList, Like};
use crate::plan::{ColumnId, ColumnSet};

impl Expr {
    /// Levels of an expression that the stack has room for. The parser has the same limit.
    pub const HEIGHT_MAX: usize = 400;

    /// Whether there are more than `levels` above each other; looks no further than that.
    pub fn is_higher_than(&self, levels: usize) -> bool {
        let Some(below) = levels.checked_sub(1) else { return true };
        let mut is_higher = false;
        self.children(|child| is_higher = is_higher || child.is_higher_than(below));
        is_higher
    }

    /// Calls `visit` with each direct child.
    pub fn children<'e>(&'e self, mut visit: impl FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Column(_)
            | ExprKind::Outer(_)
            | ExprKind::Literal(_)
            | ExprKind::Param(_)
            | ExprKind::UserVariable(..) => {}
            ExprKind::Call(call) => call.args.iter().for_each(visit),
            ExprKind::And(terms) | ExprKind::Or(terms) => terms.iter().for_each(visit),
            ExprKind::Xor(sides) | ExprKind::Compare(_, _, sides) | ExprKind::Arithmetic(_, sides) => {
                sides.iter().for_each(visit);
            }
            ExprKind::Not(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Cast(inner, _)
            | ExprKind::Is(inner, _)
            | ExprKind::SetUserVariable(_, inner) => visit(inner),
            ExprKind::Case(case) => {
                for (condition, value) in &case.branches {
                    visit(condition);
                    visit(value);
                }
                case.otherwise.iter().for_each(visit);
            }
            ExprKind::In(list) => {
                visit(&list.value);
                list.list.iter().for_each(visit);
            }
            ExprKind::Like(like) => {
                visit(&like.text);
                visit(&like.pattern);
                like.escape.iter().for_each(visit);
            }
            ExprKind::Subquery(subquery) => subquery.tested.iter().for_each(visit),
        }
    }

    /// Calls `visit` with each direct child, to be changed in place.
    pub fn children_mut(&mut self, mut visit: impl FnMut(&mut Expr)) {
        match &mut self.kind {
            ExprKind::Column(_)
            | ExprKind::Outer(_)
            | ExprKind::Literal(_)
            | ExprKind::Param(_)
            | ExprKind::UserVariable(..) => {}
            ExprKind::Call(call) => {
                let Call { args, .. } = &mut **call;
                args.iter_mut().for_each(visit);
            }
            ExprKind::And(terms) | ExprKind::Or(terms) => terms.iter_mut().for_each(visit),
            ExprKind::Xor(sides) | ExprKind::Compare(_, _, sides) | ExprKind::Arithmetic(_, sides) => {
                sides.iter_mut().for_each(visit);
            }
            ExprKind::Not(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Cast(inner, _)
            | ExprKind::Is(inner, _)
            | ExprKind::SetUserVariable(_, inner) => visit(inner),
            ExprKind::Case(case) => {
                let Case { branches, otherwise } = &mut **case;
                for (condition, value) in branches {
                    visit(condition);
                    visit(value);
                }
                otherwise.iter_mut().for_each(visit);
            }
            ExprKind::In(list) => {
                let InList { value, list, .. } = &mut **list;
                visit(value);
                list.iter_mut().for_each(visit);
            }
            ExprKind::Like(like) => {
                let Like { text, pattern, escape, .. } = &mut **like;
                visit(text);
                visit(pattern);
                escape.iter_mut().for_each(visit);
            }
            ExprKind::Subquery(subquery) => subquery.tested.iter_mut().for_each(visit),
        }
    }

    /// Rewrites bottom-up: children first, then the expression itself.
    pub fn rewrite(&mut self, rewrite: &mut dyn FnMut(&mut Expr)) {
        self.children_mut(|child| child.rewrite(rewrite));
        rewrite(self);
    }

    /// Whether there is a subquery in it.
    pub fn has_subquery(&self) -> bool {
        self.any(&|expr| matches!(expr.kind, ExprKind::Subquery(_)))
    }

    /// Whether `test` holds for this expression or one inside it.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = test(self);
        if !found {
            self.children(|child| found = found || child.any(test));
        }
        found
    }

    /// Whether it compares by a collation whose weights are not loaded: what would be computed is an order of bytes.
    pub fn lacks_weights(&self) -> bool {
        self.any(&|part| part.comparison().is_some_and(|comparison| comparison.ready().is_err()))
    }

    /// By what it compares its operands, where it is a comparison.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.kind {
            ExprKind::Compare(_, comparison, _) => Some(comparison),
            ExprKind::In(list) => Some(&list.comparison),
            _ => None,
        }
    }

    pub fn sets_variables(&self) -> bool {
        self.any(&|part| matches!(part.kind, ExprKind::SetUserVariable(..)))
    }

    /// Whether it reads a value of an enclosing row.
    pub fn reads_outer(&self) -> bool {
        self.any(&|part| matches!(part.kind, ExprKind::Outer(_)))
    }

    /// Adds every column that this expression reads. Columns that a subquery reads from outside are among them.
    pub fn collect_columns(&self, into: &mut ColumnSet) {
        match &self.kind {
            ExprKind::Column(id) => {
                into.insert(*id);
            }
            ExprKind::Subquery(subquery) => into.extend(subquery.outer.iter().map(|(_, id)| *id)),
            _ => {}
        }
        self.children(|child| child.collect_columns(into));
    }

    pub fn columns(&self) -> ColumnSet {
        let mut columns = ColumnSet::default();
        self.collect_columns(&mut columns);
        columns
    }

    /// Puts `to(id)` in place of every column for which there is one.
    pub fn substitute(&mut self, to: &dyn Fn(ColumnId) -> Option<Expr>) {
        self.rewrite(&mut |expr| {
            if let ExprKind::Column(id) = expr.kind
                && let Some(other) = to(id)
            {
                *expr = other;
            }
        });
    }

    /// No column, no parameter, no variable, nothing that changes between calls: may be computed once.
    pub fn is_constant(&self) -> bool {
        !self.any(&|expr| match &expr.kind {
            ExprKind::Column(_)
            | ExprKind::Outer(_)
            | ExprKind::Param(_)
            | ExprKind::UserVariable(..)
            | ExprKind::SetUserVariable(..)
            | ExprKind::Subquery(_) => true,
            ExprKind::Call(call) => !call.function.is_deterministic(),
            _ => false,
        })
    }

    /// The same for every row of one execution: constants, parameters, outer columns, variables that nothing sets meanwhile.
    pub fn is_row_independent(&self) -> bool {
        !self.any(&|expr| match &expr.kind {
            ExprKind::UserVariable(_, holds) => *holds == Holds::Row,
            ExprKind::Column(_) | ExprKind::SetUserVariable(..) | ExprKind::Subquery(_) => true,
            ExprKind::Call(call) => call.function.is_volatile(),
            _ => false,
        })
    }
}
