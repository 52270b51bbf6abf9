//! Row constraints of a table: types, defaults, generated columns, NOT NULL, CHECK.

use std::cmp::Ordering;
use std::ops::Deref;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use value::{Collation, EnumValue, SqlType, Value, ValueError};

use super::row::Row;
use crate::batch::Batch;
use crate::catalog::{BaseTable, Relation};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::vector::Vector;

/// The rules of one table for one statement.
pub struct RowRules {
    table: Rc<TableRules>,
    /// What does not fit is made to fit, with a warning: IGNORE. As in the reference a sql_mode that is not strict does not.
    pub is_lenient: bool,
    /// Of the view that the statement names.
    view_checks: Option<Rc<[ViewCheck]>>,
    /// Values for generated columns are passed over, see [`RowRules::passes_over_generated`].
    passes_over_generated: bool,
}

/// What a view asks of rows that are put in or changed there: WITH CHECK OPTION.
pub struct ViewCheck {
    /// With its database.
    pub view: Box<str>,
    /// Over the row's positions.
    pub condition: Expr,
}

/// ER_VIEW_CHECK_FAILED.
const CHECK_FAILED: u16 = 1369;

impl Deref for RowRules {
    type Target = TableRules;

    fn deref(&self) -> &TableRules {
        &self.table
    }
}

/// The rules of one table. They are bound once for a schema.
pub struct TableRules {
    table: Rc<str>,
    columns: Vec<ColumnRule>,
    /// Positions and expressions of generated columns, in the order of the table.
    generated: Vec<(usize, Expr)>,
    /// Names and conditions.
    checks: Vec<(Box<str>, Expr)>,
    /// The column of AUTO_INCREMENT.
    pub auto_increment: Option<usize>,
}

/// Rules by schema and name of the table.
pub type KnownRules = HashMap<(Address, Rc<str>), Rc<TableRules>>;

/// ER_WARN_DATA_OUT_OF_RANGE.
const OUT_OF_RANGE: u16 = 1264;
/// ER_TRUNCATED_WRONG_VALUE_FOR_FIELD: MySQL's number of text that is cut before bytes that are none.
const INCORRECT_STRING: u16 = 1366;

/// Tables whose rules a session keeps.
const KNOWN_MAX: usize = 256;

struct ColumnRule {
    name: Rc<str>,
    ty: SqlType,
    is_nullable: bool,
    default: Option<Expr>,
    on_update: Option<Expr>,
    is_generated: bool,
}

impl RowRules {
    /// # Errors
    /// An expression of the schema that cannot be bound.
    pub fn new(base: &BaseTable, context: &Rc<Context>, is_lenient: bool) -> Result<RowRules> {
        let passes_over_generated = {
            let variables = context.session.variables.borrow();
            let is_strict =
                ["STRICT_TRANS_TABLES", "STRICT_ALL_TABLES"].iter().any(|mode| variables.has_sql_mode(mode));
            variables.is_beyond_dolt() && !is_strict
        };
        let key = (base.schema().address, base.name().clone());
        if let Some(table) = context.catalog.rules.borrow().get(&key) {
            return Ok(RowRules { table: table.clone(), is_lenient, view_checks: None, passes_over_generated });
        }
        let mut is_volatile = false;
        let table = Rc::new(TableRules::new(base, &mut |text| {
            let bound = context.catalog.bind_stored(base.columns(), text, context)?;
            is_volatile |= bound.is_volatile;
            Ok(bound.expr)
        })?);
        if !is_volatile {
            let mut known = context.catalog.rules.borrow_mut();
            if known.len() >= KNOWN_MAX {
                known.clear();
            }
            known.insert(key, table.clone());
        }
        Ok(RowRules { table, is_lenient, view_checks: None, passes_over_generated })
    }

    /// Rows have to meet what a view asks, too.
    pub fn with_view_checks(mut self, checks: &Rc<[ViewCheck]>) -> RowRules {
        self.view_checks = (!checks.is_empty()).then(|| checks.clone());
        self
    }

