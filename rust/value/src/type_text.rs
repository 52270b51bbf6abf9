//! The text of a column type: as Dolt stores it in a schema, and as SHOW CREATE TABLE and DESCRIBE print it.

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use crate::charset::Charset;
use crate::collation::Collation;
use crate::error::ValueError;
use crate::members::{EnumType, SetType};
use crate::types::{
    DECIMAL_PRECISION_MAX, DECIMAL_SCALE_MAX, GeometryKind, IntegerType, IntegerWidth, LobSize, SqlType,
};

impl fmt::Display for SqlType {
    /// The text a Dolt schema keeps: `datetime(0)`, `point SRID 4326`, `varchar(20) COLLATE utf8mb4_general_ci`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SqlType::DateTime { decimals } => write!(f, "datetime({decimals})"),
            SqlType::Timestamp { decimals } => write!(f, "timestamp({decimals})"),
            SqlType::Geometry { kind, srid: Some(srid) } => write!(f, "{} SRID {srid}", kind.name()),
            _ => f.write_str(&self.shown(Collation::UTF8MB4_0900_BIN)),
        }
    }
}

impl SqlType {
    /// The text SHOW CREATE TABLE prints in a table whose collation is `table`: the column's own is named only if it differs.
    /// The SRID of a geometry column comes after NOT NULL there and is left to the caller.
    pub fn shown(&self, table: Collation) -> String {
        let mut text = self.shown_without_collation();
        if let Some(own) = self.collation() {
            if own.charset() != table.charset() {
                text.push_str(" CHARACTER SET ");
                text.push_str(own.charset().name());
            }
            if own != table {
                text.push_str(" COLLATE ");
                text.push_str(own.name());
            }
        }
        text
    }

    /// The text DESCRIBE and information_schema print.
    pub fn shown_without_collation(&self) -> String {
        match self {
            SqlType::Null => "null".to_owned(),
            SqlType::Integer(kind) => kind.name().to_owned(),
            SqlType::Float => "float".to_owned(),
            SqlType::Double => "double".to_owned(),
            SqlType::Decimal { precision, scale } => format!("decimal({precision},{scale})"),
            SqlType::Bit(bits) => format!("bit({bits})"),
            SqlType::Year => "year".to_owned(),
            SqlType::Date => "date".to_owned(),
            SqlType::Time => "time(6)".to_owned(),
            SqlType::DateTime { decimals: 0 } => "datetime".to_owned(),
            SqlType::DateTime { decimals } => format!("datetime({decimals})"),
            SqlType::Timestamp { decimals: 0 } => "timestamp".to_owned(),
            SqlType::Timestamp { decimals } => format!("timestamp({decimals})"),
            SqlType::Char { length, .. } => format!("char({length})"),
            SqlType::VarChar { length, .. } => format!("varchar({length})"),
            SqlType::Text { size, .. } => format!("{}text", size.prefix()),
            SqlType::Binary { length } => format!("binary({length})"),
            SqlType::VarBinary { length } => format!("varbinary({length})"),
            SqlType::Blob { size } => format!("{}blob", size.prefix()),
            SqlType::Enum(kind) => quoted_list("enum", &kind.members),
            SqlType::Set(kind) => quoted_list("set", &kind.members),
            SqlType::Json => "json".to_owned(),
            SqlType::Geometry { kind, .. } => kind.name().to_owned(),
            SqlType::Vector { dimensions } => format!("VECTOR({dimensions})"),
        }
    }
}

fn quoted_list(name: &str, members: &[String]) -> String {
    let quoted: Vec<String> = members.iter().map(|member| member.replace('\'', "''")).collect();
    format!("{name}('{}')", quoted.join("','"))
}

impl FromStr for SqlType {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<SqlType, ValueError> {
        TypeParser { rest: text }.parse().ok_or_else(|| ValueError::UnknownType(text.to_owned()))?
    }
}

/// Reads a type's text from the left. `None` is a syntax error, an inner `Err` a name that is not known.
struct TypeParser<'a> {
    rest: &'a str,
}

type Parsed<T> = Option<Result<T, ValueError>>;

