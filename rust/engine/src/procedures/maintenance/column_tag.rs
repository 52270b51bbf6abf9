//! `dolt_update_column_tag`: gives a column another identity across branches.

use vcs::{Schema, SchemaBuilder, WorkingSet};

use crate::error::{Result, SqlError};
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_update_column_tag", update)];

pub fn update(call: &Call) -> Result<Answer> {
    let [table, column, tag] = &call.arguments[..] else {
        return Err(SqlError::general("incorrect number of arguments: must provide <table> <column> <tag>"));
    };
    let parse = |tag: &str| tag.bytes().all(|byte| byte.is_ascii_digit()).then(|| tag.parse::<u64>().ok()).flatten();
    let tag = parse(tag).ok_or_else(|| {
        SqlError::general(format!("failed to parse tag {tag}: strconv.ParseUint: parsing \"{tag}\": invalid syntax"))
    })?;
    let state = call.state()?;
    let root = state.working()?;
    let unknown = || SqlError::general(format!("table {table} does not exist"));
    let (stored, address) = root.find_table(table)?.ok_or_else(unknown)?;
    let table = root.objects().table(&address)?;
    let mut schema = SchemaBuilder::from(&**table.schema());
    let Some(at) = schema.columns.iter().position(|known| *known.name == **column) else {
        return Err(SqlError::general(format!("failed to update column tag: column {column} does not exist")));
    };
    let before = schema.columns[at].tag;
    if tag != before && schema.column_by_tag(tag).is_some() {
        return Err(SqlError::general("failed to update table schema: two different columns with the same tag"));
    }
    // Native Dolt forgets indexes, checks and the comment here; they stay, and so do foreign keys.
    schema.replace_tag(before, tag);
    let mut keys = root.foreign_keys()?;
    for key in &mut keys {
        let sides = [(&key.child_table, &mut key.child_columns), (&key.parent_table, &mut key.parent_columns)];
        let own = sides.into_iter().filter(|(name, _)| name.eq_ignore_ascii_case(&stored));
        own.flat_map(|(_, tags)| tags).filter(|known| **known == before).for_each(|known| *known = tag);
    }
    call.context.catalog.transaction.will_write();
    let mut draft = table.draft();
    draft.schema = Schema::create(root.objects(), &schema.message())?;
    let root = root.with_table(&stored, &draft.write()?)?.with_foreign_keys(&keys)?;
    call.set_working_set(&state, &WorkingSet { working: root.address(), ..state.set.clone() })?;
    Ok(Answer::status(0))
}
