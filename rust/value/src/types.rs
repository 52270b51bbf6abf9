//! Column types with their parameters.
//!
//! [`SqlType`]'s `FromStr` (in `type_text.rs`) reads the text that Dolt keeps in a schema; `Display` writes exactly that text.

use std::rc::Rc;

use crate::collation::Collation;
use crate::members::{EnumType, SetType};

/// A MySQL type as a column, an expression or a CAST has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SqlType {
    /// The type of a bare NULL.
    Null,
    Integer(IntegerType),
    Float,
    Double,
    /// `scale` digits of `precision` are after the point; at most 65 and 30.
    Decimal {
        precision: u8,
        scale: u8,
    },
    /// 1 to 64 bits.
    Bit(u8),
    Year,
    Date,
    /// Always six decimals in Dolt.
    Time,
    /// Decimals of the seconds: 0 to 6.
    DateTime {
        decimals: u8,
    },
    /// As [`SqlType::DateTime`]: Dolt does not convert between zones.
    Timestamp {
        decimals: u8,
    },
    /// Lengths of text are in characters.
    Char {
        length: u32,
        collation: Collation,
    },
    VarChar {
        length: u32,
        collation: Collation,
    },
    Text {
        size: LobSize,
        collation: Collation,
    },
    /// Lengths of binary are in bytes.
    Binary {
        length: u32,
    },
    VarBinary {
        length: u32,
    },
    Blob {
        size: LobSize,
    },
    Enum(Rc<EnumType>),
    Set(Rc<SetType>),
    Json,
    Geometry {
        kind: GeometryKind,
        srid: Option<u32>,
    },
    Vector {
        dimensions: u32,
    },
}

/// TINYINT to BIGINT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntegerType {
    pub width: IntegerWidth,
    pub unsigned: bool,
    /// `tinyint(1)`, the only display width Dolt keeps: BOOLEAN.
    pub boolean: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntegerWidth {
    Tiny,
    Small,
    Medium,
    Int,
    Big,
}

/// TINYTEXT to LONGTEXT and TINYBLOB to LONGBLOB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LobSize {
    Tiny,
    Regular,
    Medium,
    Long,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GeometryKind {
    Geometry,
    Point,
    LineString,
    Polygon,
    MultiPoint,
    MultiLineString,
    MultiPolygon,
    GeometryCollection,
}

/// DECIMAL's limits.
pub const DECIMAL_PRECISION_MAX: u8 = 65;
pub const DECIMAL_SCALE_MAX: u8 = 30;

impl IntegerType {
    pub const fn new(width: IntegerWidth, unsigned: bool) -> IntegerType {
        IntegerType { width, unsigned, boolean: false }
    }

    /// The least value.
    pub fn min(self) -> i64 {
        if self.unsigned {
            0
        } else {
            -(1i64 << (self.width.bits() - 1).min(62)) * if self.width.bits() == 64 { 2 } else { 1 }
        }
    }

    /// The greatest value.
    pub fn max(self) -> u64 {
        u64::MAX >> (64 - self.width.bits() + u32::from(!self.unsigned))
    }

    /// `int unsigned`, as messages and schemas name it.
    pub fn name(self) -> &'static str {
        use IntegerWidth::*;
        match (self.width, self.unsigned) {
            (Tiny, false) if self.boolean => "tinyint(1)",
            (Tiny, false) => "tinyint",
            (Small, false) => "smallint",
            (Medium, false) => "mediumint",
            (Int, false) => "int",
            (Big, false) => "bigint",
            (Tiny, true) => "tinyint unsigned",
            (Small, true) => "smallint unsigned",
            (Medium, true) => "mediumint unsigned",
            (Int, true) => "int unsigned",
            (Big, true) => "bigint unsigned",
        }
    }
}

impl IntegerWidth {
    pub const fn bits(self) -> u32 {
        match self {
            IntegerWidth::Tiny => 8,
            IntegerWidth::Small => 16,
            IntegerWidth::Medium => 24,
            IntegerWidth::Int => 32,
            IntegerWidth::Big => 64,
        }
    }
}

impl LobSize {
    /// The greatest length in bytes.
    pub const fn bytes_max(self) -> u64 {
        match self {
            LobSize::Tiny => 0xff,
            LobSize::Regular => 0xffff,
            LobSize::Medium => 0xff_ffff,
            LobSize::Long => 0xffff_ffff,
        }
    }

