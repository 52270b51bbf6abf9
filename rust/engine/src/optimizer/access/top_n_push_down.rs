//! Top-N push-down: `ORDER BY … LIMIT n` over a union, or over several values of an index. Where each part has the order, its first rows
//! are enough.

use super::exclusions::ascending;
use super::index_order;
use super::index_order::{plain_columns, same_direction};
use super::sort_elimination::Ordering;
use crate::catalog::{IndexChoice, KeyRange};
use crate::exec;
use crate::exec::scan::table_scan::ranges::has_place;
use crate::expr::{Expr, ExprType, SortKey};
use crate::plan::{ColumnId, Limit, Plan, Scan, SetKind, columns_of};

/// So many values of an index are worth a scan each.
const BRANCHES_MAX: usize = 64;

/// Limits the parts of what is sorted for its first rows.
pub fn limit_branches(plan: &mut Plan, ordering: &mut Ordering<'_>) {
    if let Plan::Limit(limit) = plan
        && let Some(rows) = known_rows(limit)
        && let Some((input, keys)) = sorted(&mut limit.input)
        && let Some(columns) = plain_columns(keys)
        && let Some(reverse) = same_direction(keys)
    {
        let types = keys.iter().map(|key| key.expr.ty.clone()).collect();
        let mut first = First { rows, reverse, types, ordering };
        first.limit(input, &columns, Part::Whole);
    }
    plan.inputs_mut(&mut |input| limit_branches(input, ordering));
}

/// How many rows a limit takes of its input, whatever parameters say.
fn known_rows(limit: &Limit) -> Option<u64> {
    let number = |expr: &Expr| match expr.as_literal()? {
        value::Value::Int(rows) => u64::try_from(*rows).ok(),
        value::Value::UInt(rows) => Some(*rows),
        _ => None,
    };
    let offset = limit.offset.as_ref().map_or(Some(0), number)?;
    if limit.counts_all { None } else { number(limit.rows.as_ref()?)?.checked_add(offset) }
}

