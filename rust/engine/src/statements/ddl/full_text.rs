//! Full-text indexes and their hidden tables (docs/format/database.md, section 8.5).

use codec::CompactSort;
use value::{Collation, SqlType};
use vcs::{Column, Fulltext, IndexDefinition, RootValue, Schema, SchemaBuilder, Table, TableDraft};

use super::index;
use super::index::{NewIndex, Part};
use super::pause::pause;
use super::work::Work;
use crate::error::{Result, SqlError};
use crate::write::MergePoint;
use crate::write::full_text::Words;
use crate::write::tags;

/// Characters of a word at most.
const WORD_LENGTH: u32 = 84;
/// Text whose words cost as much as a row of another index.
const BYTES_LIKE_A_ROW: usize = 8;

/// What names a row of the table: its primary key, a unique key or its hash.
struct Key {
    kind: u8,
    name: Box<str>,
    positions: Vec<u16>,
    columns: Vec<Column>,
}

impl Key {
    fn of(schema: &SchemaBuilder, collation: Collation) -> Key {
        let column = |(number, at): (usize, usize)| {
            let mut column = schema.columns[at].clone();
            column.name = format!("C{number}").into();
            column.sql_type = with_collation(&column.sql_type, collation);
            column.type_text = column.sql_type.to_string().into();
            // Native Dolt copies a default as an expression.
            column.default =
                column.default.map(|text| if text.starts_with('(') { text } else { format!("({text})").into() });
            column
        };
        let place = |tag: &u64| schema.columns.iter().position(|column| column.tag == *tag).unwrap_or_default();
        let of_tags = |kind, name: &str, tags: &[u64]| {
            let places: Vec<usize> = tags.iter().map(place).collect();
            let positions = places.iter().map(|at| *at as u16).collect();
            Key { kind, name: name.into(), positions, columns: places.into_iter().enumerate().map(column).collect() }
        };
        if !schema.primary_key.is_empty() {
            return of_tags(0, "", &schema.primary_key);
        }
        let mut unique: Vec<&IndexDefinition> = schema.indexes.iter().filter(|index| index.is_unique).collect();
        unique.compact_sort_by(|a, b| a.name.cmp(&b.name));
        let is_sure =
            |index: &&IndexDefinition| index.columns.iter().all(|tag| !schema.columns[place(tag)].is_nullable);
        match unique.into_iter().find(is_sure) {
            Some(index) => of_tags(1, &index.name, &index.columns),
            None => {
                let columns = vec![text("row_hash", collation)];
                Key { kind: 2, name: "".into(), positions: Vec::new(), columns }
            }
        }
    }
}

fn with_collation(ty: &SqlType, collation: Collation) -> SqlType {
    match ty {
        SqlType::Char { length, .. } => SqlType::Char { length: *length, collation },
        SqlType::VarChar { length, .. } => SqlType::VarChar { length: *length, collation },
        SqlType::Text { size, .. } => SqlType::Text { size: *size, collation },
        other => other.clone(),
    }
}

fn text(name: &str, collation: Collation) -> Column {
    required(name, SqlType::VarChar { length: WORD_LENGTH, collation })
}

fn required(name: &str, ty: SqlType) -> Column {
    let mut column = Column::new(name, ty, 0);
    column.is_nullable = false;
    column
}