impl<'a> TypeParser<'a> {
    fn parse(mut self) -> Parsed<SqlType> {
        let name = self.word()?.to_ascii_lowercase();
        let members = if name == "enum" || name == "set" { self.quoted_members()? } else { Vec::new() };
        let numbers = self.numbers()?;
        let attributes = self.attributes()?;
        if !self.rest.trim().is_empty() {
            return None;
        }
        match attributes.collation() {
            Ok(collation) => Some(Ok(sql_type(&name, &numbers, members, &attributes, collation)?)),
            Err(error) => Some(Err(error)),
        }
    }

    /// The attributes after the name and its parentheses, in any order.
    fn attributes(&mut self) -> Option<Attributes<'a>> {
        let mut attributes = Attributes::default();
        while let Some(word) = self.word() {
            match word.to_ascii_lowercase().as_str() {
                "unsigned" | "zerofill" => attributes.unsigned = true,
                "signed" => {}
                "srid" => attributes.srid = Some(self.word()?.parse().ok()?),
                "charset" => attributes.charset = Some(self.word()?),
                "character" => {
                    self.word().filter(|word| word.eq_ignore_ascii_case("set"))?;
                    attributes.charset = Some(self.word()?);
                }
                "collate" => attributes.collation = Some(self.word()?),
                _ => return None,
            }
        }
        Some(attributes)
    }

    fn word(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        if end == 0 {
            return None;
        }
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        Some(word)
    }

    /// `(10,2)`, or nothing.
    fn numbers(&mut self) -> Option<Vec<u32>> {
        let Some(inside) = self.rest.trim_start().strip_prefix('(') else { return Some(Vec::new()) };
        let (inside, rest) = inside.split_once(')')?;
        self.rest = rest;
        inside.split(',').map(|number| number.trim().parse().ok()).collect()
    }

    /// `('a','it''s')`. Dolt reads its schemas through the SQL parser, so backslash escapes count.
    fn quoted_members(&mut self) -> Option<Vec<String>> {
        let mut rest = self.rest.trim_start().strip_prefix('(')?.trim_start();
        let mut members = Vec::new();
        loop {
            let (member, after) = quoted(rest)?;
            members.push(member);
            rest = after.trim_start();
            if let Some(after) = rest.strip_prefix(',') {
                rest = after.trim_start();
            } else {
                self.rest = rest.strip_prefix(')')?;
                return Some(members);
            }
        }
    }
}

#[derive(Default)]
struct Attributes<'a> {
    unsigned: bool,
    srid: Option<u32>,
    charset: Option<&'a str>,
    collation: Option<&'a str>,
}

impl Attributes<'_> {
    fn collation(&self) -> Result<Collation, ValueError> {
        match (self.collation, self.charset) {
            (Some(name), _) => Collation::from_name(name),
            (None, Some(name)) => Charset::from_name(name).map(Charset::default_collation),
            (None, None) => Ok(Collation::UTF8MB4_0900_BIN),
        }
    }
}

/// The type of a name in lower case, with the numbers behind it and the members of ENUM and SET.
fn sql_type(
    name: &str,
    numbers: &[u32],
    members: Vec<String>,
    attributes: &Attributes<'_>,
    collation: Collation,
) -> Option<SqlType> {
    let first = numbers.first().copied();
    let binary = collation == Collation::BINARY;
    let integer = |width| SqlType::Integer(IntegerType::new(width, attributes.unsigned));
    let decimals = || u8::try_from(first.unwrap_or(0)).ok().filter(|decimals| *decimals <= 6);
    Some(match name {
        "tinyint" if first == Some(1) && !attributes.unsigned => SqlType::BOOLEAN,
        "bool" | "boolean" => SqlType::BOOLEAN,
        "tinyint" => integer(IntegerWidth::Tiny),
        "smallint" => integer(IntegerWidth::Small),
        "mediumint" => integer(IntegerWidth::Medium),
        "int" | "integer" => integer(IntegerWidth::Int),
        "bigint" => integer(IntegerWidth::Big),
        "float" => SqlType::Float,
        "double" | "real" => SqlType::Double,
        "decimal" | "numeric" | "dec" | "fixed" => decimal(first.unwrap_or(10), numbers.get(1).copied().unwrap_or(0))?,
        "bit" => SqlType::Bit(u8::try_from(first.unwrap_or(1)).ok().filter(|bits| (1..=64).contains(bits))?),
        "year" => SqlType::Year,
        "date" => SqlType::Date,
        "time" => SqlType::Time,
        "datetime" => SqlType::DateTime { decimals: decimals()? },
        "timestamp" => SqlType::Timestamp { decimals: decimals()? },
        "char" if binary => SqlType::Binary { length: first.unwrap_or(1) },
        "varchar" if binary => SqlType::VarBinary { length: first? },
        "char" => SqlType::Char { length: first.unwrap_or(1), collation },
        "varchar" => SqlType::VarChar { length: first?, collation },
        "binary" => SqlType::Binary { length: first.unwrap_or(1) },
        "varbinary" => SqlType::VarBinary { length: first? },
        "enum" => SqlType::Enum(Rc::new(EnumType { members, collation })),
        "set" => SqlType::Set(Rc::new(SetType { members, collation })),
        "json" => SqlType::Json,
        "vector" => SqlType::Vector { dimensions: first.unwrap_or(2048) },
        _ => {
            if let Some(size) = name.strip_suffix("text").and_then(lob_size) {
                if binary { SqlType::Blob { size } } else { SqlType::Text { size, collation } }
            } else if let Some(size) = name.strip_suffix("blob").and_then(lob_size) {
                SqlType::Blob { size }
            } else {
                let kind = GeometryKind::ALL.into_iter().find(|kind| kind.name() == name)?;
                SqlType::Geometry { kind, srid: attributes.srid }
            }
        }
    })
}