/// The input and the keys of a sort below projections.
fn sorted(plan: &mut Plan) -> Option<(&mut Plan, &[SortKey])> {
    match plan {
        Plan::Project(input, _) => sorted(input),
        Plan::Sort(input, keys) => Some((input, keys)),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Branch,
}

/// The first rows of an order.
struct First<'a, 'o> {
    rows: u64,
    reverse: bool,
    /// Of the keys, by which they are compared.
    types: Vec<ExprType>,
    ordering: &'a mut Ordering<'o>,
}

impl First<'_, '_> {
    fn limit(&mut self, plan: &mut Plan, columns: &[ColumnId], part: Part) {
        let gives_order = |first: &mut Self, plan: &mut Plan| {
            first.ordering.gives_order(plan, columns, first.reverse, Some(first.rows as f64))
        };
        if part == Part::Branch && self.is_comparable(plan, columns) && gives_order(self, plan) {
            *plan = plan.take().limit(self.rows);
            return;
        }
        match plan {
            Plan::SetOperation(operation) if operation.all && operation.kind == SetKind::Union => {
                for side in [&mut operation.left, &mut operation.right] {
                    let own = columns_of(side);
                    let place = |id: &ColumnId| operation.columns.iter().position(|column| column == id);
                    let of_side = columns.iter().map(|id| Some(own[place(id)?])).collect::<Option<Vec<ColumnId>>>();
                    if let Some(columns) = of_side {
                        self.limit(side, &columns, Part::Branch);
                    }
                }
            }
            Plan::Project(input, projected) => {
                if let Some(columns) = self.below(projected, columns) {
                    self.limit(input, &columns, part);
                }
            }
            Plan::Scan(scan) => {
                if let Some(branches) = self.branches_of(scan, columns) {
                    *plan = branches;
                }
            }
            _ => {}
        }
    }

    /// Whether the columns of a part are compared as those of the whole.
    fn is_comparable(&self, plan: &Plan, columns: &[ColumnId]) -> bool {
        match plan {
            Plan::Project(input, projected) => {
                self.below(projected, columns).is_some_and(|columns| self.is_comparable(input, &columns))
            }
            _ => true,
        }
    }

    /// The columns below a projection that it passes on as these, without changing their order.
    fn below(&self, projected: &[(ColumnId, Expr)], columns: &[ColumnId]) -> Option<Vec<ColumnId>> {
        let below = |(id, ty): (&ColumnId, &ExprType)| {
            let (_, expr) = projected.iter().find(|(output, _)| output == id)?;
            expr.as_column().filter(|_| is_ordered_alike(&expr.ty, ty))
        };
        columns.iter().zip(&self.types).map(below).collect()
    }

    /// A scan of ranges that differ by one value each, as one for each value.
    fn branches_of(&mut self, scan: &Scan, columns: &[ColumnId]) -> Option<Plan> {
        let ranges = scan.access.ranges.as_deref().filter(|ranges| (2..=BRANCHES_MAX).contains(&ranges.len()))?;
        let number = scan.access.index?;
        let at = differing(ranges)?;
        let ty = &scan.relation.columns()[*scan.relation.indexes()[number].columns.get(at)?].ty;
        let values: Vec<Expr> = ranges.iter().map(|range| range.equal[at].clone()).collect();
        let values =
            ascending(&values, ty.collation()).filter(|_| values.iter().all(|value| has_place(value, &ty.sql)))?;
        let (all, _) = exec::count_ranges(scan, &scan.relation, self.ordering.context)?;
        if all / 2 < self.rows.saturating_mul(values.len() as u64) {
            return None;
        }
        let positions = index_order::positions(scan, columns)?;
        let branch = |value: Expr| {
            let mut range = ranges[0].clone();
            range.equal[at] = value;
            let access = IndexChoice { ranges: Some(vec![range]), ..scan.access.clone() };
            let branch = Scan { access, reverse: self.reverse, ..scan.clone() };
            index_order::gives(scan, &branch.access, &positions).then(|| Plan::Scan(Box::new(branch)).limit(self.rows))
        };
        let branches = values.into_iter().map(branch).collect::<Option<Vec<Plan>>>()?;
        let columns: Vec<ColumnId> = scan.columns.iter().map(|(id, _)| *id).collect();
        Plan::union_all(branches, &columns)
    }
}

/// The one field in which ranges of equal values differ, if they differ in nothing else.
fn differing(ranges: &[KeyRange]) -> Option<usize> {
    let (first, rest) = ranges.split_first()?;
    let same_bound = |one: &Option<(Expr, bool)>, other: &Option<(Expr, bool)>| match (one, other) {
        (None, None) => true,
        (Some((one, is_part)), Some((other, is_other))) => is_part == is_other && one.is_same(other),
        _ => false,
    };
    let alike = |range: &KeyRange| {
        range.equal.len() == first.equal.len()
            && range.null_safe.is_empty()
            && !range.is_not_null
            && same_bound(&range.lower, &first.lower)
            && same_bound(&range.upper, &first.upper)
    };
    if !ranges.iter().all(alike) {
        return None;
    }
    let differs = |at: &usize| !rest.iter().all(|range| range.equal[*at].is_same(&first.equal[*at]));
    let mut places = (0..first.equal.len()).filter(differs);
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

/// Whether values of two types have one order.
fn is_ordered_alike(one: &ExprType, other: &ExprType) -> bool {
    use value::SqlType;
    let is_exact = |ty: &ExprType| matches!(ty.sql, SqlType::Integer(_) | SqlType::Decimal { .. });
    one.sql == other.sql
        || (is_exact(one) && is_exact(other))
        || (one.sql.is_date() && other.sql.is_date())
        || (one.sql.is_text() && other.sql.is_text() && one.collation() == other.collation())
}
