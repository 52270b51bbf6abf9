//! Column types from their syntax.

use std::rc::Rc;

use parse::ast::{self, ColumnOption, DataType, TypeKind};
use value::{
    Charset, Collation, DECIMAL_PRECISION_MAX, DECIMAL_SCALE_MAX, EnumType, GeometryKind, IntegerType, IntegerWidth,
    LobSize, SetType, SqlType, ValueError,
};

use crate::error::{Result, SqlError};

const CHAR_LENGTH_MAX: u64 = 255;
const VARCHAR_BYTES_MAX: u64 = 65_535;
const BITS_MAX: u64 = 64;
const SET_MEMBERS_MAX: usize = 64;
const ENUM_MEMBERS_MAX: usize = 65_535;
const VECTOR_DIMENSIONS_DEFAULT: u64 = 2048;
const VECTOR_DIMENSIONS_MAX: u64 = 16_383;

/// The type of a column in a table whose collation is `table`.
///
/// # Errors
/// Lengths, precisions, members and collations that the type cannot have.
pub fn sql_type(data_type: &DataType, options: &[ColumnOption], table: Collation) -> Result<SqlType> {
    sql_type_of(data_type, options, table).map_err(|error| error.at(data_type.span))
}

fn sql_type_of(data_type: &DataType, options: &[ColumnOption], table: Collation) -> Result<SqlType> {
    use TypeKind::*;
    let text = Words { data_type, options };
    let takes_charset = matches!(data_type.kind, Char | VarChar | TinyText | Text | MediumText | LongText | Enum | Set);
    if !takes_charset && text.charset().is_some() {
        return Err(SqlError::general("Only character columns, enums, and sets can have a CHARACTER SET option"));
    }
    // Bytes with a collation are text.
    let collated = text.collation_name().is_some_and(|name| !name.is("binary"));
    let length = data_type.length;
    let integer = |width| SqlType::Integer(IntegerType::new(width, data_type.unsigned));
    let blob = |size| SqlType::Blob { size: length.map_or(size, LobSize::holding) };
    let geometry = |kind| -> Result<SqlType> { Ok(SqlType::Geometry { kind, srid: text.srid()? }) };
    Ok(match data_type.kind {
        TinyInt if !data_type.unsigned && length == Some(1) => SqlType::BOOLEAN,
        Boolean => SqlType::BOOLEAN,
        TinyInt => integer(IntegerWidth::Tiny),
        SmallInt => integer(IntegerWidth::Small),
        MediumInt => integer(IntegerWidth::Medium),
        Int => integer(IntegerWidth::Int),
        BigInt => integer(IntegerWidth::Big),
        Serial => SqlType::BIGINT_UNSIGNED,
        Signed => return Err(SqlError::internal("a cast's type in a definition")),
        Decimal => decimal(length.unwrap_or(0), data_type.scale.unwrap_or(0))?,
        Float => float(length)?,
        Double => SqlType::Double,
        Bit => match length.unwrap_or(1) {
            bits @ 1..=BITS_MAX => SqlType::Bit(bits as u8),
            bits => return Err(SqlError::general(format!("{bits} is an invalid number of bits"))),
        },
        Date => SqlType::Date,
        Time => match length {
            None | Some(6) => SqlType::Time,
            Some(0..6) => return Err(SqlError::general("TIME length not yet supported")),
            Some(_) => return Err(SqlError::general("TIME only supports a length from 0 to 6")),
        },
        DateTime => SqlType::DateTime { decimals: decimals(length, "DATETIME")? },
        Timestamp => SqlType::Timestamp { decimals: decimals(length, "TIMESTAMP")? },
        Year => SqlType::Year,
        Char => text.char(table)?,
        VarChar => text.varchar(table)?,
        TinyText => text.lob(LobSize::Tiny, table)?,
        Text => text.lob(LobSize::Regular, table)?,
        MediumText => text.lob(LobSize::Medium, table)?,
        LongText => text.lob(LobSize::Long, table)?,
        Binary if collated => text.char(table)?,
        VarBinary if let Some(name) = text.collation_name().filter(|_| collated) => {
            let text = format!("binary types must have the binary collation: {}", name.text);
            return Err(SqlError::general(text));
        }
        TinyBlob if collated => text.lob(LobSize::Tiny, table)?,
        Blob if collated => text.lob(LobSize::Regular, table)?,
        MediumBlob if collated => text.lob(LobSize::Medium, table)?,
        LongBlob if collated => text.lob(LobSize::Long, table)?,
        Binary => SqlType::Binary { length: within(length.unwrap_or(1), CHAR_LENGTH_MAX, CHAR_LENGTH_MAX)? },
        VarBinary => {
            let length = length.ok_or_else(|| SqlError::general("VARBINARY requires a length"))?;
            SqlType::VarBinary { length: within(length, VARCHAR_BYTES_MAX, VARCHAR_BYTES_MAX)? }
        }
        TinyBlob => blob(LobSize::Tiny),
        Blob => blob(LobSize::Regular),
        MediumBlob => blob(LobSize::Medium),
        LongBlob => blob(LobSize::Long),
        Enum => {
            let collation = text.collation(table)?;
            let members = members(data_type, collation, ENUM_MEMBERS_MAX)?;
            SqlType::Enum(Rc::new(EnumType { members, collation }))
        }
        Set => {
            let collation = text.collation(table)?;
            let members = members(data_type, collation, SET_MEMBERS_MAX)?;
            SqlType::Set(Rc::new(SetType { members, collation }))
        }
        Json => SqlType::Json,
        Vector => vector(length)?,
        Geometry => geometry(GeometryKind::Geometry)?,
        Point => geometry(GeometryKind::Point)?,
        LineString => geometry(GeometryKind::LineString)?,
        Polygon => geometry(GeometryKind::Polygon)?,
        MultiPoint => geometry(GeometryKind::MultiPoint)?,
        MultiLineString => geometry(GeometryKind::MultiLineString)?,
        MultiPolygon => geometry(GeometryKind::MultiPolygon)?,
        GeometryCollection => geometry(GeometryKind::GeometryCollection)?,
    })
}

