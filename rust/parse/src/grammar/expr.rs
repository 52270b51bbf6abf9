//! Expressions: Pratt parsing over binding powers. MySQL's three levels (boolean, predicate, bit) are powers here.

use std::rc::Rc;

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

/// Binding powers, lowest first.
pub(crate) mod power {
    pub const LOWEST: u8 = 0;
    pub const OR: u8 = 1;
    pub const XOR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    /// `=`, `<`, IS …
    pub const COMPARISON: u8 = 5;
    /// BETWEEN, IN, LIKE, REGEXP.
    pub const PREDICATE: u8 = 6;
    pub const BIT_OR: u8 = 7;
    pub const BIT_AND: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const CONCAT: u8 = 12;
    pub const BIT_XOR: u8 = 13;
    pub const UNARY: u8 = 14;
    pub const COLLATE: u8 = 15;
}

/// Whether an expression compares something, without parentheses around it: Dolt's comparisons do not associate.
fn is_bare_condition(expr: &Expr) -> bool {
    let first = match &expr.kind {
        ExprKind::Binary { operator, left, .. } if operator.is_comparison() => left,
        ExprKind::Is { operand, .. }
        | ExprKind::Between { operand, .. }
        | ExprKind::In { operand, .. }
        | ExprKind::InQuery { operand, .. }
        | ExprKind::Like { operand, .. }
        | ExprKind::Regexp { operand, .. } => operand,
        _ => return false,
    };
    first.span.start == expr.span.start
}

