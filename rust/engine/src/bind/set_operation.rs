//! UNION, INTERSECT and EXCEPT. A chain of arms of one kind is one group, whose plan is a balanced tree: thousands of arms do not nest
//! thousands deep.

use parse::ast::{self, QueryBody};
use value::SqlType;

use super::query::of_other_width;
use super::{Binder, Output, PLAN_LEVELS_MAX};
use crate::error::{Result, SqlError};
use crate::expr::{ExprType, types};
use crate::plan::{ColumnId, Plan, SetKind, SetOperation};

/// Groups within each other's first operands in one stage.
const GROUPS_MAX: usize = 32;

/// A thousand groups take seconds; native Dolt takes minutes.
const STAGES_MAX: usize = 32;

/// Operands of one kind of set operation.
#[derive(Default)]
pub(super) struct SetGroup {
    /// None for a single operand.
    kind: Option<SetKind>,
    /// Of INTERSECT and EXCEPT.
    all: bool,
    plans: Vec<Plan>,
    /// Operands of a UNION whose rows are made distinct: those up to the last one without ALL.
    distinct: usize,
    outputs: Vec<Output>,
    /// Groups within the first operand.
    height: usize,
}

impl SetGroup {
    fn single((plan, outputs): (Plan, Vec<Output>)) -> SetGroup {
        SetGroup { plans: vec![plan], outputs, ..SetGroup::default() }
    }

    /// Whether one more operand may be added, after which the columns are of these types.
    fn takes(&self, kind: SetKind, all: bool, types: &[ExprType]) -> bool {
        self.kind == Some(kind)
            && (kind == SetKind::Union || all == self.all)
            && self.outputs.iter().zip(types).all(|(output, ty)| keeps_values(&output.ty, ty))
    }

    /// The plan of all operands.
    pub(super) fn finish(self) -> (Plan, Vec<Output>) {
        let SetGroup { kind, all, mut plans, distinct, outputs, height: _ } = self;
        let columns: Vec<ColumnId> = outputs.iter().map(|output| output.id).collect();
        let unite = |plans| Plan::union_all(plans, &columns);
        let operation = |kind, all, left, right| match (left, right) {
            (Some(left), Some(right)) => {
                let columns = columns.clone();
                Some(Plan::SetOperation(Box::new(SetOperation { kind, all, left, right, columns })))
            }
            (left, right) => left.or(right),
        };
        let plan = match kind {
            None => plans.pop(),
            Some(SetKind::Union) => {
                let behind = plans.split_off(distinct);
                let right = plans.split_off(plans.len().div_ceil(2));
                let united = operation(SetKind::Union, false, unite(plans), unite(right));
                operation(SetKind::Union, true, united, unite(behind))
            }
            Some(SetKind::Except) => {
                let right = plans.split_off(1);
                operation(SetKind::Except, all, plans.pop(), unite(right))
            }
            Some(SetKind::Intersect) => Some(intersect(plans, all, &columns)),
        };
        (plan.unwrap_or(Plan::Unit), outputs)
    }
}

/// The rows that all operands have; those of the first are given.
fn intersect(mut plans: Vec<Plan>, all: bool, columns: &[ColumnId]) -> Plan {
    let right = plans.split_off(plans.len().div_ceil(2));
    if right.is_empty() {
        return plans.pop().unwrap_or(Plan::Unit);
    }
    let (left, right) = (intersect(plans, all, columns), intersect(right, all, columns));
    let (kind, columns) = (SetKind::Intersect, columns.to_vec());
    Plan::SetOperation(Box::new(SetOperation { kind, all, left, right, columns }))
}

/// Whether values of one type are the same and compare alike as those of the other, without a cast.
fn keeps_values(from: &ExprType, to: &ExprType) -> bool {
    let is_kept = match (&from.sql, &to.sql) {
        (SqlType::Decimal { .. }, SqlType::Decimal { .. }) => true,
        (_, SqlType::Decimal { .. }) => false,
        (from, to) => !types::needs_cast(from, to),
    };
    is_kept && from.sql != SqlType::Null && from.sql.collation() == to.sql.collation()
}

impl Binder<'_> {
    /// The rows of all queries, and the columns as they were before the last one.
    pub(super) fn set_operation(
        &mut self,
        first: &QueryBody,
        arms: &[ast::SetArm],
    ) -> Result<(Plan, Vec<Output>, Vec<Output>)> {
        let mut group = SetGroup::single(self.in_own_frame(|binder| binder.body(first, &[]))?);
        let mut before = Vec::new();
        let (may_stage, mut staged) = (!self.is_in_round(), 0);
        for (at, arm) in arms.iter().enumerate() {
            let right = self.in_own_frame(|binder| binder.body(&arm.body, &[]))?;
            let kind = match arm.operator {
                ast::SetOperator::Union => SetKind::Union,
                ast::SetOperator::Intersect => SetKind::Intersect,
                ast::SetOperator::Except => SetKind::Except,
            };
            if at + 1 == arms.len() {
                before.clone_from(&group.outputs);
            }
            self.add_to(&mut group, kind, arm.all, right).map_err(|error| error.at(arm.span))?;
            if group.height > GROUPS_MAX && may_stage {
                staged += 1;
                if staged > STAGES_MAX {
                    return Err(SqlError::too_deep().at(arm.span));
                }
                let left = group.plans[0].take();
                group.plans[0] = self.plan_stage(left);
                group.height = 1;
            }
        }
        let (plan, outputs) = group.finish();
        if arms.is_empty() {
            before.clone_from(&outputs);
        }
        Ok((plan, outputs, before))
    }

    /// Adds an operand to a group, or makes what there is an operand of a new one.
    pub(super) fn add_to(
        &mut self,
        group: &mut SetGroup,
        kind: SetKind,
        all: bool,
        right: (Plan, Vec<Output>),
    ) -> Result<()> {
        if group.plans.is_empty() {
            *group = SetGroup::single(right);
            return Ok(());
        }
        let (right, right_outputs) = right;
        if group.outputs.len() != right_outputs.len() {
            return Err(of_other_width(group.outputs.len(), right_outputs.len()));
        }
        let sides = group.outputs.iter().zip(&right_outputs);
        let types: Vec<ExprType> = sides.map(|(l, r)| types::of_set_operation(&l.ty, &r.ty)).collect();
        if group.takes(kind, all, &types) {
            for (output, ty) in group.outputs.iter_mut().zip(types) {
                self.types[output.id as usize] = ty.clone();
                output.ty = ty;
            }
        } else {
            let height = group.height + 1;
            if height > PLAN_LEVELS_MAX {
                return Err(SqlError::too_deep());
            }
            let (left, left_outputs) = std::mem::take(group).finish();
            let mut outputs = Vec::with_capacity(types.len());
            for (output, ty) in left_outputs.iter().zip(types) {
                let id = self.column(ty.clone());
                self.keep_defaults([(id, &output.expr())]);
                outputs.push(Output::new(id, &output.name, ty));
            }
            let left = self.cast_outputs(left, &left_outputs, &outputs)?;
            *group = SetGroup { kind: Some(kind), all, plans: vec![left], distinct: 0, outputs, height };
        }
        let right = self.cast_outputs(right, &right_outputs, &group.outputs)?;
        group.plans.push(right);
        if kind == SetKind::Union && !all {
            group.distinct = group.plans.len();
        }
        Ok(())
    }
}
