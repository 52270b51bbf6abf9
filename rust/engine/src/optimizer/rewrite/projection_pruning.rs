//! Projection pruning: reads and passes on only the referenced columns, and only the referenced parts of documents and long texts.

use std::rc::Rc;

use super::value_parts::{counted, parts_in};
use crate::expr::{Expr, ExprKind};
use crate::plan::{ColumnId, ColumnSet, JoinStrategy, Plan, Scan, ValueParts, column_set};

pub fn prune(plan: &mut Plan) {
    let columns = column_set(plan);
    prune_to(plan, &Wanted { whole: columns.clone(), columns, parts: Vec::new() });
}

/// The columns that are needed.
#[derive(Clone, Default)]
struct Wanted {
    columns: ColumnSet,
    /// Those whose whole value is needed.
    whole: ColumnSet,
    /// Of the others. What is added here of one that is wanted as a whole does not count.
    parts: Vec<(ColumnId, ValueParts)>,
}

impl Wanted {
    fn contains(&self, id: &ColumnId) -> bool {
        self.columns.contains(id)
    }

    /// Adds columns that a value is taken of as it is.
    fn extend(&mut self, ids: impl IntoIterator<Item = ColumnId> + Clone) {
        self.columns.extend(ids.clone());
        self.whole.extend(ids);
    }

    /// Adds what an expression reads.
    fn add(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Column(id) => self.extend([*id]),
            ExprKind::Subquery(subquery) => self.extend(subquery.outer.iter().map(|(_, id)| *id)),
            _ => {}
        }
        let in_part = parts_in(expr);
        if let Some((id, parts)) = in_part.clone() {
            self.add_parts(id, parts);
        }
        let is_added =
            |child: &Expr| matches!((&child.kind, &in_part), (ExprKind::Column(id), Some((of, _))) if id == of);
        let mut added = false;
        expr.children(|child| {
            // Once: the same column may be another argument, too.
            if !added && is_added(child) {
                added = true;
            } else {
                self.add(child);
            }
        });
    }

    fn add_parts(&mut self, id: ColumnId, parts: ValueParts) {
        self.columns.insert(id);
        match self.parts.iter_mut().find(|(of, _)| *of == id) {
            Some((_, known)) => known.add(parts),
            None => self.parts.push((id, parts)),
        }
    }

    fn prune_scan(&self, scan: &mut Scan) {
        scan.columns.retain(|(id, _)| self.contains(id));
        let is_asked = |(id, parts): &&(ColumnId, ValueParts)| {
            *parts != ValueParts::Whole && !self.whole.contains(id) && scan.columns.iter().any(|(own, _)| own == id)
        };
        scan.parts = self.parts.iter().filter(is_asked).map(|(id, parts)| (*id, Rc::new(parts.clone()))).collect();
    }
}

fn prune_to(plan: &mut Plan, wanted: &Wanted) {
    let mut below = wanted.clone();
    plan.exprs_mut(&mut |expr| below.add(expr));
    match plan {
        // All columns of groups tell them apart.
        Plan::LooseIndexScan(_) => {}
        Plan::Unit | Plan::Values(_) | Plan::RecursiveRows(..) | Plan::StageRows(..) => {}
        Plan::JsonTable(_) | Plan::TableFunction(_) => {}
        Plan::Empty(columns) => columns.retain(|id| wanted.contains(id)),
        Plan::Scan(scan) => below.prune_scan(scan),
        Plan::HashIndexedScan(keyed) => below.prune_scan(&mut keyed.scan),
        Plan::Filter(input, _) | Plan::Sort(input, _) => prune_to(input, &below),
        Plan::Project(input, columns) => {
            columns.retain(|(id, _)| wanted.contains(id));
            let mut below = Wanted::default();
            columns.iter().for_each(|(_, expr)| below.add(expr));
            prune_to(input, &below);
        }
        Plan::Join(join) => {
            if let JoinStrategy::Hash { left, right, .. } = &join.strategy {
                left.iter().chain(right).for_each(|key| below.add(key));
            }
            if let JoinStrategy::Lookup { outer } = &join.strategy {
                below.extend(outer.iter().map(|(_, id)| *id));
            }
            prune_to(&mut join.left, &below);
            prune_to(&mut join.right, &below);
        }
        Plan::Aggregate(aggregate) => {
            let mut below = Wanted::default();
            aggregate.calls.retain(|(id, _)| wanted.contains(id));
            aggregate.groups.iter().for_each(|(_, expr)| below.add(expr));
            for (_, call) in &aggregate.calls {
                match counted(call) {
                    Some((id, parts)) => below.add_parts(id, parts),
                    None => call.args.iter().for_each(|arg| below.add(arg)),
                }
                call.order.iter().for_each(|key| below.add(&key.expr));
            }
            prune_to(&mut aggregate.input, &below);
        }
        Plan::Window(window) => prune_to(&mut window.input, &below),
        Plan::Limit(limit) => prune_to(&mut limit.input, wanted),
        // All columns take part in the comparison of rows.
        Plan::Distinct(input) => prune(input),
        Plan::SetOperation(operation) => {
            prune(&mut operation.left);
            prune(&mut operation.right);
        }
        Plan::Apply(apply) => {
            below.extend(apply.subquery.outer.iter().map(|(_, id)| *id));
            below.columns.remove(&apply.output);
            prune_to(&mut apply.input, &below);
        }
        // Another place may need others.
        Plan::MaterializedCte(cte) => prune(&mut cte.plan),
        // Stages are read by position.
        Plan::Staged(staged) => {
            staged.stages.iter_mut().for_each(|stage| prune(&mut stage.plan));
            prune_to(&mut staged.plan, wanted);
        }
        Plan::Recursive(recursive) => {
            prune(&mut recursive.first);
            prune(&mut recursive.step);
        }
    }
}
