//! Definitions of columns: type, attributes, and the texts of their expressions.

use parse::ast::{
    self, CheckConstraint, ColumnDefinition, ColumnOption, Expr, ExprKind, Literal, References, UnaryOperator,
};
use value::{Collation, SqlType, Value, ValueError};
use vcs::{Column, Generated};

use super::work::Work;
use crate::bind::data_type;
use crate::catalog::column_notes::HIDDEN_PREFIX;
use crate::error::{Result, SqlError};

/// Characters of a name at most.
pub const NAME_LENGTH_MAX: usize = 64;

/// A column as a statement defines it. Its tag and its expressions are set later.
pub struct NewColumn<'a> {
    pub column: Column,
    pub is_primary_key: bool,
    pub is_unique: bool,
    says_null: bool,
    default: Option<(&'a Expr, bool)>,
    generated: Option<(&'a Expr, bool)>,
    on_update: Option<&'a Expr>,
    pub checks: Vec<&'a CheckConstraint>,
    pub references: Option<&'a References>,
}

/// A name that is short enough.
///
/// # Errors
/// `invalid identifier`.
pub fn name(name: &str) -> Result<&str> {
    if name.chars().count() > NAME_LENGTH_MAX {
        return Err(SqlError::general(format!("invalid identifier: `{name}`")));
    }
    Ok(name)
}

/// Names of the columns behind expressions in indexes are for those.
pub fn refuse_hidden_name(name: &str) -> Result<()> {
    match name.to_lowercase().starts_with(HIDDEN_PREFIX) {
        true => Err(SqlError::general(format!("invalid column name: {name}"))),
        false => Ok(()),
    }
}

impl<'a> NewColumn<'a> {
    /// Reads a definition in a table whose collation is `table`.
    pub fn read(definition: &'a ColumnDefinition, table: Collation) -> Result<NewColumn<'a>> {
        let sql_type = data_type::sql_type(&definition.data_type, &definition.options, table)?;
        let is_serial = definition.data_type.kind == ast::TypeKind::Serial;
        let mut new = NewColumn::of(Column::new(name(&definition.name.text)?, sql_type, 0));
        new.is_unique = is_serial;
        let column = &mut new.column;
        column.is_nullable = !is_serial;
        column.is_auto_increment = is_serial;
        for option in &definition.options {
            match option {
                ColumnOption::NotNull => (column.is_nullable, new.says_null) = (false, false),
                ColumnOption::Null => (column.is_nullable, new.says_null) = (true, true),
                ColumnOption::Default { expr, parenthesized } => new.default = Some((expr, *parenthesized)),
                ColumnOption::OnUpdate(expr) => new.on_update = Some(expr),
                ColumnOption::AutoIncrement => column.is_auto_increment = true,
                ColumnOption::PrimaryKey => {
                    new.is_primary_key = true;
                    // The key is enough of an index for SERIAL.
                    new.is_unique &= !is_serial;
                }
                ColumnOption::Unique => new.is_unique = true,
                ColumnOption::Comment(_) if !column.comment.is_empty() => {
                    let text = "cannot include more than one comment for a column definition";
                    return Err(SqlError::general(text).at(definition.span));
                }
                ColumnOption::Comment(comment) => column.comment = comment.clone(),
                ColumnOption::Generated { expr, stored } => new.generated = Some((expr, *stored)),
                ColumnOption::Check(check) => new.checks.push(check),
                ColumnOption::References(references) => new.references = Some(references),
                ColumnOption::Srid(_) if !matches!(column.sql_type, SqlType::Geometry { .. }) => {
                    let text = format!("invalid type: cannot define SRID for {}", column.sql_type);
                    return Err(SqlError::general(text).at(definition.span));
                }
                // The type has read them; KEY alone, visibility and storage have no effect, as in the reference.
                ColumnOption::Collate(_)
                | ColumnOption::CharacterSet(_)
                | ColumnOption::Srid(_)
                | ColumnOption::Key
                | ColumnOption::Visible
                | ColumnOption::Invisible
                | ColumnOption::Ignored => {}
            }
        }
        if new.is_primary_key && new.says_null {
            return Err(SqlError::general("All parts of PRIMARY KEY must be NOT NULL").at(definition.span));
        }
        column.is_nullable &= !new.is_primary_key && !column.is_auto_increment;
        if new.default.is_some() && new.generated.is_some() {
            return Err(SqlError::general("Incorrect usage of DEFAULT and generated column").at(definition.span));
        }
        Ok(new)
    }

    /// A column that comes from elsewhere, its expressions included.
    pub fn of(column: Column) -> NewColumn<'a> {
        NewColumn {
            column,
            is_primary_key: false,
            is_unique: false,
            says_null: false,
            default: None,
            generated: None,
            on_update: None,
            checks: Vec::new(),
            references: None,
        }
    }

    /// Whether it is NULL by its own words.
    pub fn says_null(&self) -> bool {
        self.says_null
    }

    /// Sets the texts of its expressions, which may use the columns of `scope`.
    pub fn set_expressions(&mut self, work: &Work<'_>, table: &str, scope: &[Column]) -> Result<()> {
        let column = &mut self.column;
        if let Some((expr, parenthesized)) = self.default {
            column.default = Some(default_text(work, table, column, expr, parenthesized, scope)?);
        }
        if let Some((expr, stored)) = self.generated {
            work.bind(table, scope, expr)?;
            refuse_variables(expr, &column.name)?;
            let expression = stored_text(expr)?.into();
            column.generated = Some(Generated { expression, is_virtual: !stored });
        }
        if let Some(expr) = self.on_update {
            column.on_update = Some(on_update_text(column, expr)?);
        }
        Ok(())
    }
}

/// The text that a schema keeps of an expression.
pub fn stored_text(expr: &Expr) -> Result<String> {
    let text = parse::print_stored(expr);
    text.map_err(|error| SqlError::general(error.to_string()).at(error.span))
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { operator: UnaryOperator::Minus | UnaryOperator::Plus, operand } => {
            matches!(operand.kind, ExprKind::Literal(_))
        }
        _ => false,
    }
}

