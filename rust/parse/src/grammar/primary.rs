//! Operands: literals, names, parentheses, prefix operators, CASE, CAST.

use std::rc::Rc;

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::grammar::expr::power;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::{Token, TokenKind as T};
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    /// An operand with its prefix operators.
    pub(crate) fn prefix(&mut self, minimum: u8) -> Parsing<Expr> {
        self.height = 1;
        let start = self.start();
        let kind = match self.token.kind {
            T::Integer => self.integer_literal(),
            T::Decimal | T::Float | T::HexNumber | T::HexText | T::BitNumber | T::BitText => self.number_literal(),
            T::Text => ExprKind::Literal(Literal::Text(TextLiteral { value: self.text_value()?, charset: None })),
            T::NationalText => {
                let token = self.advance();
                self.beyond(token.span);
                let text = self.text(token).get(1..).unwrap_or("");
                let value = crate::lex::lexer::unquote_text(text, self.options).into_boxed_str();
                ExprKind::Literal(Literal::Text(TextLiteral { value, charset: Some("utf8mb3".into()) }))
            }
            T::QuotedName => {
                let name = self.name(NameKind::Column)?;
                return self.name_expression(name, start);
            }
            T::Word(word) => return self.word_expression(word, minimum),
            T::LeftParen => return self.parenthesized(),
            T::Minus => return self.unary(UnaryOperator::Minus, power::UNARY),
            T::Plus => return self.unary(UnaryOperator::Plus, power::UNARY),
            T::Exclamation => return self.unary(UnaryOperator::Not, power::UNARY),
            T::Tilde => {
                let tilde = self.token.span;
                self.refused_by_dolt(tilde, "unary operator: ~");
                return self.unary(UnaryOperator::BitNot, power::UNARY);
            }
            T::UserVariable => return self.user_variable_expression(),
            T::SystemVariable => self.system_variable_expression(),
            T::At => {
                // A variable without a name is NULL, in Dolt too.
                let at = self.advance();
                ExprKind::UserVariable(Ident { text: "".into(), quoted: false, span: at.span })
            }
            T::Parameter => {
                self.advance();
                let index = self.parameters;
                self.parameters += 1;
                ExprKind::Parameter(Parameter::Position(index))
            }
            T::Colon => {
                let colon = self.advance();
                if self.start() != colon.span.end {
                    return Err(self.unexpected());
                }
                let name = self.name_after_dot(NameKind::New)?;
                ExprKind::Parameter(Parameter::Named(name.text))
            }
            T::LeftBrace => self.odbc_literal()?,
            T::End => {
                self.record_operand();
                return Err(self.unexpected());
            }
            _ => return Err(self.unexpected()),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// What could start an operand, for completion.
    #[cold]
    fn record_operand(&self) {
        for kind in [NameKind::Column, NameKind::Function, NameKind::Table] {
            self.record_name(kind);
        }
        for keyword in [K::Not, K::Null, K::True, K::False, K::Case, K::Cast, K::Convert, K::Exists, K::Interval] {
            self.at_word(keyword);
        }
    }

    #[inline(never)]
    fn unary(&mut self, operator: UnaryOperator, level: u8) -> Parsing<Expr> {
        let start = self.start();
        self.advance();
        let operand = Box::new(self.expression_at(level)?);
        let height = self.height;
        self.raise(height)?;
        Ok(Expr { kind: ExprKind::Unary { operator, operand }, span: self.since(start) })
    }

    fn integer_literal(&mut self) -> ExprKind {
        let token = self.advance();
        let text = self.text(token);
        ExprKind::Literal(match text.parse::<u64>() {
            Ok(value) => Literal::Integer(value),
            Err(_) => Literal::Decimal(text.into()),
        })
    }

    #[inline(never)]
    fn number_literal(&mut self) -> ExprKind {
        let token = self.advance();
        ExprKind::Literal(self.number_token(token, None))
    }

    /// A number, hex or bit token as a literal.
    fn number_token(&mut self, token: Token, charset: Option<Box<str>>) -> Literal {
        let text = self.text(token);
        match token.kind {
            T::Float => Literal::Float(text.into()),
            T::HexNumber => Literal::Hex(BytesLiteral { bytes: pack(&text[2..], 4), charset }),
            T::HexText => Literal::Hex(BytesLiteral { bytes: pack(&text[2..text.len() - 1], 4), charset }),
            T::BitNumber => {
                self.beyond(token.span);
                Literal::Bit(BytesLiteral { bytes: pack(&text[2..], 1), charset })
            }
            T::BitText => Literal::Bit(BytesLiteral { bytes: pack(&text[2..text.len() - 1], 1), charset }),
            _ => Literal::Decimal(text.into()),
        }
    }

    /// `{d '2020-01-01'}`, `{t '…'}`, `{ts '…'}`.
    #[inline(never)]
    fn odbc_literal(&mut self) -> Parsing<ExprKind> {
        let brace = self.advance();
        self.beyond(brace.span);
        let word = self.name(NameKind::New)?;
        let text = self.text_value()?;
        self.expect(T::RightBrace)?;
        Ok(ExprKind::Literal(match &*word.text.to_ascii_lowercase() {
            "d" => Literal::Date(text),
            "t" => Literal::Time(text),
            "ts" => Literal::Timestamp(text),
            _ => Literal::Text(TextLiteral { value: text, charset: None }),
        }))
    }

    #[inline(never)]
    fn user_variable_expression(&mut self) -> Parsing<Expr> {
        let start = self.start();
        let variable = self.user_variable()?;
        let kind = if self.at(T::ColonEqual) {
            let operator = self.advance();
            self.beyond(operator.span);
            let value = Box::new(self.expression()?);
            let height = self.height;
            self.raise(height)?;
            ExprKind::Assign { variable, value }
        } else {
            ExprKind::UserVariable(variable)
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `@name`; the name without `@` and quotes.
    pub(crate) fn user_variable(&mut self) -> Parsing<Ident> {
        let token = self.expect(T::UserVariable)?;
        let text = self.text(token).get(1..).unwrap_or("");
        // Dolt's lexer has neither in any name of a variable.
        let is_strange = text.contains(|character: char| character == '$' || !character.is_ascii());
        self.beyond_if(is_strange, token.span);
        let quoted = matches!(text.as_bytes().first(), Some(b'`' | b'\'' | b'"'));
        let text = match text.as_bytes().first() {
            Some(b'`') => crate::lex::lexer::unquote_name(text).into_boxed_str(),
            Some(b'\'' | b'"') => crate::lex::lexer::unquote_text(text, self.options).into_boxed_str(),
            _ => text.into(),
        };
        Ok(Ident { text, quoted, span: token.span })
    }

    #[inline(never)]
    fn system_variable_expression(&mut self) -> ExprKind {
        let token = self.advance();
        ExprKind::SystemVariable(Box::new(system_variable(self.text(token))))
    }

    /// `(expr)`, `(a, b)`, `(query)`.
    #[inline(never)]
    fn parenthesized(&mut self) -> Parsing<Expr> {
        let start = self.start();
        self.advance();
        let kind = if self.at_query() {
            let query = self.query()?;
            ExprKind::Subquery(Rc::new(query))
        } else {
            let first = self.expression_or_nested_query()?;
            if self.at(T::Comma) {
                let values = self.more_expressions(vec![first])?;
                self.raise(self.height)?;
                ExprKind::Row(values)
            } else {
                first.kind
            }
        };
        self.expect(T::RightParen)?;
        Ok(Expr { kind, span: self.since(start) })
    }

    #[inline(never)]
    fn word_expression(&mut self, word: K, minimum: u8) -> Parsing<Expr> {
        let start = self.start();
        let kind = match word {
            K::Null => self.literal_word(Literal::Null),
            K::True => self.literal_word(Literal::Bool(true)),
            K::False => self.literal_word(Literal::Bool(false)),
            K::Not if minimum <= power::NOT => return self.unary(UnaryOperator::Not, power::NOT),
            K::Binary if self.peek() != T::Dot => {
                self.advance();
                let operand = Box::new(self.expression_at(power::UNARY)?);
                let height = self.height;
                self.raise(height)?;
                let target = Box::new(DataType::new(TypeKind::Binary, self.since(start)));
                ExprKind::Cast { operand, target, form: CastForm::BinaryOperator }
            }
            K::Case => self.case()?,
            K::Interval => self.interval()?,
            K::Exists => {
                let word = self.advance();
                let query = Rc::new(self.subquery()?);
                self.whole_condition(word.span, minimum);
                ExprKind::Exists(query)
            }
            K::Default => {
                let word = self.advance();
                let mut column = None;
                if self.eat(T::LeftParen) {
                    let name = Box::new(self.column_name()?);
                    if name.table.is_some() {
                        self.beyond(name.span);
                    }
                    self.expect(T::RightParen)?;
                    column = Some(name);
                }
                self.whole_condition(word.span, minimum);
                ExprKind::Default(column)
            }
            K::Values => {
                self.advance();
                self.expect(T::LeftParen)?;
                let column = Box::new(self.column_name()?);
                self.expect(T::RightParen)?;
                ExprKind::Values(column)
            }
            K::Row if self.peek() == T::LeftParen => {
                let row = self.advance();
                self.beyond(row.span);
                self.advance();
                let values = self.expressions()?;
                let children = self.height;
                self.raise(children)?;
                self.expect(T::RightParen)?;
                ExprKind::Row(values)
            }
            K::Date | K::Time | K::Timestamp if self.peek() == T::Text => {
                self.advance();
                let text = self.text_value()?;
                ExprKind::Literal(match word {
                    K::Date => Literal::Date(text),
                    K::Time => Literal::Time(text),
                    _ => Literal::Timestamp(text),
                })
            }
            _ => return self.function_or_name(word, start),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn literal_word(&mut self, literal: Literal) -> ExprKind {
        self.advance();
        ExprKind::Literal(literal)
    }

    /// A column, or a function when a parenthesis follows; `name` has been read.
    #[inline(never)]
    pub(crate) fn name_expression(&mut self, name: Ident, start: u32) -> Parsing<Expr> {
        if self.at(T::LeftParen) {
            return self.call(None, name, start);
        }
        if !name.quoted && name.text.starts_with('_') && self.at_introduced() {
            let kind = self.introduced(&name)?;
            return Ok(Expr { kind, span: self.since(start) });
        }
        let column = self.column_name_after(name)?;
        if self.at(T::LeftParen)
            && column.database.is_none()
            && let Some(database) = column.table
        {
            return self.call(Some(database), column.name, start);
        }
        Ok(Expr { span: column.span, kind: ExprKind::Column(Box::new(column)) })
    }

    fn at_introduced(&self) -> bool {
        matches!(self.token.kind, T::Text | T::HexText | T::HexNumber | T::BitText)
    }

    /// `_utf8mb4'text'`, `_binary x'4F'`; the introducer has been read.
    #[inline(never)]
    fn introduced(&mut self, introducer: &Ident) -> Parsing<ExprKind> {
        let charset: Option<Box<str>> = Some(introducer.text[1..].to_ascii_lowercase().into());
        Ok(ExprKind::Literal(if self.at(T::Text) {
            Literal::Text(TextLiteral { value: self.text_value()?, charset })
        } else {
            let token = self.advance();
            self.number_token(token, charset)
        }))
    }

    #[inline(never)]
    fn case(&mut self) -> Parsing<ExprKind> {
        self.advance();
        let mut children = 0;
        let mut taller = |parser: &Self| children = children.max(parser.height);
        let operand = if self.at_word(K::When) {
            None
        } else {
            let operand = self.expression()?;
            taller(self);
            Some(Box::new(operand))
        };
        let branches = self.list(Vec::new(), |parser, is_first| {
            if !is_first && !parser.at_word(K::When) {
                return Ok(None);
            }
            parser.expect_word(K::When)?;
            let when = parser.expression()?;
            let height = parser.height;
            parser.expect_word(K::Then)?;
            let then = parser.expression()?;
            parser.height = parser.height.max(height);
            Ok(Some(CaseBranch { when, then }))
        })?;
        taller(self);
        let otherwise = if self.eat_word(K::Else) {
            let otherwise = self.expression()?;
            taller(self);
            Some(Box::new(otherwise))
        } else {
            None
        };
        self.expect_word(K::End)?;
        self.raise(children)?;
        Ok(ExprKind::Case { operand, branches, otherwise })
    }

    /// `INTERVAL value unit`, or MySQL's function INTERVAL(a, b, …).
    #[inline(never)]
    fn interval(&mut self) -> Parsing<ExprKind> {
        let word = self.advance();
        let value = self.value()?;
        let children = self.height;
        if let (ExprKind::Row(_), false) = (&value.kind, self.at_interval_unit()) {
            let ExprKind::Row(arguments) = value.kind else { return Err(self.unexpected()) };
            self.beyond_here();
            let name = Ident { text: self.text(word).into(), quoted: false, span: word.span };
            return Ok(ExprKind::Function(Box::new(FunctionCall::plain(name, arguments))));
        }
        let word = self.token.span;
        let unit = self.interval_unit()?;
        if unit.is_composite() {
            self.beyond(word);
        }
        self.raise(children)?;
        Ok(ExprKind::Interval { value: Box::new(value), unit })
    }

    fn at_interval_unit(&self) -> bool {
        matches!(self.token.kind, T::Word(word) if interval_unit(word).is_some())
    }

    /// The unit of INTERVAL, EXTRACT, TIMESTAMPADD, an event's schedule.
    pub(crate) fn interval_unit(&mut self) -> Parsing<IntervalUnit> {
        if let T::Word(word) = self.token.kind
            && let Some(unit) = interval_unit(word)
        {
            let span = self.token.span;
            let prefix = span.text(self.sql).get(..4).unwrap_or_default();
            self.beyond_if(prefix.eq_ignore_ascii_case("sql_"), span);
            self.advance();
            return Ok(unit);
        }
        self.at_any(&[K::Day, K::Hour, K::Minute, K::Month, K::Second, K::Week, K::Year, K::Microsecond, K::Quarter]);
        Err(self.unexpected())
    }
}

/// Digits of 4 or 1 bits to bytes, most significant first, the first byte padded with zeros.
fn pack(digits: &str, bits: usize) -> Box<[u8]> {
    let per_byte = 8 / bits;
    let padding = (per_byte - digits.len() % per_byte) % per_byte;
    let mut bytes = vec![0u8; (digits.len() + padding) / per_byte];
    for (index, digit) in digits.chars().enumerate() {
        let at = (index + padding) / per_byte;
        bytes[at] = (bytes[at] << bits) | digit.to_digit(16).unwrap_or(0) as u8;
    }
    bytes.into_boxed_slice()
}

/// Reads `@@name`, ``@@session.`name` ``.
pub(crate) fn system_variable(text: &str) -> SystemVariable {
    let name = text.trim_start_matches('@').replace('`', "");
    let (scope, rest) = match name.split_once('.') {
        Some((scope, rest)) => (variable_scope(scope), rest),
        None => (None, ""),
    };
    match scope {
        Some(_) => SystemVariable { scope, name: rest.into() },
        None => SystemVariable { scope: None, name: name.into() },
    }
}

pub(crate) fn variable_scope(word: &str) -> Option<VariableScope> {
    const SCOPES: [(&str, VariableScope); 5] = [
        ("session", VariableScope::Session),
        ("local", VariableScope::Session),
        ("global", VariableScope::Global),
        ("persist", VariableScope::Persist),
        ("persist_only", VariableScope::PersistOnly),
    ];
    SCOPES.iter().find(|scope| word.eq_ignore_ascii_case(scope.0)).map(|scope| scope.1)
}

fn interval_unit(word: K) -> Option<IntervalUnit> {
    use IntervalUnit::*;
    Some(match word {
        K::Microsecond => Microsecond,
        K::Second | K::SqlTsiSecond => Second,
        K::Minute | K::SqlTsiMinute => Minute,
        K::Hour | K::SqlTsiHour => Hour,
        K::Day | K::SqlTsiDay => Day,
        K::Week | K::SqlTsiWeek => Week,
        K::Month | K::SqlTsiMonth => Month,
        K::Quarter | K::SqlTsiQuarter => Quarter,
        K::Year | K::SqlTsiYear => Year,
        K::SecondMicrosecond => SecondMicrosecond,
        K::MinuteMicrosecond => MinuteMicrosecond,
        K::MinuteSecond => MinuteSecond,
        K::HourMicrosecond => HourMicrosecond,
        K::HourSecond => HourSecond,
        K::HourMinute => HourMinute,
        K::DayMicrosecond => DayMicrosecond,
        K::DaySecond => DaySecond,
        K::DayMinute => DayMinute,
        K::DayHour => DayHour,
        K::YearMonth => YearMonth,
        _ => return None,
    })
}