impl Parser<'_> {
    /// A whole expression; leaves its height in `self.height`.
    pub(crate) fn expression(&mut self) -> Parsing<Expr> {
        self.expression_at(power::LOWEST)
    }

    /// An expression without operators below `minimum`.
    pub(crate) fn expression_at(&mut self, minimum: u8) -> Parsing<Expr> {
        let expr = self.deeper(|parser| {
            let left = parser.prefix(minimum)?;
            parser.operators(left, minimum)
        })?;
        self.tallest = self.tallest.max(self.height);
        Ok(expr)
    }

    /// A value. Dolt takes a condition here in parentheses only.
    #[inline(never)]
    pub(crate) fn value(&mut self) -> Parsing<Expr> {
        let value = self.expression_at(power::BIT_OR)?;
        let (end, next) = (value.span.end, self.token.span);
        let whole = self.operators(value, power::LOWEST)?;
        if whole.span.end != end {
            self.beyond(next);
        }
        Ok(whole)
    }

    /// Records what Dolt accepts only as a condition when it occurs in an operation: `1 + EXISTS (…)`. `word` is its first.
    pub(crate) fn whole_condition(&mut self, word: Span, minimum: u8) {
        let operator = if self.at_word(K::Not) { self.peek() } else { self.token.kind };
        let is_operand = match self.binary_operator() {
            Some((_, level)) => level >= power::COMPARISON,
            None => matches!(operator, T::Word(K::Between | K::In | K::Like | K::Regexp | K::Rlike)),
        };
        if minimum > power::NOT {
            self.beyond(word);
        } else if is_operand {
            let operator = self.token.span;
            self.beyond(operator);
        }
    }

    /// Continues `left` with operators of at least `minimum`.
    pub(crate) fn operators(&mut self, mut left: Expr, minimum: u8) -> Parsing<Expr> {
        loop {
            let Some((operator, level)) = self.binary_operator() else {
                match self.predicate(left, minimum)? {
                    (next, true) => left = next,
                    (done, false) => return Ok(done),
                }
                continue;
            };
            if level < minimum {
                return Ok(left);
            }
            left = match operator {
                Infix::Logical(operator) => self.logical(left, operator, level)?,
                Infix::Binary(operator) => self.binary(left, operator, level)?,
            };
        }
    }

    /// `left op right op right …`, flat.
    #[inline(never)]
    fn logical(&mut self, left: Expr, operator: LogicalOperator, level: u8) -> Parsing<Expr> {
        let start = left.span.start;
        let terms = self.list(vec![left], |parser, _| {
            if !matches!(parser.binary_operator(), Some((Infix::Logical(next), _)) if next == operator) {
                return Ok(None);
            }
            parser.advance();
            parser.expression_at(level + 1).map(Some)
        })?;
        self.raise(self.height)?;
        let span = self.since(start);
        Ok(Expr { kind: ExprKind::Logical { operator, terms }, span })
    }

    #[inline(never)]
    fn binary(&mut self, left: Expr, operator: BinaryOperator, level: u8) -> Parsing<Expr> {
        let left_height = self.height;
        let start = left.span.start;
        self.advance();
        if operator.is_comparison() {
            // Chains such as a = b = c are MySQL's.
            self.beyond_if(is_bare_condition(&left), self.token.span);
            if self.at_any(&[K::Any, K::Some, K::All]) && self.peek() == T::LeftParen {
                return self.quantified(left, operator);
            }
        }
        let right = self.expression_at(level + 1)?;
        self.raise(left_height.max(self.height))?;
        let span = self.since(start);
        Ok(Expr { kind: ExprKind::Binary { operator, left: Box::new(left), right: Box::new(right) }, span })
    }

    /// `left = ANY (query)`, behind the operator.
    #[inline(never)]
    fn quantified(&mut self, left: Expr, operator: BinaryOperator) -> Parsing<Expr> {
        let (start, left_height) = (left.span.start, self.height);
        let word = self.advance();
        let quantifier = if word.kind == T::Word(K::All) { Quantifier::All } else { Quantifier::Any };
        // Dolt reads ANY and SOME as names of functions.
        let refused = if quantifier == Quantifier::All { word.span } else { self.second_token().span };
        self.beyond(refused);
        let query = Rc::new(self.subquery()?);
        self.raise(left_height.max(self.height))?;
        let span = self.since(start);
        Ok(Expr { kind: ExprKind::Quantified { left: Box::new(left), operator, quantifier, query }, span })
    }

    /// The operator at the current token, without reading it.
    fn binary_operator(&self) -> Option<(Infix, u8)> {
        use BinaryOperator::*;
        let (operator, level) = match self.token.kind {
            T::Equal => (Equal, power::COMPARISON),
            T::NullSafeEqual => (NullSafeEqual, power::COMPARISON),
            T::NotEqual => (NotEqual, power::COMPARISON),
            T::Less => (Less, power::COMPARISON),
            T::LessEqual => (LessEqual, power::COMPARISON),
            T::Greater => (Greater, power::COMPARISON),
            T::GreaterEqual => (GreaterEqual, power::COMPARISON),
            T::Pipe => (BitOr, power::BIT_OR),
            T::Ampersand => (BitAnd, power::BIT_AND),
            T::ShiftLeft => (ShiftLeft, power::SHIFT),
            T::ShiftRight => (ShiftRight, power::SHIFT),
            T::Plus => (Add, power::SUM),
            T::Minus => (Subtract, power::SUM),
            T::Star => (Multiply, power::PRODUCT),
            T::Slash => (Divide, power::PRODUCT),
            T::Percent => (Modulo, power::PRODUCT),
            T::Word(K::Div) => (IntegerDivide, power::PRODUCT),
            T::Word(K::Mod) => (Modulo, power::PRODUCT),
            T::Caret => (BitXor, power::BIT_XOR),
            T::Word(K::Xor) => (Xor, power::XOR),
            T::Word(K::And) | T::DoubleAmpersand => {
                return Some((Infix::Logical(LogicalOperator::And), power::AND));
            }
            T::Word(K::Or) => return Some((Infix::Logical(LogicalOperator::Or), power::OR)),
            T::DoublePipe if self.options.pipes_as_concat => (Concat, power::CONCAT),
            T::DoublePipe => return Some((Infix::Logical(LogicalOperator::Or), power::OR)),
            T::End => {
                for keyword in [K::And, K::Or, K::Xor, K::Div, K::Mod] {
                    self.at_word(keyword);
                }
                return None;
            }
            _ => return None,
        };
        Some((Infix::Binary(operator), level))
    }

    /// IS, BETWEEN, IN, LIKE, REGEXP, COLLATE, `->`: operators with a grammar of their own. False = none here.
    #[inline(never)]
    fn predicate(&mut self, left: Expr, minimum: u8) -> Parsing<(Expr, bool)> {
        let negated = self.at_word(K::Not);
        let word = if negated { self.peek() } else { self.token.kind };
        if self.at(T::End) {
            for keyword in [K::Is, K::Between, K::In, K::Like, K::Regexp, K::Rlike, K::Collate] {
                self.at_word(keyword);
            }
        }
        let level = match word {
            T::Word(K::Between | K::In | K::Like | K::Regexp | K::Rlike) => power::PREDICATE,
            T::Word(K::Is) if !negated => power::COMPARISON,
            T::Word(K::Collate) if !negated => power::COLLATE,
            T::Word(K::Sounds) if !negated && self.at_words(&[K::Sounds, K::Like]) => power::PREDICATE,
            T::Word(K::Member) if !negated && matches!(self.peek(), T::LeftParen | T::Word(K::Of)) => power::PREDICATE,
            T::Arrow | T::DoubleArrow if !negated => power::COLLATE,
            _ => return Ok((left, false)),
        };
        if level < minimum {
            return Ok((left, false));
        }
        if negated {
            self.advance();
        }
        let start = left.span.start;
        let height = self.height;
        // `a = b IN (c)`, `a IN (b) IN (c)`.
        let is_in_condition = minimum == power::PREDICATE || is_bare_condition(&left);
        self.beyond_if(level == power::PREDICATE && is_in_condition, self.token.span);
        let operand = Box::new(left);
        let operator = self.advance();
        let kind = match operator.kind {
            T::Word(K::Is) => self.is_test(operand)?,
            T::Word(K::Between) => self.between(operand, negated, height)?,
            T::Word(K::In) => self.in_list(operand, negated, height)?,
            T::Word(K::Like) => self.like(operand, negated, height)?,
            T::Word(K::Collate) => {
                let collation = self.word_or_text(NameKind::Collation)?;
                ExprKind::Collate { operand, collation }
            }
            T::Word(K::Sounds) => self.sounds_like(operand, height)?,
            T::Word(K::Member) => self.member_of(operand, height)?,
            T::Arrow | T::DoubleArrow => {
                if !matches!(operand.kind, ExprKind::Column(_)) {
                    self.beyond(operator.span);
                }
                self.beyond_if(!self.at(T::Text), self.token.span);
                let path = Box::new(self.expression_at(power::COLLATE + 1)?);
                self.height = self.height.max(height);
                ExprKind::JsonArrow { operand, path, unquote: operator.kind == T::DoubleArrow }
            }
            _ => {
                let pattern = Box::new(self.expression_at(power::BIT_OR)?);
                self.height = self.height.max(height);
                ExprKind::Regexp { operand, pattern, negated }
            }
        };
        let height = self.height;
        self.raise(height)?;
        let span = self.since(start);
        Ok((Expr { kind, span }, true))
    }

    #[inline(never)]
    fn is_test(&mut self, operand: Box<Expr>) -> Parsing<ExprKind> {
        let negated = self.eat_word(K::Not);
        let test = if self.eat_word(K::Null) {
            IsTest::Null
        } else if self.eat_word(K::True) {
            IsTest::True
        } else if self.eat_word(K::False) {
            IsTest::False
        } else if self.at_word(K::Unknown) {
            let word = self.advance();
            self.beyond(word.span);
            IsTest::Unknown
        } else {
            return Err(self.unexpected());
        };
        Ok(ExprKind::Is { operand, test, negated })
    }

    #[inline(never)]
    fn between(&mut self, operand: Box<Expr>, negated: bool, height: u32) -> Parsing<ExprKind> {
        let low = Box::new(self.expression_at(power::BIT_OR)?);
        let children = height.max(self.height);
        self.expect_word(K::And)?;
        // MySQL allows a predicate as the upper bound.
        let high = Box::new(self.expression_at(power::PREDICATE)?);
        self.height = children.max(self.height);
        Ok(ExprKind::Between { operand, low, high, negated })
    }

    #[inline(never)]
    fn like(&mut self, operand: Box<Expr>, negated: bool, height: u32) -> Parsing<ExprKind> {
        let pattern = Box::new(self.expression_at(power::BIT_OR)?);
        let mut children = height.max(self.height);
        let escape = if self.eat_word(K::Escape) {
            let escape = self.expression_at(power::BIT_OR)?;
            children = children.max(self.height);
            Some(Box::new(escape))
        } else {
            None
        };
        self.height = children;
        Ok(ExprKind::Like { operand, pattern, escape, negated })
    }

    #[inline(never)]
    fn sounds_like(&mut self, left: Box<Expr>, height: u32) -> Parsing<ExprKind> {
        let like = self.token.span;
        self.beyond(like);
        self.expect_word(K::Like)?;
        let right = Box::new(self.expression_at(power::BIT_OR)?);
        self.height = self.height.max(height);
        Ok(ExprKind::Binary { operator: BinaryOperator::SoundsLike, left, right })
    }

    #[inline(never)]
    fn member_of(&mut self, left: Box<Expr>, height: u32) -> Parsing<ExprKind> {
        let of = self.token.span;
        self.beyond(of);
        self.eat_word(K::Of);
        self.expect(T::LeftParen)?;
        let right = Box::new(self.expression()?);
        self.expect(T::RightParen)?;
        self.height = self.height.max(height);
        Ok(ExprKind::Binary { operator: BinaryOperator::MemberOf, left, right })
    }

    #[inline(never)]
    fn in_list(&mut self, operand: Box<Expr>, negated: bool, height: u32) -> Parsing<ExprKind> {
        if matches!(self.token.kind, T::Colon | T::Parameter) && !self.at(T::LeftParen) {
            return Err(self.unexpected());
        }
        self.expect(T::LeftParen)?;
        let kind = if self.at_query() {
            let query = Rc::new(self.query()?);
            ExprKind::InQuery { operand, query, negated }
        } else {
            let mut list = self.list(Vec::new(), |parser, is_first| match is_first {
                true => parser.expression_or_nested_query().map(Some),
                false if parser.eat(T::Comma) => parser.expression().map(Some),
                false => Ok(None),
            })?;
            // `IN ((SELECT …))` is the subquery, as in MySQL.
            match (list.len(), list.pop()) {
                (1, Some(Expr { kind: ExprKind::Subquery(query), .. })) => {
                    ExprKind::InQuery { operand, query, negated }
                }
                (_, Some(last)) => {
                    list.push(last);
                    ExprKind::In { operand, list, negated }
                }
                (_, None) => ExprKind::In { operand, list, negated },
            }
        };
        self.expect(T::RightParen)?;
        self.height = self.height.max(height);
        Ok(kind)
    }

    /// Inside parentheses: an expression, where `(SELECT …) UNION …` is a query and not an expression.
    pub(crate) fn expression_or_nested_query(&mut self) -> Parsing<Expr> {
        let expr = self.expression()?;
        match expr.kind {
            ExprKind::Subquery(query) if self.at_query_tail() => {
                let start = expr.span.start;
                let query = self.query_after(QueryBody::Nested(query), start)?;
                Ok(Expr { span: query.span, kind: ExprKind::Subquery(Rc::new(query)) })
            }
            kind => Ok(Expr { kind, span: expr.span }),
        }
    }

    /// Comma-separated expressions; leaves the greatest height.
    #[inline(never)]
    pub(crate) fn expressions(&mut self) -> Parsing<Vec<Expr>> {
        self.long_comma_list(|parser| parser.expression())
    }

    /// The same after those that were read, with a comma before each.
    #[inline(never)]
    pub(crate) fn more_expressions(&mut self, before: Vec<Expr>) -> Parsing<Vec<Expr>> {
        self.list(before, |parser, _| if parser.eat(T::Comma) { parser.expression().map(Some) } else { Ok(None) })
    }

    /// `(query)`.
    #[inline(never)]
    pub(crate) fn subquery(&mut self) -> Parsing<Query> {
        self.expect(T::LeftParen)?;
        let query = if self.at(T::LeftParen) {
            // `((SELECT …))`, `((SELECT …) UNION …)`.
            let start = self.start();
            let inner = self.deeper(|parser| parser.subquery())?;
            if self.at_query_tail() { self.query_after(QueryBody::Nested(Rc::new(inner)), start)? } else { inner }
        } else {
            self.query()?
        };
        self.expect(T::RightParen)?;
        Ok(query)
    }
}

enum Infix {
    Logical(LogicalOperator),
    Binary(BinaryOperator),
}
