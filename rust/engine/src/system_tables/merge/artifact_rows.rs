//! Conflicts and constraint violations, row by row: `dolt_conflicts_<table>`, `dolt_constraint_violations_<table>`
//! (docs/format/database.md, sections 10.6 and 10.7).

use std::rc::Rc;

use codec::{Address, base64};
use hashbrown::HashMap;
use value::{EnumType, EnumValue, Json, SqlType, Value};
use vcs::{Artifact, ArtifactKind, Schema, Table, cardinality};

use crate::catalog::Column;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::system_tables::diff::table_diff::prefixed;
use crate::system_tables::entry::{Entry, RowsOfTable};
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, column, key, required, shown_column};
use crate::system_tables::relation::row_reader::{RowReader, shown};

/// What the names of tables of conflicts begin with.
pub const CONFLICTS: &str = "dolt_conflicts_";
/// What the names of tables of constraint violations begin with.
pub const VIOLATIONS: &str = "dolt_constraint_violations_";

pub const ENTRIES: &[Entry] = &[
    Entry::of_table(CONFLICTS, RowsOfTable::Table(conflicts)),
    Entry::of_table(VIOLATIONS, RowsOfTable::Table(|at, name, _, table| Ok(violations(at, name, table)))),
];

fn conflicts_of(table: &Table) -> Result<Vec<Artifact>> {
    artifacts(table, |kind| kind == ArtifactKind::Conflict)
}

fn violations_of(table: &Table) -> Result<Vec<Artifact>> {
    artifacts(table, |kind| kind != ArtifactKind::Conflict)
}

fn artifacts(table: &Table, is_wanted: fn(ArtifactKind) -> bool) -> Result<Vec<Artifact>> {
    let mut found = Vec::new();
    table.each_artifact(&mut |artifact| {
        if is_wanted(artifact.kind) {
            found.push(artifact);
        }
        Ok(())
    })?;
    Ok(found)
}

/// The key tuple of an artifact's row: its first fields.
fn row_key(artifact: &Artifact, schema: &Schema) -> Result<Vec<u8>> {
    let fields = tree::Tuple::new(&artifact.key);
    let mut builder = tree::TupleBuilder::new();
    for at in 0..schema.key.len() {
        builder.push(fields.field(at));
    }
    Ok(builder.finish()?)
}

fn wrong(what: &str) -> SqlError {
    SqlError::general(format!("a merge artifact {what}"))
}

fn base_commit(artifact: &Artifact) -> Result<Address> {
    artifact.base_commit().ok_or_else(|| wrong("names no base"))
}

/// The base, our and their version of a table at one conflict.
pub struct Versions {
    pub base: Option<Table>,
    pub theirs: Option<Table>,
}

/// The column that names a conflict.
pub const CONFLICT_ID: &str = "dolt_conflict_id";
/// A column that `*` does not show: the key of the artifact.
pub const ARTIFACT: &str = "dolt_artifact_key";

/// The parts of a conflict's name.
pub struct ConflictKey {
    /// The key of its artifact.
    pub artifact: Box<[u8]>,
    /// The key of the row.
    pub row: Vec<u8>,
}

/// The conflicts of a table by their names.
pub fn conflict_keys(table: &Table) -> Result<HashMap<String, ConflictKey>> {
    let keys = conflicts_of(table)?.into_iter().map(|artifact| {
        let row = row_key(&artifact, table.schema())?;
        Ok((conflict_id(&row, &artifact.source), ConflictKey { artifact: artifact.key, row }))
    });
    keys.collect()
}

/// The positions of the three versions' columns.
pub struct Sides {
    base: (Rc<Schema>, usize),
    ours: (Rc<Schema>, usize),
    theirs: (Rc<Schema>, usize),
    width: usize,
}

impl Sides {
    fn our_type(&self) -> usize {
        self.ours.1 + shown(&self.ours.0).len()
    }

    fn their_type(&self) -> usize {
        self.theirs.1 + shown(&self.theirs.0).len()
    }
}

/// The columns of a table as conflicts and violations list them: those of the primary key first, in its order.
fn keys_first(schema: &Schema) -> Vec<usize> {
    let others = shown(schema).into_iter().filter(|at| !schema.columns[*at].is_primary_key);
    schema.primary_key.iter().copied().chain(others).collect()
}

