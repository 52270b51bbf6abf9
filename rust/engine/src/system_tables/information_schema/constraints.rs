//! Keys, foreign keys and checks.

use value::Value;
use vcs::{ForeignKey, ReferentialAction, RootValue, Schema};

use super::source::{Asked, Row, Source, StoredTable, def, text};
use crate::error::Result;

/// Name, type and whether it is enforced, of each constraint of a table: checks, the primary key, unique keys, foreign keys.
fn constraints(root: &RootValue, table: &str, schema: &Schema) -> Result<Vec<(String, &'static str, bool)>> {
    let mut all: Vec<(String, &'static str, bool)> = Vec::new();
    all.extend(schema.checks.iter().map(|check| (check.name.to_string(), "CHECK", check.is_enforced)));
    if !schema.primary_key.is_empty() {
        all.push(("PRIMARY".to_owned(), "PRIMARY KEY", true));
    }
    let unique = schema.indexes.iter().filter(|index| index.is_unique);
    all.extend(unique.map(|index| (index.name.to_string(), "UNIQUE", true)));
    all.extend(root.foreign_keys_of(table)?.into_iter().map(|key| (key.name.to_string(), "FOREIGN KEY", true)));
    Ok(all)
}

pub fn table_constraints(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        for (name, kind, enforced) in constraints(stored.root, &stored.name, stored.table.schema())? {
            rows.push(vec![
                def(),
                text(stored.database),
                text(name),
                text(stored.database),
                text(&*stored.name),
                text(kind),
                text(if enforced { "YES" } else { "NO" }),
            ]);
        }
        Ok(())
    })
}

pub fn table_constraints_extensions(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "CONSTRAINT_SCHEMA", &mut |stored, rows| {
        let schema = stored.table.schema();
        let key = (!schema.primary_key.is_empty()).then(|| "PRIMARY".to_owned());
        let indexes = schema.indexes.iter().map(|index| index.name.to_string());
        for name in key.into_iter().chain(indexes) {
            rows.push(vec![def(), text(stored.database), text(name), text(&*stored.name)]);
        }
        Ok(())
    })
}

pub fn key_column_usage(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        let schema = stored.table.schema();
        let row = |constraint: &str, column: &str, at: usize| {
            vec![
                def(),
                text(stored.database),
                text(constraint),
                def(),
                text(stored.database),
                text(&*stored.name),
                text(column),
                Value::UInt(at as u64 + 1),
            ]
        };
        let key = (!schema.primary_key.is_empty()).then_some(("PRIMARY", &schema.primary_key));
        let unique = schema.indexes.iter().filter(|index| index.is_unique);
        for (name, columns) in key.into_iter().chain(unique.map(|index| (&*index.name, &index.columns))) {
            for (at, &column) in columns.iter().enumerate() {
                rows.push(row(name, &schema.columns[column].name, at));
            }
        }
        for key in stored.root.foreign_keys_of(&stored.name)? {
            let columns = stored.root.key_columns(&key)?;
            for (at, (child, parent)) in columns.child.iter().zip(&columns.parent).enumerate() {
                let mut row = row(&key.name, child, at);
                let parent_table = text(&*key.parent_table);
                row.extend([Value::UInt(at as u64 + 1), text(stored.database), parent_table, text(&**parent)]);
                rows.push(row);
            }
        }
        Ok(())
    })
}

fn rule(action: ReferentialAction) -> Value<'static> {
    text(match action {
        ReferentialAction::Default | ReferentialAction::NoAction => "NO ACTION",
        ReferentialAction::Cascade => "CASCADE",
        ReferentialAction::Restrict => "RESTRICT",
        ReferentialAction::SetNull => "SET NULL",
    })
}

/// The key of the parent that a foreign key refers to.
fn parent_key(stored: &StoredTable<'_>, key: &ForeignKey) -> Result<Value<'static>> {
    let root = stored.root;
    let Some((_, address)) = stored.place.names().find_table(root, &key.parent_table)? else { return Ok(Value::Null) };
    let parent = root.objects().table(&address)?;
    let schema = parent.schema();
    let columns = root.key_columns(key)?.parent;
    let is = |positions: &[usize]| {
        positions.len() >= columns.len()
            && positions.iter().zip(&columns).all(|(at, name)| schema.columns[*at].name.eq_ignore_ascii_case(name))
    };
    if is(&schema.primary_key) {
        return Ok(text("PRIMARY"));
    }
    let index = schema.indexes.iter().filter(|index| index.is_unique).find(|index| is(&index.columns));
    Ok(index.map_or(Value::Null, |index| text(&*index.name)))
}

pub fn referential_constraints(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "CONSTRAINT_SCHEMA", &mut |stored, rows| {
        for key in stored.root.foreign_keys_of(&stored.name)? {
            rows.push(vec![
                def(),
                text(stored.database),
                text(&*key.name),
                def(),
                text(stored.database),
                parent_key(stored, &key)?,
                text("NONE"),
                rule(key.on_update),
                rule(key.on_delete),
                text(&*stored.name),
                text(&*key.parent_table),
            ]);
        }
        Ok(())
    })
}

pub fn check_constraints(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "CONSTRAINT_SCHEMA", &mut |stored, rows| {
        for check in &stored.table.schema().checks {
            rows.push(vec![def(), text(stored.database), text(&*check.name), text(&*check.expression)]);
        }
        Ok(())
    })
}
