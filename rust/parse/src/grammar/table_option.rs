//! Table options at the end of a table definition and in ALTER TABLE.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

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
        let Some(name) = self.table_option_name(word)? else { return Ok(None) };
        let value = match &*name {
            "START TRANSACTION" => OptionValue::Other,
            _ => self.table_option_value(word)?,
        };
        Ok(Some(TableOption { name, value, span: self.since(start) }))
    }

    /// The name of an option; the parser is after it then.
    fn table_option_name(&mut self, word: K) -> Parsing<Option<Box<str>>> {
        let is_set = matches!(self.peek(), T::Equal | T::Integer);
        let name = match word {
            K::Charset => "CHARACTER SET",
            K::Character => {
                self.advance();
                self.expect_word(K::Set)?;
                return Ok(Some("CHARACTER SET".into()));
            }
            K::Data | K::Index if self.peek() == T::Word(K::Directory) => {
                self.advance();
                if word == K::Data { "DATA DIRECTORY" } else { "INDEX DIRECTORY" }
            }
            K::Start if self.peek() == T::Word(K::Transaction) => {
                self.advance();
                "START TRANSACTION"
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
                if is_set =>
            {
                word.text()
            }
            _ if !word.is_listed() && is_set => {
                let name = self.text(self.token);
                let is_known = ["target_row_size", "toast_tuple_target"].iter().any(|it| name.eq_ignore_ascii_case(it));
                self.beyond_if(!is_known, self.token.span);
                let name = name.to_ascii_uppercase();
                self.advance();
                return Ok(Some(name.into()));
            }
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(name.into()))
    }

    fn table_option_value(&mut self, word: K) -> Parsing<OptionValue> {
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
        Ok(value)
    }
}