/// Adds an index to a table that is in the root of `work`, and makes its tables; [`fill`] is next where there are rows.
pub fn add(work: &mut Work<'_>, table: &str, new: &NewIndex<'_>, schema: &mut SchemaBuilder) -> Result<()> {
    let name = new.chosen_name(schema);
    let mut columns = Vec::new();
    for part in &new.parts {
        let Part::Column { name, .. } = *part else {
            return Err(SqlError::general("a full-text index cannot have expressions"));
        };
        let at = schema
            .column(name)
            .ok_or_else(|| SqlError::general(format!("Full-Text index could not find the column `{name}`")))?;
        columns.push(schema.columns[at].tag);
    }
    let collation = collation(schema, &columns)?;
    let prefix = free_prefix(work, table, &name)?;
    let key = Key::of(schema, collation);
    let fulltext = Fulltext {
        config_table: format!("dolt_{table}_fts_config").into(),
        position_table: format!("{prefix}_fts_position").into(),
        doc_count_table: format!("{prefix}_fts_doc_count").into(),
        global_count_table: format!("{prefix}_fts_global_count").into(),
        row_count_table: format!("{prefix}_fts_row_count").into(),
        key_type: key.kind,
        key_name: key.name.clone(),
        key_positions: key.positions.clone(),
    };
    let head = work.head_root()?;
    make_tables(work, &fulltext, key, collation, Collation::UTF8MB4_0900_BIN, Some(&head))?;
    let definition = IndexDefinition {
        name: name.as_str().into(),
        comment: new.comment.into(),
        columns,
        fulltext: Some(fulltext),
        ..IndexDefinition::default()
    };
    index::add(schema, definition)?;
    let before = work.root.table(table)?.ok_or_else(|| SqlError::table_not_found(table))?;
    let after = work.with_schema(&before, schema)?;
    work.root = work.root.with_table(table, &after)?;
    Ok(())
}

/// Puts the words of all rows into the tables of the full-text index at a position of the table's schema.
pub async fn fill(work: &mut Work<'_>, table: &Table, index: usize) -> Result<()> {
    let mut words = Words::open(&work.root, table.schema(), index)?;
    work.each_stored(table, |row, _| {
        words.add(&row)?;
        Ok(1 + words.text_bytes(&row) / BYTES_LIKE_A_ROW + words.merge_step(MergePoint::Between)?)
    })
    .await?;
    while let merged @ 1.. = words.merge_step(MergePoint::End)? {
        pause(&work.context, merged).await;
    }
    for (name, table) in words.finish()? {
        work.root = work.root.with_table(&name, &table)?;
    }
    Ok(())
}

/// The one collation of the columns, all of which are text.
fn collation(schema: &SchemaBuilder, columns: &[u64]) -> Result<Collation> {
    let mut found = None;
    for tag in columns {
        let ty = schema.column_by_tag(*tag).map(|column| &column.sql_type).filter(|ty| ty.is_text());
        let collation = ty
            .and_then(SqlType::collation)
            .ok_or_else(|| SqlError::general("all Full-Text columns must be declared on a non-binary text type"))?;
        if found.is_some_and(|found| found != collation) {
            return Err(SqlError::general("Full-Text index columns must have the same collation"));
        }
        found = Some(collation);
    }
    Ok(found.unwrap_or(Collation::UTF8MB4_0900_BIN))
}

fn free_prefix(work: &Work<'_>, table: &str, index: &str) -> Result<String> {
    let names: Vec<String> = work.root.tables().map(|entry| Ok(entry?.0.to_lowercase())).collect::<Result<_>>()?;
    let prefixes = (0..).map(|number: u64| format!("dolt_{table}_{index}_{number}").to_lowercase());
    let is_free = |prefix: &String| !names.iter().any(|name| name.starts_with(&**prefix));
    Ok(prefixes.into_iter().find(is_free).unwrap_or_default())
}

/// Makes the four tables of an index, and that of the table's settings unless it is there; `own` is what the four say of their
/// collation, `head` whose tags are not given again.
fn make_tables(
    work: &mut Work<'_>,
    fulltext: &Fulltext,
    key: Key,
    collation: Collation,
    own: Collation,
    head: Option<&RootValue>,
) -> Result<()> {
    let count = |name| required(name, SqlType::BIGINT_UNSIGNED);
    let word = || text("word", collation);
    let keyed = |last: Column| -> Vec<Column> {
        core::iter::once(word()).chain(key.columns.iter().cloned()).chain([last]).collect()
    };
    let keys = key.columns.len() + 1;
    if work.root.find_table(&fulltext.config_table)?.is_none() {
        let columns = vec![
            required("id", SqlType::INT),
            required("stopword_table", SqlType::varchar(2048)),
            required("use_stopword", SqlType::BOOLEAN),
        ];
        make_table(work, &fulltext.config_table, columns, 1, Collation::UTF8MB4_0900_BIN, head)?;
    }
    make_table(work, &fulltext.position_table, keyed(count("position")), keys + 1, own, head)?;
    make_table(work, &fulltext.doc_count_table, keyed(count("doc_count")), keys, own, head)?;
    make_table(work, &fulltext.global_count_table, vec![word(), count("global_count")], 1, own, head)?;
    let rows = vec![text("row_hash", collation), count("row_count"), count("unique_words")];
    make_table(work, &fulltext.row_count_table, rows, 1, own, head)
}

