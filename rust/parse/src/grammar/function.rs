//! Function calls, those with a grammar of their own, and window specifications.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::grammar::expr::power;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl FunctionCall {
    pub(crate) fn plain(name: Ident, arguments: Vec<Expr>) -> Self {
        FunctionCall {
            database: None,
            name,
            arguments,
            distinct: false,
            order_by: Vec::new(),
            separator: None,
            charset: None,
            over: None,
        }
    }
}

/// Aggregates that are no window functions in Dolt's grammar.
const WITHOUT_OVER: &[&str] = &["any_value", "first", "last"];
/// Aggregates that Dolt's grammar knows without DISTINCT.
const WITHOUT_DISTINCT: &[&str] = &[
    "bit_and",
    "bit_or",
    "bit_xor",
    "json_arrayagg",
    "json_objectagg",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "var_pop",
    "var_samp",
    "variance",
];

/// Aggregates and window functions that need an argument.
const NEED_ARGUMENT: &[&str] = &[
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "count",
    "group_concat",
    "json_arrayagg",
    "json_objectagg",
    "max",
    "min",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "sum",
    "var_pop",
    "var_samp",
    "variance",
    "lag",
    "lead",
    "first_value",
    "last_value",
    "nth_value",
    "ntile",
    "substr",
    "substring",
];