/// The columns of conflicts, and the positions of each version's.
pub fn conflict_columns(our_schema: &Rc<Schema>, versions: &Versions) -> (Vec<Column>, Sides) {
    let base_schema = versions.base.as_ref().map_or(our_schema, Table::schema);
    let their_schema = versions.theirs.as_ref().map_or(our_schema, Table::schema);
    let mut columns = vec![column("from_root_ish", SqlType::varchar(1023))];
    let side = |columns: &mut Vec<Column>, prefix: &str, schema: &Rc<Schema>| {
        let start = columns.len();
        columns.extend(keys_first(schema).into_iter().map(|at| {
            let mut column = prefixed(prefix, &schema.columns[at]);
            // Dolt says so, although our row may be gone.
            column.ty.nullable = prefix != "our" || schema.columns[at].is_nullable;
            column
        }));
        (schema.clone(), start)
    };
    let base = side(&mut columns, "base", base_schema);
    let our = side(&mut columns, "our", our_schema);
    columns.push(column("our_diff_type", SqlType::varchar(1023)));
    let theirs = side(&mut columns, "their", their_schema);
    columns.push(column("their_diff_type", SqlType::varchar(1023)));
    columns.push(column(CONFLICT_ID, SqlType::varchar(1023)));
    if our_schema.is_keyless() {
        let counts = ["base_cardinality", "our_cardinality", "their_cardinality"];
        columns.extend(counts.map(|name| column(name, SqlType::BIGINT_UNSIGNED)));
    }
    let width = columns.len();
    (columns, Sides { base, ours: our, theirs, width })
}

pub fn conflicts(at: At, name: &str, stored: Box<str>, ours: &Table) -> Result<Computed> {
    let found = conflicts_of(ours)?;
    let mut versions: HashMap<(Address, Address), Versions> = HashMap::new();
    let table_of = |rootish: &Address| -> Result<Option<Table>> {
        Ok(at.objects().root_value(&at.objects().commit(rootish)?.root)?.table(&stored)?)
    };
    let mut last = Versions { base: None, theirs: None };
    for artifact in &found {
        let base = base_commit(artifact)?;
        if let hashbrown::hash_map::Entry::Vacant(entry) = versions.entry((base, artifact.source)) {
            let both = Versions { base: table_of(&base)?, theirs: table_of(&artifact.source)? };
            last.base = both.base.clone().or(last.base);
            last.theirs = both.theirs.clone().or(last.theirs);
            entry.insert(both);
        }
    }
    let is_keyless = ours.schema().is_keyless();
    if [&last.base, &last.theirs].into_iter().flatten().any(|table| table.schema().is_keyless() != is_keyless) {
        return Err(SqlError::general(format!(
            "these are conflicts by another primary key than {name} has now; CALL dolt_conflicts_resolve('--ours', '{stored}') drops them"
        )));
    }
    let (columns, sides) = conflict_columns(ours.schema(), &last);
    let (ours, found, versions) = (ours.clone(), Rc::new(found), Rc::new(versions));
    let sides = Rc::new(sides);
    Ok(Computed::new(at.database(), name, columns, move |context, _, _| {
        let (ours, found, versions, sides) = (ours.clone(), found.clone(), versions.clone(), sides.clone());
        let context = context.clone();
        Ok(Box::new((0..found.len()).map(move |at| {
            let artifact = &found[at];
            let versions = versions.get(&(base_commit(artifact)?, artifact.source));
            let versions = versions.ok_or_else(|| SqlError::internal("a conflict lost its versions"))?;
            conflict_row(artifact, &ours, versions, &sides, &context)
        })))
    }))
}

