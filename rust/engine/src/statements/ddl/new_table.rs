//! New table of a definition: its schema, and the empty trees of its rows and indexes.

use hashbrown::HashSet;
use parse::ast::{self, IndexKind, OptionValue, TableElement, TableOption};
use tree::message::schema::TARGET_ROW_BYTES;
use value::Collation;
use vcs::{Column, Schema, SchemaBuilder, TableDraft};

use super::column::NewColumn;
use super::foreign_key::NewForeignKey;
use super::index::{self, NewIndex, Part};
use super::work::Work;
use super::{check, column, expressions, full_text, key_columns};
use crate::bind::data_type;
use crate::error::{Result, SqlError};
use crate::write::tags;

/// Bytes of a row at most.
const ROW_BYTES_MAX: u64 = 65_504;

/// The definitions after the columns.
pub struct Options<'a> {
    pub collation: Collation,
    pub comment: &'a str,
    pub auto_increment: Option<u64>,
    pub target_row_bytes: Option<u16>,
}

impl<'a> Options<'a> {
    pub fn read(options: &'a [TableOption], database: Collation) -> Result<Options<'a>> {
        let word = |wanted: &str| {
            options.iter().rev().find(|option| &*option.name == wanted).and_then(|option| match &option.value {
                OptionValue::Word(word) => Some(word.clone()),
                OptionValue::Text(text) => Some(ast::Ident { text: text.clone(), quoted: true, span: option.span }),
                _ => None,
            })
        };
        let named = data_type::collation(word("CHARACTER SET").as_ref(), word("COLLATE").as_ref())?;
        let collation = data_type::implemented(named.unwrap_or(database))?;
        let mut read = Options { collation, comment: "", auto_increment: None, target_row_bytes: None };
        for option in options {
            match (&*option.name, &option.value) {
                ("COMMENT", OptionValue::Text(comment)) => read.comment = comment,
                ("AUTO_INCREMENT", OptionValue::Integer(next)) => read.auto_increment = Some(*next),
                ("TARGET_ROW_SIZE" | "TOAST_TUPLE_TARGET", OptionValue::Integer(bytes)) => {
                    read.target_row_bytes = target_row_bytes(*bytes)?;
                }
                // ENGINE, ROW_FORMAT and the like have no effect.
                _ => {}
            }
        }
        Ok(read)
    }
}

/// How long rows may become before values are stored beside them; 0 leaves that to Dolt.
fn target_row_bytes(bytes: u64) -> Result<Option<u16>> {
    let max = u16::MAX;
    let too_large = || SqlError::general(format!("target_row_size {bytes} exceeds maximum allowed value {max}"));
    let bytes = u16::try_from(bytes).map_err(|_| too_large())?;
    Ok(Some(bytes).filter(|bytes| *bytes > 0))
}

/// The columns of a definition; those of its PRIMARY KEY are not nullable.
pub fn read_columns(elements: &[TableElement], table: Collation) -> Result<Vec<NewColumn<'_>>> {
    let mut columns: Vec<NewColumn<'_>> = Vec::new();
    let mut names: HashSet<Vec<u8>> = HashSet::new();
    for element in elements {
        let TableElement::Column(definition) = element else { continue };
        column::refuse_hidden_name(&definition.name.text)?;
        let new = NewColumn::read(definition, table)?;
        if !names.insert(new.column.name.to_lowercase().into_bytes()) {
            let text = format!("duplicate column name: `{}`", new.column.name);
            return Err(SqlError::general(text).at(definition.name.span));
        }
        columns.push(new);
    }
    Ok(columns)
}

