//! ANALYZE TABLE: counts the keys of a table's indexes.
//!
//! Plans need none of it, for a tree knows how many rows any range of its keys has. It is for those who read `dolt_statistics`.

use std::rc::Rc;

use parse::ast;
use tree::{Map, Tuple, tuple};
use value::Value;

use super::ddl::{Definition, pause};
use crate::catalog::{BaseTable, Found, Place, Relation};
use crate::cursor::{Cursor, Outcome};
use crate::engine::{Bucket, IndexStatistics};
use crate::error::Result;
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::session::Session;
use crate::system_tables::computed::text;

/// A tree is looked at where it has so many nodes beside each other, if it has: each is a bucket.
const BUCKETS_MIN: usize = 20;

/// Keys that a bucket remembers at most.
const FREQUENT_MAX: usize = 3;

/// ANALYZE TABLE, also of histograms. Names are the tables' own; of histograms the reference tells them in small letters.
pub fn run(session: &Session, analyze: &ast::Analyze, context: &Rc<Context>) -> Result<Cursor> {
    let catalog = session.catalog();
    let mut stored = Vec::new();
    let mut rows = Vec::new();
    for table in &analyze.tables {
        let found = catalog.relation(table, None).map_err(|error| error.at(table.span))?;
        let (name, operation) = match (&found, &analyze.histogram) {
            (_, Some(_)) => (table.name.text.to_lowercase(), "histogram"),
            (Found::Relation(relation), None) => (relation.name().to_string(), "analyze"),
            (Found::View(_), None) => (table.name.text.to_string(), "analyze"),
        };
        let place = catalog.place(table.database.as_ref().map(|database| &*database.text))?;
        if let Some(base) = catalog.stored(&place, &place.root()?, &name)? {
            stored.push((place, base));
        }
        let [operation, state, message] = [operation, "status", "OK"].map(Value::text);
        rows.push(vec![Value::text(name), operation, state, message]);
    }
    let columns = ["Table", "Op", "Msg_type", "Msg_text"].map(|name| ResultColumn::new(name, text(name).ty.sql));
    let outcome = Outcome { rows: Some((columns.into(), rows)), ..Outcome::default() };
    match &analyze.histogram {
        None => return Definition::of(count(stored, context.clone(), outcome), context),
        Some(histogram) if histogram.drop => stored.iter().for_each(|(place, table)| {
            place.attached.statistics.forget(place.branch().unwrap_or_default(), table.name());
        }),
        Some(_) => {}
    }
    Ok(Cursor::of_outcome(outcome, context.clone()))
}

async fn count(tables: Vec<(Place, Rc<BaseTable>)>, context: Rc<Context>, outcome: Outcome) -> Result<Outcome> {
    for (place, base) in tables {
        let Some(branch) = place.branch() else { continue };
        let schema = base.schema();
        let mut indexes = Vec::new();
        let statistics = |index: &str, columns: &[usize], buckets| IndexStatistics {
            index: index.to_lowercase(),
            columns: columns.iter().map(|column| schema.columns[*column].name.to_lowercase()).collect(),
            types: columns.iter().map(|column| schema.columns[*column].sql_type.clone()).collect(),
            buckets,
        };
        if !schema.is_keyless() {
            let key = &schema.primary_key;
            indexes.push(statistics("primary", key, buckets(&base.table.rows(), key.len(), &context).await?));
        }
        for index in schema.indexes.iter().filter(|index| index.is_ordered()) {
            let entries = base.table.index(index)?;
            let buckets = buckets(&entries, index.columns.len(), &context).await?;
            indexes.push(statistics(&index.name, &index.columns, buckets));
        }
        place.attached.statistics.set(branch, base.name(), indexes);
    }
    Ok(outcome)
}

