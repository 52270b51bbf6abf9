//! Data types of columns, parameters and casts.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl DataType {
    pub(crate) fn new(kind: TypeKind, span: Span) -> Self {
        DataType {
            kind,
            length: None,
            scale: None,
            unsigned: false,
            zerofill: false,
            members: Vec::new(),
            charset: None,
            collation: None,
            binary: false,
            national: false,
            srid: None,
            array: false,
            span,
        }
    }
}

impl Parser<'_> {
    /// The type of a column, parameter or variable, with its attributes.
    pub(crate) fn data_type(&mut self) -> Parsing<DataType> {
        let start = self.start();
        let T::Word(word) = self.token.kind else {
            self.record_types();
            return Err(self.unexpected());
        };
        let mut data_type = DataType::new(TypeKind::Int, Span::new(start, start));
        if word == K::National {
            self.advance();
            self.national_type(&mut data_type)?;
        } else {
            let Some(kind) = type_kind(word) else { return Err(self.unexpected()) };
            data_type.kind = kind;
            data_type.national = matches!(word, K::Nchar | K::Nvarchar);
            self.advance();
            self.type_continuation(word, &mut data_type)?;
        }
        self.type_parameters(&mut data_type)?;
        self.type_attributes(&mut data_type)?;
        data_type.span = self.since(start);
        Ok(data_type)
    }

    #[cold]
    fn record_types(&self) {
        self.record_name(NameKind::Type);
        self.at_any(&[
            K::Int,
            K::Bigint,
            K::Varchar,
            K::Text,
            K::Decimal,
            K::Double,
            K::Datetime,
            K::Timestamp,
            K::Date,
            K::Time,
            K::Json,
            K::Boolean,
            K::Char,
            K::Enum,
            K::Set,
            K::Blob,
            K::Varbinary,
            K::Tinyint,
            K::Smallint,
            K::Float,
        ]);
    }

    /// `NATIONAL CHAR`, `NATIONAL VARCHAR`, `NATIONAL CHAR VARYING`.
    fn national_type(&mut self, data_type: &mut DataType) -> Parsing<()> {
        data_type.national = true;
        data_type.kind = if self.eat_word(K::Varchar) {
            TypeKind::VarChar
        } else if self.eat_word(K::Char) || self.eat_word(K::Character) {
            if self.eat_word(K::Varying) { TypeKind::VarChar } else { TypeKind::Char }
        } else {
            return Err(self.unexpected());
        };
        Ok(())
    }

    /// Second words: `DOUBLE PRECISION`, `CHARACTER VARYING`, `LONG VARBINARY`.
    fn type_continuation(&mut self, word: K, data_type: &mut DataType) -> Parsing<()> {
        match word {
            K::Double => {
                self.eat_word(K::Precision);
            }
            K::Char | K::Character | K::Nchar if self.eat_word(K::Varying) => data_type.kind = TypeKind::VarChar,
            K::Nchar if self.eat_word(K::Varchar) => data_type.kind = TypeKind::VarChar,
            K::Long => {
                if self.eat_word(K::Varbinary) {
                    data_type.kind = TypeKind::MediumBlob;
                } else if !self.eat_word(K::Varchar) && (self.eat_word(K::Char) || self.eat_word(K::Character)) {
                    self.expect_word(K::Varying)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn type_parameters(&mut self, data_type: &mut DataType) -> Parsing<()> {
        if matches!(data_type.kind, TypeKind::Enum | TypeKind::Set) {
            self.expect(T::LeftParen)?;
            data_type.members = self.comma_list(|parser| parser.text_value())?;
            self.expect(T::RightParen)?;
        } else if self.at(T::LeftParen) {
            self.advance();
            let length = self.token.span;
            data_type.length = Some(self.integer()?);
            if self.eat(T::Comma) {
                data_type.scale = Some(self.integer()?);
            }
            self.expect(T::RightParen)?;
            use TypeKind::*;
            let has_scale = data_type.scale.is_some();
            let is_known = match data_type.kind {
                Decimal | Float => true,
                Double => has_scale,
                TinyInt | SmallInt | MediumInt | Int | BigInt | Boolean | Bit | Time | DateTime | Timestamp | Char
                | VarChar | Text | Binary | VarBinary | Vector => !has_scale,
                _ => false,
            };
            self.beyond_if(!is_known, length);
        }
        Ok(())
    }

    fn type_attributes(&mut self, data_type: &mut DataType) -> Parsing<()> {
        use TypeKind::*;
        let is_numeric = matches!(
            data_type.kind,
            TinyInt | SmallInt | MediumInt | Int | BigInt | Boolean | Decimal | Float | Double | Bit
        );
        if is_numeric {
            data_type.unsigned = self.eat_word(K::Unsigned);
            let _ = data_type.unsigned || self.eat_word(K::Signed);
            data_type.zerofill = self.eat_word(K::Zerofill);
        }
        loop {
            if self.skip_beyond_dolt(&[K::Unsigned]) {
                data_type.unsigned = true;
            } else if self.skip_beyond_dolt(&[K::Zerofill]) {
                data_type.zerofill = true;
            } else if self.skip_beyond_dolt(&[K::Signed]) {
                // The default.
            } else if self.eat_words(&[K::Character, K::Set])
                || self.eat_word(K::Charset)
                || self.at_words(&[K::Char, K::Set]) && self.skip_beyond_dolt(&[K::Char]) && self.eat_word(K::Set)
            {
                data_type.charset = Some(self.word_or_text(NameKind::Charset)?);
            } else if self.at_word(K::Collate) {
                self.advance();
                data_type.collation = Some(self.word_or_text(NameKind::Collation)?);
            } else if self.eat_word(K::Binary) {
                data_type.binary = true;
            } else if is_text(data_type.kind) && (self.at_word(K::Ascii) || self.at_word(K::Unicode)) {
                let text = if self.at_word(K::Ascii) { "latin1" } else { "ucs2" };
                let token = self.advance();
                data_type.charset = Some(Ident { text: text.into(), quoted: false, span: token.span });
            } else if self.at_word(K::Srid) {
                self.advance();
                data_type.srid = Some(self.srid()?);
            } else {
                return Ok(());
            }
        }
    }

    pub(crate) fn srid(&mut self) -> Parsing<u32> {
        let token = self.token;
        let value = self.integer()?;
        u32::try_from(value).map_err(|_| self.unsupported(token.span, "SRID beyond 32 bits"))
    }

    /// The type behind CAST … AS and CONVERT(…,).
    pub(crate) fn cast_type(&mut self) -> Parsing<DataType> {
        let start = self.start();
        let signed = self.at_word(K::Signed);
        if signed || self.at_word(K::Unsigned) {
            self.advance();
            let int = self.token.span;
            if !self.eat_word(K::Integer) && self.eat_word(K::Int) {
                self.beyond(int);
            }
            let mut data_type = DataType::new(TypeKind::Signed, self.since(start));
            data_type.unsigned = !signed;
            data_type.array = self.at_word(K::Array);
            self.skip_beyond_dolt(&[K::Array]);
            data_type.span = self.since(start);
            return Ok(data_type);
        }
        let T::Word(word) = self.token.kind else { return Err(self.unexpected()) };
        use TypeKind::*;
        let castable = word != K::Bool
            && matches!(
                type_kind(word),
                Some(
                    Binary
                        | Char
                        | Date
                        | DateTime
                        | Decimal
                        | Double
                        | Float
                        | Json
                        | Time
                        | Year
                        | Point
                        | LineString
                        | Polygon
                        | MultiPoint
                        | MultiLineString
                        | MultiPolygon
                        | GeometryCollection
                        | Vector
                )
            );
        if !castable {
            return Err(self.unexpected());
        }
        let name = self.token.span;
        let mut data_type = self.data_type()?;
        let has_other_name = matches!(word, K::Dec | K::Numeric | K::Fixed);
        self.beyond_if(has_other_name || data_type.kind == Float && data_type.length.is_some(), name);
        // `CHAR(3) utf8mb4`, an old spelling of CHARACTER SET.
        if data_type.kind == Char && matches!(self.token.kind, T::Word(K::Unlisted)) {
            data_type.charset = Some(self.name(NameKind::Charset)?);
        }
        data_type.array = self.at_word(K::Array);
        self.skip_beyond_dolt(&[K::Array]);
        data_type.span = self.since(start);
        Ok(data_type)
    }
}

fn is_text(kind: TypeKind) -> bool {
    use TypeKind::*;
    matches!(kind, Char | VarChar | TinyText | Text | MediumText | LongText)
}

fn type_kind(word: K) -> Option<TypeKind> {
    use TypeKind::*;
    Some(match word {
        K::Tinyint | K::Int1 => TinyInt,
        K::Smallint | K::Int2 => SmallInt,
        K::Mediumint | K::Int3 | K::Middleint => MediumInt,
        K::Int | K::Integer | K::Int4 => Int,
        K::Bigint | K::Int8 => BigInt,
        K::Serial => Serial,
        K::Bool | K::Boolean => Boolean,
        K::Decimal | K::Dec | K::Numeric | K::Fixed => Decimal,
        K::Float | K::Float4 => Float,
        K::Double | K::Real | K::Float8 => Double,
        K::Bit => Bit,
        K::Date => Date,
        K::Time => Time,
        K::Datetime => DateTime,
        K::Timestamp => Timestamp,
        K::Year => Year,
        K::Char | K::Character | K::Nchar => Char,
        K::Varchar | K::Varcharacter | K::Nvarchar => VarChar,
        K::Tinytext => TinyText,
        K::Text => Text,
        K::Mediumtext | K::Long => MediumText,
        K::Longtext => LongText,
        K::Binary => Binary,
        K::Varbinary => VarBinary,
        K::Tinyblob => TinyBlob,
        K::Blob => Blob,
        K::Mediumblob => MediumBlob,
        K::Longblob => LongBlob,
        K::Enum => Enum,
        K::Set => Set,
        K::Json => Json,
        K::Vector => Vector,
        K::Geometry => Geometry,
        K::Point => Point,
        K::Linestring => LineString,
        K::Polygon => Polygon,
        K::Multipoint => MultiPoint,
        K::Multilinestring => MultiLineString,
        K::Multipolygon => MultiPolygon,
        K::Geometrycollection => GeometryCollection,
        _ => return None,
    })
}
