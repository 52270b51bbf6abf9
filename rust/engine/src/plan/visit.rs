//! Plan visitors.

use super::Plan;
use crate::expr::Expr;

impl Plan {
    /// Whether there are more than `levels` operators above each other; looks no further than that.
    pub fn is_higher_than(&self, levels: usize) -> bool {
        let Some(below) = levels.checked_sub(1) else { return true };
        let mut is_higher = false;
        self.inputs(&mut |input| is_higher = is_higher || input.is_higher_than(below));
        is_higher
    }

    /// Calls `visit` with each input. The plan inside an Apply is no input: it runs once a row.
    pub fn inputs(&self, visit: &mut dyn FnMut(&Plan)) {
        match self {
            Plan::Unit | Plan::Empty(_) | Plan::Scan(_) | Plan::Values(_) => {}
            Plan::RecursiveRows(..) | Plan::StageRows(..) => {}
            Plan::JsonTable(_) | Plan::TableFunction(_) | Plan::LooseIndexScan(_) | Plan::HashIndexedScan(_) => {}
            Plan::Filter(input, _) | Plan::Project(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => {
                visit(input)
            }
            Plan::Join(join) => {
                visit(&join.left);
                visit(&join.right);
            }
            Plan::Aggregate(aggregate) => visit(&aggregate.input),
            Plan::Window(window) => visit(&window.input),
            Plan::Limit(limit) => visit(&limit.input),
            Plan::SetOperation(operation) => {
                visit(&operation.left);
                visit(&operation.right);
            }
            Plan::Apply(apply) => visit(&apply.input),
            Plan::MaterializedCte(cte) => visit(&cte.plan),
            Plan::Recursive(recursive) => {
                visit(&recursive.first);
                visit(&recursive.step);
            }
            Plan::Staged(staged) => {
                staged.stages.iter().for_each(|stage| visit(&stage.plan));
                visit(&staged.plan);
            }
        }
    }

    pub fn inputs_mut(&mut self, visit: &mut dyn FnMut(&mut Plan)) {
        match self {
            Plan::Unit | Plan::Empty(_) | Plan::Scan(_) | Plan::Values(_) => {}
            Plan::RecursiveRows(..) | Plan::StageRows(..) => {}
            Plan::JsonTable(_) | Plan::TableFunction(_) | Plan::LooseIndexScan(_) | Plan::HashIndexedScan(_) => {}
            Plan::Filter(input, _) | Plan::Project(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => {
                visit(input)
            }
            Plan::Join(join) => {
                visit(&mut join.left);
                visit(&mut join.right);
            }
            Plan::Aggregate(aggregate) => visit(&mut aggregate.input),
            Plan::Window(window) => visit(&mut window.input),
            Plan::Limit(limit) => visit(&mut limit.input),
            Plan::SetOperation(operation) => {
                visit(&mut operation.left);
                visit(&mut operation.right);
            }
            Plan::Apply(apply) => visit(&mut apply.input),
            Plan::MaterializedCte(cte) => visit(&mut cte.plan),
            Plan::Recursive(recursive) => {
                visit(&mut recursive.first);
                visit(&mut recursive.step);
            }
            Plan::Staged(staged) => {
                staged.stages.iter_mut().for_each(|stage| visit(&mut stage.plan));
                visit(&mut staged.plan);
            }
        }
    }

    /// Calls `visit` with each expression of this operator, not with those of its inputs.
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        match self {
            Plan::Unit | Plan::Empty(_) | Plan::Distinct(_) | Plan::SetOperation(_) | Plan::LooseIndexScan(_) => {}
            Plan::Recursive(_) | Plan::RecursiveRows(..) | Plan::MaterializedCte(_) => {}
            Plan::Staged(_) | Plan::StageRows(..) => {}
            Plan::Scan(scan) => scan.filter.iter_mut().for_each(visit),
            Plan::HashIndexedScan(keyed) => {
                keyed.scan.filter.iter_mut().for_each(&mut *visit);
                for key in &mut keyed.keys {
                    [&mut key.condition, &mut key.column, &mut key.value].into_iter().for_each(&mut *visit);
                }
            }
            Plan::Values(values) => values.rows.iter_mut().flatten().for_each(visit),
            Plan::JsonTable(table) => visit(&mut table.document),
            Plan::TableFunction(function) => function.arguments.iter_mut().for_each(visit),
            Plan::Filter(_, predicate) => predicate.iter_mut().for_each(visit),
            Plan::Project(_, columns) => columns.iter_mut().for_each(|(_, expr)| visit(expr)),
            Plan::Join(join) => join.on.iter_mut().for_each(visit),
            Plan::Aggregate(aggregate) => {
                aggregate.groups.iter_mut().for_each(|(_, expr)| visit(expr));
                for (_, call) in &mut aggregate.calls {
                    call.args.iter_mut().for_each(&mut *visit);
                    call.order.iter_mut().for_each(|key| visit(&mut key.expr));
                }
            }
            Plan::Window(window) => {
                for (_, call) in &mut window.calls {
                    call.exprs_mut(visit);
                }
            }
            Plan::Sort(_, keys) => keys.iter_mut().for_each(|key| visit(&mut key.expr)),
            Plan::Limit(limit) => limit.rows.iter_mut().chain(&mut limit.offset).for_each(visit),
            Plan::Apply(apply) => {
                apply.subquery.tested.iter_mut().for_each(&mut *visit);
                apply.decorrelated.iter_mut().flat_map(|decorrelated| &mut decorrelated.values).for_each(visit);
            }
        }
    }
}

impl super::WindowCall {
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        use super::FrameBound;
        self.function.exprs_mut(visit);
        self.partition.iter_mut().for_each(&mut *visit);
        self.order.iter_mut().for_each(|key| visit(&mut key.expr));
        for bound in [&mut self.frame.start, &mut self.frame.end] {
            if let FrameBound::Preceding(expr) | FrameBound::Following(expr) = bound {
                visit(expr);
            }
        }
    }
}

impl super::WindowFunction {
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        use super::WindowFunction as F;
        match self {
            F::RowNumber | F::Rank | F::DenseRank | F::PercentRank => {}
            F::Ntile(expr) | F::FirstValue(expr) | F::LastValue(expr) => visit(expr),
            F::Lag { value, offset, default } | F::Lead { value, offset, default } => {
                visit(value);
                visit(offset);
                default.iter_mut().for_each(&mut *visit);
            }
            F::Aggregate(call) => {
                call.args.iter_mut().for_each(&mut *visit);
                call.order.iter_mut().for_each(|key| visit(&mut key.expr));
            }
        }
    }
}