fn decimal(precision: u32, scale: u32) -> Option<SqlType> {
    let precision = u8::try_from(precision).ok().filter(|digits| *digits <= DECIMAL_PRECISION_MAX)?;
    let scale = u8::try_from(scale).ok().filter(|scale| *scale <= DECIMAL_SCALE_MAX.min(precision))?;
    Some(SqlType::Decimal { precision, scale })
}

fn lob_size(prefix: &str) -> Option<LobSize> {
    [LobSize::Tiny, LobSize::Regular, LobSize::Medium, LobSize::Long].into_iter().find(|size| size.prefix() == prefix)
}

/// One quoted string at the start of `text`, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut characters = text.strip_prefix('\'')?.char_indices();
    let inside = &text[1..];
    let mut string = String::new();
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' if inside[at + 1..].starts_with('\'') => {
                characters.next();
                string.push('\'');
            }
            '\'' => return Some((string, &inside[at + 1..])),
            '\\' => string.push(match characters.next()?.1 {
                '0' => '\0',
                'b' => '\u{8}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'Z' => '\u{1a}',
                other => other,
            }),
            other => string.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_texts_come_back_as_they_were() {
        let texts = "tinyint|tinyint(1)|tinyint unsigned|mediumint|int unsigned|bigint unsigned|float|double|decimal(65,30)|\
            bit(10)|year|date|time(6)|datetime(0)|datetime(6)|timestamp(0)|timestamp(3)|char(10)|varchar(30)|\
            varchar(30) COLLATE utf8mb4_0900_ai_ci|varchar(3) CHARACTER SET latin1 COLLATE latin1_swedish_ci|\
            text CHARACTER SET utf16 COLLATE utf16_general_ci|tinytext|longtext|binary(5)|varbinary(50000)|mediumblob|blob|\
            enum('a','b''c,') COLLATE utf8mb4_general_ci|set('x','y')|json|point SRID 4326|geometry|multilinestring|VECTOR(3)";
        for text in texts.split('|') {
            assert_eq!(text.parse::<SqlType>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_an_unknown_type() {
        for text in [
            "",
            "integer(",
            "varchar",
            "decimal(66,0)",
            "bit(65)",
            "enum('a'",
            "foo",
            "int int",
            "datetime(7)",
            "set()",
        ] {
            assert_eq!(text.parse::<SqlType>(), Err(ValueError::UnknownType(text.to_owned())), "{text}");
        }
        let unknown = "varchar(3) COLLATE klingon_ci".parse::<SqlType>();
        assert_eq!(unknown, Err(ValueError::UnknownCollation("klingon_ci".to_owned())));
    }

    #[test]
    fn show_leaves_out_what_the_table_says() {
        let general = Collation::from_name("utf8mb4_general_ci").unwrap();
        let column: SqlType = "varchar(3) COLLATE utf8mb4_general_ci".parse().unwrap();
        assert_eq!(column.shown(general), "varchar(3)");
        assert_eq!("datetime(0)".parse::<SqlType>().unwrap().shown(general), "datetime");
    }
}
