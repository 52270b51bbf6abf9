//! Tags of new columns (docs/format/database.md, section 8.3).

use hashbrown::{HashMap, HashSet};
use value::SqlType;
use vcs::{ExistingKinds, RootValue, SchemaBuilder, new_tag, tag_kind};

use crate::error::Result;

/// Tags for the columns of a table that is made or made anew: a column of the same name and kind that the table has, or had at
/// HEAD, gives its tag.
pub fn of_columns<'a>(
    table: &str,
    columns: impl Iterator<Item = (&'a str, &'a SqlType)>,
    root: &RootValue,
    head: Option<&RootValue>,
) -> Result<Vec<u64>> {
    let columns: Vec<(&str, u8)> = columns.map(|(name, ty)| (name, tag_kind(ty))).collect();
    let mut existing: Vec<(String, u8, u64)> = Vec::new();
    let schema = |root: &RootValue| -> Result<_> { Ok(root.table(table)?.map(|table| table.schema().clone())) };
    if let Some(schema) = schema(root)? {
        existing.extend(schema.columns.iter().map(|c| (c.name.to_string(), tag_kind(&c.sql_type), c.tag)));
    } else if let Some(schema) = head.map(schema).transpose()?.flatten() {
        // In the order of the new columns.
        for (name, kind) in &columns {
            let shared = schema.columns.iter().find(|c| *c.name == **name && tag_kind(&c.sql_type) == *kind);
            existing.extend(shared.map(|c| (c.name.to_string(), *kind, c.tag)));
        }
    }
    let mut kinds: ExistingKinds = existing.iter().map(|(_, kind, _)| *kind).collect();
    let mut used = used(root)?;
    if let Some(head) = head {
        used.extend(self::used(head)?);
    }
    let known: HashMap<(String, u8), u64> =
        existing.iter().rev().map(|(name, kind, tag)| ((name.to_lowercase(), *kind), *tag)).collect();
    let mut tags = Vec::with_capacity(columns.len());
    for (name, kind) in columns {
        tags.push(match known.get(&(name.to_lowercase(), kind)) {
            Some(tag) => *tag,
            None => {
                let tag = new_tag(table, name, &kinds, kind, &used);
                kinds.push(kind);
                used.insert(tag);
                tag
            }
        });
    }
    Ok(tags)
}

/// The tag of a column that is added to a table as `schema` has it by now; where the rows are written anew it is none that HEAD has.
pub fn of_new_column(
    table: &str,
    name: &str,
    ty: &SqlType,
    schema: &SchemaBuilder,
    root: &RootValue,
    head: Option<&RootValue>,
) -> Result<u64> {
    let kinds: ExistingKinds = schema.columns.iter().map(|column| tag_kind(&column.sql_type)).collect();
    let mut used = used(root)?;
    if let Some(head) = head {
        used.extend(self::used(head)?);
    }
    used.extend(schema.columns.iter().map(|column| column.tag));
    Ok(new_tag(table, name, &kinds, tag_kind(ty), &used))
}

/// All tags of a root's tables.
fn used(root: &RootValue) -> Result<HashSet<u64>> {
    let mut tags = HashSet::new();
    for entry in root.tables() {
        let (_, address) = entry?;
        let table = root.objects().table(&address)?;
        tags.extend(table.schema().columns.iter().map(|column| column.tag));
    }
    Ok(tags)
}
