//! The order of inner joins. Tables stay in the order of the text as long as each is connected by a condition to those
//! before it; where one is not, a join of all pairs would follow, and the tables are put in an order that avoids it.

use super::joins::rows_of;
use crate::expr::{Context, Expr, ExprKind};
use crate::plan::{ColumnSet, Join, JoinKind, JoinStrategy, Plan, columns_of};

/// A table of the join with the columns that it gives.
struct Leaf {
    plan: Plan,
    columns: ColumnSet,
    rows: f64,
}

pub fn choose(mut plan: Plan, context: &Context) -> Plan {
    if matches!(&plan, Plan::Join(join) if is_free_join(join)) {
        let (mut leaves, mut conditions) = (Vec::new(), Vec::new());
        flatten(plan, &mut leaves, &mut conditions, context);
        let order = order(&leaves, &conditions);
        return build(leaves, conditions, order);
    }
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = choose(taken, context);
    });
    plan
}

/// An inner join whose sides may go anywhere.
fn is_free_join(join: &Join) -> bool {
    join.kind == JoinKind::Inner && !join.straight && matches!(join.strategy, JoinStrategy::Nested)
}

fn flatten(plan: Plan, leaves: &mut Vec<Leaf>, conditions: &mut Vec<Expr>, context: &Context) {
    match plan {
        Plan::Join(join) if is_free_join(&join) => {
            let join = *join;
            flatten(join.left, leaves, conditions, context);
            flatten(join.right, leaves, conditions, context);
            conditions.extend(join.on);
        }
        other => {
            let plan = choose(other, context);
            let columns = columns_of(&plan).into_iter().collect();
            let rows = rows_of(&plan, context);
            leaves.push(Leaf { plan, columns, rows });
        }
    }
}

/// The leaves that a condition reads.
fn read_by(condition: &Expr, leaves: &[Leaf]) -> Vec<usize> {
    let used = condition.columns();
    (0..leaves.len()).filter(|&leaf| used.iter().any(|id| leaves[leaf].columns.contains(&id))).collect()
}

fn order(leaves: &[Leaf], conditions: &[Expr]) -> Vec<usize> {
    let text: Vec<usize> = (0..leaves.len()).collect();
    if leaves.len() < 3 {
        return text;
    }
    let links: Vec<(Vec<usize>, bool)> = conditions
        .iter()
        .map(|condition| {
            let equal = matches!(&condition.kind, ExprKind::Compare(crate::expr::CompareOp::Equal, ..));
            (read_by(condition, leaves), equal)
        })
        .filter(|(read, _)| read.len() > 1)
        .collect();
    let connected = |leaf: usize, placed: &[usize], only_equal: bool| {
        links.iter().any(|(read, equal)| {
            (*equal || !only_equal)
                && read.contains(&leaf)
                && read.iter().all(|other| *other == leaf || placed.contains(other))
        })
    };
    if (1..leaves.len()).all(|at| connected(at, &text[..at], false)) {
        return text;
    }
    let smallest = |of: &mut dyn Iterator<Item = usize>| of.min_by(|a, b| leaves[*a].rows.total_cmp(&leaves[*b].rows));
    let mut placed: Vec<usize> = Vec::with_capacity(leaves.len());
    while placed.len() < leaves.len() {
        let rest: Vec<usize> = text.iter().copied().filter(|leaf| !placed.contains(leaf)).collect();
        let next = smallest(&mut rest.iter().copied().filter(|leaf| connected(*leaf, &placed, true)))
            .or_else(|| smallest(&mut rest.iter().copied().filter(|leaf| connected(*leaf, &placed, false))))
            .or_else(|| smallest(&mut rest.iter().copied()));
        placed.extend(next);
    }
    placed
}

/// A left-deep tree; every condition stands at the first join that has all it reads.
fn build(leaves: Vec<Leaf>, mut conditions: Vec<Expr>, order: Vec<usize>) -> Plan {
    let mut leaves: Vec<Option<Leaf>> = leaves.into_iter().map(Some).collect();
    let mut known = ColumnSet::default();
    let mut plan: Option<Plan> = None;
    let last = order.len();
    for (number, at) in order.into_iter().enumerate() {
        let Some(leaf) = leaves[at].take() else { continue };
        known.extend(leaf.columns.iter());
        plan = Some(match plan {
            None => leaf.plan,
            Some(left) => {
                let (on, later): (Vec<Expr>, Vec<Expr>) = std::mem::take(&mut conditions)
                    .into_iter()
                    .partition(|term| number + 1 == last || term.columns().iter().all(|id| known.contains(&id)));
                conditions = later;
                Plan::Join(Box::new(Join {
                    kind: JoinKind::Inner,
                    left,
                    right: leaf.plan,
                    on,
                    strategy: JoinStrategy::Nested,
                    straight: false,
                }))
            }
        });
    }
    plan.unwrap_or(Plan::Unit)
}
