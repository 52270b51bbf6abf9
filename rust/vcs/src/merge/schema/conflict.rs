//! Schema conflicts: what two versions of a schema disagree about (docs/format/database.md, section 10.4).

use value::{GeometryKind, IntegerType, IntegerWidth, SqlType};

/// The disagreements about one table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SchemaConflict {
    pub table: Box<str>,
    /// Each as Dolt words it; the description of an index conflict is mostly empty.
    pub descriptions: Vec<Box<str>>,
    /// One side dropped the table that the other changed.
    pub is_deletion: bool,
}

impl SchemaConflict {
    /// `dolt_schema_conflicts.description`.
    pub fn description(&self) -> String {
        self.descriptions.join("\n")
    }
}

/// A type as descriptions of conflicts name it.
pub(crate) fn type_text(kind: &SqlType) -> String {
    match kind {
        SqlType::Null => "Unknown".to_owned(),
        SqlType::Integer(IntegerType { boolean: true, .. }) => "Bool".to_owned(),
        SqlType::Integer(kind) => {
            let bits = match kind.width {
                IntegerWidth::Tiny => 8,
                IntegerWidth::Small => 16,
                IntegerWidth::Medium => 24,
                IntegerWidth::Int => 32,
                IntegerWidth::Big => 64,
            };
            format!("{}{bits}", if kind.unsigned { "Uint" } else { "Int" })
        }
        SqlType::Float => "Float32".to_owned(),
        SqlType::Double => "Float64".to_owned(),
        SqlType::Decimal { precision, scale } => format!("Decimal({precision}, {scale})"),
        SqlType::Bit(bits) => format!("Bit({bits})"),
        SqlType::Year => "Year".to_owned(),
        SqlType::Time => "Time".to_owned(),
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => format!("Datetime(SQL: \"{kind}\")"),
        SqlType::Json => "JSON".to_owned(),
        SqlType::Binary { length } => format!("InlineBlob({length}, SQL: Binary)"),
        SqlType::VarBinary { length } => format!("InlineBlob({length}, SQL: VarBinary)"),
        SqlType::Blob { size } => format!("VarBinary({})", size.bytes_max()),
        SqlType::Char { length, collation } => format!("VarString({}, {length}, SQL: Char)", collation.name()),
        SqlType::VarChar { length, collation } => format!("VarString({}, {length}, SQL: VarChar)", collation.name()),
        SqlType::Text { size, collation } => {
            format!(
                "BlobString({}, {})",
                collation.name(),
                size.bytes_max() / u64::from(collation.charset().character_bytes_max())
            )
        }
        SqlType::Enum(members) => {
            format!("Enum(Collation: {}, Values: {})", members.collation.name(), members.members.join(", "))
        }
        SqlType::Set(members) => {
            format!("Set(Collation: {}, Values: {})", members.collation.name(), members.members.join(","))
        }
        SqlType::Geometry { kind, .. } => match kind {
            GeometryKind::Geometry => "Geometry",
            GeometryKind::Point => "Point",
            GeometryKind::LineString => "LineString",
            GeometryKind::Polygon => "Polygon",
            GeometryKind::MultiPoint => "MultiPoint",
            GeometryKind::MultiLineString => "MultiLineString",
            GeometryKind::MultiPolygon => "MultiPolygon",
            GeometryKind::GeometryCollection => "GeometryCollection",
        }
        .to_owned(),
        SqlType::Vector { dimensions } => format!("Vector({dimensions})"),
    }
}