    /// Whether the statement says IGNORE.
    pub fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    pub fn column_name(&self, position: usize) -> &str {
        &self.columns[position].name
    }

    /// Whether a column is computed and takes no value from outside.
    pub fn is_generated(&self, position: usize) -> bool {
        self.columns[position].is_generated
    }

    /// Whether a value that is given to a generated column is passed over, as MariaDB does where the SQL mode is not strict: its dumps
    /// have such values.
    pub fn passes_over_generated(&self) -> bool {
        self.passes_over_generated
    }

    /// The error for a value that is given to a generated column.
    pub fn not_allowed(&self, position: usize) -> SqlError {
        let text = format!(
            "The value specified for generated column \"{}\" in table \"{}\" is not allowed.",
            self.columns[position].name, self.table.table
        );
        SqlError::general(text)
    }

    pub fn type_of(&self, position: usize) -> &SqlType {
        &self.columns[position].ty
    }

    /// Whether a default has to be computed, perhaps of other columns.
    pub fn is_computed(&self, position: usize) -> bool {
        let default = self.columns[position].default.as_ref();
        default.is_some_and(|expr| !matches!(expr.kind, crate::expr::ExprKind::Literal(_)))
    }

    /// Whether INSERT may leave a column out.
    pub fn has_default(&self, position: usize) -> bool {
        let column = &self.columns[position];
        let is_given = column.default.is_some() || column.is_generated || self.auto_increment == Some(position);
        // An ENUM that may not be NULL has its first member.
        is_given || column.is_nullable || matches!(column.ty, SqlType::Enum(_))
    }

    /// The error for a column that was left out and has no default.
    pub fn no_default(&self, position: usize) -> SqlError {
        SqlError::general(format!("Field '{}' doesn't have a default value", self.columns[position].name))
    }

