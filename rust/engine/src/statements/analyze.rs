//! ANALYZE TABLE, `dolt_stats_once` and `dolt_stats_wait`: count the keys of tables' indexes.
//!
//! Plans need none of it, for a tree knows how many rows any range of its keys has. It is for those who read `dolt_statistics`.

use std::rc::Rc;

use codec::CompactSort;
use parse::ast;
use tree::{Map, Tuple, tuple};
use value::Value;
use vcs::{Head, Table};

use super::ddl::{Definition, pause};
use crate::catalog::{BaseTable, Found, Place, Relation};
use crate::cursor::{Cursor, Outcome};
use crate::engine::{Bucket, IndexStatistics, TableStatistics};
use crate::error::Result;
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::procedures::check_gathering;
use crate::session::Session;
use crate::system_tables::relation::computed::text;

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
        None => return Definition(Box::pin(count(stored, context.clone(), outcome))).start(context),
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
        let indexes = counted(&base.table, &context).await?;
        let (branch, table, address) = (branch.into(), (&**base.name()).into(), base.table.address());
        place.attached.statistics.set(TableStatistics { branch, table, address, indexes });
    }
    Ok(outcome)
}

/// What the indexes of a table hold.
async fn counted(table: &Table, context: &Context) -> Result<Rc<[IndexStatistics]>> {
    let schema = table.schema();
    let mut trees: Vec<(&str, &[usize], Map)> = Vec::new();
    if !schema.is_keyless() {
        trees.push(("primary", &schema.primary_key, table.rows()));
    }
    for index in schema.indexes.iter().filter(|index| index.is_ordered()) {
        trees.push((&index.name, &index.columns, table.index(index)?));
    }
    let mut indexes = Vec::with_capacity(trees.len());
    for (name, columns, map) in trees {
        let mut statistics = IndexStatistics::of(name, schema, columns);
        let mut cursor = map.first()?;
        for rows in rows_of_buckets(&map)? {
            let mut bucket = Counted::default();
            for _ in 0..rows {
                bucket.add(&map, columns.len(), cursor.key())?;
                cursor.advance()?;
                pause(context, 1).await;
            }
            statistics.buckets.push(bucket.finish(&map, columns.len())?);
        }
        indexes.push(statistics);
    }
    Ok(indexes.into())
}

/// `dolt_stats_once` and `dolt_stats_wait`: all tables of all branches of all databases, as far as they have changed. Native Dolt's
/// server counts all the time, and `dolt_stats_wait` waits for that.
pub fn gather(waits: bool, context: &Rc<Context>) -> Result<Cursor> {
    if waits {
        check_gathering(&context.catalog.engine)?;
    }
    Definition(Box::pin(gather_all(context.clone(), waits))).start(context)
}

async fn gather_all(context: Rc<Context>, waits: bool) -> Result<Outcome> {
    let engine = &context.catalog.engine;
    let (mut branches, mut buckets, mut processed, mut skipped) = (0, 0, 0, 0);
    for attached in engine.databases() {
        let known = attached.statistics.all();
        let mut gathered: Vec<Rc<TableStatistics>> = Vec::new();
        let refs = attached.database.refs()?;
        for branch in refs.branches() {
            let (branch, _) = branch?;
            branches += 1;
            let root = refs.named_root("WORKING", &Head::Branch(branch.clone()))?.root;
            for entry in root.tables() {
                let (table, address) = entry?;
                if vcs::is_system_table(&table) {
                    continue;
                }
                let is_same = |one: &&Rc<TableStatistics>| one.address == address;
                if let Some(same) = known.iter().filter(|one| one.is_of(&branch, &table)).find(is_same) {
                    skipped += 1;
                    gathered.push(same.clone());
                    continue;
                }
                processed += 1;
                let indexes = match known.iter().chain(&gathered).find(is_same) {
                    Some(same) => same.indexes.clone(),
                    None => {
                        let indexes = counted(&root.objects().table(&address)?, &context).await?;
                        buckets += indexes.iter().map(|index| index.buckets.len()).sum::<usize>();
                        indexes
                    }
                };
                gathered.push(Rc::new(TableStatistics { branch: branch.clone(), table, address, indexes }));
            }
        }
        attached.statistics.replace(gathered);
    }
    engine.gathering.last.set(Some(context.now()));
    let last = engine.gathering.last_text();
    let summary = format!(
        r#"{{"dbCnt":{branches},"bucketWrites":{buckets},"tablesProcessed":{processed},"tablesSkipped":{skipped},"lastUpdate":"{last}"}}"#
    );
    let message = if waits { "Ok".to_owned() } else { summary };
    let columns = vec![ResultColumn::new("message", text("message").ty.sql)];
    Ok(Outcome { rows: Some((columns, vec![vec![Value::text(message)]])), ..Outcome::default() })
}

/// How many rows each bucket of a tree has: those below the nodes of the first level with enough of them, or of the leaves.
fn rows_of_buckets(map: &Map) -> Result<Vec<u64>> {
    let mut level = vec![map.root.clone()];
    let mut rows = vec![map.count()];
    while rows.len() < BUCKETS_MIN && !level[0].is_leaf() {
        rows = level.iter().flat_map(|node| (0..node.len()).map(|child| node.subtree_count(child))).collect();
        let mut below = Vec::new();
        // A level that is wide enough is the last one to be read.
        for node in level.iter().filter(|_| rows.len() < BUCKETS_MIN) {
            for child in 0..node.len() {
                below.push(map.nodes.child(node, child)?);
            }
        }
        level = below;
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
    fn add(&mut self, map: &Map, fields: usize, key: &[u8]) -> Result<()> {
        self.rows += 1;
        self.nulls += u64::from((0..fields).any(|field| Tuple::new(key).field(field).is_none()));
        if self.key_rows > 0 && map.key.compare_prefix(&map.nodes, &self.key, key, fields)?.is_eq() {
            self.key_rows += 1;
            return Ok(());
        }
        self.end_key();
        self.distinct += 1;
        self.key = key.to_vec();
        self.key_rows = 1;
        Ok(())
    }

    fn end_key(&mut self) {
        if self.key_rows > 0 {
            self.frequent.add((self.key_rows, std::mem::take(&mut self.key)));
        }
    }

    fn finish(mut self, map: &Map, fields: usize) -> Result<Bucket> {
        let bound = (values(map, fields, &self.key)?, self.key_rows);
        self.end_key();
        let Frequent(mut keys) = self.frequent;
        keys.compact_sort_by(|a, b| a.0.cmp(&b.0));
        let mut frequent = Vec::new();
        for (rows, key) in keys {
            // The first is followed by those that are more frequent. Twice the average is what they have at least.
            if !frequent.is_empty() || rows * self.distinct >= 2 * self.rows {
                frequent.push((values(map, fields, &key)?, rows));
            }
        }
        Ok(Bucket { rows: self.rows, distinct: self.distinct, nulls: self.nulls, bound, frequent })
    }
}

fn values(map: &Map, fields: usize, key: &[u8]) -> Result<Vec<Value<'static>>> {
    let mut values = Vec::with_capacity(fields);
    for (at, kind) in map.key.fields().iter().take(fields).enumerate() {
        values.push(tuple::decode(&map.nodes, kind, Tuple::new(key).field(at))?.into_owned());
    }
    Ok(values)
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
