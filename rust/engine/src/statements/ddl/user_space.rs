//! User-space tables such as `dolt_ignore`, which users write and Dolt reads: the first write creates them (docs/format/database.md,
//! section 5.1).

use parse::ast::ObjectName;
use value::{LobSize, SqlType};
use vcs::{Column, RootValue, Schema, SchemaBuilder, TableDraft};

use crate::catalog::{Catalog, Place};
use crate::error::Result;
use crate::write::tags;

const TEXT: SqlType = SqlType::Text { size: LobSize::Regular, collation: value::Collation::UTF8MB4_0900_BIN };

/// Names, types and whether they may be NULL; the first column is the key.
fn columns(name: &str) -> Option<Vec<(&'static str, SqlType, bool)>> {
    let required = |name, ty| (name, ty, false);
    let optional = |name, ty| (name, ty, true);
    Some(match name {
        "dolt_docs" => {
            vec![required("doc_name", SqlType::varchar(1023)), required("doc_text", SqlType::LONGTEXT)]
        }
        "dolt_ignore" => vec![required("pattern", TEXT), required("ignored", SqlType::BOOLEAN)],
        "dolt_query_catalog" => vec![
            required("id", SqlType::LONGTEXT),
            required("display_order", SqlType::INT),
            required("name", TEXT),
            required("query", TEXT),
            required("description", TEXT),
        ],
        "dolt_tests" => vec![
            required("test_name", TEXT),
            optional("test_group", TEXT),
            required("test_query", TEXT),
            required("assertion_type", TEXT),
            required("assertion_comparator", TEXT),
            optional("assertion_value", TEXT),
        ],
        "dolt_nonlocal_tables" => {
            let long = SqlType::varchar(65535);
            vec![
                required("table_name", long.clone()),
                optional("target_ref", long.clone()),
                optional("ref_table", long.clone()),
                optional("options", long),
            ]
        }
        _ => return None,
    })
}

/// Makes the one of these tables that a statement is about to write, which may be another branch's.
pub fn make_where_meant(catalog: &Catalog, name: &ObjectName) -> Result<()> {
    let database = name.database.as_ref().map(|database| &*database.text);
    let place = catalog.place(database).map_err(|error| error.at(name.span))?;
    let there = place.elsewhere(&place.root()?, &name.name.text)?;
    let (place, table) = there.map_or((place, name.name.text.clone()), |there| (there.place, there.name));
    make(catalog, &place, &table)
}

/// Makes one of these tables in the transaction's root, unless it is there.
fn make(catalog: &Catalog, place: &Place, name: &str) -> Result<()> {
    let name = name.to_lowercase();
    let Some(columns) = columns(&name) else { return Ok(()) };
    let root = place.root()?;
    if root.find_table(&name)?.is_some() {
        return Ok(());
    }
    catalog.transaction.will_write();
    let head = place.refs.head(&place.head)?;
    let head: RootValue = place.refs.objects().root_value(&head.root)?;
    let named = columns.iter().map(|(name, ty, _)| (*name, ty));
    let tags = tags::of_columns(&name, named, &root, Some(&head))?;
    let mut schema = SchemaBuilder::new(value::Collation::UTF8MB4_0900_BIN);
    schema.primary_key = tags.first().copied().into_iter().collect();
    for ((name, ty, is_nullable), tag) in columns.into_iter().zip(tags) {
        let mut column = Column::new(name, ty, tag);
        column.is_nullable = is_nullable;
        schema.columns.push(column);
    }
    let written = Schema::create(root.objects(), &schema.message())?;
    let table = TableDraft::new(root.objects(), written)?.write()?;
    catalog.set_root(place, &root.with_table(&name, &table)?)
}
