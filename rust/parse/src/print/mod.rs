//! Expressions as Dolt prints them into schemas: defaults, CHECKs, generated columns.
//!
//! Observed on Dolt 2.2.0 (SHOW CREATE TABLE): operators in parentheses, `<>` and the negated forms as `NOT(…)`, aliases
//! of functions under one name, and lists with `,` or `, ` depending on the function. The text parses to the same meaning.

mod function;
mod literal;

use crate::ast::*;
use crate::{ParseError, kept_expression};

/// Why an expression has no such text: it holds something that schemas cannot (a subquery, `*`, a window).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this expression cannot be stored in a schema")]
pub struct Unprintable {
    pub span: Span,
}

type Printing<T> = Result<T, Unprintable>;

/// Dolt's text of an expression: ``(`pk` * 2)``. Schemas put one more pair of parentheses around it, see
/// [`print_stored`].
///
/// # Errors
/// [`Unprintable`] with the span of the part that has no text.
pub fn print(expr: &Expr) -> Result<String, Unprintable> {
    let mut printer = Printer::default();
    printer.expr(expr)?;
    Ok(printer.text)
}

/// As it is written after DEFAULT or AS: `CURRENT_TIMESTAMP` alone, everything else in parentheses: ``((`pk` * 2))``.
pub fn print_stored(expr: &Expr) -> Result<String, Unprintable> {
    if let ExprKind::Function(call) = &expr.kind
        && function::is_now(call)
    {
        // No digits are those that are not named.
        let is_named = |digits: &&Expr| digits.kind != ExprKind::Literal(Literal::Integer(0));
        return Ok(match call.arguments.first().filter(is_named) {
            Some(precision) => format!("CURRENT_TIMESTAMP({})", print(precision)?),
            None => "CURRENT_TIMESTAMP".to_owned(),
        });
    }
    Ok(format!("({})", print(expr)?))
}

/// A column that an expression names, and where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedColumn {
    /// Of the whole name, the table's included.
    pub span: Span,
    pub name: Box<str>,
    /// Whether it says its table.
    pub has_table: bool,
}

/// The columns that an expression names, in the order of its text. Only those of what can be stored in a schema are found.
///
/// # Errors
/// What the text has that is no expression.
pub fn named_columns(text: &str) -> Result<Vec<NamedColumn>, ParseError> {
    let mut printer = Printer::default();
    // What has no text in a schema has no columns there, either.
    let _ = printer.expr(&kept_expression(text)?);
    Ok(printer.columns)
}

/// Whether an expression names a variable of a user or of the system.
pub fn names_variable(expr: &Expr) -> bool {
    let mut printer = Printer::default();
    let _ = printer.expr(expr);
    printer.has_variable
}

/// An expression of a schema with the names of its columns, and their tables, written as `spelled` has them. What cannot be read stays.
pub fn respell_columns(text: &str, spelled: impl Fn(&str) -> String) -> String {
    let mut respelled = String::with_capacity(text.len());
    let mut end = 0;
    for column in named_columns(text).unwrap_or_default() {
        let range = column.span.range();
        respelled.push_str(&text[end..range.start]);
        respelled.push_str(&spelled(&column.name));
        end = range.end;
    }
    respelled.push_str(&text[end..]);
    respelled
}

/// A name in back-ticks.
pub fn quote_name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A string literal.
pub fn quote_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

#[derive(Default)]
struct Printer {
    text: String,
    /// Those that the text names, in its order.
    columns: Vec<NamedColumn>,
    /// Whether it names variables.
    has_variable: bool,
}

/// What a text is put together of.
trait Piece {
    fn print(&self, printer: &mut Printer) -> Printing<()>;
}

impl Piece for &str {
    fn print(&self, printer: &mut Printer) -> Printing<()> {
        printer.push(self);
        Ok(())
    }
}

impl Piece for Expr {
    fn print(&self, printer: &mut Printer) -> Printing<()> {
        printer.expr(self)
    }
}

impl Piece for Box<Expr> {
    fn print(&self, printer: &mut Printer) -> Printing<()> {
        printer.expr(self)
    }
}

