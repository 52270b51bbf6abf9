//! Column definitions (docs/format/database.md, sections 8.1 and 8.2).

use std::rc::Rc;

use tree::message::schema as message;
use tree::{Encoding, FieldType};
use value::SqlType;

use crate::error::{Result, VcsError, VcsReason};

#[derive(Debug, Clone)]
pub struct Column {
    pub name: Rc<str>,
    pub sql_type: SqlType,
    /// The type as it is stored, such as `varchar(20) COLLATE utf8mb4_0900_ai_ci`.
    pub type_text: Box<str>,
    /// How its fields lie in the rows' tuples.
    pub encoding: Encoding,
    /// The position of its field.
    pub place: Place,
    /// Identifies the column through renames and across branches.
    pub tag: u64,
    pub is_nullable: bool,
    pub is_primary_key: bool,
    pub is_auto_increment: bool,
    /// Expression text of the default.
    pub default: Option<Box<str>>,
    pub generated: Option<Generated>,
    /// Expression text of ON UPDATE.
    pub on_update: Option<Box<str>>,
    pub comment: Box<str>,
    /// The column behind a functional index: not shown, not selected by `*`.
    pub is_hidden: bool,
}

/// A column whose value is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    pub expression: Box<str>,
    /// Computed when it is read; otherwise stored like any other.
    pub is_virtual: bool,
}

/// The position of a column's field in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// This field of the key tuple.
    Key(usize),
    /// This field of the value tuple.
    Value(usize),
    /// Nowhere: a virtual generated column.
    Virtual,
}

impl Column {
    /// Whether rows can be taken from the one to the other: all but tags, comments, ON UPDATE and AUTO_INCREMENT is the same.
    pub fn takes_rows_of(&self, other: &Column) -> bool {
        self.name == other.name
            && self.is_primary_key == other.is_primary_key
            && self.type_text == other.type_text
            && self.encoding == other.encoding
            && self.place == other.place
            && self.default == other.default
            && self.is_nullable == other.is_nullable
    }

    /// Its place is set when all columns are known.
    pub(crate) fn from_message(column: message::Column) -> Result<Column> {
        let wrong = |what: String| VcsReason::Column { column: column.name.clone(), what: what.into() };
        let sql_type: SqlType = column.sql_type.parse().map_err(|error: value::ValueError| wrong(error.to_string()))?;
        let encoding = Encoding::from_id(column.encoding).map_err(|error| wrong(error.to_string()))?;
        let expression = Some(column.default).filter(|text| !text.is_empty());
        let (default, generated) = match (column.is_generated, expression) {
            (true, Some(expression)) => (None, Some(Generated { expression, is_virtual: column.is_virtual })),
            (true, None) => return Err(VcsError::corrupt("column", "is generated but has no expression")),
            (false, default) => (default, None),
        };
        Ok(Column {
            name: column.name.into(),
            sql_type,
            type_text: column.sql_type,
            encoding,
            place: Place::Virtual,
            tag: column.tag,
            is_nullable: column.is_nullable,
            is_primary_key: column.is_primary_key,
            is_auto_increment: column.is_auto_increment,
            default,
            generated,
            on_update: Some(column.on_update).filter(|text| !text.is_empty()),
            comment: column.comment,
            is_hidden: column.is_hidden_system,
        })
    }

    /// Whether people see the same column: everything but its tag and comment.
    pub(crate) fn looks_like(&self, other: &Column) -> bool {
        self.name == other.name
            && self.sql_type == other.sql_type
            && self.is_primary_key == other.is_primary_key
            && self.is_nullable == other.is_nullable
            && self.is_auto_increment == other.is_auto_increment
            && self.default == other.default
            && self.generated == other.generated
            && self.on_update == other.on_update
    }

    /// The expression of a column that is not stored.
    pub fn virtual_expression(&self) -> Option<&str> {
        self.generated.as_ref().filter(|generated| generated.is_virtual).map(|generated| &*generated.expression)
    }

    /// Whether it is not stored.
    pub fn is_virtual(&self) -> bool {
        self.generated.as_ref().is_some_and(|generated| generated.is_virtual)
    }

    /// Its field in an index that keeps it in another encoding.
    pub(crate) fn key_field_type(&self, encoding: Encoding) -> FieldType {
        FieldType::new(encoding, self.is_nullable && !self.is_primary_key, self.sql_type.clone())
    }

    /// Its field in the rows' tuples.
    pub(crate) fn field_type(&self) -> FieldType {
        self.key_field_type(self.encoding)
    }
}
