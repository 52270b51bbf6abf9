//! CREATE TABLE … LIKE.

use parse::ast::ObjectName;
use tree::message::schema::TARGET_ROW_BYTES;
use value::SqlType;
use vcs::{Schema, SchemaBuilder, TableDraft};

use super::check;
use super::expressions::{self, Spelling};
use super::index::{json_in_index, no_length};
use super::work::Work;
use crate::error::{Result, SqlError};
use crate::write::tags;

/// A table with the columns, indexes and checks of another one, and no rows. Foreign keys stay behind.
pub fn like(work: &mut Work<'_>, name: &str, source: &ObjectName) -> Result<()> {
    let database = source.database.as_ref().map(|database| &*database.text);
    let text = &*source.name.text;
    let (place, called) = work.session.catalog().table_place(database, text)?;
    let table = place.root()?.table(&called)?.ok_or_else(|| SqlError::table_not_found(text).at(source.span))?;
    let mut schema = SchemaBuilder::from(&**table.schema());
    schema.indexes.retain(|index| !index.is_system_defined);
    // As in native Dolt the comment, the target size of rows and the prefixes of indexes are not taken over, and a full-text or
    // vector index becomes one of another kind.
    schema.comment = "".into();
    schema.target_row_bytes = TARGET_ROW_BYTES;
    expressions::spell(&mut schema, Spelling::Quoted, |_| true);
    for index in &mut schema.indexes {
        index.prefix_lengths.clear();
        index.fulltext = None;
        index.vector = None;
    }
    for index in schema.indexes.iter().filter(|index| !index.is_unique) {
        for column in index.columns.iter().filter_map(|tag| schema.column_by_tag(*tag)) {
            match column.sql_type {
                SqlType::Text { .. } | SqlType::Blob { .. } => return Err(no_length(&column.name).at(source.span)),
                SqlType::Json => return Err(json_in_index(&column.name)),
                _ => {}
            }
        }
    }
    give_own_tags(work, name, &mut schema)?;
    for check in core::mem::take(&mut schema.checks) {
        let name = check::free_name(name, &check.expression, &schema, &[]);
        schema.checks.push(vcs::Check { name: name.into(), ..check });
    }
    let written = Schema::create(work.root.objects(), &schema.message())?;
    let table = TableDraft::new(work.root.objects(), written)?.write()?;
    work.root = work.root.with_table(name, &table)?;
    Ok(())
}

/// Tags are of one table: the columns get others, which keys and indexes name.
fn give_own_tags(work: &Work<'_>, name: &str, schema: &mut SchemaBuilder) -> Result<()> {
    let head = work.head_root()?;
    let named = schema.columns.iter().map(|column| (&*column.name, &column.sql_type));
    let fresh = tags::of_columns(name, named, &work.root, Some(&head))?;
    let before: Vec<u64> = schema.columns.iter().map(|column| column.tag).collect();
    let renew = |tag: &mut u64| {
        if let Some(at) = before.iter().position(|known| known == tag) {
            *tag = fresh[at];
        }
    };
    schema.columns.iter_mut().for_each(|column| {
        renew(&mut column.tag);
        column.encoding = vcs::encoding(&column.sql_type);
    });
    schema.primary_key.iter_mut().for_each(renew);
    schema.indexes.iter_mut().flat_map(|index| &mut index.columns).for_each(renew);
    Ok(())
}
