//! Index-only scan for aggregates, as in `SELECT day, SUM(id) … GROUP BY day`, `SELECT AVG(amount)`: where an index covers all columns, its
//! entries are read, for more of them fit into a node.

use super::covering::is_covering;
use super::sort_elimination::is_of_any_order;
use crate::catalog::IndexChoice;
use crate::exec;
use crate::optimizer::rewrite::equivalence::is_told_apart;
use crate::plan::{Aggregate, Plan};

/// So many times as many entries as rows have to fit into a node.
const NARROWER: f64 = 2.0;

/// Lets aggregates read the narrowest index that serves, and says whether one does. Other plans show in which order their rows came.
pub fn read_entries(plan: &mut Plan) -> bool {
    let mut is_changed = false;
    plan.inputs_mut(&mut |input| is_changed |= read_entries(input));
    if let Plan::Aggregate(aggregate) = plan
        && let Some(number) = narrowest(aggregate)
        && let Some(scan) = aggregate.input.scan_below_mut()
    {
        scan.access = IndexChoice { index: Some(number), ..IndexChoice::default() };
        // Its entries come group by group.
        aggregate.in_order = !aggregate.groups.is_empty();
        is_changed = true;
    }
    is_changed
}

fn narrowest(aggregate: &Aggregate) -> Option<usize> {
    let scan = aggregate.input.scan_below()?;
    let is_whole = scan.access.index.is_none() && scan.access.ranges.is_none();
    if !is_whole || aggregate.in_order || !aggregate.calls.iter().all(|(_, call)| is_of_any_order(call)) {
        return None;
    }
    let mut groups = Vec::new();
    for (_, expr) in &aggregate.groups {
        let position = aggregate.input.position_below(expr.as_column().filter(|_| is_told_apart(&expr.ty))?)?;
        if !groups.contains(&position) {
            groups.push(position);
        }
    }
    let table = scan.relation.base()?.table.rows();
    if table.root.is_leaf() {
        return None;
    }
    let enough = NARROWER * table.rows_of_a_leaf().ok()?;
    let indexes = scan.relation.indexes().iter().enumerate().filter(|(number, index)| {
        let begins = index.columns.get(..groups.len()).is_some_and(|first| first.iter().all(|at| groups.contains(at)));
        index.ordered && begins && is_covering(scan, *number)
    });
    let sized = indexes.filter_map(|(number, _)| {
        let (map, _) = exec::scan::table_scan::map_of(&scan.relation, Some(number)).ok()?;
        Some((number, map.rows_of_a_leaf().ok()?))
    });
    let narrow = sized.filter(|(_, entries)| *entries >= enough);
    narrow.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(number, _)| number)
}