    /// The smallest size that holds `bytes` bytes.
    pub const fn holding(bytes: u64) -> LobSize {
        match bytes {
            0..=0xff => LobSize::Tiny,
            0x100..=0xffff => LobSize::Regular,
            0x1_0000..=0xff_ffff => LobSize::Medium,
            _ => LobSize::Long,
        }
    }

    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            LobSize::Tiny => "tiny",
            LobSize::Regular => "",
            LobSize::Medium => "medium",
            LobSize::Long => "long",
        }
    }
}

impl GeometryKind {
    pub const ALL: [GeometryKind; 8] = [
        GeometryKind::Geometry,
        GeometryKind::Point,
        GeometryKind::LineString,
        GeometryKind::Polygon,
        GeometryKind::MultiPoint,
        GeometryKind::MultiLineString,
        GeometryKind::MultiPolygon,
        GeometryKind::GeometryCollection,
    ];

    /// The type's name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            GeometryKind::Geometry => "geometry",
            GeometryKind::Point => "point",
            GeometryKind::LineString => "linestring",
            GeometryKind::Polygon => "polygon",
            GeometryKind::MultiPoint => "multipoint",
            GeometryKind::MultiLineString => "multilinestring",
            GeometryKind::MultiPolygon => "multipolygon",
            GeometryKind::GeometryCollection => "geometrycollection",
        }
    }
}

impl SqlType {
    pub const BOOLEAN: SqlType =
        SqlType::Integer(IntegerType { width: IntegerWidth::Tiny, unsigned: false, boolean: true });
    pub const INT: SqlType = SqlType::Integer(IntegerType::new(IntegerWidth::Int, false));
    pub const BIGINT: SqlType = SqlType::Integer(IntegerType::new(IntegerWidth::Big, false));
    pub const BIGINT_UNSIGNED: SqlType = SqlType::Integer(IntegerType::new(IntegerWidth::Big, true));
    pub const LONGTEXT: SqlType = SqlType::Text { size: LobSize::Long, collation: Collation::UTF8MB4_0900_BIN };
    pub const LONGBLOB: SqlType = SqlType::Blob { size: LobSize::Long };

    /// `varchar(length)` with Dolt's default collation.
    pub const fn varchar(length: u32) -> SqlType {
        SqlType::VarChar { length, collation: Collation::UTF8MB4_0900_BIN }
    }

    /// The collation by which values of the type compare, if they are text.
    pub fn collation(&self) -> Option<Collation> {
        match self {
            SqlType::Char { collation, .. } | SqlType::VarChar { collation, .. } | SqlType::Text { collation, .. } => {
                Some(*collation)
            }
            SqlType::Enum(kind) => Some(kind.collation),
            SqlType::Set(kind) => Some(kind.collation),
            _ => None,
        }
    }

    /// CHAR, VARCHAR, TEXT.
    pub fn is_text(&self) -> bool {
        matches!(self, SqlType::Char { .. } | SqlType::VarChar { .. } | SqlType::Text { .. })
    }

    /// ENUM and SET.
    pub fn has_members(&self) -> bool {
        matches!(self, SqlType::Enum(_) | SqlType::Set(_))
    }

    /// Days, moments and times of a day.
    pub fn is_temporal(&self) -> bool {
        self.is_date() || *self == SqlType::Time
    }

    /// BINARY, VARBINARY, BLOB.
    pub fn is_binary(&self) -> bool {
        matches!(self, SqlType::Binary { .. } | SqlType::VarBinary { .. } | SqlType::Blob { .. })
    }

    /// Integers, floats, decimals, BIT and YEAR.
    pub fn is_number(&self) -> bool {
        matches!(
            self,
            SqlType::Integer(_)
                | SqlType::Float
                | SqlType::Double
                | SqlType::Decimal { .. }
                | SqlType::Bit(_)
                | SqlType::Year
        )
    }

    /// DATE, DATETIME, TIMESTAMP.
    pub fn is_date(&self) -> bool {
        matches!(self, SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. })
    }

    pub fn is_unsigned(&self) -> bool {
        matches!(self, SqlType::Integer(IntegerType { unsigned: true, .. }) | SqlType::Bit(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_ranges_are_mysqls() {
        let range = |width, unsigned| {
            let kind = IntegerType::new(width, unsigned);
            (kind.min(), kind.max())
        };
        assert_eq!(range(IntegerWidth::Tiny, false), (-128, 127));
        assert_eq!(range(IntegerWidth::Medium, false), (-8_388_608, 8_388_607));
        assert_eq!(range(IntegerWidth::Int, true), (0, 4_294_967_295));
        assert_eq!(range(IntegerWidth::Big, false), (i64::MIN, i64::MAX as u64));
        assert_eq!(range(IntegerWidth::Big, true), (0, u64::MAX));
    }
}