/// The decimals of `now(…)`, where the expression is that.
fn now_decimals(expr: &Expr) -> Option<u64> {
    let ExprKind::Function(call) = &expr.kind else { return None };
    let text = parse::print_stored(expr).ok()?;
    if !text.starts_with("CURRENT_TIMESTAMP") {
        return None;
    }
    match call.arguments.first().map(|argument| &argument.kind) {
        Some(ExprKind::Literal(Literal::Integer(decimals))) => Some(*decimals),
        _ => Some(0),
    }
}

fn moment_decimals(ty: &SqlType) -> Option<u64> {
    match ty {
        SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => Some(u64::from(*decimals)),
        _ => None,
    }
}

/// The text of a default as a schema keeps it: a value of the column's type as a literal, or an expression in parentheses.
///
/// # Errors
/// Values that the type cannot have, functions outside parentheses, names that are not columns of `scope`.
pub fn default_text(
    work: &Work<'_>,
    table: &str,
    column: &Column,
    expr: &Expr,
    parenthesized: bool,
    scope: &[Column],
) -> Result<Box<str>> {
    let invalid = || SqlError::general(format!("Invalid default value for '{}'", column.name)).at(expr.span);
    let bound = work.bind(table, scope, expr)?;
    if parenthesized {
        refuse_variables(expr, &column.name)?;
        return Ok(stored_text(expr)?.into());
    }
    if let Some(decimals) = now_decimals(expr) {
        return match moment_decimals(&column.sql_type) {
            Some(own) if own == decimals => Ok(stored_text(expr)?.into()),
            Some(_) => Err(invalid()),
            None => Err(SqlError::general(
                "only datetime/timestamp may declare default values of now()/current_timestamp() without surrounding parentheses",
            )
            .at(expr.span)),
        };
    }
    if matches!(expr.kind, ExprKind::Function(_)) {
        return Ok(stored_text(expr)?.into());
    }
    if !is_literal(expr) {
        refuse_variables(expr, &column.name)?;
        return Err(invalid());
    }
    let literal = bound.eval_constant(&work.context)?;
    if work.context.session.variables.borrow().is_beyond_dolt()
        && let Some(members) = members_by_number(&literal, &column.sql_type)
    {
        return Ok(parse::quote_text(&members).into());
    }
    literal_text(&literal, column, expr).map_err(|error| error.at(expr.span))
}