/// Makes a table whose first columns are its key.
fn make_table(
    work: &mut Work<'_>,
    name: &str,
    mut columns: Vec<Column>,
    keys: usize,
    collation: Collation,
    head: Option<&RootValue>,
) -> Result<()> {
    let named = columns.iter().map(|column| (&*column.name, &column.sql_type));
    let tags = tags::of_columns(name, named, &work.root, head)?;
    let mut schema = SchemaBuilder::new(collation);
    for (at, (column, tag)) in columns.iter_mut().zip(tags).enumerate() {
        column.tag = tag;
        column.is_nullable = false;
        column.is_primary_key = at < keys;
        if column.is_primary_key {
            schema.primary_key.push(tag);
        }
    }
    schema.columns = columns;
    let written = Schema::create(work.root.objects(), &schema.message())?;
    let table = TableDraft::new(work.root.objects(), written)?.write()?;
    work.root = work.root.with_table(name, &table)?;
    Ok(())
}

/// Drops the tables of an index; `is_last`: of the table, whose settings go, too.
pub fn drop_tables(work: &mut Work<'_>, fulltext: &Fulltext, is_last: bool) -> Result<()> {
    let mut names = vec![
        &fulltext.position_table,
        &fulltext.doc_count_table,
        &fulltext.global_count_table,
        &fulltext.row_count_table,
    ];
    if is_last {
        names.push(&fulltext.config_table);
    }
    for name in names {
        if let Some((stored, _)) = work.root.find_table(name)? {
            work.root = work.root.without_table(&stored)?;
        }
    }
    Ok(())
}

/// Makes the tables of all full-text indexes of a table anew, without rows: its columns or key are others now.
pub fn make_tables_anew(work: &mut Work<'_>, schema: &mut SchemaBuilder, has_entries: bool) -> Result<()> {
    for at in 0..schema.indexes.len() {
        let Some(fulltext) = schema.indexes[at].fulltext.clone() else { continue };
        let collation = collation(schema, &schema.indexes[at].columns)?;
        let key = Key::of(schema, collation);
        // Where native Dolt writes the table anew it puts these in the place of those that are there, whose columns give their tags,
        // and they have the collation of their words. It does not look at HEAD then.
        let (own_collation, head) = match has_entries {
            true => {
                drop_tables(work, &fulltext, false)?;
                (Collation::UTF8MB4_0900_BIN, Some(work.head_root()?))
            }
            false => (collation, None),
        };
        let fulltext = Fulltext {
            key_type: key.kind,
            key_name: key.name.clone(),
            key_positions: key.positions.clone(),
            ..fulltext
        };
        make_tables(work, &fulltext, key, collation, own_collation, head.as_ref())?;
        schema.indexes[at].fulltext = Some(fulltext);
    }
    Ok(())
}

/// Makes all full-text indexes of a table anew, whose rows, columns or key are others now; their own trees if `has_entries`.
pub async fn rebuild(work: &mut Work<'_>, table: &str, schema: &mut SchemaBuilder, has_entries: bool) -> Result<()> {
    make_tables_anew(work, schema, has_entries)?;
    let before = work.root.table(table)?.ok_or_else(|| SqlError::table_not_found(table))?;
    let after = work.with_schema(&before, schema)?;
    work.root = work.root.with_table(table, &after)?;
    let mut draft = after.draft();
    for (at, index) in after.schema().indexes.iter().enumerate() {
        if index.fulltext.is_some() {
            fill(work, &after, at).await?;
            if has_entries {
                draft.set_index(&index.name, work.full_text_entries(table, &after, index).await?);
            }
        }
    }
    work.root = work.root.with_table(table, &draft.write()?)?;
    Ok(())
}