/// FLOAT with a number of binary digits.
fn float(precision: Option<u64>) -> Result<SqlType> {
    match precision {
        Some(54..) => {
            let text = "column float type definition is invalid: Valid range for precision is 0-24 or 25-53";
            Err(SqlError::general(text))
        }
        Some(25..) => Ok(SqlType::Double),
        _ => Ok(SqlType::Float),
    }
}

fn vector(dimensions: Option<u64>) -> Result<SqlType> {
    match dimensions.unwrap_or(VECTOR_DIMENSIONS_DEFAULT) {
        dimensions @ 1..=VECTOR_DIMENSIONS_MAX => Ok(SqlType::Vector { dimensions: dimensions as u32 }),
        _ => {
            let text = format!(
                "column VECTOR type definition is invalid: VECTOR dimension must be between 1 and {VECTOR_DIMENSIONS_MAX}"
            );
            Err(SqlError::general(text))
        }
    }
}

fn decimal(precision: u64, scale: u64) -> Result<SqlType> {
    if scale > u64::from(DECIMAL_SCALE_MAX) {
        return Err(SqlError::general(format!("Too big scale {scale} specified. Maximum is {DECIMAL_SCALE_MAX}.")));
    }
    if precision > u64::from(DECIMAL_PRECISION_MAX) {
        let text = format!("Too big precision {precision} specified. Maximum is {DECIMAL_PRECISION_MAX}.");
        return Err(SqlError::general(text));
    }
    if scale > precision {
        return Err(SqlError::general(format!("Scale {scale} cannot be larger than the precision {precision}")));
    }
    let precision = if precision == 0 { 10 } else { precision };
    Ok(SqlType::Decimal { precision: precision as u8, scale: scale as u8 })
}

fn decimals(length: Option<u64>, name: &str) -> Result<u8> {
    match length.unwrap_or(0) {
        decimals @ 0..=6 => Ok(decimals as u8),
        _ => Err(SqlError::general(format!("{name} supports precision from 0 to 6"))),
    }
}

/// A length of at most `max`; the message names `shown`.
fn within(length: u64, max: u64, shown: u64) -> Result<u32> {
    if length > max {
        return Err(SqlError::general(format!("length is {length} but max allowed is {shown}")));
    }
    Ok(length as u32)
}

fn members(data_type: &DataType, collation: Collation, members_max: usize) -> Result<Vec<String>> {
    let mut members: Vec<String> = Vec::with_capacity(data_type.members.len());
    if data_type.members.len() > members_max {
        return Err(SqlError::general(format!("number of values is too large, at most {members_max} are allowed")));
    }
    for member in &data_type.members {
        // Spaces at the end of members do not count.
        let member = if collation == Collation::BINARY { &**member } else { member.trim_end_matches(' ') };
        if matches!(data_type.kind, TypeKind::Set) && member.contains(',') {
            return Err(SqlError::general("comma in set member"));
        }
        let is_known = members
            .iter()
            .any(|known| collation.compare(known.as_bytes(), member.as_bytes()) == std::cmp::Ordering::Equal);
        if is_known {
            return Err(SqlError::general(format!("duplicate entry: {member}")));
        }
        members.push(member.to_owned());
    }
    Ok(members)
}

/// What a definition says about character sets, in its type and behind it.
struct Words<'a> {
    data_type: &'a DataType,
    options: &'a [ColumnOption],
}

