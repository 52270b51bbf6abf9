//! Sampling of rows for the planner.

use super::pieces::Piece;
use super::{Settings, TableScan};
use crate::batch::Batch;
use crate::catalog::IndexChoice;
use crate::error::Result;
use crate::exec::build::Layout;
use crate::expr::Context;
use crate::plan::Scan;

/// How many of the rows at these places of an index pass the conditions of a scan. `None` where that cannot be told: an error
/// belongs to the execution, if it is reached at all.
pub fn count_passing(scan: &Scan, index: Option<usize>, places: &[u64], context: &Context) -> Option<usize> {
    Some(passing(scan, index, places, context)?.rows)
}

/// The rows of a small table that pass the conditions of a scan; `None` as above.
pub fn all_passing(scan: &Scan, context: &Context) -> Option<Batch> {
    let places: Vec<u64> = (0..scan.relation.row_count()?).collect();
    passing(scan, None, &places, context)
}

fn passing(scan: &Scan, index: Option<usize>, places: &[u64], context: &Context) -> Option<Batch> {
    let warnings = context.session.warning_count();
    let passed = rows_passing(scan, index, places, context);
    context.session.truncate_warnings(warnings);
    passed.ok()
}

fn rows_passing(scan: &Scan, index: Option<usize>, places: &[u64], context: &Context) -> Result<Batch> {
    let filter = Layout::new(scan.columns.iter().map(|(id, _)| *id)).place_all(&scan.filter)?;
    // Nothing but the conditions is read.
    let columns = scan.columns.iter().map(|(_, position)| *position).collect();
    let access = IndexChoice { index, ..IndexChoice::default() };
    let settings = Settings::new(&scan.relation, access, columns, filter, false)?;
    let mut table = TableScan::new(settings.into(), &scan.relation)?;
    let mut entries = Vec::with_capacity(places.len());
    table.map.items(places, |item| entries.push(Piece::one(item.leaf, item.index)))?;
    let rows = table.rows_of(entries)?;
    Ok(table.decode(&rows, context)?.0)
}