/// The members that a text of digits counts, where it is none itself: so native Dolt writes defaults in its dumps, which it cannot read.
fn members_by_number(literal: &Value<'_>, ty: &SqlType) -> Option<String> {
    let Value::Text(text) = literal else { return None };
    let number: u64 = text.parse().ok()?;
    match ty {
        SqlType::Enum(kind) if kind.find(text).is_none() => {
            kind.index_of(text).and_then(|index| kind.member(index)).map(str::to_owned)
        }
        SqlType::Set(kind) if kind.parse(text).is_err() && number & !kind.all_bits() == 0 => Some(kind.text(number)),
        _ => None,
    }
}

fn literal_text(literal: &Value<'_>, column: &Column, expr: &Expr) -> Result<Box<str>> {
    let incompatible = || SqlError::general("incompatible type for default value");
    if literal.is_null() {
        return if column.is_nullable { Ok("NULL".into()) } else { Err(incompatible()) };
    }
    let ty = &column.sql_type;
    if let SqlType::Enum(kind) = ty {
        let is_member = matches!(literal, Value::Text(text) if kind.members.iter().any(|member| member == text));
        return match literal {
            Value::Text(text) if !is_member && kind.index_of(text).is_none() && text != "0" => {
                let why = format!("incompatible type for default value: value {text} is not valid for this Enum");
                Err(SqlError::general(why))
            }
            _ if !is_member => Err(SqlError::general(format!("Invalid default value for '{}'", column.name))),
            _ => printed(expr),
        };
    }
    let value = value::assign(literal, ty).map_err(|error| {
        let why = match error {
            ValueError::Invalid { value, kind } => format!("Truncated incorrect {kind} value: {value}"),
            error => error.to_string(),
        };
        SqlError::general(format!("incompatible type for default value: {why}"))
    })?;
    match ty {
        SqlType::Date
        | SqlType::Time
        | SqlType::DateTime { .. }
        | SqlType::Timestamp { .. }
        | SqlType::Set(_)
        | SqlType::Json => printed(expr),
        _ => Ok(value_text(&value).into()),
    }
}

fn printed(expr: &Expr) -> Result<Box<str>> {
    let text = parse::print(expr).map_err(|error| SqlError::general(error.to_string()).at(error.span))?;
    Ok(text.into())
}

/// A value of a column as a literal.
fn value_text(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => parse::quote_text(text),
        Value::Bytes(bytes) | Value::Geometry(bytes) => format!("0x{}", codec::hex::upper(bytes)),
        Value::Bit(bits) => bits.to_string(),
        Value::Year(year) => year.to_string(),
        Value::Float(number) => value::number_text::float_text(*number),
        Value::Double(number) => value::number_text::double_text(*number),
        value => value::convert::to_string(value).map_or_else(|_| String::new(), |text| text.into_owned()),
    }
}

/// The text of ON UPDATE: the current time with the column's decimals.
fn on_update_text(column: &Column, expr: &Expr) -> Result<Box<str>> {
    let invalid = || SqlError::general(format!("Invalid ON UPDATE clause for '{}' column", column.name)).at(expr.span);
    match (now_decimals(expr), moment_decimals(&column.sql_type)) {
        (Some(0), Some(0)) => Ok("CURRENT_TIMESTAMP".into()),
        (Some(decimals), Some(own)) if decimals == own => Ok(stored_text(expr)?.into()),
        _ => Err(invalid()),
    }
}

fn refuse_variables(expr: &Expr, column: &str) -> Result<()> {
    if !parse::names_variable(expr) {
        return Ok(());
    }
    let text = format!("Default value expression of column '{column}' cannot refer user or system variables.");
    Err(SqlError::general(text).at(expr.span))
}