/// Makes the table in the root of `work`.
pub fn create(
    work: &mut Work<'_>,
    name: &str,
    elements: &[TableElement],
    mut columns: Vec<NewColumn<'_>>,
    options: &Options<'_>,
) -> Result<()> {
    let head = work.head_root()?;
    let named = columns.iter().map(|new| (&*new.column.name, &new.column.sql_type));
    let tags = tags::of_columns(name, named, &work.root, Some(&head))?;
    for (new, tag) in columns.iter_mut().zip(tags) {
        new.column.tag = tag;
    }
    let mut schema = SchemaBuilder::new(options.collation);
    schema.comment = options.comment.into();
    schema.target_row_bytes = options.target_row_bytes.unwrap_or(TARGET_ROW_BYTES);
    let indexes = read_indexes(elements, &columns)?;
    set_primary_key(&mut schema, &mut columns, &indexes)?;
    let scope: Vec<Column> = columns.iter().map(|new| new.column.clone()).collect();
    for new in &mut columns {
        new.set_expressions(work, name, &scope)?;
    }
    schema.columns = columns.iter().map(|new| new.column.clone()).collect();
    expressions::refuse_forward_defaults(&schema.columns)?;
    check_auto_increment(&schema, &indexes)?;
    for new in &indexes {
        new.check(work, &schema)?;
    }
    check_key(name, &schema, &indexes)?;
    check_row_bytes(&schema)?;
    add_indexes(work, name, &mut schema, &indexes)?;
    let mut keys = work.root.foreign_keys()?;
    let keys_before = keys.len();
    for key in foreign_keys(elements, &columns) {
        key.add(work, name, &mut schema, &mut keys)?;
    }
    let key_names: Vec<Box<str>> = keys[keys_before..].iter().map(|key| key.name.clone()).collect();
    for definition in checks(elements, &columns) {
        check::add(work, name, &mut schema, definition, &key_names)?;
    }
    let written = Schema::create(work.root.objects(), &schema.message())?;
    let mut draft = TableDraft::new(work.root.objects(), written)?;
    let counts = schema.columns.iter().any(|column| column.is_auto_increment);
    draft.auto_increment = options.auto_increment.filter(|next| counts && *next > 1);
    work.root = work.root.with_table(name, &draft.write()?)?;
    if keys.len() > keys_before {
        work.root = work.root.with_foreign_keys(&keys)?;
    }
    for new in indexes.iter().filter(|index| index.kind == IndexKind::FullText) {
        full_text::add(work, name, new, &mut schema)?;
    }
    Ok(())
}