impl Parser<'_> {
    /// A word that starts an operand: a function call, a function without parentheses, or a column.
    #[inline(never)]
    pub(crate) fn function_or_name(&mut self, word: K, start: u32) -> Parsing<Expr> {
        if self.peek() != T::LeftParen {
            return match word {
                K::CurrentDate
                | K::CurrentTime
                | K::CurrentTimestamp
                | K::CurrentUser
                | K::Localtime
                | K::Localtimestamp
                | K::UtcDate
                | K::UtcTime
                | K::UtcTimestamp => {
                    let name = self.name_after_dot(NameKind::Function)?;
                    let call = FunctionCall::plain(name, Vec::new());
                    Ok(Expr { kind: ExprKind::Function(Box::new(call)), span: self.since(start) })
                }
                _ => {
                    self.beyond_if(matches!(word, K::Escape | K::Next), self.token.span);
                    let name = self.name(NameKind::Column)?;
                    self.name_expression(name, start)
                }
            };
        }
        let kind = match word {
            K::Cast => self.cast()?,
            K::Convert => self.convert()?,
            K::Extract => self.extract()?,
            K::Trim => self.trim()?,
            K::Match => self.match_against()?,
            K::Timestampadd | K::Timestampdiff => self.timestamp_arithmetic(word)?,
            K::Position => self.position()?,
            K::GetFormat => self.get_format()?,
            // Reserved words that are not functions stay errors.
            _ if word.is_reserved() && !names_function(word) => return Err(self.unexpected()),
            _ => {
                let name = self.name_after_dot(NameKind::Function)?;
                return self.call(None, name, start);
            }
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The arguments of a call whose name has been read.
    #[inline(never)]
    pub(crate) fn call(&mut self, database: Option<Ident>, name: Ident, start: u32) -> Parsing<Expr> {
        self.expect(T::LeftParen)?;
        let mut call = FunctionCall::plain(name, Vec::new());
        call.database = database;
        let mut children = 0;
        if self.at(T::RightParen) {
            if NEED_ARGUMENT.iter().any(|name| call.name.is(name)) {
                return Err(self.unexpected());
            }
        } else if self.at(T::Star) && self.peek() == T::RightParen {
            if !call.name.is("count") {
                return Err(self.unexpected());
            }
            let star = self.advance();
            call.arguments.push(Expr { kind: ExprKind::Star, span: star.span });
        } else {
            let at = self.token.span;
            call.distinct = self.eat_word(K::Distinct);
            if call.distinct && WITHOUT_DISTINCT.iter().any(|name| call.name.is(name)) {
                self.beyond(at);
            }
            if !call.distinct {
                self.eat_word(K::All);
            }
            self.arguments(&mut call)?;
            children = self.height;
        }
        self.expect(T::RightParen)?;
        if call.name.is("row_number") || call.name.is("rank") || call.name.is("dense_rank") {
            // Nothing but window functions: an error at once, as in Dolt.
            if !self.at_word(K::Over) {
                return Err(self.unexpected());
            }
        }
        let group_concat = call.name.is("group_concat");
        if !group_concat && self.at_word(K::Over) {
            if WITHOUT_OVER.iter().any(|name| call.name.is(name)) {
                let over = self.token.span;
                self.beyond(over);
            }
            call.over = Some(self.over()?);
            children = children.max(self.height);
        }
        self.raise(children)?;
        Ok(Expr { kind: ExprKind::Function(Box::new(call)), span: self.since(start) })
    }

    /// Arguments with what may follow them inside the parentheses.
    #[inline(never)]
    fn arguments(&mut self, call: &mut FunctionCall) -> Parsing<()> {
        let first = self.expression_or_nested_query()?;
        let mut children = self.height;
        let from = self.token.span;
        // Dolt's grammar has names, texts and variables in front of FROM.
        let is_simple = match &first.kind {
            ExprKind::Column(_) | ExprKind::UserVariable(_) => true,
            ExprKind::Literal(Literal::Text(text)) => text.charset.is_none(),
            _ => false,
        };
        let is_simple = is_simple && !first.span.text(self.sql).starts_with('(');
        call.arguments.push(first);
        if (call.name.is("substring") || call.name.is("substr") || call.name.is("mid")) && self.eat_word(K::From) {
            self.beyond_if(!is_simple, from);
            call.arguments.push(self.value()?);
            children = children.max(self.height);
            if self.eat_word(K::For) {
                call.arguments.push(self.value()?);
                children = children.max(self.height);
            } else {
                let end = self.token.span;
                self.beyond(end);
            }
        }
        call.arguments = self.more_expressions(std::mem::take(&mut call.arguments))?;
        children = children.max(self.height);
        if call.name.is("group_concat") {
            call.order_by = self.order_by()?;
            children = children.max(self.height);
            if self.eat_word(K::Separator) {
                call.separator = Some(self.text_value()?);
            }
        } else if call.name.is("char") && self.eat_word(K::Using) {
            call.charset = Some(self.word_or_text(NameKind::Charset)?.text);
        }
        self.height = children;
        Ok(())
    }

    #[inline(never)]
    fn cast(&mut self) -> Parsing<ExprKind> {
        self.advance();
        self.expect(T::LeftParen)?;
        let operand = Box::new(self.expression_or_nested_query()?);
        let height = self.height;
        self.expect_word(K::As)?;
        let target = Box::new(self.cast_type()?);
        self.expect(T::RightParen)?;
        self.raise(height)?;
        Ok(ExprKind::Cast { operand, target, form: CastForm::Cast })
    }

    /// `CONVERT(x, type)`, `CONVERT(x USING charset)`.
    #[inline(never)]
    fn convert(&mut self) -> Parsing<ExprKind> {
        self.advance();
        self.expect(T::LeftParen)?;
        let operand = Box::new(self.expression_or_nested_query()?);
        let height = self.height;
        let kind = if self.eat_word(K::Using) {
            ExprKind::ConvertUsing { operand, charset: self.word_or_text(NameKind::Charset)?.text }
        } else {
            self.expect(T::Comma)?;
            ExprKind::Cast { operand, target: Box::new(self.cast_type()?), form: CastForm::Convert }
        };
        self.expect(T::RightParen)?;
        self.raise(height)?;
        Ok(kind)
    }

    #[inline(never)]
    fn extract(&mut self) -> Parsing<ExprKind> {
        self.advance();
        self.expect(T::LeftParen)?;
        let unit = self.interval_unit()?;
        self.expect_word(K::From)?;
        let operand = Box::new(self.value()?);
        let height = self.height;
        self.expect(T::RightParen)?;
        self.raise(height)?;
        Ok(ExprKind::Extract { unit, operand })
    }

    #[inline(never)]
    fn trim(&mut self) -> Parsing<ExprKind> {
        self.advance();
        self.expect(T::LeftParen)?;
        let side = match self.token.kind {
            T::Word(K::Leading) => Some(TrimSide::Leading),
            T::Word(K::Trailing) => Some(TrimSide::Trailing),
            T::Word(K::Both) => Some(TrimSide::Both),
            _ => None,
        };
        if side.is_some() {
            self.advance();
        }
        let mut children = 0;
        let mut remove = None;
        let operand = if side.is_some() && self.at_word(K::From) {
            self.advance();
            let operand = self.token.span;
            self.beyond(operand);
            self.expression()?
        } else {
            let first = self.expression_or_nested_query()?;
            children = self.height;
            if self.eat_word(K::From) {
                remove = Some(Box::new(first));
                self.expression()?
            } else if side.is_some() {
                return Err(self.unexpected());
            } else {
                first
            }
        };
        children = children.max(self.height);
        self.expect(T::RightParen)?;
        self.raise(children)?;
        Ok(ExprKind::Trim { side: side.unwrap_or(TrimSide::Both), remove, operand: Box::new(operand) })
    }

    #[inline(never)]
    fn timestamp_arithmetic(&mut self, word: K) -> Parsing<ExprKind> {
        self.advance();
        self.expect(T::LeftParen)?;
        let unit = self.interval_unit()?;
        self.expect(T::Comma)?;
        let first = Box::new(self.expression()?);
        let children = self.height;
        self.expect(T::Comma)?;
        let second = Box::new(self.expression()?);
        self.expect(T::RightParen)?;
        self.raise(children.max(self.height))?;
        Ok(ExprKind::TimestampArithmetic { difference: word == K::Timestampdiff, unit, first, second })
    }

    /// `POSITION(a IN b)`.
    #[inline(never)]
    fn position(&mut self) -> Parsing<ExprKind> {
        let name = self.name_after_dot(NameKind::Function)?;
        self.expect(T::LeftParen)?;
        let needle = self.expression_at(power::BIT_OR)?;
        let children = self.height;
        self.expect_word(K::In)?;
        let text = self.value()?;
        self.expect(T::RightParen)?;
        self.raise(children.max(self.height))?;
        Ok(ExprKind::Function(Box::new(FunctionCall::plain(name, vec![needle, text]))))
    }

    /// `GET_FORMAT(DATE, 'USA')`: the word becomes a string.
    #[inline(never)]
    fn get_format(&mut self) -> Parsing<ExprKind> {
        let name = self.name_after_dot(NameKind::Function)?;
        self.expect(T::LeftParen)?;
        let word = if self.at_any(&[K::Date, K::Time, K::Datetime, K::Timestamp]) {
            let token = self.advance();
            let value = self.text(token).to_ascii_uppercase().into();
            let kind = ExprKind::Literal(Literal::Text(TextLiteral { value, charset: None }));
            Expr { kind, span: token.span }
        } else {
            return Err(self.unexpected());
        };
        self.expect(T::Comma)?;
        let second = self.expression()?;
        let height = self.height;
        self.expect(T::RightParen)?;
        self.raise(height)?;
        Ok(ExprKind::Function(Box::new(FunctionCall::plain(name, vec![word, second]))))
    }

    #[inline(never)]
    fn match_against(&mut self) -> Parsing<ExprKind> {
        self.advance();
        self.expect(T::LeftParen)?;
        let columns = self.expressions()?;
        let children = self.height;
        self.expect(T::RightParen)?;
        self.expect_word(K::Against)?;
        self.expect(T::LeftParen)?;
        let against = Box::new(self.expression_at(power::BIT_OR)?);
        let children = children.max(self.height);
        let mode = if self.eat_words(&[K::In, K::Natural, K::Language, K::Mode]) {
            if self.eat_words(&[K::With, K::Query, K::Expansion]) {
                MatchMode::NaturalLanguageWithExpansion
            } else {
                MatchMode::NaturalLanguage
            }
        } else if self.eat_words(&[K::In, K::Boolean, K::Mode]) {
            MatchMode::Boolean
        } else if self.eat_words(&[K::With, K::Query, K::Expansion]) {
            MatchMode::Expansion
        } else {
            MatchMode::NaturalLanguage
        };
        self.expect(T::RightParen)?;
        self.raise(children)?;
        Ok(ExprKind::Match { columns, against, mode })
    }

    /// `OVER name`, `OVER (…)`.
    #[inline(never)]
    fn over(&mut self) -> Parsing<Over> {
        self.expect_word(K::Over)?;
        if self.at(T::LeftParen) {
            Ok(Over::Window(Box::new(self.window_specification()?)))
        } else {
            Ok(Over::Name(self.name(NameKind::New)?))
        }
    }

    /// `(name PARTITION BY … ORDER BY … frame)`.
    #[inline(never)]
    pub(crate) fn window_specification(&mut self) -> Parsing<WindowSpecification> {
        let start = self.start();
        self.expect(T::LeftParen)?;
        let mut children = 0;
        let base = self.eat_name(NameKind::New);
        let partition_by = if self.eat_words(&[K::Partition, K::By]) {
            let list = self.expressions()?;
            children = self.height;
            list
        } else {
            Vec::new()
        };
        let order_by = self.order_by()?;
        children = children.max(self.height);
        let frame = self.frame()?;
        self.expect(T::RightParen)?;
        self.height = children;
        Ok(WindowSpecification { base, partition_by, order_by, frame, span: self.since(start) })
    }

    #[inline(never)]
    fn frame(&mut self) -> Parsing<Option<Frame>> {
        let start = self.start();
        let unit = if self.eat_word(K::Rows) {
            FrameUnit::Rows
        } else if self.eat_word(K::Range) {
            FrameUnit::Range
        } else if self.at_word(K::Groups) {
            let word = self.advance();
            self.beyond(word.span);
            FrameUnit::Groups
        } else {
            return Ok(None);
        };
        let (first, end) = if self.eat_word(K::Between) {
            let first = self.frame_bound()?;
            self.expect_word(K::And)?;
            (first, Some(self.frame_bound()?))
        } else {
            (self.frame_bound()?, None)
        };
        Ok(Some(Frame { unit, start: first, end, span: self.since(start) }))
    }

    fn frame_bound(&mut self) -> Parsing<FrameBound> {
        if self.eat_words(&[K::Current, K::Row]) {
            return Ok(FrameBound::CurrentRow);
        }
        if self.eat_word(K::Unbounded) {
            return if self.eat_word(K::Preceding) {
                Ok(FrameBound::UnboundedPreceding)
            } else {
                self.expect_word(K::Following)?;
                Ok(FrameBound::UnboundedFollowing)
            };
        }
        let distance = Box::new(self.expression_at(power::BIT_OR)?);
        if self.eat_word(K::Preceding) {
            Ok(FrameBound::Preceding(distance))
        } else {
            self.expect_word(K::Following)?;
            Ok(FrameBound::Following(distance))
        }
    }
}

/// Reserved words that name functions.
fn names_function(word: K) -> bool {
    use K::*;
    matches!(
        word,
        Char | CumeDist
            | CurrentDate
            | CurrentTime
            | CurrentTimestamp
            | CurrentUser
            | Database
            | DenseRank
            | FirstValue
            | Grouping
            | If
            | Insert
            | Lag
            | LastValue
            | Lead
            | Left
            | Localtime
            | Localtimestamp
            | Mod
            | NthValue
            | Ntile
            | PercentRank
            | Rank
            | Repeat
            | Replace
            | Right
            | RowNumber
            | Schema
            | UtcDate
            | UtcTime
            | UtcTimestamp
    )
}
