//! Common conjuncts of OR: `(a = b AND c = 1) OR (a = b AND c = 2)` implies `a = b`, for which there are indexes and hash tables, and `c IN
//! (1, 2)`, which is known before anything is joined.

use crate::expr::{Expr, ExprKind, ExprType};
use crate::plan::{ColumnSet, Plan};

/// Takes what all sides of an OR say out of it, in every condition of a plan.
pub fn factor(plan: &mut Plan) {
    match plan {
        Plan::Filter(_, terms) => factor_terms(terms),
        Plan::Join(join) => factor_terms(&mut join.on),
        _ => {}
    }
    plan.inputs_mut(&mut factor);
}

fn factor_terms(terms: &mut Vec<Expr>) {
    if !terms.iter().any(|term| matches!(term.kind, ExprKind::Or(_))) {
        return;
    }
    let mut factored = Vec::with_capacity(terms.len());
    for term in terms.drain(..) {
        match term.kind {
            ExprKind::Or(sides) => factor_sides(sides, &mut factored),
            _ => factored.push(term),
        }
    }
    *terms = factored;
}

fn factor_sides(sides: Vec<Expr>, into: &mut Vec<Expr>) {
    let mut sides: Vec<Vec<Expr>> = sides.into_iter().map(Expr::into_conjuncts).collect();
    let Some((first, others)) = sides.split_first_mut() else { return };
    let is_common =
        |term: &Expr| is_plain(term) && others.iter().all(|side| side.iter().any(|other| other.is_same(term)));
    let common: Vec<Expr> = first.extract_if(.., |term| is_common(term)).collect();
    for side in others {
        side.retain(|term| !common.iter().any(|known| known.is_same(term)));
    }
    into.extend(common);
    // A side that says nothing more is true wherever the common part is.
    if sides.iter().all(|side| !side.is_empty()) {
        let sides = sides.into_iter().map(Expr::and).collect();
        into.push(Expr::new(ExprKind::Or(sides), ExprType::boolean()));
    }
}

/// What an OR over several tables says about those with these columns alone, if each side says something.
pub fn about(term: &Expr, columns: &ColumnSet) -> Option<Expr> {
    let ExprKind::Or(sides) = &term.kind else { return None };
    let is_about = |term: &&Expr| {
        let read = term.columns();
        !read.is_empty() && read.iter().all(|id| columns.contains(&id)) && is_plain(term)
    };
    let of_side = |side: &Expr| {
        let terms: Vec<Expr> = match &side.kind {
            ExprKind::And(terms) => terms.iter().filter(is_about).cloned().collect(),
            _ => Some(side).filter(is_about).cloned().into_iter().collect(),
        };
        (!terms.is_empty()).then(|| Expr::and(terms))
    };
    let sides = sides.iter().map(of_side).collect::<Option<Vec<Expr>>>()?;
    Some(Expr::new(ExprKind::Or(sides), ExprType::boolean()))
}

/// Whether a condition only compares what is there: it may be tested for rows for which it was not before, because that cannot fail.
fn is_plain(term: &Expr) -> bool {
    use ExprKind as E;
    let is_compared = |part: &Expr| {
        matches!(part.kind, E::Compare(..) | E::In(_) | E::Like(_) | E::Is(..) | E::And(_) | E::Or(_) | E::Not(_))
            || matches!(part.kind, E::Column(_) | E::Outer(_) | E::Literal(_) | E::Param(_))
    };
    !term.any(&|part| !is_compared(part))
}