/// The foreign keys of a definition: those of the table, then those of columns.
fn foreign_keys<'a>(elements: &'a [TableElement], columns: &[NewColumn<'a>]) -> Vec<NewForeignKey<'a>> {
    let of_table = elements.iter().filter_map(|element| match element {
        TableElement::ForeignKey(key) => Some(NewForeignKey::read(key)),
        _ => None,
    });
    let of_columns = of_elements(elements, columns)
        .filter_map(|(definition, new)| Some(NewForeignKey::of_column(&definition.name.text, new.references?)));
    of_table.chain(of_columns).collect()
}

/// The checks of a definition, in its order.
fn checks<'a>(elements: &'a [TableElement], columns: &[NewColumn<'a>]) -> Vec<&'a ast::CheckConstraint> {
    let mut checks = Vec::new();
    let mut defined = of_elements(elements, columns);
    for element in elements {
        match element {
            TableElement::Check(definition) => checks.push(definition),
            TableElement::Column(_) => checks.extend(defined.next().iter().flat_map(|(_, new)| &new.checks)),
            _ => {}
        }
    }
    checks
}

/// The columns that elements define, which mostly follow each other among those of the table as well.
fn of_elements<'n, 'a>(
    elements: &'a [TableElement],
    columns: &'n [NewColumn<'a>],
) -> impl Iterator<Item = (&'a ast::ColumnDefinition, &'n NewColumn<'a>)> {
    let mut next = 0;
    elements.iter().filter_map(move |element| match element {
        TableElement::Column(definition) => {
            let mut places = (next..columns.len()).chain(0..next);
            let at = places.find(|at| *columns[*at].column.name == *definition.name.text)?;
            next = at + 1;
            Some((definition, &columns[at]))
        }
        _ => None,
    })
}

/// # Errors
/// Columns whose values may take more than a row can have.
pub fn check_row_bytes(schema: &SchemaBuilder) -> Result<()> {
    let stored = schema.columns.iter().filter(|column| !column.is_virtual()).map(|column| &column.sql_type);
    let row_bytes = data_type::row_bytes_max(stored);
    if row_bytes > ROW_BYTES_MAX {
        let text = format!("invalid table spec: expected size < {ROW_BYTES_MAX}, found {row_bytes}");
        return Err(SqlError::general(text));
    }
    Ok(())
}

/// The indexes of a definition: those of the table, then those of columns.
fn read_indexes<'a>(elements: &'a [TableElement], columns: &[NewColumn<'a>]) -> Result<Vec<NewIndex<'a>>> {
    let mut indexes = Vec::new();
    for element in elements {
        if let TableElement::Index(definition) = element {
            indexes.push(NewIndex::read(definition)?);
        }
    }
    let of_columns = of_elements(elements, columns).filter(|(_, new)| new.is_unique);
    indexes.extend(of_columns.map(|(definition, _)| NewIndex::of_column(&definition.name.text)));
    Ok(indexes)
}

fn set_primary_key(schema: &mut SchemaBuilder, columns: &mut [NewColumn<'_>], indexes: &[NewIndex<'_>]) -> Result<()> {
    let mut definitions = indexes.iter().filter(|index| index.kind == IndexKind::Primary);
    let inline: Vec<u64> = columns.iter().filter(|new| new.is_primary_key).map(|new| new.column.tag).collect();
    let definition = definitions.next();
    let found = inline.len() + usize::from(definition.is_some()) + definitions.count();
    if found > 1 {
        let text = format!("incorrect number of primary key ordinals: expected '{found}', found '1'");
        return Err(SqlError::general(text));
    }
    schema.primary_key = inline;
    for part in definition.iter().flat_map(|definition| &definition.parts) {
        let Part::Column { name, .. } = part else {
            return Err(SqlError::general("the primary key cannot be a functional index"));
        };
        let new = columns.iter_mut().find(|new| new.column.name.to_lowercase() == name.to_lowercase());
        let new = new.ok_or_else(|| SqlError::new(1072, format!("key column '{name}' doesn't exist in table")))?;
        if new.says_null() {
            return Err(SqlError::general("All parts of PRIMARY KEY must be NOT NULL"));
        }
        new.column.is_nullable = false;
        schema.primary_key.push(new.column.tag);
    }
    for new in columns {
        new.column.is_primary_key = schema.primary_key.contains(&new.column.tag);
    }
    Ok(())
}

fn check_auto_increment(schema: &SchemaBuilder, indexes: &[NewIndex<'_>]) -> Result<()> {
    let keyed = indexes.iter().flat_map(|index| &index.parts).filter_map(|part| match part {
        Part::Column { name, .. } => Some(name.to_lowercase()),
        Part::Expr(_) => None,
    });
    key_columns::check_auto_increment(schema, &keyed.collect::<Vec<_>>())
}

/// What no primary key may have.
fn check_key(table: &str, schema: &SchemaBuilder, indexes: &[NewIndex<'_>]) -> Result<()> {
    let definition = indexes.iter().find(|index| index.kind == IndexKind::Primary);
    for part in definition.iter().flat_map(|definition| &definition.parts) {
        if let Part::Column { name, prefix_length: 1.. } = part {
            return Err(SqlError::general(format!("prefix index on string column '{name}' unsupported")));
        }
    }
    for column in schema.columns.iter().filter(|column| schema.primary_key.contains(&column.tag)) {
        if column.is_virtual() {
            return Err(SqlError::general("Defining a virtual generated column as primary key is not supported"));
        }
        key_columns::check_type(table, column)?;
    }
    Ok(())
}

fn add_indexes(work: &mut Work<'_>, table: &str, schema: &mut SchemaBuilder, indexes: &[NewIndex<'_>]) -> Result<()> {
    let is_tree = |index: &&NewIndex<'_>| !matches!(index.kind, IndexKind::Primary | IndexKind::FullText);
    for new in indexes.iter().filter(is_tree) {
        let name = new.chosen_name(schema);
        if schema.index(&name).is_some() {
            return Err(SqlError::general(format!("an index with id \"{name}\" has already been registered")));
        }
        let definition = new.define(work, table, &name, schema)?;
        index::warn_of_twin(work, table, schema, &definition);
        index::add(schema, definition)?;
    }
    Ok(())
}
