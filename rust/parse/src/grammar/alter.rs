//! ALTER TABLE.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    /// ALTER TABLE, from the word TABLE on.
    #[inline(never)]
    pub(crate) fn alter_table(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let name = self.object_name(NameKind::Table)?;
        let mut actions = Vec::new();
        loop {
            self.alter_action(&mut actions)?;
            if self.eat(T::Comma) {
                continue;
            }
            // Table options may follow each other without commas, in Dolt's grammar only `CHARACTER SET x COLLATE y`.
            if !self.more_options(&actions) {
                break;
            }
            self.beyond_if(!self.at_any(&[K::Collate, K::Partition]), self.token.span);
        }
        Ok(StatementKind::AlterTable(Box::new(AlterTable { name, actions })))
    }

    fn more_options(&self, actions: &[AlterAction]) -> bool {
        let after_option = matches!(actions.last(), Some(AlterAction { kind: AlterActionKind::Option(_), .. }));
        (after_option && !self.at(T::End) && !self.at(T::Semicolon)) || self.at_word(K::Partition)
    }

    /// One action; `ADD (a INT, b INT)` gives several.
    #[inline(never)]
    fn alter_action(&mut self, actions: &mut Vec<AlterAction>) -> Parsing<()> {
        let start = self.start();
        self.at_any(&[K::Add, K::Drop, K::Modify, K::Change, K::Alter, K::Rename, K::Convert, K::Order]);
        let T::Word(word) = self.token.kind else { return Err(self.unexpected()) };
        let kind = match word {
            K::Add => {
                self.advance();
                return self.alter_add(actions, start);
            }
            K::Drop => {
                self.advance();
                self.alter_drop()?
            }
            K::Modify | K::Change => self.alter_column(word)?,
            K::Alter => {
                self.advance();
                self.alter_alter()?
            }
            K::Rename => {
                self.advance();
                self.alter_rename()?
            }
            K::Convert => self.convert_to()?,
            K::Disable => {
                self.expect_words(&[K::Disable, K::Keys])?;
                AlterActionKind::DisableKeys
            }
            K::Enable => {
                self.expect_words(&[K::Enable, K::Keys])?;
                AlterActionKind::EnableKeys
            }
            K::Order => {
                let order = self.token.span;
                self.beyond(order);
                AlterActionKind::OrderBy(self.order_by()?)
            }
            K::Partition
            | K::Truncate
            | K::Coalesce
            | K::Reorganize
            | K::Exchange
            | K::Analyze
            | K::Check
            | K::Optimize
            | K::Rebuild
            | K::Repair
            | K::Remove => self.partition_action(word)?,
            K::Discard | K::Import if self.peek() == T::Word(K::Partition) => self.partition_action(word)?,
            _ if self.has_no_effect(word)? => AlterActionKind::Ignored,
            _ => match self.altered_option()? {
                Some(option) => AlterActionKind::Option(option),
                None => return Err(self.unexpected()),
            },
        };
        actions.push(AlterAction { kind, span: self.since(start) });
        Ok(())
    }

    /// A table option, in which Dolt knows no CHARSET here.
    fn altered_option(&mut self) -> Parsing<Option<TableOption>> {
        let word = if self.at_word(K::Default) { self.second_token().span } else { self.token.span };
        self.beyond_if(word.text(self.sql).eq_ignore_ascii_case("charset"), word);
        self.table_option()
    }

    /// MODIFY and CHANGE, which `word` is.
    fn alter_column(&mut self, word: K) -> Parsing<AlterActionKind> {
        self.advance();
        self.eat_word(K::Column);
        let name = if word == K::Change { Some(self.unknown_word(NameKind::Column)?) } else { None };
        let column = self.column_definition()?;
        let position = self.column_position()?;
        Ok(match name {
            Some(name) => AlterActionKind::ChangeColumn { name, column, position },
            None => AlterActionKind::ModifyColumn { column, position },
        })
    }

    fn convert_to(&mut self) -> Parsing<AlterActionKind> {
        self.expect_words(&[K::Convert, K::To])?;
        if !self.skip_beyond_dolt(&[K::Charset]) {
            self.expect_words(&[K::Character, K::Set])?;
        }
        let charset = if self.eat_word(K::Default) { None } else { Some(self.word_or_text(NameKind::Charset)?) };
        let collation = if self.eat_word(K::Collate) { Some(self.word_or_text(NameKind::Collation)?) } else { None };
        Ok(AlterActionKind::ConvertTo { charset, collation })
    }

    /// Reads an action that is accepted and does nothing, which begins with `word`; tells whether there was one.
    fn has_no_effect(&mut self, word: K) -> Parsing<bool> {
        match word {
            K::Algorithm | K::Lock => {
                self.advance();
                self.skip_equal();
                self.name_after_dot(NameKind::New)?;
            }
            K::Force => {
                self.advance();
            }
            K::With | K::Without if self.peek() == T::Word(K::Validation) => {
                self.advance();
                self.advance();
            }
            K::Discard | K::Import => {
                self.advance();
                self.expect_word(K::Tablespace)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Everything about partitions, which no table has.
    fn partition_action(&mut self, word: K) -> Parsing<AlterActionKind> {
        self.advance();
        match word {
            K::Partition => self.expect_word(K::By).map(drop)?,
            K::Remove => self.expect_word(K::Partitioning).map(drop)?,
            // ADD and DROP have been read.
            K::Add | K::Drop => {}
            _ => self.expect_word(K::Partition).map(drop)?,
        }
        self.skip_clause();
        Ok(match word {
            K::Truncate | K::Drop | K::Exchange | K::Discard | K::Import => AlterActionKind::ChangePartition,
            _ => AlterActionKind::Ignored,
        })
    }

    fn alter_add(&mut self, actions: &mut Vec<AlterAction>, start: u32) -> Parsing<()> {
        let kind = if self.at_word(K::Partition) {
            self.partition_action(K::Add)?
        } else if self.at_constraint() {
            self.beyond_if(self.at_word(K::Constraint) && self.peek() == T::Word(K::Primary), self.token.span);
            match self.constraint()? {
                TableElement::Index(index) => AlterActionKind::AddIndex(index),
                TableElement::ForeignKey(key) => AlterActionKind::AddForeignKey(key),
                TableElement::Check(check) => AlterActionKind::AddCheck(check),
                TableElement::Column(column) => {
                    AlterActionKind::AddColumn { column, position: None, if_not_exists: false }
                }
            }
        } else {
            self.eat_word(K::Column);
            let condition = self.token.span;
            let if_not_exists = self.if_not_exists();
            self.beyond_if(if_not_exists, condition);
            if self.at(T::LeftParen) {
                self.advance();
                let columns = self.comma_list(|parser| parser.column_definition())?;
                // Dolt's grammar has one column in parentheses, not several.
                if let [_, second, ..] = &columns[..] {
                    self.beyond(second.span);
                }
                self.expect(T::RightParen)?;
                actions.extend(columns.into_iter().map(|column| AlterAction {
                    span: column.span,
                    kind: AlterActionKind::AddColumn { column, position: None, if_not_exists },
                }));
                return Ok(());
            }
            let column = self.column_definition()?;
            AlterActionKind::AddColumn { column, position: self.column_position()?, if_not_exists }
        };
        actions.push(AlterAction { kind, span: self.since(start) });
        Ok(())
    }

    fn column_position(&mut self) -> Parsing<Option<ColumnPosition>> {
        if self.eat_word(K::First) {
            Ok(Some(ColumnPosition::First))
        } else if self.eat_word(K::After) {
            Ok(Some(ColumnPosition::After(self.unknown_word(NameKind::Column)?)))
        } else {
            Ok(None)
        }
    }

    fn alter_drop(&mut self) -> Parsing<AlterActionKind> {
        if self.eat_word(K::Primary) {
            self.expect_word(K::Key)?;
            return Ok(AlterActionKind::DropPrimaryKey);
        }
        if self.eat_word(K::Index) || self.eat_word(K::Key) {
            return Ok(AlterActionKind::DropIndex { if_exists: self.if_exists(), name: self.index_name()? });
        }
        if self.eat_word(K::Foreign) {
            self.expect_word(K::Key)?;
            return Ok(AlterActionKind::DropForeignKey { name: self.name(NameKind::Constraint)? });
        }
        if self.eat_word(K::Check) {
            return Ok(AlterActionKind::DropCheck { name: self.name(NameKind::Constraint)? });
        }
        if self.eat_word(K::Constraint) {
            return Ok(AlterActionKind::DropConstraint { name: self.name(NameKind::Constraint)? });
        }
        if self.at_word(K::Partition) {
            return self.partition_action(K::Drop);
        }
        self.eat_word(K::Column);
        let condition = self.token.span;
        let if_exists = self.if_exists();
        self.beyond_if(if_exists, condition);
        let name = self.name(NameKind::Column)?;
        self.skip_beyond_dolt(&[K::Restrict, K::Cascade]);
        Ok(AlterActionKind::DropColumn { name, if_exists })
    }

    /// `ALTER COLUMN a SET DEFAULT 1`, `ALTER INDEX i INVISIBLE`, `ALTER CHECK c NOT ENFORCED`.
    fn alter_alter(&mut self) -> Parsing<AlterActionKind> {
        if self.eat_word(K::Index) {
            let name = self.index_name()?;
            return Ok(AlterActionKind::SetIndexVisible { name, visible: self.visible()? });
        }
        if self.eat_word(K::Check) || self.eat_word(K::Constraint) {
            let name = self.name(NameKind::Constraint)?;
            return match self.enforced() {
                Some(enforced) => Ok(AlterActionKind::SetEnforced { name, enforced }),
                None => Err(self.unexpected()),
            };
        }
        self.eat_word(K::Column);
        let column = self.name(NameKind::Column)?;
        if self.eat_word(K::Drop) {
            self.expect_word(K::Default)?;
            return Ok(AlterActionKind::DropDefault { column });
        }
        self.expect_word(K::Set)?;
        if self.eat_word(K::Default) {
            let (expr, parenthesized) = self.default_value(true)?;
            return Ok(AlterActionKind::SetDefault { column, expr, parenthesized });
        }
        self.beyond(self.token.span);
        Ok(AlterActionKind::SetColumnVisible { column, visible: self.visible()? })
    }

    fn visible(&mut self) -> Parsing<bool> {
        if self.eat_word(K::Visible) {
            return Ok(true);
        }
        self.expect_word(K::Invisible)?;
        Ok(false)
    }

    fn alter_rename(&mut self) -> Parsing<AlterActionKind> {
        if self.eat_word(K::Constraint) {
            if self.eat_word(K::Foreign) {
                self.expect_word(K::Key)?;
            } else {
                self.eat_word(K::Check);
            }
            let from = self.name(NameKind::Constraint)?;
            self.expect_word(K::To)?;
            return Ok(AlterActionKind::RenameConstraint { from, to: self.name(NameKind::New)? });
        }
        if self.eat_word(K::Column) {
            let from = self.name(NameKind::Column)?;
            if !self.eat_word(K::As) {
                self.expect_word(K::To)?;
            }
            return Ok(AlterActionKind::RenameColumn { from, to: self.name(NameKind::New)? });
        }
        if self.eat_word(K::Index) || self.eat_word(K::Key) {
            let from = self.index_name()?;
            self.expect_word(K::To)?;
            return Ok(AlterActionKind::RenameIndex { from, to: self.name(NameKind::New)? });
        }
        let _ = self.eat_word(K::To) || self.eat_word(K::As);
        Ok(AlterActionKind::Rename { to: self.object_name(NameKind::New)? })
    }
}