/// Expressions with `, ` between them.
struct List<'a>(&'a [Expr]);

impl Piece for List<'_> {
    fn print(&self, printer: &mut Printer) -> Printing<()> {
        printer.list(self.0, ", ")
    }
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Texts and expressions one behind the other.
    fn pieces(&mut self, pieces: &[&dyn Piece]) -> Printing<()> {
        pieces.iter().try_for_each(|piece| piece.print(self))
    }

    fn expr(&mut self, expr: &Expr) -> Printing<()> {
        match &expr.kind {
            ExprKind::Literal(literal) => {
                self.literal(literal);
                Ok(())
            }
            ExprKind::Column(column) => self.column(column),
            ExprKind::UserVariable(name) => {
                self.has_variable = true;
                self.user_variable(&name.text)
            }
            ExprKind::SystemVariable(variable) => {
                self.has_variable = true;
                self.pieces(&[&"@@", &scope_prefix(variable.scope), &&*variable.name])
            }
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand),
            ExprKind::Binary { operator, left, right } => self.binary(*operator, left, right),
            ExprKind::Logical { operator, terms } => self.logical(*operator, terms),
            ExprKind::Is { operand, test, negated } => self.negated(*negated, &[operand, &is_test(*test)]),
            ExprKind::Between { operand, low, high, negated } => {
                self.negated(*negated, &[&"(", operand, &" BETWEEN ", low, &" AND ", high, &")"])
            }
            ExprKind::In { operand, list, negated } => {
                self.negated(*negated, &[&"(", operand, &" IN (", &List(list), &"))"])
            }
            // Dolt drops the escape character here, and with it the meaning.
            ExprKind::Like { operand, pattern, escape: Some(escape), negated } => {
                self.negated(*negated, &[operand, &" LIKE ", pattern, &" ESCAPE ", escape])
            }
            ExprKind::Like { operand, pattern, escape: None, negated } => {
                self.negated(*negated, &[operand, &" LIKE ", pattern])
            }
            ExprKind::Regexp { operand, pattern, negated } => {
                self.negated(*negated, &[&"regexp_like(", operand, &",", pattern, &")"])
            }
            ExprKind::Row(values) => self.pieces(&[&if values.len() == 1 { "ROW(" } else { "(" }, &List(values), &")"]),
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())
            }
            ExprKind::Cast { operand, form: CastForm::BinaryOperator, .. } => self.pieces(&[&"BINARY(", operand, &")"]),
            ExprKind::Cast { operand, target, .. } => {
                let target = cast_type(target).ok_or(Unprintable { span: target.span })?;
                self.pieces(&[&"convert(", operand, &", ", &&*target, &")"])
            }
            ExprKind::ConvertUsing { operand, charset } => {
                self.pieces(&[&"CONVERT(", operand, &" USING ", &&**charset, &")"])
            }
            ExprKind::Collate { operand, collation } => self.pieces(&[operand, &" COLLATE ", &&*collation.text]),
            ExprKind::Function(call) => self.call(call, expr.span),
            ExprKind::Extract { unit, operand } => {
                self.pieces(&[&"extract(", &unit_name(*unit), &" from ", operand, &")"])
            }
            ExprKind::Trim { side, remove, operand } => self.trim(*side, remove.as_deref(), operand),
            ExprKind::TimestampArithmetic { difference: true, unit, first, second } => {
                self.pieces(&[&"TIMESTAMPDIFF(", &unit_name(*unit), &", ", first, &", ", second, &")"])
            }
            ExprKind::TimestampArithmetic { difference: false, unit, first, second } => {
                self.pieces(&[&"date_add(", second, &",INTERVAL ", first, &" ", &unit_name(*unit), &")"])
            }
            ExprKind::Interval { value, unit } => self.pieces(&[&"INTERVAL ", value, &" ", &unit_name(*unit)]),
            ExprKind::JsonArrow { operand, path, unquote: true } => {
                self.pieces(&[&"json_unquote(json_extract(", operand, &", ", path, &"))"])
            }
            ExprKind::JsonArrow { operand, path, unquote: false } => {
                self.pieces(&[&"json_extract(", operand, &", ", path, &")"])
            }
            ExprKind::Star
            | ExprKind::Parameter(_)
            | ExprKind::Assign { .. }
            | ExprKind::InQuery { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Exists(_)
            | ExprKind::Subquery(_)
            | ExprKind::Match { .. }
            | ExprKind::Default(_)
            | ExprKind::Values(_) => Err(Unprintable { span: expr.span }),
        }
    }

    fn column(&mut self, column: &ColumnName) -> Printing<()> {
        let name = &column.name.text;
        let has_table = column.table.is_some();
        // What is printed first may come later in the text.
        let at = self.columns.partition_point(|before| before.span.start < column.span.start);
        self.columns.insert(at, NamedColumn { span: column.span, name: name.clone(), has_table });
        self.pieces(&[&&*quote_name(name)])
    }

    fn user_variable(&mut self, name: &str) -> Printing<()> {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if plain { self.pieces(&[&"@", &name]) } else { self.pieces(&[&"@", &&*quote_name(name)]) }
    }

    fn list(&mut self, list: &[Expr], separator: &str) -> Printing<()> {
        for (index, expr) in list.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            self.expr(expr)?;
        }
        Ok(())
    }

    /// The pieces, within `(NOT(…))` where they are negated.
    fn negated(&mut self, negated: bool, pieces: &[&dyn Piece]) -> Printing<()> {
        if !negated {
            return self.pieces(pieces);
        }
        self.push("(NOT(");
        self.pieces(pieces)?;
        self.push("))");
        Ok(())
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr) -> Printing<()> {
        match operator {
            UnaryOperator::Not => self.negated(true, &[operand]),
            UnaryOperator::Plus => self.expr(operand),
            UnaryOperator::BitNot => self.pieces(&[&"~", operand]),
            UnaryOperator::Minus => {
                let start = self.text.len();
                self.expr(operand)?;
                // Numbers take their sign, so that two signs go.
                if self.text[start..].starts_with('-') && is_number(operand) {
                    self.text.remove(start);
                } else {
                    self.text.insert(start, '-');
                    // `--` would start a comment.
                    if self.text[start + 1..].starts_with('-') {
                        self.text.insert(start + 1, '(');
                        self.push(")");
                    }
                }
                Ok(())
            }
        }
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Printing<()> {
        use BinaryOperator::*;
        if operator == NotEqual {
            self.push("(NOT(");
            self.binary(Equal, left, right)?;
            self.push("))");
            return Ok(());
        }
        let symbol = match operator {
            Xor => "XOR",
            Equal | NotEqual => "=",
            NullSafeEqual => "<=>",
            Less => "<",
            LessEqual => "<=",
            Greater => ">",
            GreaterEqual => ">=",
            BitOr => "|",
            BitAnd => "&",
            BitXor => "^",
            ShiftLeft => "<<",
            ShiftRight => ">>",
            Add => "+",
            Subtract => "-",
            Multiply => "*",
            Divide => "/",
            IntegerDivide => "div",
            Modulo => "%",
            Concat => return self.pieces(&[&"concat(", left, &",", right, &")"]),
            SoundsLike => return self.pieces(&[&"(soundex(", left, &") = soundex(", right, &"))"]),
            MemberOf => return self.pieces(&[&"json_contains(", right, &",", left, &")"]),
        };
        self.push("(");
        self.operand(operator, left)?;
        self.pieces(&[&" ", &symbol, &" "])?;
        self.operand(operator, right)?;
        self.push(")");
        Ok(())
    }

    /// Comparisons show TRUE and FALSE as numbers.
    fn operand(&mut self, operator: BinaryOperator, expr: &Expr) -> Printing<()> {
        match &expr.kind {
            ExprKind::Literal(Literal::Bool(value)) if operator.is_comparison() => {
                self.push(if *value { "1" } else { "0" });
                Ok(())
            }
            _ => self.expr(expr),
        }
    }

    /// `((a AND b) AND c)`: as a tree that leans left.
    fn logical(&mut self, operator: LogicalOperator, terms: &[Expr]) -> Printing<()> {
        let word = if operator == LogicalOperator::And { " AND " } else { " OR " };
        for _ in 1..terms.len() {
            self.push("(");
        }
        for (index, term) in terms.iter().enumerate() {
            if index > 0 {
                self.push(word);
            }
            self.expr(term)?;
            if index > 0 {
                self.push(")");
            }
        }
        Ok(())
    }

    fn case(&mut self, operand: Option<&Expr>, branches: &[CaseBranch], otherwise: Option<&Expr>) -> Printing<()> {
        self.push("CASE ");
        if let Some(operand) = operand {
            self.expr(operand)?;
        }
        for branch in branches {
            self.pieces(&[&" WHEN ", &branch.when, &" THEN ", &branch.then])?;
        }
        if let Some(otherwise) = otherwise {
            self.pieces(&[&" ELSE ", otherwise])?;
        }
        self.push(" END");
        Ok(())
    }

    fn trim(&mut self, side: TrimSide, remove: Option<&Expr>, operand: &Expr) -> Printing<()> {
        let start = match side {
            TrimSide::Both => "trim(both ",
            TrimSide::Leading => "trim(leading ",
            TrimSide::Trailing => "trim(trailing ",
        };
        match remove {
            Some(remove) => self.pieces(&[&start, remove, &" from ", operand, &")"]),
            None => self.pieces(&[&start, &"' '", &" from ", operand, &")"]),
        }
    }
}

fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Literal::Integer(_) | Literal::Decimal(_) | Literal::Float(_)) => true,
        ExprKind::Unary { operator: UnaryOperator::Minus | UnaryOperator::Plus, operand } => is_number(operand),
        _ => false,
    }
}

pub(crate) fn unit_name(unit: IntervalUnit) -> &'static str {
    use IntervalUnit::*;
    match unit {
        Microsecond => "MICROSECOND",
        Second => "SECOND",
        Minute => "MINUTE",
        Hour => "HOUR",
        Day => "DAY",
        Week => "WEEK",
        Month => "MONTH",
        Quarter => "QUARTER",
        Year => "YEAR",
        SecondMicrosecond => "SECOND_MICROSECOND",
        MinuteMicrosecond => "MINUTE_MICROSECOND",
        MinuteSecond => "MINUTE_SECOND",
        HourMicrosecond => "HOUR_MICROSECOND",
        HourSecond => "HOUR_SECOND",
        HourMinute => "HOUR_MINUTE",
        DayMicrosecond => "DAY_MICROSECOND",
        DaySecond => "DAY_SECOND",
        DayMinute => "DAY_MINUTE",
        DayHour => "DAY_HOUR",
        YearMonth => "YEAR_MONTH",
    }
}

fn is_test(test: IsTest) -> &'static str {
    match test {
        IsTest::Null | IsTest::Unknown => " IS NULL",
        IsTest::True => " IS TRUE",
        IsTest::False => " IS FALSE",
    }
}

/// The type of a cast: `char(10)`, `decimal(5,2)`.
fn cast_type(data_type: &DataType) -> Option<String> {
    use TypeKind::*;
    let mut text = match data_type.kind {
        Signed if data_type.unsigned => "unsigned",
        Signed => "signed",
        Binary => "binary",
        Char if data_type.national => "nchar",
        Char => "char",
        Date => "date",
        DateTime => "datetime",
        Decimal => "decimal",
        Double => "double",
        Float => "float",
        Json => "json",
        Time => "time",
        Year => "year",
        _ => return None,
    }
    .to_owned();
    match (data_type.length, data_type.scale) {
        (Some(length), Some(scale)) => text.push_str(&format!("({length},{scale})")),
        (Some(length), None) => text.push_str(&format!("({length})")),
        _ => {}
    }
    Some(text)
}

fn scope_prefix(scope: Option<VariableScope>) -> &'static str {
    match scope {
        Some(VariableScope::Session) => "session.",
        Some(VariableScope::Global) => "global.",
        Some(VariableScope::Persist) => "persist.",
        Some(VariableScope::PersistOnly) => "persist_only.",
        None => "",
    }
}