/// The buckets of a tree whose keys begin with these fields.
async fn buckets(map: &Map, fields: usize, context: &Context) -> Result<Vec<Bucket>> {
    let mut buckets = Vec::new();
    let mut cursor = map.first()?;
    for rows in rows_of_buckets(map)? {
        let mut counted = Counted::default();
        for _ in 0..rows {
            let key = cursor.key();
            counted.rows += 1;
            counted.nulls += u64::from((0..fields).any(|field| Tuple::new(key).field(field).is_none()));
            if counted.key_rows > 0 && map.key.compare_prefix(&map.nodes, &counted.key, key, fields)?.is_eq() {
                counted.key_rows += 1;
            } else {
                counted.end_key();
                counted.distinct += 1;
                counted.key.clear();
                counted.key.extend_from_slice(key);
                counted.key_rows = 1;
            }
            cursor.advance()?;
            pause(context, 1).await;
        }
        buckets.push(counted.finish(map, fields)?);
    }
    Ok(buckets)
}

/// How many rows each bucket of a tree has.
fn rows_of_buckets(map: &Map) -> Result<Vec<u64>> {
    let mut level = vec![map.root.clone()];
    let mut rows = vec![map.count()];
    while rows.len() < BUCKETS_MIN && !level[0].is_leaf() {
        let below = |node: &Rc<tree::Node>| (0..node.len()).map(|child| node.subtree_count(child)).collect::<Vec<_>>();
        rows = level.iter().flat_map(below).collect();
        if rows.len() < BUCKETS_MIN && level[0].level() > 1 {
            let mut children = Vec::with_capacity(rows.len());
            for node in &level {
                for child in 0..node.len() {
                    children.push(map.nodes.child(node, child)?);
                }
            }
            level = children;
        } else {
            break;
        }
    }
    rows.retain(|rows| *rows > 0);
    Ok(rows)
}

/// A bucket while its rows are counted.
#[derive(Default)]
struct Counted {
    rows: u64,
    distinct: u64,
    nulls: u64,
    /// The last key, and how many rows have had it.
    key: Vec<u8>,
    key_rows: u64,
    frequent: Frequent,
}

impl Counted {
    fn end_key(&mut self) {
        if self.key_rows > 0 {
            self.frequent.add((self.key_rows, self.key.clone()));
        }
    }

    fn finish(mut self, map: &Map, fields: usize) -> Result<Bucket> {
        self.end_key();
        let values = |key: &[u8]| -> Result<Vec<Value<'static>>> {
            let types = map.key.fields().iter().take(fields).enumerate();
            types
                .map(|(at, kind)| Ok(tuple::decode(&map.nodes, kind, Tuple::new(key).field(at))?.into_owned()))
                .collect()
        };
        let Frequent(mut keys) = self.frequent;
        keys.sort_by_key(|(rows, _)| *rows);
        let average = self.rows as f64 / self.distinct as f64;
        let frequent = keys.iter().skip_while(|(rows, _)| (*rows as f64) < 2.0 * average);
        Ok(Bucket {
            rows: self.rows,
            distinct: self.distinct,
            nulls: self.nulls,
            bound: (values(&self.key)?, self.key_rows),
            frequent: frequent.map(|(rows, key)| Ok((values(key)?, *rows))).collect::<Result<_>>()?,
        })
    }
}

/// The most frequent keys of a bucket: a binary heap whose first is the least frequent. Which of equally frequent ones stay is what
/// the reference's heap makes of them.
#[derive(Default)]
struct Frequent(Vec<(u64, Vec<u8>)>);

impl Frequent {
    fn add(&mut self, key: (u64, Vec<u8>)) {
        let Frequent(keys) = self;
        let mut at = keys.len();
        keys.push(key);
        while at > 0 && keys[at].0 < keys[(at - 1) / 2].0 {
            keys.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
        if keys.len() <= FREQUENT_MAX {
            return;
        }
        // The last takes the place of the first, and sinks.
        keys.swap_remove(0);
        let least = if keys[2].0 < keys[1].0 { 2 } else { 1 };
        if keys[least].0 < keys[0].0 {
            keys.swap(0, least);
        }
    }
}