fn conflict_row(
    artifact: &Artifact,
    ours: &Table,
    versions: &Versions,
    sides: &Sides,
    context: &Context,
) -> Result<Vec<Value<'static>>> {
    let key = row_key(artifact, ours.schema())?;
    let mut row = vec![Value::Null; sides.width];
    row[0] = Value::text(artifact.source.to_string());
    let mut found = Vec::new();
    let tables = [(&versions.base, &sides.base), (&Some(ours.clone()), &sides.ours), (&versions.theirs, &sides.theirs)];
    for (table, (schema, start)) in tables {
        let Some(table) = table else {
            found.push(None);
            continue;
        };
        let item = table.rows().get(&key)?;
        if let Some(item) = &item {
            let outputs = keys_first(schema).into_iter().enumerate().map(|(at, column)| (column, start + at));
            RowReader::same(table.objects().nodes(), schema, outputs).fill(item, &mut row, context)?;
        }
        found.push(item);
    }
    let [base, our, their] = &found[..] else { return Err(SqlError::internal("a conflict has three sides")) };
    let kind = |side: &Option<tree::Item>| match (base, side) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "modified",
    };
    row[sides.our_type()] = Value::text(kind(our));
    row[sides.their_type()] = Value::text(kind(their));
    let id = sides.their_type() + 1;
    row[id] = Value::text(conflict_id(&key, &artifact.source));
    if ours.schema().is_keyless() {
        for (at, item) in found.iter().enumerate() {
            let times = item.as_ref().map(|item| cardinality(item.value())).transpose()?.unwrap_or(0);
            row[id + 1 + at] = Value::UInt(times);
        }
    }
    Ok(row)
}

/// Unpadded base64 of a hash over the row's key and their commit.
fn conflict_id(key: &[u8], theirs: &Address) -> String {
    let mut bytes = key.to_vec();
    bytes.extend_from_slice(theirs.as_bytes());
    base64::encode(&codec::xxh3_128(&bytes).to_be_bytes()).trim_end_matches('=').to_owned()
}

pub fn violations(at: At, name: &str, table: &Table) -> Computed {
    let schema = table.schema().clone();
    let members = ["foreign key", "unique index", "check constraint", "not null"].map(str::to_owned).into();
    let kinds = Rc::new(EnumType { members, collation: value::Collation::UTF8MB4_0900_BIN });
    let mut columns =
        vec![column("from_root_ish", SqlType::varchar(1023)), key("violation_type", SqlType::Enum(kinds.clone()))];
    if schema.is_keyless() {
        columns.push(key("dolt_row_hash", SqlType::LONGBLOB));
    }
    let order = keys_first(&schema);
    let first = columns.len();
    columns.extend(order.iter().map(|&at| shown_column(&schema.columns[at])));
    columns.push(required(key("violation_info", SqlType::Json)));
    columns.push(Column { hidden: true, ..column(ARTIFACT, SqlType::LONGBLOB) });
    let width = columns.len();
    let table = table.clone();
    Computed::new(at.database(), name, columns, move |context, _, _| {
        let outputs = order.iter().copied().enumerate().map(|(at, column)| (column, first + at));
        let reader = RowReader::same(table.objects().nodes(), &schema, outputs);
        let (context, schema, kinds) = (context.clone(), schema.clone(), kinds.clone());
        Ok(Box::new(violations_of(&table)?.into_iter().map(move |artifact| {
            let mut row = vec![Value::Null; width];
            row[0] = Value::text(artifact.source.to_string());
            let kind = match artifact.kind {
                ArtifactKind::ForeignKeyViolation => 1,
                ArtifactKind::UniqueViolation => 2,
                ArtifactKind::CheckViolation => 3,
                _ => 4,
            };
            row[1] = Value::Enum(EnumValue { index: kind, kind: kinds.clone() });
            let key = row_key(&artifact, &schema)?;
            if schema.is_keyless() {
                row[2] = Value::bytes(tree::Tuple::new(&key).field(0).unwrap_or_default().to_vec());
            }
            let (info, value) = details(&artifact)?;
            reader.fill_from(&key, &value, &mut row, &context)?;
            row[width - 2] = Value::json(info);
            row[width - 1] = Value::bytes(artifact.key.into_vec());
            Ok(row)
        })))
    })
}

/// What is violated, and the value tuple of the row.
fn details(artifact: &Artifact) -> Result<(Json, Vec<u8>)> {
    let json = Json::parse(&artifact.value).map_err(|_| wrong("is not JSON"))?;
    let member = |name: &str| match &json {
        Json::Object(object) => match object.get(name) {
            Some(Json::String(text)) => base64::decode(text.as_bytes()).ok(),
            _ => None,
        },
        _ => None,
    };
    let info = member("v_info").and_then(|bytes| String::from_utf8(bytes).ok());
    let info = info.ok_or_else(|| wrong("does not say what is violated"))?;
    let info = Json::parse(&info).map_err(|_| wrong("does not say what is violated"))?;
    Ok((info, member("value").unwrap_or_default()))
}
