//! Foreign keys: which are allowed, the indexes they need, how they are kept (docs/format/database.md, section 9.1).

use parse::ast::{self, ReferenceAction, References};
use value::SqlType;
use vcs::{Column, ForeignKey, IndexDefinition, ReferentialAction, SchemaBuilder, Table, is_system_table};

use super::work::Work;
use super::{column, expressions, index};
use crate::error::{Result, SqlError};
use crate::write::branch_lists::{self, is_branch_list};
use crate::write::key_indexes::{best_index, child_has_index, parent_has_index, types_go_together};
use crate::write::{has_effect, is_restricting};

/// A foreign key as a statement defines it.
pub struct NewForeignKey<'a> {
    pub name: Option<&'a str>,
    pub columns: Vec<&'a str>,
    pub references: &'a References,
}

impl<'a> NewForeignKey<'a> {
    pub fn read(definition: &'a ast::ForeignKey) -> NewForeignKey<'a> {
        NewForeignKey {
            // The optional name of an index has no effect.
            name: definition.constraint.as_ref().map(|name| &*name.text).filter(|name| !name.is_empty()),
            columns: definition.columns.iter().map(|name| &*name.text).collect(),
            references: &definition.references,
        }
    }

    /// REFERENCES behind a column.
    pub fn of_column(name: &'a str, references: &'a References) -> NewForeignKey<'a> {
        NewForeignKey { name: None, columns: vec![name], references }
    }

    /// Adds the key to those of the database, and the index that it needs to the table. Rows are not looked at. Tells the key.
    ///
    /// # Errors
    /// Tables and columns that are not there, types that do not go together, a missing index of the parent, a name that is taken.
    pub fn add(
        &self,
        work: &Work<'_>,
        table: &str,
        schema: &mut SchemaBuilder,
        keys: &mut Vec<ForeignKey>,
    ) -> Result<ForeignKey> {
        self.check_place(work)?;
        let actions = Actions::read(self.references)?;
        if let Some(name) = self.name {
            column::name(name)?;
        }
        let child = self.child(work, table, schema, actions)?;
        let parent = self.parent(work, table, schema, &child, actions)?;
        let child_tags: Vec<u64> = child.iter().map(|column| column.tag).collect();
        let child_names: Vec<Box<str>> = child.iter().map(|column| (*column.name).into()).collect();
        let written_names: Vec<Box<str>> = self.references.columns.iter().map(|name| name.text.clone()).collect();
        let is_generated = self.name.is_none();
        let name = self.chosen_name(table, keys)?;
        add_index(schema, &child_tags, &child_names, &name, is_generated)?;
        let key = ForeignKey {
            name,
            child_table: table.into(),
            child_index: match &parent {
                Some(_) => best_index(schema, &child_tags).map_or_else(Box::default, |index| index.name.clone()),
                None => "".into(),
            },
            child_columns: if parent.is_some() { child_tags } else { Vec::new() },
            parent_table: self.references.table.name.text.clone(),
            parent_index: parent.as_ref().map(|parent| parent.index.clone()).unwrap_or_default(),
            parent_columns: parent.as_ref().map(|parent| parent.tags.clone()).unwrap_or_default(),
            on_update: actions.on_update,
            on_delete: actions.on_delete,
            unresolved_child_columns: child_names,
            unresolved_parent_columns: parent.map_or(written_names, |parent| parent.names),
            is_not_valid: false,
            match_type: 0,
        };
        keys.push(key.clone());
        Ok(key)
    }

