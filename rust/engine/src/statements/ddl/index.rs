//! Index definitions: which columns they may have, how they are named.

use hashbrown::HashSet;
use parse::ast::{self, IndexKind, IndexOption, KeyTarget};
use value::{Collation, SqlType};
use vcs::{Generated, IndexDefinition, SchemaBuilder, Vector};

use super::column;
use super::expressions::{self, Spelling};
use super::work::Work;
use crate::catalog::column_notes::HIDDEN_PREFIX;
use crate::error::{Result, SqlError};
use crate::write::tags;

/// Bytes of a prefix at most.
pub const PREFIX_BYTES_MAX: u64 = 3072;

/// An index as a statement defines it.
#[derive(Debug, Clone)]
pub struct NewIndex<'a> {
    pub kind: IndexKind,
    pub name: Option<&'a str>,
    pub parts: Vec<Part<'a>>,
    pub comment: &'a str,
    if_not_exists: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    Column { name: &'a str, prefix_length: u64 },
    Expr(&'a ast::Expr),
}

impl<'a> NewIndex<'a> {
    pub fn read(definition: &'a ast::IndexDefinition) -> Result<NewIndex<'a>> {
        let part = |part: &'a ast::KeyPart| match &part.target {
            KeyTarget::Column { name, prefix_length: Some(0) } => {
                let text = format!("key part '{name}' length cannot be 0");
                Err(SqlError::new(1391, text).at(part.span))
            }
            KeyTarget::Column { name, prefix_length } => {
                Ok(Part::Column { name: &name.text, prefix_length: prefix_length.unwrap_or_default() })
            }
            KeyTarget::Expr(expr) => Ok(Part::Expr(expr)),
        };
        let comment = definition.options.iter().rev().find_map(|option| match option {
            IndexOption::Comment(comment) => Some(&**comment),
            _ => None,
        });
        let name = definition.name.as_ref().or(definition.constraint.as_ref());
        Ok(NewIndex {
            kind: definition.kind,
            name: name.map(|name| &*name.text),
            parts: definition.parts.iter().map(part).collect::<Result<_>>()?,
            comment: comment.unwrap_or_default(),
            if_not_exists: definition.if_not_exists,
        })
    }

    /// UNIQUE behind a column.
    pub fn of_column(name: &'a str) -> NewIndex<'a> {
        let parts = vec![Part::Column { name, prefix_length: 0 }];
        NewIndex { kind: IndexKind::Unique, name: None, parts, comment: "", if_not_exists: false }
    }

    pub fn called(self, name: &'a str) -> NewIndex<'a> {
        NewIndex { name: Some(name), ..self }
    }

    /// Whether IF NOT EXISTS says that there is nothing to do.
    pub fn is_there_already(&self, schema: &SchemaBuilder) -> bool {
        self.if_not_exists && self.name.is_some_and(|name| schema.index(name).is_some())
    }

    /// Whether its columns can have it.
    ///
    /// # Errors
    /// Columns that are not there or twice, types that no index can have, prefix lengths that are missing or too much.
    pub fn check(&self, work: &Work<'_>, schema: &SchemaBuilder) -> Result<()> {
        if let Some(name) = self.name {
            column::name(name)?;
        }
        let mut seen = HashSet::new();
        for part in &self.parts {
            let Part::Column { name, prefix_length } = *part else { continue };
            let Some(at) = schema.column(name) else {
                return Err(SqlError::new(1072, format!("key column '{name}' doesn't exist in table")));
            };
            let column = &schema.columns[at];
            if !seen.insert(at) {
                return Err(SqlError::general(format!("duplicate column name: `{}`", column.name)));
            }
            if column.sql_type == SqlType::Json && self.kind != IndexKind::Vector {
                return Err(json_in_index(&column.name));
            }
            if self.kind != IndexKind::FullText {
                self.check_prefix(work, name, prefix_length, &column.sql_type)?;
            }
        }
        self.check_special(work, schema)
    }

    fn check_prefix(&self, work: &Work<'_>, name: &str, length: u64, ty: &SqlType) -> Result<()> {
        let useless = || {
            let text = "the used key part isn't a string, the used length is longer than the key part, or the storage engine doesn't support unique prefix keys";
            SqlError::new(1089, format!("incorrect prefix key '{name}'; {text}"))
        };
        let is_lob = matches!(ty, SqlType::Text { .. } | SqlType::Blob { .. });
        if !ty.is_text() && !ty.is_binary() {
            return if length > 0 { Err(useless()) } else { Ok(()) };
        }
        if length == 0 && is_lob && self.kind != IndexKind::Vector {
            if self.kind != IndexKind::Unique || work.is_on("strict_mysql_compatibility") {
                return Err(no_length(name));
            }
            if ty.collation().is_some_and(|collation| !is_exact(collation)) {
                let text = "unable to create a unique index on TEXT columns without a prefix length when the column's collation is case-insensitive or accent-insensitive";
                return Err(SqlError::general(text));
            }
        }
        let (unit_bytes, length_max) = match ty {
            SqlType::Char { length, collation } | SqlType::VarChar { length, collation } => {
                (u64::from(collation.charset().character_bytes_max()), u64::from(*length))
            }
            SqlType::Text { size, collation } => {
                let unit = u64::from(collation.charset().character_bytes_max());
                (unit, size.bytes_max() / unit)
            }
            SqlType::Binary { length } | SqlType::VarBinary { length } => (1, u64::from(*length)),
            SqlType::Blob { size } => (1, size.bytes_max()),
            _ => (1, 0),
        };
        if length > PREFIX_BYTES_MAX / unit_bytes.max(1) {
            return Err(key_too_long());
        }
        if length > length_max { Err(useless()) } else { Ok(()) }
    }

    fn check_special(&self, work: &Work<'_>, schema: &SchemaBuilder) -> Result<()> {
        let only = || match self.parts[..] {
            [Part::Column { name, .. }] => schema.column(name).map(|at| &schema.columns[at]),
            _ => None,
        };
        match self.kind {
            IndexKind::Vector => {
                let column = only().ok_or_else(|| SqlError::general("a vector index must have exactly one column"))?;
                if column.is_nullable {
                    return Err(SqlError::general("All parts of a VECTOR index must be NOT NULL"));
                }
                if !matches!(column.sql_type, SqlType::Vector { .. } | SqlType::Json) {
                    return Err(SqlError::general("a vector index colum must be a vector or JSON"));
                }
            }
            IndexKind::Spatial => {
                let column =
                    only().ok_or_else(|| SqlError::general("too many key parts specified; max 1 parts allowed"))?;
                let SqlType::Geometry { srid, .. } = column.sql_type else {
                    return Err(SqlError::general("a SPATIAL index may only contain a geometrical type column"));
                };
                if column.is_nullable {
                    return Err(SqlError::general("All parts of a SPATIAL index must be NOT NULL"));
                }
                if srid.is_none() {
                    let name = &column.name;
                    work.warn(3674, format!("The spatial index on column '{name}' will not be used by the query optimizer since the column does not have an SRID attribute. Consider adding an SRID attribute to the column."));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The name that it gets when it has none: its first column's as the statement has it, with a number where that is taken.
    pub fn chosen_name(&self, schema: &SchemaBuilder) -> String {
        if let Some(name) = self.name {
            return name.to_owned();
        }
        let base = self.parts.iter().find_map(|part| match part {
            Part::Column { name, .. } => Some(*name),
            Part::Expr(_) => None,
        });
        free_name(base.unwrap_or("functional_index"), schema)
    }

    /// Its definition under a name. Parts that are expressions become hidden columns.
    pub fn define(
        &self,
        work: &Work<'_>,
        table: &str,
        name: &str,
        schema: &mut SchemaBuilder,
    ) -> Result<IndexDefinition> {
        let mut columns = Vec::with_capacity(self.parts.len());
        let mut prefix_lengths = Vec::with_capacity(self.parts.len());
        for (position, part) in self.parts.iter().enumerate() {
            match *part {
                Part::Column { name, prefix_length } => {
                    let at = schema.column(name).ok_or_else(|| SqlError::internal("a column was checked"))?;
                    columns.push(schema.columns[at].tag);
                    prefix_lengths.push(prefix_length as u16);
                }
                Part::Expr(expr) => {
                    if self.parts.len() > 1 {
                        let text = "functional indexes with multiple expressions are not supported";
                        return Err(SqlError::general(text).at(expr.span));
                    }
                    columns.push(add_hidden_column(work, table, name, position, expr, schema)?);
                    prefix_lengths.push(0);
                }
            }
        }
        Ok(IndexDefinition {
            name: name.into(),
            comment: self.comment.into(),
            columns,
            prefix_lengths,
            is_unique: self.kind == IndexKind::Unique,
            is_spatial: self.kind == IndexKind::Spatial,
            vector: (self.kind == IndexKind::Vector).then_some(Vector { distance_type: 1 }),
            ..IndexDefinition::default()
        })
    }
}

/// The column behind an expression in an index; tells its tag.
fn add_hidden_column(
    work: &Work<'_>,
    table: &str,
    index: &str,
    position: usize,
    expr: &ast::Expr,
    schema: &mut SchemaBuilder,
) -> Result<u64> {
    let bound = work.bind(table, &schema.columns, expr)?;
    let name = format!("{HIDDEN_PREFIX}{}!{position}!0", index.to_lowercase());
    let sql_type = bound.ty.sql.clone();
    let tag = tags::of_new_column(table, &name, &sql_type, schema, &work.root, None)?;
    let mut column = vcs::Column::new(&name, sql_type, tag);
    column.is_hidden = true;
    // Native Dolt makes the column in the middle of a statement: names in expressions that were there get their table, its own
    // have nothing.
    expressions::print_anew(schema, Spelling::Of(table));
    let text = parse::respell_columns(&column::stored_text(expr)?, |name| Spelling::Bare.of(name));
    column.generated = Some(Generated { expression: text.into(), is_virtual: true });
    schema.columns.push(column);
    Ok(tag)
}

/// The name, or the name with the lowest number behind it that no index of the table has.
pub fn free_name(base: &str, schema: &SchemaBuilder) -> String {
    let is_free = |name: &String| schema.index(name).is_none() && !name.eq_ignore_ascii_case("PRIMARY");
    let mut names = core::iter::once(base.to_owned()).chain((2..).map(|n: u64| format!("{base}_{n}")));
    names.find(is_free).unwrap_or_default()
}

/// The error of a TEXT or BLOB in a key that is to be cut there.
pub fn no_length(column: &str) -> SqlError {
    SqlError::new(1170, format!("blob/text column '{column}' used in key specification without a key length"))
}

pub fn key_too_long() -> SqlError {
    SqlError::new(1071, "specified key was too long; max key length is 3072 bytes")
}

/// The error of JSON in an index that is no vector index.
pub fn json_in_index(column: &str) -> SqlError {
    SqlError::general(format!(
        "JSON column '{column}' supports indexing only via generated columns on a specified JSON path"
    ))
}

/// Whether different texts are different under a collation.
fn is_exact(collation: Collation) -> bool {
    let name = collation.name();
    name.ends_with("_bin") || name.ends_with("_as_cs") || name == "binary"
}

/// Adds an index to a schema. One that was made for a foreign key over the same columns gives way to it.
///
/// # Errors
/// A name that another index has.
pub fn add(schema: &mut SchemaBuilder, index: IndexDefinition) -> Result<()> {
    let lower = index.name.to_lowercase();
    if lower.starts_with("dolt_") && !lower.starts_with("dolt_ci_") {
        return Err(SqlError::general("indexes cannot be prefixed with `dolt_`"));
    }
    schema.indexes.retain(|known| !(known.is_system_defined && known.columns == index.columns));
    if schema.index(&index.name).is_some() {
        return Err(SqlError::general(format!("Duplicate key name '{lower}'")));
    }
    schema.indexes.push(index);
    Ok(())
}

/// Warns when another index has the same columns.
pub fn warn_of_twin(work: &Work<'_>, table: &str, schema: &SchemaBuilder, index: &IndexDefinition) {
    if schema.indexes.iter().any(|known| !known.is_system_defined && known.columns == index.columns) {
        let (name, database) = (&index.name, &work.place.name);
        let text = format!(
            "Duplicate index '{name}' defined on the table '{database}.{table}'. This is deprecated and will be disallowed in a future release."
        );
        work.warn(1831, text);
    }
}
