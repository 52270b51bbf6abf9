//! Join order of inner joins. The written order stays unless another one costs much less, or it contains a cross join.

use crate::expr::{Context, Expr};
use crate::optimizer::cost::join_cost::{Costs, Leaf, look, look_at};
use crate::plan::{ColumnId, ColumnSet, Join, JoinKind, JoinStrategy, Plan};

/// The order of the text stays unless it costs so many times what another one does: rows that nothing sorts keep their order.
const MUCH: f64 = 1.5;

/// In what way the rows of a plan are wanted.
#[derive(Clone, Copy)]
enum Wanted {
    All,
    /// The first ones of any order.
    First,
    /// The first ones in the order of a column.
    FirstBy(ColumnId),
}

pub fn choose(mut plan: Plan, context: &Context) -> Plan {
    choose_below(&mut plan, Wanted::All, context);
    plan
}

fn choose_below(plan: &mut Plan, wanted: Wanted, context: &Context) {
    match plan {
        Plan::Join(join) if is_free_join(join) => {
            let (mut leaves, mut conditions) = (Vec::new(), Vec::new());
            flatten(plan.take(), &mut leaves, &mut conditions, context);
            let (order, steps) = order(&mut leaves, &conditions, wanted, context);
            *plan = build(leaves, conditions, order, &steps);
        }
        Plan::Join(join) => {
            // For few rows their partners are looked up.
            if matches!((wanted, &join.right), (Wanted::All, Plan::Scan(_))) {
                look_at(&mut join.left, context);
            }
            plan.inputs_mut(&mut |input| choose_below(input, Wanted::All, context));
        }
        Plan::Limit(limit) if limit.rows.is_some() && !limit.counts_all => {
            choose_below(&mut limit.input, Wanted::First, context);
        }
        Plan::Sort(input, keys) => {
            let key = keys.first().and_then(|key| key.expr.as_column()).filter(|_| !matches!(wanted, Wanted::All));
            choose_below(input, key.map_or(Wanted::All, Wanted::FirstBy), context);
        }
        Plan::Project(input, columns) => {
            let below = |id| columns.iter().find(|(output, _)| *output == id)?.1.as_column();
            let wanted = match wanted {
                Wanted::FirstBy(id) => below(id).map_or(Wanted::All, Wanted::FirstBy),
                other => other,
            };
            choose_below(input, wanted, context);
        }
        Plan::Filter(input, _) => choose_below(input, wanted, context),
        Plan::Apply(apply) => choose_below(&mut apply.input, wanted, context),
        other => other.inputs_mut(&mut |input| choose_below(input, Wanted::All, context)),
    }
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
        other => leaves.push(Leaf::new(choose(other, context), context)),
    }
}

/// The order, and about how many rows there are after each join.
fn order(leaves: &mut [Leaf], conditions: &[Expr], wanted: Wanted, context: &Context) -> (Vec<usize>, Vec<f64>) {
    let text = ((0..leaves.len()).collect(), Vec::new());
    if leaves.len() < 3 {
        if matches!(wanted, Wanted::All) {
            look(leaves, context);
        }
        return text;
    }
    look(leaves, context);
    let costs = Costs::new(leaves, conditions, context);
    let of_text = costs.of_text();
    // The first rows of an order that an index has come from the table that has it.
    let is_walked = match wanted {
        Wanted::All => false,
        Wanted::First => true,
        Wanted::FirstBy(key) => leaves.iter().any(|leaf| begins_order(leaf, key)),
    };
    if is_walked && of_text.is_some() {
        return text;
    }
    match (of_text, costs.cheapest()) {
        (Some(of_text), Some(cheapest)) if of_text.cost <= cheapest.cost * MUCH => (of_text.order, of_text.steps),
        (_, Some(cheapest)) => (cheapest.order, cheapest.steps),
        _ => text,
    }
}

/// Whether a table has an index in whose order a column has a part.
fn begins_order(leaf: &Leaf, key: ColumnId) -> bool {
    leaf.plan.scan_below().zip(leaf.plan.position_below(key)).is_some_and(|(scan, position)| {
        scan.relation.indexes().iter().any(|index| index.ordered && index.columns.contains(&position))
    })
}

/// A left-deep tree; every condition is at the first join that has all its columns.
fn build(leaves: Vec<Leaf>, mut conditions: Vec<Expr>, order: Vec<usize>, steps: &[f64]) -> Plan {
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
                    estimate: number.checked_sub(1).and_then(|step| steps.get(step)).copied(),
                }))
            }
        });
    }
    plan.unwrap_or(Plan::Unit)
}