    /// The columns that refer, which can have what the actions do with them.
    fn child<'s>(
        &self,
        work: &Work<'_>,
        table: &str,
        schema: &'s SchemaBuilder,
        actions: Actions,
    ) -> Result<Vec<&'s Column>> {
        if self.references.columns.len() != self.columns.len() {
            return Err(SqlError::general("the foreign key must reference an equivalent number of columns"));
        }
        let child = find_columns(table, schema, &self.columns)?;
        let sets_null = actions.any(|action| action == ReferentialAction::SetNull);
        if let Some(column) = child.iter().find(|column| sets_null && !column.is_nullable) {
            let text = format!("cannot use SET NULL as column `{}` is non-nullable", column.name);
            return Err(SqlError::general(text));
        }
        // MariaDB allows what takes the child's row away: nothing is computed anew then.
        let is_gone = work.context.session.variables.borrow().is_beyond_dolt()
            && actions.on_delete == ReferentialAction::Cascade
            && is_restricting(actions.on_update);
        let follows = !is_gone && actions.any(|action| !is_restricting(action));
        if follows && child.iter().any(|column| expressions::is_base_of_stored(schema, &column.name)) {
            let text = "Cannot add foreign key on the base column of a stored generated column.";
            return Err(SqlError::general(text));
        }
        Ok(child)
    }

    /// What is referred to: a table, of this branch or another one, or a list of branches. `None` where that is not looked at.
    fn parent(
        &self,
        work: &Work<'_>,
        table: &str,
        schema: &SchemaBuilder,
        child: &[&Column],
        actions: Actions,
    ) -> Result<Option<Parent>> {
        let name = &*self.references.table.name.text;
        let span = self.references.table.span;
        let acts = actions.any(has_effect);
        let elsewhere = work.place.table_elsewhere(&work.root, name)?;
        if elsewhere.is_some() && acts {
            let text = "foreign keys referencing nonlocal tables do not support referential actions";
            return Err(SqlError::general(text));
        }
        if !work.is_on("foreign_key_checks") {
            return Ok(None);
        }
        if elsewhere.is_none() && name.eq_ignore_ascii_case(table) {
            return self.parent_columns(schema, child).map(Some);
        }
        let stored = match &elsewhere {
            _ if is_system_table(name) => Some(system_parent(work, name).map_err(|error| error.at(span))?),
            Some(there) => there.root.table(&there.name)?,
            None => work.root.table(name)?,
        };
        let stored = stored.ok_or_else(|| SqlError::table_not_found(name).at(span))?;
        let parent = self.parent_columns(&SchemaBuilder::from(&**stored.schema()), child)?;
        if acts && is_system_table(name) {
            let text = "foreign keys referencing Dolt system tables do not support referential actions";
            return Err(SqlError::general(text));
        }
        Ok(Some(parent))
    }

    fn check_place(&self, work: &Work<'_>) -> Result<()> {
        let Some(database) = &self.references.table.database else { return Ok(()) };
        match database.is(&work.place.name) || database.is(&work.place.attached.name) {
            true => Ok(()),
            false => {
                let text = "only foreign keys on the same database are currently supported";
                Err(SqlError::general(text).at(database.span))
            }
        }
    }

    fn parent_columns(&self, parent: &SchemaBuilder, child: &[&Column]) -> Result<Parent> {
        let name = &*self.references.table.name.text;
        let wanted: Vec<&str> = self.references.columns.iter().map(|name| &*name.text).collect();
        let columns = find_columns(name, parent, &wanted)?;
        for (child, parent) in child.iter().zip(&columns) {
            if !types_go_together(&child.sql_type, &parent.sql_type) {
                let text = format!("column type mismatch on `{}` and `{}`", child.name, parent.name);
                return Err(SqlError::general(text));
            }
            if matches!(child.sql_type, SqlType::Text { .. } | SqlType::Blob { .. }) {
                return Err(SqlError::general("TEXT/BLOB are not valid types for foreign keys"));
            }
        }
        let tags: Vec<u64> = columns.iter().map(|column| column.tag).collect();
        if !parent_has_index(parent, &tags, None) {
            let key = self.name.unwrap_or_default();
            let text = format!("missing index for foreign key `{key}` on the referenced table `{name}`");
            return Err(SqlError::general(text));
        }
        Ok(Parent {
            index: best_index(parent, &tags).map_or_else(Box::default, |index| index.name.clone()),
            names: columns.iter().map(|column| (*column.name).into()).collect(),
            tags,
        })
    }

    fn chosen_name(&self, table: &str, keys: &[ForeignKey]) -> Result<Box<str>> {
        let generated = || {
            let prefix = format!("{}_ibfk_", table.to_lowercase());
            let own = keys.iter().filter(|key| key.child_table.eq_ignore_ascii_case(table));
            // Native Dolt counts with 32 bits, in which -2 is a large number.
            let highest =
                own.filter_map(|key| Some(key.name.strip_prefix(&*prefix)?.parse::<i64>().ok()? as u32)).max();
            format!("{prefix}{}", highest.unwrap_or_default().wrapping_add(1))
        };
        let name = self.name.map_or_else(generated, str::to_owned);
        match keys.iter().any(|key| key.name.eq_ignore_ascii_case(&name)) {
            true => Err(SqlError::general(format!("duplicate foreign key constraint name `{name}`"))),
            false => Ok(name.into()),
        }
    }
}

