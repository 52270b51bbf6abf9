//! Network reads of a plan's scans, for EXPLAIN.

use super::lines::counted;
use crate::catalog::Tree;
use crate::expr::Context;
use crate::optimizer::cost::cardinality;
use crate::plan::Scan;
use crate::session::Session;

/// Bytes that a request asks for at most (`REQUEST_BYTES_MAX` of the host).
const REQUEST_BYTES: f64 = 1048576.0;

/// Estimates what scans of databases on a network read.
pub struct Reads<'a> {
    context: &'a Context,
    chunk_bytes: f64,
}

impl Reads<'_> {
    /// `None` where the databases are not on a network.
    pub fn of<'a>(session: &Session, context: &'a Context) -> Option<Reads<'a>> {
        let chunk_bytes = session.catalog().engine.remote()?.chunk_bytes;
        Some(Reads { context, chunk_bytes })
    }

    /// `about 12 chunks, 24 kB, 3 requests`: where nothing of it is in memory or in the cache, and for one outer row.
    pub fn of_scan(&self, scan: &Scan) -> Option<String> {
        let base = scan.relation.base()?;
        let rows = cardinality::rows_read(scan, self.context).0?;
        let ranges = scan.access.ranges.as_ref().map_or(1, Vec::len) as f64;
        let map = match base.tree(scan.access.index) {
            Tree::Primary => base.table.rows(),
            Tree::Secondary(position) => base.table.index(base.schema().indexes.get(position)?).ok()?,
        };
        // The root is part of the table.
        let levels = map.root.level() as f64;
        let all = (map.count() as f64 / map.rows_of_a_leaf().ok()?.max(1.0)).ceil();
        let leaves = if levels == 0.0 { 0.0 } else { (rows * all / (map.count() as f64).max(1.0) + ranges).min(all) };
        let chunks = leaves + (levels - 1.0).max(0.0);
        let bytes = chunks * self.chunk_bytes;
        // Each level waits for the one above it; adjacent chunks are one request.
        let requests = levels.max((bytes / REQUEST_BYTES).ceil());
        let kilobytes = (bytes / 1000.0).ceil();
        Some(format!(
            "about {}, {kilobytes} kB, {}",
            counted(chunks.ceil() as u64, "chunk"),
            counted(requests as u64, "request")
        ))
    }
}
