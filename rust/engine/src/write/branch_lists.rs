//! Foreign keys that refer to `dolt_branches` and `dolt_remote_branches` (docs/format/database.md, section 9.1).
//!
//! Those tables are computed. For the keys they become stored ones that only the statement sees, with the names of the committed branches,
//! so that rows are looked up there as they are in any parent.

use value::{SqlType, Value};
use vcs::{Column, RootValue, Schema, SchemaBuilder, Table, TableDraft};

use super::{TableEditor, tags};
use crate::catalog::{Catalog, Place};
use crate::error::{Result, SqlError};

/// As long as a key's field may be; those that refer to the list are not TEXT either.
const NAME_LENGTH_MAX: u32 = 16_383;

/// Whether foreign keys may refer to a system table though it is not stored.
pub fn is_branch_list(table: &str) -> bool {
    ["dolt_branches", "dolt_remote_branches"].iter().any(|known| known.eq_ignore_ascii_case(table))
}

/// The list with this name, spelled as a key spells it: the tags of its columns depend on that.
///
/// # Errors
/// What the store says.
pub fn table(catalog: &Catalog, place: &Place, root: &RootValue, name: &str) -> Result<Table> {
    let list = catalog.computed.of_database(place, root, name, None)?;
    let list = list.ok_or_else(|| SqlError::table_not_found(name))?;
    let named = list.columns().iter().map(|column| (&*column.name, &column.ty.sql));
    let tags = tags::of_columns(name, named, root, Some(root))?;
    let mut schema = SchemaBuilder::new(value::Collation::UTF8MB4_0900_BIN);
    schema.primary_key = tags.first().copied().into_iter().collect();
    for (at, (column, tag)) in list.columns().iter().zip(tags).enumerate() {
        let ty = if at == 0 { SqlType::varchar(NAME_LENGTH_MAX) } else { column.ty.sql.clone() };
        schema.columns.push(Column { is_primary_key: at == 0, ..Column::new(&column.name, ty, tag) });
    }
    let written = Schema::create(root.objects(), &schema.message())?;
    let empty = TableDraft::new(root.objects(), written)?.write()?;
    let mut editor = TableEditor::new(empty.clone())?;
    for branch in names(catalog, place, name)? {
        let mut row = vec![Value::Null; schema.columns.len()];
        row[0] = Value::text(branch);
        let entry = editor.encode(&row)?;
        editor.insert(&row, &entry)?;
    }
    Ok(editor.finish()?.unwrap_or(empty))
}

fn names(catalog: &Catalog, place: &Place, list: &str) -> Result<Vec<String>> {
    let refs = catalog.transaction.base(&place.attached).unwrap_or_else(|| place.refs.clone());
    let mut names = Vec::new();
    match list.eq_ignore_ascii_case("dolt_branches") {
        true => {
            for branch in refs.branches() {
                names.push(branch?.0.into_string());
            }
        }
        false => {
            for branch in refs.remote_branches() {
                let branch = branch?;
                names.push(format!("remotes/{}/{}", branch.remote, branch.branch));
            }
        }
    }
    Ok(names)
}
