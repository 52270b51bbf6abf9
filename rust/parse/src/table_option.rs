//! The options behind a table definition and in ALTER TABLE.

use crate::ast::*;
use crate::keyword::Keyword as K;
use crate::parser::{NameKind, Parser, Parsing};
use crate::token::TokenKind as T;

impl Parser<'_> {
    /// `ENGINE = InnoDB`, `DEFAULT CHARSET utf8mb4`; `None` when no option follows.
    pub(crate) fn table_option(&mut self) -> Parsing<Option<TableOption>> {
        let start = self.start();
        let default = self.at_word(K::Default)
            && matches!(self.peek(), T::Word(K::Character | K::Charset | K::Collate | K::Encryption));
        if default {
            self.advance();
        }
        let T::Word(word) = self.token.kind else { return Ok(None) };
        let name = match word {
            K::Charset => "CHARACTER SET",
            K::Character => {
                self.advance();
                "CHARACTER SET"
            }
            K::Data | K::Index if self.peek() == T::Word(K::Directory) => {
                self.advance();
                if word == K::Data { "DATA DIRECTORY" } else { "INDEX DIRECTORY" }
            }
            K::Start if self.peek() == T::Word(K::Transaction) => {
                self.advance();
                self.advance();
                let span = self.since(start);
                return Ok(Some(TableOption { name: "START TRANSACTION".into(), value: OptionValue::Other, span }));
            }
            K::AutoIncrement
            | K::AutoextendSize
            | K::AvgRowLength
            | K::Checksum
            | K::Collate
            | K::Comment
            | K::Compression
            | K::Connection
            | K::DelayKeyWrite
            | K::Encryption
            | K::Engine
            | K::EngineAttribute
            | K::InsertMethod
            | K::KeyBlockSize
            | K::MaxRows
            | K::MinRows
            | K::PackKeys
            | K::Password
            | K::RowFormat
            | K::SecondaryEngine
            | K::SecondaryEngineAttribute
            | K::StatsAutoRecalc
            | K::StatsPersistent
            | K::StatsSamplePages
            | K::Tablespace
            | K::Union => word.text(),
            // Options of MySQL's relatives: accepted when they look like one. Dolt knows some.
            K::EncryptionKeyId
            | K::PageChecksum
            | K::PageCompressed
            | K::PageCompressionLevel
            | K::Sequence
            | K::Transactional
                if matches!(self.peek(), T::Equal | T::Integer) =>
            {
                word.text()
            }
            _ if !word.is_listed() && matches!(self.peek(), T::Equal | T::Integer) => {
                let name = self.text(self.token);
                let is_known = ["target_row_size", "toast_tuple_target"].iter().any(|it| name.eq_ignore_ascii_case(it));
                self.beyond_if(!is_known, self.token.span);
                ""
            }
            _ => return Ok(None),
        };
        let unlisted = if name.is_empty() { self.text(self.token).to_ascii_uppercase() } else { String::new() };
        let name = if name.is_empty() { unlisted.as_str() } else { name };
        if name == "CHARACTER SET" && word == K::Character {
            self.expect_word(K::Set)?;
        } else {
            self.advance();
        }
        self.skip_equal();
        let value = match self.token.kind {
            T::Integer => OptionValue::Integer(self.integer()?),
            T::Decimal if word == K::AutoIncrement => OptionValue::Integer(self.whole_part()?),
            T::Text => {
                self.beyond_if(word == K::Engine, self.token.span);
                OptionValue::Text(self.text_value()?)
            }
            T::LeftParen => {
                self.name_list(NameKind::Table)?;
                OptionValue::Other
            }
            _ => OptionValue::Word(self.name_after_dot(NameKind::New)?),
        };
        if word == K::Tablespace && self.eat_word(K::Storage) && !self.eat_word(K::Disk) {
            self.expect_word(K::Memory)?;
        }
        Ok(Some(TableOption { name: name.into(), value, span: self.since(start) }))
    }
}