    /// The value of a column that was left out. An ENUM that may not be NULL has its first member.
    pub fn left_out(&self, position: usize, row: &Row, context: &Rc<Context>) -> Result<Value<'static>> {
        let column = &self.columns[position];
        match &column.ty {
            SqlType::Enum(kind) if column.default.is_none() && !column.is_nullable => {
                Ok(Value::Enum(EnumValue { index: 1, kind: kind.clone() }))
            }
            _ if !self.is_lenient && !self.has_default(position) => Err(self.no_default(position)),
            _ => self.default(position, row, context),
        }
    }

    /// What DEFAULT stands for.
    pub fn default(&self, position: usize, row: &Row, context: &Rc<Context>) -> Result<Value<'static>> {
        match &self.columns[position].default {
            // As the reference: a written default of NULL is the document `null` in a column of JSON.
            Some(expr) => match (eval_over(expr, row, context)?, &self.columns[position].ty) {
                (Value::Null, SqlType::Json) => Ok(Value::text("null")),
                (Value::Null, _) if !self.columns[position].is_nullable && !self.is_lenient => {
                    Err(SqlError::general("default value attempted to return null but column is non-nullable"))
                }
                (value, _) => Ok(value),
            },
            None if self.is_lenient && !self.has_default(position) => {
                let error = self.columns[position].null_error();
                context.session.note(error.errno, error.into_message());
                Ok(zero(&self.columns[position].ty))
            }
            None => Ok(Value::Null),
        }
    }

    /// The value as the column keeps it.
    pub fn assign(&self, position: usize, value: &Value<'_>, context: &Rc<Context>) -> Result<Value<'static>> {
        let column = &self.columns[position];
        if value.is_null() {
            return Ok(Value::Null);
        }
        if let Some(moment) = column.moment_of(value, context) {
            return self.assign(position, &moment, context);
        }
        if !self.is_lenient {
            return value::assign(value, &column.ty).or_else(|error| column.taken_all_the_same(value, &error, context));
        }
        let (fitted, warning) = value::convert::nearest(value, &column.ty).map_err(|error| column.error(&error))?;
        if let (Some(_), Err(error)) = (warning, value::assign(value, &column.ty)) {
            if column.is_stray(&error, context) {
                return Err(column.error(&error));
            }
            context.session.note(error.errno(), column.ignored(&error));
        }
        Ok(fitted)
    }

    /// The value of a new row. In the reference a float's zero loses its sign there; that of a text or a decimal keeps it.
    pub fn assign_new(&self, position: usize, value: &Value<'_>, context: &Rc<Context>) -> Result<Value<'static>> {
        let is_zero = matches!(value, Value::Double(0.0) | Value::Float(0.0));
        self.assign(position, if is_zero { &Value::Double(0.0) } else { value }, context)
    }

    /// The value that an UPDATE gives to the column. In the reference a whole number beyond its column becomes the nearest end
    /// of it, without a warning, also where it is only the beginning of a text. Here the warning is MySQL's.
    pub fn assign_changed(&self, position: usize, value: &Value<'_>, context: &Rc<Context>) -> Result<Value<'static>> {
        let column = &self.columns[position];
        if value.is_null() || self.is_lenient {
            return self.assign(position, value, context);
        }
        if let Some(moment) = column.moment_of(value, context) {
            return self.assign(position, &moment, context);
        }
        let assigned = match (value::assign(value, &column.ty), &column.ty) {
            (Err(error), SqlType::Integer(integer)) => match value::convert::end_beyond(value, *integer) {
                Some(end) => {
                    context.session.warn(OUT_OF_RANGE, format_args!("Out of range value for column '{}'", column.name));
                    Ok(end)
                }
                None => Err(error),
            },
            (assigned, _) => assigned,
        };
        assigned.or_else(|error| column.taken_all_the_same(value, &error, context))
    }

    /// Fits a row again that triggers have changed.
    pub fn refit(&self, row: &mut Row, context: &Rc<Context>) -> Result<()> {
        for (position, value) in row.iter_mut().enumerate() {
            *value = self.assign(position, value, context)?;
        }
        Ok(())
    }

    /// Gives the columns with ON UPDATE their values, those in `assigned` left out.
    pub fn on_update(&self, row: &mut Row, assigned: &[usize], context: &Rc<Context>) -> Result<()> {
        for (position, column) in self.columns.iter().enumerate() {
            if let Some(expr) = &column.on_update
                && !assigned.contains(&position)
            {
                let value = eval_over(expr, row, context)?;
                row[position] = self.assign(position, &value, context)?;
            }
        }
        Ok(())
    }

    /// ON UPDATE after assignments, where one has changed something.
    pub fn touch(&self, old: &Row, row: &mut Row, assigned: &[usize], context: &Rc<Context>) -> Result<()> {
        let has_on_update = self.columns.iter().any(|column| column.on_update.is_some());
        if has_on_update && assigned.iter().any(|at| !self.columns[*at].is_same(&old[*at], &row[*at])) {
            self.on_update(row, assigned, context)?;
        }
        Ok(())
    }

    /// Computes the generated columns of a changed row and checks it.
    pub fn complete_update(&self, row: &mut Row, context: &Rc<Context>) -> Result<()> {
        self.generate(row, context)?;
        self.check_nulls(row, context)?;
        self.check(row, context)
    }

    /// Whether two rows are equal by the order of each column: then there is nothing to change.
    pub fn are_same(&self, one: &Row, other: &Row) -> bool {
        self.columns.iter().zip(one.iter().zip(other)).all(|(column, (one, other))| column.is_same(one, other))
    }

    /// Computes the generated columns.
    pub fn generate(&self, row: &mut Row, context: &Rc<Context>) -> Result<()> {
        for (position, expr) in &self.generated {
            let value = eval_over(expr, row, context)?;
            row[*position] = self.assign(*position, &value, context)?;
        }
        Ok(())
    }

    /// NOT NULL.
    pub fn check_nulls(&self, row: &mut Row, context: &Rc<Context>) -> Result<()> {
        for (column, value) in self.columns.iter().zip(row) {
            if value.is_null() && !column.is_nullable {
                let error = column.null_error();
                if !self.is_lenient {
                    return Err(error);
                }
                context.session.note(error.errno, error.into_message());
                *value = zero(&column.ty);
            }
        }
        Ok(())
    }

    /// What is said of NULL in a column; `None` where it may stand or gets a value.
    pub fn null_error(&self, position: usize) -> Option<SqlError> {
        let column = &self.columns[position];
        (!column.is_nullable && !self.is_lenient && self.auto_increment != Some(position)).then(|| column.null_error())
    }

    /// CHECK: a condition that is false refuses the row; NULL does not. That of a view has to hold.
    pub fn check(&self, row: &Row, context: &Rc<Context>) -> Result<()> {
        for (name, condition) in &self.checks {
            if value::truth(&eval_over(condition, row, context)?) == Some(false) {
                return Err(SqlError::general(format!("Check constraint \"{name}\" violated")));
            }
        }
        for ViewCheck { view, condition } in self.view_checks.iter().flat_map(|checks| &**checks) {
            if value::truth(&eval_over(condition, row, context)?) != Some(true) {
                return Err(SqlError::new(CHECK_FAILED, format!("CHECK OPTION failed '{view}'")));
            }
        }
        Ok(())
    }
}

/// Whether some text of a row has other letters, which may be the same under its collation.
pub fn differs_in_letters(old: &Row, new: &Row) -> bool {
    let differs = |(old, new): (&Value<'_>, &Value<'_>)| match (old, new) {
        (Value::Text(old), Value::Text(new)) => old != new,
        _ => false,
    };
    old.iter().zip(new).any(differs)
}

const CHECKS_OF_TESTS: [(&str, &str); 2] = [
    ("assertion_type_check", "(`assertion_type` IN ('expected_rows', 'expected_columns', 'expected_single_value'))"),
    ("assertion_comparator_check", "(`assertion_comparator` IN ('==', '!=', '<', '>', '<=', '>='))"),
];

impl TableRules {
    fn new(base: &BaseTable, bind: &mut dyn FnMut(&str) -> Result<Expr>) -> Result<TableRules> {
        let schema = base.schema();
        let mut columns = Vec::with_capacity(schema.columns.len());
        let mut generated = Vec::new();
        for (position, column) in schema.columns.iter().enumerate() {
            columns.push(ColumnRule {
                name: column.name.clone(),
                ty: column.sql_type.clone(),
                is_nullable: column.is_nullable && !column.is_primary_key,
                default: column.default.as_deref().map(&mut *bind).transpose()?,
                on_update: column.on_update.as_deref().map(&mut *bind).transpose()?,
                is_generated: column.generated.is_some(),
            });
            if let Some(expression) = &column.generated {
                generated.push((position, bind(&expression.expression)?));
            }
        }
        let enforced = schema.checks.iter().filter(|check| check.is_enforced);
        let mut checks =
            enforced.map(|check| Ok((check.name.clone(), bind(&check.expression)?))).collect::<Result<Vec<_>>>()?;
        if base.name().eq_ignore_ascii_case("dolt_tests") {
            // Native Dolt has them in its code, and not in the schema.
            for (name, expression) in CHECKS_OF_TESTS {
                checks.push((name.into(), bind(expression)?));
            }
        }
        let auto_increment = schema.columns.iter().position(|column| column.is_auto_increment);
        Ok(TableRules { table: base.name().clone(), columns, generated, checks, auto_increment })
    }
}

impl ColumnRule {
    fn is_same(&self, one: &Value<'_>, other: &Value<'_>) -> bool {
        let collation = self.ty.collation().unwrap_or(Collation::BINARY);
        value::sort_order(one, other, collation).is_ok_and(Ordering::is_eq)
    }

    fn null_error(&self) -> SqlError {
        null_error(&self.name)
    }

    /// A time that a column of days or moments is given: that of today.
    fn moment_of(&self, value: &Value<'_>, context: &Context) -> Option<Value<'static>> {
        match value {
            Value::Time(time) if self.ty.is_date() => context.today_at(*time).map(Value::DateTime),
            _ => None,
        }
    }

    /// What the column has of a value that does not fit. Where sql_mode is not strict native Dolt keeps as much of bytes as is
    /// text, and 0 as the empty member; nothing else depends on it. Bytes that stand in a script between quotes are refused
    /// all the same: they are text of another encoding.
    fn taken_all_the_same(
        &self,
        value: &Value<'_>,
        error: &ValueError,
        context: &Rc<Context>,
    ) -> Result<Value<'static>> {
        let is_taken = match error {
            ValueError::IncorrectString(_) => true,
            ValueError::NotAMember { .. } => matches!((value, &self.ty), (Value::Int(0), SqlType::Enum(_))),
            _ => false,
        };
        let is_strict = || context.session.variables.borrow().text("sql_mode").contains("STRICT_");
        if !is_taken || is_strict() || self.is_stray(error, context) {
            return Err(self.error(error));
        }
        if let ValueError::IncorrectString(_) = error {
            context.session.warn(INCORRECT_STRING, error);
        }
        value::convert::nearest(value, &self.ty).map(|(taken, _)| taken).map_err(|error| self.error(&error))
    }

    /// Whether a script has bytes that are no UTF-8 where this column has text.
    fn is_stray(&self, error: &ValueError, context: &Context) -> bool {
        matches!(error, ValueError::IncorrectString(_)) && context.session.refuses_stray_bytes.get()
    }

    /// What the note of INSERT IGNORE says.
    fn ignored(&self, error: &ValueError) -> String {
        match (error, &self.ty) {
            (ValueError::TooLong { value }, _) => format!("string '{value}' is too large for column '{}'", self.name),
            (ValueError::NotAMember { value }, SqlType::Enum(_)) => format!("value {value} is not valid for this Enum"),
            (ValueError::NotAMember { value }, _) => format!("value {value} was not found in the set"),
            (error, _) => error.to_string(),
        }
    }

    fn error(&self, error: &ValueError) -> SqlError {
        let text = match error {
            ValueError::TooLong { value } => format!("string '{value}' is too large for column '{}'", self.name),
            ValueError::NotAMember { .. } => format!("Data truncated for column '{}' at row 1", self.name),
            error => error.to_string(),
        };
        SqlError::new(error.errno(), text)
    }
}

/// What stands for NULL in a column that may not be NULL.
fn zero(ty: &SqlType) -> Value<'static> {
    match value::convert::nearest(&Value::Int(0), ty) {
        Ok((value, _)) if !ty.is_text() && !ty.is_binary() => value,
        _ => value::convert::nearest(&Value::text(""), ty).map_or(Value::Null, |(value, _)| value),
    }
}

/// NULL for a column that has none.
pub fn null_error(column: &str) -> SqlError {
    SqlError::new(1048, format!("column name '{column}' is non-nullable but attempted to set a value of null"))
}

/// The value of an expression over a row, whose columns are the expression's positions.
pub fn eval_over(expr: &Expr, row: &[Value<'static>], context: &Context) -> Result<Value<'static>> {
    if let Some(literal) = expr.as_literal() {
        return Ok(literal.clone());
    }
    let used = expr.columns();
    if used.is_empty() {
        return expr.eval_constant(context);
    }
    let absent = Rc::new(Vector::nulls(1));
    let column = |(position, value): (usize, &Value<'static>)| match used.contains(&(position as u32)) {
        true => Rc::new(Vector::repeat(value, 1)),
        false => absent.clone(),
    };
    let batch = Batch::new(1, row.iter().enumerate().map(column).collect());
    Ok(expr.eval(&batch, context)?.value(0).into_owned())
}