impl Words<'_> {
    fn charset(&self) -> Option<&ast::Ident> {
        let option = self.options.iter().rev().find_map(|option| match option {
            ColumnOption::CharacterSet(name) => Some(name),
            _ => None,
        });
        option.or(self.data_type.charset.as_ref())
    }

    fn collation_name(&self) -> Option<&ast::Ident> {
        let option = self.options.iter().rev().find_map(|option| match option {
            ColumnOption::Collate(name) => Some(name),
            _ => None,
        });
        option.or(self.data_type.collation.as_ref())
    }

    fn collation(&self, table: Collation) -> Result<Collation> {
        if self.data_type.national {
            return Ok(Collation::UTF8MB3_GENERAL_CI);
        }
        let (charset, name) = (self.charset(), self.collation_name());
        let collation = collation(charset, name)?.unwrap_or(table);
        // BINARY is a collation, too, and gives way to one that is named with its character set.
        let is_binary = self.data_type.binary && (charset.is_none() || name.is_none());
        let says_nothing = charset.is_none() && name.is_none() && table.name().ends_with("_bin");
        implemented(if is_binary && !says_nothing { binary_collation(collation.charset()) } else { collation })
    }

    fn char(&self, table: Collation) -> Result<SqlType> {
        let length = within(self.data_type.length.unwrap_or(1), CHAR_LENGTH_MAX, CHAR_LENGTH_MAX)?;
        Ok(match self.collation(table)? {
            Collation::BINARY => SqlType::Binary { length },
            collation => SqlType::Char { length, collation },
        })
    }

    fn varchar(&self, table: Collation) -> Result<SqlType> {
        let length = self.data_type.length.ok_or_else(|| SqlError::general("VARCHAR requires a length"))?;
        let collation = self.collation(table)?;
        let characters_max = VARCHAR_BYTES_MAX / u64::from(collation.charset().character_bytes_max().max(1));
        let length = within(length, VARCHAR_BYTES_MAX, characters_max)?;
        Ok(match collation {
            Collation::BINARY => SqlType::VarBinary { length },
            collation => SqlType::VarChar { length, collation },
        })
    }

    /// TEXT or BLOB of a size, or of one that holds the length that is said.
    fn lob(&self, size: LobSize, table: Collation) -> Result<SqlType> {
        let collation = self.collation(table)?;
        let size = self.data_type.length.map_or(size, LobSize::holding);
        let is_binary = collation == Collation::BINARY;
        Ok(if is_binary { SqlType::Blob { size } } else { SqlType::Text { size, collation } })
    }

    fn srid(&self) -> Result<Option<u32>> {
        let option = self.options.iter().rev().find_map(|option| match option {
            ColumnOption::Srid(srid) => Some(*srid),
            _ => None,
        });
        option.or(self.data_type.srid).map(crate::functions::spatial::known_srid).transpose()
    }
}

/// The collation that a character set and a collation name; `None` where neither is said.
///
/// # Errors
/// Unknown names, and a collation of another character set.
pub fn collation(charset: Option<&ast::Ident>, collation: Option<&ast::Ident>) -> Result<Option<Collation>> {
    let charset = charset.map(|name| Charset::from_name(&name.text)).transpose()?;
    let named = collation.map(|name| Collation::from_name(&name.text)).transpose()?;
    Ok(match (charset, named) {
        (None, None) => None,
        (Some(charset), None) => Some(charset.default_collation()),
        (None, Some(collation)) => Some(collation),
        (Some(charset), Some(collation)) if collation.charset() == charset => Some(collation),
        (Some(charset), Some(collation)) => {
            let (charset, collation) = (charset.name(), collation.name());
            return Err(SqlError::general(format!("{charset} is not a valid character set for {collation}")));
        }
    })
}

/// The collation, if text can be kept in it.
pub fn implemented(collation: Collation) -> Result<Collation> {
    match collation.is_implemented() {
        true => Ok(collation),
        false => Err(ValueError::CollationNotImplemented(collation.name()).into()),
    }
}

/// What BINARY behind a type with this character set means.
fn binary_collation(charset: Charset) -> Collation {
    let name = format!("{}_bin", charset.name());
    Collation::from_name(&name).unwrap_or_else(|_| charset.default_collation())
}

/// Bytes that the rows of a table take at most, as native Dolt counts them.
pub fn row_bytes_max<'a>(types: impl Iterator<Item = &'a SqlType>) -> u64 {
    let bytes = |ty: &SqlType| match ty {
        SqlType::Char { length, collation } | SqlType::VarChar { length, collation } => {
            u64::from(*length) * u64::from(collation.charset().character_bytes_max())
        }
        SqlType::Binary { length } | SqlType::VarBinary { length } => u64::from(*length),
        SqlType::Text { .. }
        | SqlType::Blob { .. }
        | SqlType::Json
        | SqlType::Geometry { .. }
        | SqlType::Vector { .. } => 20,
        SqlType::Decimal { scale, .. } => u64::from(*scale),
        SqlType::Enum(_) => 2,
        SqlType::Time => 16,
        _ => 8,
    };
    types.map(bytes).sum()
}