/// A list of branches; other system tables cannot be referred to.
fn system_parent(work: &Work<'_>, name: &str) -> Result<Table> {
    let catalog = work.session.catalog();
    match catalog.computed.of_database(&work.place, &work.root, name, None)? {
        None => Err(SqlError::table_not_found(name)),
        Some(_) if is_branch_list(name) => branch_lists::table(catalog, &work.place, &work.root, name),
        Some(_) => Err(SqlError::general(format!("the table does not support foreign key operations: {name}"))),
    }
}

/// What a key refers to.
struct Parent {
    tags: Vec<u64>,
    names: Vec<Box<str>>,
    /// Empty: the primary key.
    index: Box<str>,
}

fn find_columns<'s>(table: &str, schema: &'s SchemaBuilder, names: &[&str]) -> Result<Vec<&'s Column>> {
    let mut columns: Vec<&Column> = Vec::with_capacity(names.len());
    for name in names {
        let at = schema.column(name).ok_or_else(|| no_column(table, name))?;
        let column = &schema.columns[at];
        if columns.iter().any(|known| known.tag == column.tag) {
            return Err(SqlError::general(format!("cannot have duplicates of columns in a foreign key: `{name}`")));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// `table "t" does not have column "c"`.
pub fn no_column(table: &str, name: &str) -> SqlError {
    SqlError::general(format!("table \"{table}\" does not have column \"{name}\""))
}

/// What becomes of rows that refer.
#[derive(Clone, Copy)]
struct Actions {
    on_update: ReferentialAction,
    on_delete: ReferentialAction,
}

impl Actions {
    fn read(references: &References) -> Result<Actions> {
        Ok(Actions { on_update: action(references.on_update)?, on_delete: action(references.on_delete)? })
    }

    fn any(self, is: impl Fn(ReferentialAction) -> bool) -> bool {
        is(self.on_update) || is(self.on_delete)
    }
}

fn action(action: Option<ReferenceAction>) -> Result<ReferentialAction> {
    Ok(match action {
        None => ReferentialAction::Default,
        Some(ReferenceAction::Restrict) => ReferentialAction::Restrict,
        Some(ReferenceAction::Cascade) => ReferentialAction::Cascade,
        Some(ReferenceAction::SetNull) => ReferentialAction::SetNull,
        Some(ReferenceAction::NoAction) => ReferentialAction::NoAction,
        Some(ReferenceAction::SetDefault) => return Err(SqlError::general("\"SET DEFAULT\" is not supported")),
    })
}

/// Adds the index that a key needs, unless there is one.
fn add_index(
    schema: &mut SchemaBuilder,
    columns: &[u64],
    names: &[Box<str>],
    key: &str,
    is_generated: bool,
) -> Result<()> {
    if child_has_index(schema, columns, None) {
        return Ok(());
    }
    let name = match is_generated {
        true => index::free_name(names.first().map_or("", |name| name), schema),
        false if schema.index(key).is_some() => {
            return Err(SqlError::general(format!("Duplicate key name '{key}'")));
        }
        false => key.to_owned(),
    };
    let definition = IndexDefinition {
        name: name.into(),
        columns: columns.to_vec(),
        is_system_defined: true,
        ..IndexDefinition::default()
    };
    index::add(schema, definition)?;
    Ok(())
}
