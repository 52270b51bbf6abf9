//! User-space tables such as `dolt_ignore`, which users write and Dolt reads: the first write creates them (docs/format/database.md,
//! section 5.1).

use parse::ast::ObjectName;
use vcs::{Column, RootValue, Schema, SchemaBuilder, TableDraft};

use crate::catalog::{Catalog, Place};
use crate::error::Result;
use crate::system_tables;
use crate::write::tags;

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
    let Some(stored) = system_tables::stored(&name).filter(|stored| stored.is_written_by_users) else { return Ok(()) };
    let columns = (stored.columns)();
    let root = place.root()?;
    if root.find_table(&name)?.is_some() {
        return Ok(());
    }
    catalog.transaction.will_write();
    let head = place.refs.head(&place.head)?;
    let head: RootValue = place.refs.objects().root_value(&head.root)?;
    let named = columns.iter().map(|column| (&*column.name, &column.ty.sql));
    let tags = tags::of_columns(&name, named, &root, Some(&head))?;
    let mut schema = SchemaBuilder::new(value::Collation::UTF8MB4_0900_BIN);
    schema.primary_key = tags.first().copied().into_iter().collect();
    for (shown, tag) in columns.iter().zip(tags) {
        let mut column = Column::new(&shown.name, shown.ty.sql.clone(), tag);
        column.is_nullable = shown.ty.nullable;
        schema.columns.push(column);
    }
    let written = Schema::create(root.objects(), &schema.message())?;
    let table = TableDraft::new(root.objects(), written)?.write()?;
    catalog.set_root(place, &root.with_table(&name, &table)?)
}
