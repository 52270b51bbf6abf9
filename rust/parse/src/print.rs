//! Expressions as Dolt prints them into schemas: defaults, CHECKs, generated columns.
//!
//! Observed on Dolt 2.2.0 (SHOW CREATE TABLE): operators in parentheses, `<>` and the negated forms as `NOT(…)`, aliases
//! of functions under one name, and lists with `,` or `, ` depending on the function. The text parses to the same meaning.

mod function;

use crate::ast::*;

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
    let mut printer = Printer { text: String::new() };
    printer.expr(expr)?;
    Ok(printer.text)
}

/// As it stands behind DEFAULT or AS: `CURRENT_TIMESTAMP` alone, everything else in parentheses: ``((`pk` * 2))``.
pub fn print_stored(expr: &Expr) -> Result<String, Unprintable> {
    if let ExprKind::Function(call) = &expr.kind
        && function::is_now(call)
    {
        return Ok(match call.arguments.first() {
            Some(precision) => format!("CURRENT_TIMESTAMP({})", print(precision)?),
            None => "CURRENT_TIMESTAMP".to_owned(),
        });
    }
    Ok(format!("({})", print(expr)?))
}

/// A name in back-ticks.
pub fn quote_name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A string literal.
pub fn quote_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

struct Printer {
    text: String,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn expr(&mut self, expr: &Expr) -> Printing<()> {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Column(column) => self.push(&quote_name(&column.name.text)),
            ExprKind::UserVariable(name) => {
                self.push("@");
                let plain = name.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                self.push(&if plain { name.text.to_string() } else { quote_name(&name.text) });
            }
            ExprKind::SystemVariable(variable) => {
                self.push("@@");
                self.push(match variable.scope {
                    Some(VariableScope::Session) => "session.",
                    Some(VariableScope::Global) => "global.",
                    Some(VariableScope::Persist) => "persist.",
                    Some(VariableScope::PersistOnly) => "persist_only.",
                    None => "",
                });
                self.push(&variable.name);
            }
            ExprKind::Unary { operator, operand } => self.unary(*operator, operand)?,
            ExprKind::Binary { operator, left, right } => self.binary(*operator, left, right)?,
            ExprKind::Logical { operator, terms } => self.logical(*operator, terms)?,
            ExprKind::Is { operand, test, negated } => self.negated(*negated, |printer| {
                printer.expr(operand)?;
                printer.push(match test {
                    IsTest::Null | IsTest::Unknown => " IS NULL",
                    IsTest::True => " IS TRUE",
                    IsTest::False => " IS FALSE",
                });
                Ok(())
            })?,
            ExprKind::Between { operand, low, high, negated } => self.negated(*negated, |printer| {
                printer.push("(");
                printer.expr(operand)?;
                printer.push(" BETWEEN ");
                printer.expr(low)?;
                printer.push(" AND ");
                printer.expr(high)?;
                printer.push(")");
                Ok(())
            })?,
            ExprKind::In { operand, list, negated } => self.negated(*negated, |printer| {
                printer.push("(");
                printer.expr(operand)?;
                printer.push(" IN (");
                printer.list(list, ", ")?;
                printer.push("))");
                Ok(())
            })?,
            ExprKind::Like { operand, pattern, escape, negated } => self.negated(*negated, |printer| {
                printer.expr(operand)?;
                printer.push(" LIKE ");
                printer.expr(pattern)?;
                // Dolt drops the escape character here, and with it the meaning.
                if let Some(escape) = escape {
                    printer.push(" ESCAPE ");
                    printer.expr(escape)?;
                }
                Ok(())
            })?,
            ExprKind::Regexp { operand, pattern, negated } => self.negated(*negated, |printer| {
                printer.push("regexp_like(");
                printer.expr(operand)?;
                printer.push(",");
                printer.expr(pattern)?;
                printer.push(")");
                Ok(())
            })?,
            ExprKind::Row(values) => {
                self.push(if values.len() == 1 { "ROW(" } else { "(" });
                self.list(values, ", ")?;
                self.push(")");
            }
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())?
            }
            ExprKind::Cast { operand, form: CastForm::BinaryOperator, .. } => {
                self.push("BINARY(");
                self.expr(operand)?;
                self.push(")");
            }
            ExprKind::Cast { operand, target, .. } => {
                self.push("convert(");
                self.expr(operand)?;
                self.push(", ");
                self.push(&cast_type(target).ok_or(Unprintable { span: target.span })?);
                self.push(")");
            }
            ExprKind::ConvertUsing { operand, charset } => {
                self.push("CONVERT(");
                self.expr(operand)?;
                self.push(" USING ");
                self.push(charset);
                self.push(")");
            }
            ExprKind::Collate { operand, collation } => {
                self.expr(operand)?;
                self.push(" COLLATE ");
                self.push(&collation.text);
            }
            ExprKind::Function(call) => self.call(call, expr.span)?,
            ExprKind::Extract { unit, operand } => {
                self.push("extract(");
                self.push(unit_name(*unit));
                self.push(" from ");
                self.expr(operand)?;
                self.push(")");
            }
            ExprKind::Trim { side, remove, operand } => self.trim(*side, remove.as_deref(), operand)?,
            ExprKind::TimestampArithmetic { difference, unit, first, second } => {
                self.timestamp_arithmetic(*difference, *unit, first, second)?
            }
            ExprKind::Interval { value, unit } => {
                self.push("INTERVAL ");
                self.expr(value)?;
                self.push(" ");
                self.push(unit_name(*unit));
            }
            ExprKind::JsonArrow { operand, path, unquote } => {
                self.push(if *unquote { "json_unquote(json_extract(" } else { "json_extract(" });
                self.expr(operand)?;
                self.push(", ");
                self.expr(path)?;
                self.push(if *unquote { "))" } else { ")" });
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
            | ExprKind::Values(_) => return Err(Unprintable { span: expr.span }),
        }
        Ok(())
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

    /// `(NOT(…))` around what `inner` prints.
    fn negated(&mut self, negated: bool, inner: impl FnOnce(&mut Self) -> Printing<()>) -> Printing<()> {
        if negated {
            self.push("(NOT(");
        }
        inner(self)?;
        if negated {
            self.push("))");
        }
        Ok(())
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &Expr) -> Printing<()> {
        match operator {
            UnaryOperator::Not => self.negated(true, |printer| printer.expr(operand)),
            UnaryOperator::Plus => self.expr(operand),
            UnaryOperator::BitNot => {
                self.push("~");
                self.expr(operand)
            }
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
            return self.negated(true, |printer| printer.binary(Equal, left, right));
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
            Concat => {
                self.push("concat(");
                self.expr(left)?;
                self.push(",");
                self.expr(right)?;
                self.push(")");
                return Ok(());
            }
            SoundsLike => {
                self.push("(soundex(");
                self.expr(left)?;
                self.push(") = soundex(");
                self.expr(right)?;
                self.push("))");
                return Ok(());
            }
            MemberOf => {
                self.push("json_contains(");
                self.expr(right)?;
                self.push(",");
                self.expr(left)?;
                self.push(")");
                return Ok(());
            }
        };
        self.push("(");
        self.operand(operator, left)?;
        self.push(" ");
        self.push(symbol);
        self.push(" ");
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
            self.push(" WHEN ");
            self.expr(&branch.when)?;
            self.push(" THEN ");
            self.expr(&branch.then)?;
        }
        if let Some(otherwise) = otherwise {
            self.push(" ELSE ");
            self.expr(otherwise)?;
        }
        self.push(" END");
        Ok(())
    }

    fn trim(&mut self, side: TrimSide, remove: Option<&Expr>, operand: &Expr) -> Printing<()> {
        self.push(match side {
            TrimSide::Both => "trim(both ",
            TrimSide::Leading => "trim(leading ",
            TrimSide::Trailing => "trim(trailing ",
        });
        match remove {
            Some(remove) => self.expr(remove)?,
            None => self.push("' '"),
        }
        self.push(" from ");
        self.expr(operand)?;
        self.push(")");
        Ok(())
    }

    fn timestamp_arithmetic(
        &mut self,
        difference: bool,
        unit: IntervalUnit,
        first: &Expr,
        second: &Expr,
    ) -> Printing<()> {
        if difference {
            self.push("TIMESTAMPDIFF(");
            self.push(unit_name(unit));
            self.push(", ");
            self.expr(first)?;
            self.push(", ");
            self.expr(second)?;
        } else {
            self.push("date_add(");
            self.expr(second)?;
            self.push(",INTERVAL ");
            self.expr(first)?;
            self.push(" ");
            self.push(unit_name(unit));
        }
        self.push(")");
        Ok(())
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.push("NULL"),
            Literal::Bool(value) => self.push(if *value { "true" } else { "false" }),
            Literal::Integer(value) => self.push(&value.to_string()),
            Literal::Decimal(text) => self.push(&decimal(text)),
            Literal::Float(text) => self.push(&text.parse().map_or_else(|_| text.to_string(), float)),
            Literal::Text(text) => self.push(&quote_text(&text.value)),
            Literal::Date(text) | Literal::Time(text) | Literal::Timestamp(text) => self.push(&quote_text(text)),
            Literal::Hex(literal) if literal.bytes.is_empty() => self.push("x''"),
            Literal::Hex(literal) => {
                self.push("0x");
                for byte in &literal.bytes {
                    self.push(&format!("{byte:02X}"));
                }
            }
            Literal::Bit(literal) => match <[u8; 8]>::try_from(padded(&literal.bytes)) {
                Ok(bytes) => self.push(&u64::from_be_bytes(bytes).to_string()),
                Err(_) => self.literal(&Literal::Hex(literal.clone())),
            },
        }
    }
}

/// The bytes with zeros before them up to eight.
fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut padded = vec![0; 8usize.saturating_sub(bytes.len())];
    padded.extend_from_slice(bytes);
    padded
}

fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(Literal::Integer(_) | Literal::Decimal(_) | Literal::Float(_)) => true,
        ExprKind::Unary { operator: UnaryOperator::Minus | UnaryOperator::Plus, operand } => is_number(operand),
        _ => false,
    }
}

/// `.5` is `0.5`, `5.` is `5`, `007.10` is `7.10`.
fn decimal(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// The shortest digits that read back to the value; below 0.0001 and from a million on with an exponent of at least two
/// digits.
fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
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
