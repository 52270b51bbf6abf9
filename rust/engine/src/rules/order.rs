//! Leaves sorting out where rows come in the wanted order already.

use crate::expr::SortKey;
use crate::plan::{ColumnId, Plan};

pub fn use_index_order(mut plan: Plan) -> Plan {
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = use_index_order(taken);
    });
    if let Plan::Sort(input, keys) = &mut plan
        && let Some(columns) = plain_columns(keys)
        && let Some(reverse) = same_direction(keys)
        && gives_order(input, &columns, reverse)
    {
        return std::mem::replace(&mut **input, Plan::Unit);
    }
    plan
}

fn plain_columns(keys: &[SortKey]) -> Option<Vec<ColumnId>> {
    keys.iter().map(|key| key.expr.as_column()).collect()
}

fn same_direction(keys: &[SortKey]) -> Option<bool> {
    let first = keys.first()?.descending;
    keys.iter().all(|key| key.descending == first).then_some(first)
}

/// Makes `plan` give its rows in the order of `columns`, if a scan below can.
fn gives_order(plan: &mut Plan, columns: &[ColumnId], reverse: bool) -> bool {
    match plan {
        Plan::Project(input, projected) => {
            let below: Option<Vec<ColumnId>> = columns
                .iter()
                .map(|id| {
                    let (_, expr) = projected.iter().find(|(output, _)| output == id)?;
                    expr.as_column()
                })
                .collect();
            below.is_some_and(|below| gives_order(input, &below, reverse))
        }
        Plan::Filter(input, _) => gives_order(input, columns, reverse),
        Plan::Scan(scan) => {
            if scan.relation.base().is_none() {
                return false;
            }
            let wanted: Option<Vec<usize>> = columns
                .iter()
                .map(|id| scan.columns.iter().find(|(column, _)| column == id).map(|(_, position)| *position))
                .collect();
            let Some(wanted) = wanted else { return false };
            let indexes = scan.relation.indexes();
            let primary: &[usize] = match indexes.first() {
                Some(index) if scan.relation.columns().iter().any(|column| column.primary) => &index.columns,
                _ => &[],
            };
            let number = match (scan.access.index, primary.is_empty()) {
                (Some(number), _) => number,
                (None, false) => 0,
                (None, true) => return false,
            };
            // Columns that the ranges fix to one value do not disturb the order.
            let fixed: Vec<usize> = match &scan.access.ranges {
                Some(ranges) if ranges.len() == 1 => {
                    indexes[number].columns.iter().take(ranges[0].equal.len()).copied().collect()
                }
                _ => Vec::new(),
            };
            let mut order = indexes[number].columns.iter().chain(if number == 0 { &[] } else { primary }).copied();
            let fits = wanted.iter().all(|position| {
                if fixed.contains(position) {
                    return true;
                }
                loop {
                    match order.next() {
                        Some(next) if next == *position => return true,
                        Some(next) if fixed.contains(&next) => {}
                        _ => return false,
                    }
                }
            });
            if fits {
                scan.reverse = reverse;
            }
            fits
        }
        _ => false,
    }
}
