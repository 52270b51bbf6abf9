//! Syntax of expressions.

use std::rc::Rc;

use super::{ColumnName, DataType, Ident, Query, Span};

/// An expression with its place in the text. Parentheses around it belong to the span, so `span.text(sql)` is what
/// MySQL uses as the column name of an item without alias.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Literal(Literal),
    Column(Box<ColumnName>),
    /// `*`, only as the argument of `COUNT(*)` and the like.
    Star,
    /// `?`, counted from zero in text order; `:v1` names the parameter instead.
    Parameter(Parameter),
    /// `@name`, without the `@`.
    UserVariable(Ident),
    /// `@@name`, `@@session.name`.
    SystemVariable(Box<SystemVariable>),
    /// `@name := value`.
    Assign {
        variable: Ident,
        value: Box<Expr>,
    },
    Unary {
        operator: UnaryOperator,
        operand: Box<Expr>,
    },
    /// All binary operators that have exactly two operands in the tree; AND and OR are [`ExprKind::Logical`].
    Binary {
        operator: BinaryOperator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a AND b AND c`, `a OR b OR c`: flat, two or more terms in text order, so that long chains stay low.
    Logical {
        operator: LogicalOperator,
        terms: Vec<Expr>,
    },
    Is {
        operand: Box<Expr>,
        test: IsTest,
        negated: bool,
    },
    Between {
        operand: Box<Expr>,
        low: Box<Expr>,
        high: Box<Expr>,
        negated: bool,
    },
    In {
        operand: Box<Expr>,
        list: Vec<Expr>,
        negated: bool,
    },
    InQuery {
        operand: Box<Expr>,
        query: Rc<Query>,
        negated: bool,
    },
    Like {
        operand: Box<Expr>,
        pattern: Box<Expr>,
        escape: Option<Box<Expr>>,
        negated: bool,
    },
    /// `REGEXP`, `RLIKE`.
    Regexp {
        operand: Box<Expr>,
        pattern: Box<Expr>,
        negated: bool,
    },
    /// `left = ANY (query)`; SOME is ANY.
    Quantified {
        left: Box<Expr>,
        operator: BinaryOperator,
        quantifier: Quantifier,
        query: Rc<Query>,
    },
    Exists(Rc<Query>),
    /// A scalar or row subquery in parentheses.
    Subquery(Rc<Query>),
    /// `(a, b)` or `ROW(a, b)`: two or more values, or one when ROW was written.
    Row(Vec<Expr>),
    Case {
        operand: Option<Box<Expr>>,
        branches: Vec<CaseBranch>,
        otherwise: Option<Box<Expr>>,
    },
    /// `CAST(x AS type)`, `CONVERT(x, type)` and `BINARY x`.
    Cast {
        operand: Box<Expr>,
        target: Box<DataType>,
        form: CastForm,
    },
    /// `CONVERT(x USING charset)`.
    ConvertUsing {
        operand: Box<Expr>,
        charset: Box<str>,
    },
    Collate {
        operand: Box<Expr>,
        collation: Ident,
    },
    Function(Box<FunctionCall>),
    /// `EXTRACT(unit FROM x)`.
    Extract {
        unit: IntervalUnit,
        operand: Box<Expr>,
    },
    /// `TRIM([side] [remove] FROM x)`; a plain `TRIM(x)` is `Both` without `remove`.
    Trim {
        side: TrimSide,
        remove: Option<Box<Expr>>,
        operand: Box<Expr>,
    },
    /// `TIMESTAMPADD(unit, count, x)` and `TIMESTAMPDIFF(unit, from, to)`; `first` and `second` follow the unit.
    TimestampArithmetic {
        difference: bool,
        unit: IntervalUnit,
        first: Box<Expr>,
        second: Box<Expr>,
    },
    /// `INTERVAL value unit`: an operand of `+` and `-`, and an argument of date functions.
    Interval {
        value: Box<Expr>,
        unit: IntervalUnit,
    },
    /// `MATCH (columns) AGAINST (pattern mode)`.
    Match {
        columns: Vec<Expr>,
        against: Box<Expr>,
        mode: MatchMode,
    },
    /// `DEFAULT` as a value, or `DEFAULT(column)`.
    Default(Option<Box<ColumnName>>),
    /// `VALUES(column)` in ON DUPLICATE KEY UPDATE.
    Values(Box<ColumnName>),
    /// `column -> '$.path'`; `unquote` for `->>`.
    JsonArrow {
        operand: Box<Expr>,
        path: Box<Expr>,
        unquote: bool,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// `?`, from zero.
    Position(u32),
    /// `:name`.
    Named(Box<str>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Null,
    Bool(bool),
    /// Digits that fit; longer ones are `Decimal`.
    Integer(u64),
    /// A number with a point, or too long for 64 bits: exact text, digits and one point at most, no sign.
    Decimal(Box<str>),
    /// A number with an exponent: exact text.
    Float(Box<str>),
    Text(TextLiteral),
    /// `x'4F'`, `0x4F`.
    Hex(BytesLiteral),
    /// `b'101'`, `0b101`: bytes, most significant first, padded on the left.
    Bit(BytesLiteral),
    /// `DATE '2020-01-01'`: the text inside the quotes.
    Date(Box<str>),
    Time(Box<str>),
    Timestamp(Box<str>),
}

/// A string after its escapes and doubled quotes are undone.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLiteral {
    pub value: Box<str>,
    /// `_utf8mb4'…'` gives `utf8mb4`, `N'…'` gives `utf8mb3`; lower case.
    pub charset: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BytesLiteral {
    pub bytes: Box<[u8]>,
    pub charset: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SystemVariable {
    /// `None` for `@@name`.
    pub scope: Option<VariableScope>,
    /// Without scope and `@@`; may hold dots (`log_error.x`).
    pub name: Box<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableScope {
    Session,
    Global,
    Persist,
    PersistOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `NOT x` and `!x`.
    Not,
    Minus,
    Plus,
    /// `~x`.
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Xor,
    Equal,
    NullSafeEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    BitOr,
    BitAnd,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// `DIV`.
    IntegerDivide,
    /// `%` and `MOD`.
    Modulo,
    /// `||` under PIPES_AS_CONCAT.
    Concat,
    /// `SOUNDS LIKE`.
    SoundsLike,
    /// `value MEMBER OF (json)`.
    MemberOf,
}

impl BinaryOperator {
    pub fn is_comparison(self) -> bool {
        use BinaryOperator::*;
        matches!(self, Equal | NullSafeEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicalOperator {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsTest {
    Null,
    True,
    False,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Any,
    All,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CaseBranch {
    pub when: Expr,
    pub then: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastForm {
    /// `CAST(x AS type)`.
    Cast,
    /// `CONVERT(x, type)`.
    Convert,
    /// `BINARY x`.
    BinaryOperator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimSide {
    Both,
    Leading,
    Trailing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchMode {
    /// Nothing written, or IN NATURAL LANGUAGE MODE.
    NaturalLanguage,
    NaturalLanguageWithExpansion,
    Boolean,
    Expansion,
}

/// A function, aggregate or window function. Functions with their own grammar that read like plain calls are turned
/// into them: `SUBSTRING(x FROM 2 FOR 3)` has the arguments x, 2, 3; `POSITION(a IN b)` has a, b; `GET_FORMAT(DATE, 'x')`
/// and `CHAR(65 USING utf8)` see `charset`; `CURRENT_DATE` without parentheses has no arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionCall {
    /// `db.f(…)`: the database.
    pub database: Option<Ident>,
    /// As written; compare with [`Ident::is`].
    pub name: Ident,
    pub arguments: Vec<Expr>,
    pub distinct: bool,
    /// ORDER BY inside GROUP_CONCAT.
    pub order_by: Vec<OrderItem>,
    /// SEPARATOR inside GROUP_CONCAT.
    pub separator: Option<Box<str>>,
    /// `CHAR(65 USING utf8mb4)`.
    pub charset: Option<Box<str>>,
    pub over: Option<Over>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// `OVER w`.
    Name(Ident),
    /// `OVER (…)`.
    Window(Box<WindowSpecification>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct WindowSpecification {
    /// The window that this one extends: `OVER (w ORDER BY a)`.
    pub base: Option<Ident>,
    pub partition_by: Vec<Expr>,
    pub order_by: Vec<OrderItem>,
    pub frame: Option<Frame>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub unit: FrameUnit,
    pub start: FrameBound,
    /// `None` when only the start was written; then the end is the current row.
    pub end: Option<FrameBound>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameUnit {
    Rows,
    Range,
    Groups,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FrameBound {
    UnboundedPreceding,
    Preceding(Box<Expr>),
    CurrentRow,
    Following(Box<Expr>),
    UnboundedFollowing,
}

/// An item of ORDER BY or GROUP BY.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderItem {
    pub expr: Expr,
    /// `None` when neither ASC nor DESC was written.
    pub direction: Option<Direction>,
    pub span: Span,
}

impl OrderItem {
    pub fn is_descending(&self) -> bool {
        self.direction == Some(Direction::Descending)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

/// Units of INTERVAL and EXTRACT; `SQL_TSI_DAY` is `Day`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalUnit {
    Microsecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    SecondMicrosecond,
    MinuteMicrosecond,
    MinuteSecond,
    HourMicrosecond,
    HourSecond,
    HourMinute,
    DayMicrosecond,
    DaySecond,
    DayMinute,
    DayHour,
    YearMonth,
}

impl IntervalUnit {
    /// Whether it combines several units: DAY_HOUR, YEAR_MONTH.
    pub fn is_composite(self) -> bool {
        self as u8 >= IntervalUnit::SecondMicrosecond as u8
    }
}
