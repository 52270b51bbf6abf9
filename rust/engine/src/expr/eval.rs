//! Evaluation of expressions over batches, column at a time.
//!
//! Constants stay constants ([`Evaluated::Constant`]) until an operator needs a column, so that `price > 10` compares a
//! column with one number. Where there is no loop for the types at hand, values are taken row by row.

use std::borrow::Cow;
use std::rc::Rc;

use value::{Json, LikePattern, SqlType, Value, truth};

use super::context::LARGE_BYTES;
use super::evaluated::{Evaluated, RowMeter, combine};
use super::{Call, Case, CastKind, Context, Expr, ExprKind, IsTest, Like, types};
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::functions::{Arguments, Nulls, Stability, Traits};
use crate::vector::{Data, Vector, VectorBuilder, bytes_of};

/// What it costs LIKE to compare two characters.
const COMPARE_WORK: usize = 4;

/// What a step of an expression costs a row, and once for all rows of a batch.
const STEP_WORK: usize = 8;

impl Expr {
    /// One value for each row of `batch`.
    pub fn eval(&self, batch: &Batch, context: &Context) -> Result<Rc<Vector>> {
        if let ExprKind::Column(position) = self.kind {
            return Ok(batch.columns[position as usize].clone());
        }
        let evaluated = self.evaluate(batch, context)?;
        if let Evaluated::Constant(value) = &evaluated {
            context.needs_copy(value)?;
        }
        Ok(evaluated.into_vector(batch.rows))
    }

    /// The value of an expression that reads no column.
    pub fn eval_constant(&self, context: &Context) -> Result<Value<'static>> {
        match self.evaluate(&Batch { rows: 1, columns: Vec::new() }, context)? {
            Evaluated::Constant(value) => Ok(value),
            Evaluated::Rows(vector) => Ok(vector.value(0).into_owned()),
        }
    }

    /// The rows of `batch` for which this is true.
    pub fn true_rows(&self, batch: &Batch, context: &Context) -> Result<Vec<u32>> {
        if let ExprKind::Compare(op, super::Comparison::Int, sides) = &self.kind
            && let Some(rows) = super::compare::selected(*op, sides, batch, context)?
        {
            return Ok(rows);
        }
        Ok(match self.evaluate(batch, context)? {
            Evaluated::Constant(value) => match condition(&value)? {
                Some(true) => (0..batch.rows as u32).collect(),
                _ => Vec::new(),
            },
            Evaluated::Rows(vector) => match (&vector.data, &vector.validity) {
                (Data::Int(values), None) => {
                    values.iter().enumerate().filter(|(_, v)| **v != 0).map(|(row, _)| row as u32).collect()
                }
                _ => {
                    let mut rows = Vec::new();
                    for row in 0..batch.rows {
                        if condition(&vector.value(row))? == Some(true) {
                            rows.push(row as u32);
                        }
                    }
                    rows
                }
            },
        })
    }

    pub fn evaluate(&self, batch: &Batch, context: &Context) -> Result<Evaluated> {
        context.spend_work(STEP_WORK * (batch.rows + 1));
        Ok(match &self.kind {
            ExprKind::Column(position) => Evaluated::Rows(batch.columns[*position as usize].clone()),
            ExprKind::Outer(slot) => Evaluated::Constant(context.outer(*slot)?),
            ExprKind::Literal(value) => Evaluated::Constant(context.copied(value)?),
            ExprKind::Param(n) => Evaluated::Constant(context.param(*n)?),
            ExprKind::Call(call) => call.evaluate(&self.ty, batch, context)?,
            ExprKind::And(terms) => super::logic::conjunction(terms, batch, context)?,
            ExprKind::Or(terms) => super::logic::disjunction(terms, batch, context)?,
            ExprKind::Xor(sides) => {
                let [left, right] = &**sides;
                binary(left, right, batch, context, |l, r| {
                    Ok(match (truth(l), truth(r)) {
                        (Some(l), Some(r)) => Value::boolean(l != r),
                        _ => Value::Null,
                    })
                })?
            }
            ExprKind::Not(inner) => unary(inner, batch, context, |value| {
                Ok(condition(value)?.map_or(Value::Null, |truth| Value::boolean(!truth)))
            })?,
            ExprKind::Compare(op, comparison, sides) => {
                super::compare::evaluate(*op, comparison, sides, batch, context)?
            }
            ExprKind::Arithmetic(op, sides) => super::arithmetic::evaluate(*op, sides, &self.ty, batch, context)?,
            ExprKind::Negate(inner) => {
                unary(inner, batch, context, |value| super::arithmetic::negate(value, &self.ty, context))?
            }
            ExprKind::Case(case) => case.evaluate(&self.ty, batch, context)?,
            ExprKind::Cast(inner, kind) => {
                let ty = &self.ty.sql;
                let is_truth = *ty == SqlType::Json && inner.ty.sql == SqlType::BOOLEAN;
                unary(inner, batch, context, |value| match (value, kind) {
                    (Value::Null, _) => Ok(Value::Null),
                    (Value::Int(number), _) if is_truth => Ok(Value::json(Json::Bool(*number != 0))),
                    (_, CastKind::Explicit) => context.cast_or_null(value, ty),
                    (_, CastKind::Implicit) => context.cast(value, ty),
                    (value, CastKind::Assigned) => match (value::assign(value, ty), ty) {
                        // No member is before all members.
                        (Err(_), SqlType::Enum(_)) => Ok(Value::Null),
                        (assigned, _) => Ok(assigned?),
                    },
                })?
            }
            ExprKind::In(list) => list.evaluate(batch, context)?,
            ExprKind::Like(like) => like.evaluate(batch, context)?,
            ExprKind::Is(inner, test) => is_test(inner, *test, batch, context)?,
            ExprKind::UserVariable(name, _) => {
                let variables = context.session.user_variables();
                Evaluated::Constant(
                    context.copied(variables.get(name.to_lowercase().as_str()).unwrap_or(&Value::Null))?,
                )
            }
            ExprKind::SetUserVariable(name, inner) => {
                let vector = inner.eval(batch, context)?;
                for row in 0..batch.rows {
                    context.session.set_user_variable(name, context.copied(&vector.value(row))?);
                }
                Evaluated::Rows(vector)
            }
            ExprKind::Subquery(_) => return Err(SqlError::internal("a subquery was left in an expression")),
        })
    }
}

/// Applies `f` to each value; a constant once.
fn unary(
    inner: &Expr,
    batch: &Batch,
    context: &Context,
    f: impl Fn(&Value<'_>) -> Result<Value<'static>>,
) -> Result<Evaluated> {
    Ok(match inner.evaluate(batch, context)? {
        Evaluated::Constant(value) => Evaluated::Constant(f(&value)?),
        Evaluated::Rows(vector) => {
            let mut result = VectorBuilder::with_capacity(batch.rows);
            let vector = Evaluated::Rows(vector);
            let mut meter = RowMeter::new(context, vector.bytes(batch.rows), batch.rows);
            for row in 0..batch.rows {
                let value = vector.value(row);
                result.push(f(&value)?);
                meter.row_done(row, &[value], &result)?;
            }
            Evaluated::Rows(Rc::new(result.finish()))
        }
    })
}

/// Applies `f` to each pair of values; two constants once.
fn binary(
    left: &Expr,
    right: &Expr,
    batch: &Batch,
    context: &Context,
    f: impl Fn(&Value<'_>, &Value<'_>) -> Result<Value<'static>>,
) -> Result<Evaluated> {
    let (left, right) = (left.evaluate(batch, context)?, right.evaluate(batch, context)?);
    combine(&left, &right, batch.rows, context, f)
}

impl Call {
    fn evaluate(&self, ty: &super::ExprType, batch: &Batch, context: &Context) -> Result<Evaluated> {
        if self.function.is(Traits::FIRST_VALUE) {
            return self.first_value(ty, batch, context);
        }
        let args = super::evaluate_all(&self.args, batch, context)?;
        let types: Vec<_> = self.args.iter().map(|arg| arg.ty.clone()).collect();
        let propagates = self.function.nulls == Nulls::Propagate;
        // One list for all rows: a call for each row costs enough without an allocation.
        let mut values: Vec<Value<'_>> = Vec::with_capacity(args.len());
        let call = |row: usize, values: &mut Vec<_>| -> Result<Value<'static>> {
            values.clear();
            if propagates && args.iter().any(|arg| arg.is_null(row)) {
                return Ok(Value::Null);
            }
            values.extend(args.iter().map(|arg| arg.value(row)));
            let args = Arguments { values, types: &types, result: ty, collation: self.collation, context };
            context.within_packet((self.function.eval)(&args)?, args.values)
        };
        let bytes = args.iter().map(|arg| arg.bytes(batch.rows)).sum();
        if bytes >= LARGE_BYTES {
            context.needs(args.iter().map(|arg| arg.bytes(1)).sum(), self.function.copies())?;
        }
        let constant = args.iter().all(|arg| matches!(arg, Evaluated::Constant(_)));
        if constant && self.function.stability != Stability::Volatile {
            // A batch may be empty; then nothing is evaluated, and an error must not appear.
            if batch.rows == 0 {
                return Ok(Evaluated::Constant(Value::Null));
            }
            let mut value = call(0, &mut values)?;
            if matches!(value, Value::Json(_)) {
                value = context.large_within_packet(value, &values)?;
            }
            context.spend_work(bytes_of(&value) + args.iter().map(|arg| arg.bytes(1)).sum::<usize>());
            return Ok(Evaluated::Constant(value));
        }
        let mut result = VectorBuilder::with_capacity(batch.rows);
        let mut meter = RowMeter::new(context, bytes, batch.rows);
        for row in 0..batch.rows {
            result.push(call(row, &mut values)?);
            meter.row_done(row, &values, &result)?;
        }
        Ok(Evaluated::Rows(Rc::new(result.finish())))
    }

    /// COALESCE: an argument is computed only for rows in which all before it are NULL.
    fn first_value(&self, ty: &super::ExprType, batch: &Batch, context: &Context) -> Result<Evaluated> {
        let mut left: Vec<u32> = (0..batch.rows as u32).collect();
        let mut parts: Vec<Part> = Vec::new();
        for arg in &self.args {
            if left.is_empty() {
                break;
            }
            let mut values = arg.eval(&batch.gather(&left), context)?;
            let in_own_digits = types::has_own_digits(&ty.sql) && arg.ty.sql.is_number();
            if types::needs_cast(&arg.ty.sql, &ty.sql) {
                let mut cast = VectorBuilder::with_capacity(left.len());
                for row in 0..left.len() {
                    cast.push(match values.value(row) {
                        Value::Null => Value::Null,
                        number if in_own_digits => Value::Decimal(super::to_decimal(&number)),
                        value => crate::functions::converted(&value, &ty.sql, context)?,
                    });
                }
                values = Rc::new(cast.finish());
            }
            values = in_doubles(values, ty);
            let (given, rest): (Vec<u32>, Vec<u32>) =
                (0..left.len() as u32).partition(|row| !values.is_null(*row as usize));
            if given.len() == batch.rows {
                return Ok(Evaluated::Rows(values));
            }
            let rows = given.iter().map(|row| left[*row as usize]).collect();
            left = rest.iter().map(|row| left[*row as usize]).collect();
            parts.push((rows, Rc::new(values.gather(&given))));
        }
        Ok(Evaluated::Rows(Rc::new(assemble(&parts, batch.rows))))
    }
}

/// Rows of a batch and a value for each.
type Part = (Vec<u32>, Rc<Vector>);

/// One column of several parts; NULL where no part has a row.
fn assemble(parts: &[Part], rows: usize) -> Vector {
    let mut from: Vec<Option<(usize, usize)>> = vec![None; rows];
    for (part, (rows, _)) in parts.iter().enumerate() {
        for (i, &row) in rows.iter().enumerate() {
            from[row as usize] = Some((part, i));
        }
    }
    let mut result = VectorBuilder::with_capacity(rows);
    for place in from {
        result.push(place.map_or(Value::Null, |(part, i)| parts[part].1.value(i)));
    }
    result.finish()
}

/// A sum of decimals, of type DOUBLE, is a decimal no more where it is one of several values to choose from.
fn in_doubles(values: Rc<Vector>, ty: &super::ExprType) -> Rc<Vector> {
    if ty.sql != SqlType::Double || !matches!(values.data, Data::Decimal(_) | Data::Values(_)) {
        return values;
    }
    let mut doubles = VectorBuilder::with_capacity(values.len());
    for row in 0..values.len() {
        doubles.push(match values.value(row) {
            Value::Decimal(number) => Value::Double(number.to_f64()),
            other => other,
        });
    }
    Rc::new(doubles.finish())
}

impl Case {
    /// Each branch sees only the rows that no earlier branch took, so an error in a branch not taken never happens.
    fn evaluate(&self, ty: &super::ExprType, batch: &Batch, context: &Context) -> Result<Evaluated> {
        let mut left: Vec<u32> = (0..batch.rows as u32).collect();
        let mut parts: Vec<Part> = Vec::new();
        for (n, (condition, value)) in self.branches.iter().enumerate() {
            if left.is_empty() {
                break;
            }
            context.part_done(n, self.branches.len())?;
            let rest = batch.gather(&left);
            let taken = condition.true_rows(&rest, context)?;
            if taken.is_empty() {
                continue;
            }
            let values = in_doubles(value.eval(&rest.gather(&taken), context)?, ty);
            let rows: Vec<u32> = taken.iter().map(|&row| left[row as usize]).collect();
            let mut taken = taken.into_iter().peekable();
            let mut at = 0;
            left.retain(|_| {
                let is_taken = taken.next_if_eq(&at).is_some();
                at += 1;
                !is_taken
            });
            if rows.len() == batch.rows {
                return Ok(Evaluated::Rows(values));
            }
            parts.push((rows, values));
        }
        if !left.is_empty()
            && let Some(otherwise) = &self.otherwise
        {
            let values = in_doubles(otherwise.eval(&batch.gather(&left), context)?, ty);
            if left.len() == batch.rows {
                return Ok(Evaluated::Rows(values));
            }
            parts.push((left, values));
        }
        Ok(Evaluated::Rows(Rc::new(assemble(&parts, batch.rows))))
    }
}

impl Like {
    fn evaluate(&self, batch: &Batch, context: &Context) -> Result<Evaluated> {
        fn text<'v>(value: &'v Value<'_>) -> Result<Cow<'v, str>> {
            Ok(match value {
                Value::Text(text) => Cow::Borrowed(text),
                Value::Bytes(bytes) => String::from_utf8_lossy(bytes),
                other => value::convert::to_string(other)?,
            })
        }
        let goes_on = |compared: usize| context.work(COMPARE_WORK * compared).is_ok();
        let matches = |pattern: &LikePattern, bytes: &[u8]| {
            pattern.matches_while(bytes, &mut { goes_on }).ok_or_else(SqlError::interrupted)
        };
        let test = |value: &Value<'_>, pattern: Option<&LikePattern>| {
            let matched = match (value, pattern) {
                (Value::Null, _) | (_, None) => return Ok(Value::Null),
                (Value::Bytes(bytes), Some(pattern)) => matches(pattern, bytes)?,
                (value, Some(pattern)) => matches(pattern, text(value)?.as_bytes())?,
            };
            Ok(Value::boolean(matched != self.negated))
        };
        let escape = match self.escape.as_ref().map(|escape| escape.eval_constant(context)).transpose()? {
            None | Some(Value::Null) => Some('\\'),
            Some(escape) => {
                let escape = text(&escape)?;
                let mut characters = escape.chars();
                let escape = characters.next();
                if characters.next().is_some() {
                    return Err(SqlError::general("Invalid argument to ESCAPE"));
                }
                escape
            }
        };
        let (subject, pattern) = (self.text.evaluate(batch, context)?, self.pattern.evaluate(batch, context)?);
        let Evaluated::Constant(constant) = &pattern else {
            return combine(&subject, &pattern, batch.rows, context, |value, pattern| match pattern {
                Value::Null => Ok(Value::Null),
                pattern => test(value, LikePattern::new(&text(pattern)?, escape, self.collation).as_ref()),
            });
        };
        // The usual case: the pattern is compiled once.
        let compiled = match constant {
            Value::Null => None,
            pattern => LikePattern::new(&text(pattern)?, escape, self.collation),
        };
        let Some(compiled) = compiled else { return Ok(Evaluated::Constant(Value::Null)) };
        if let Evaluated::Rows(vector) = &subject
            && let Data::Text(views) | Data::Bytes(views) = &vector.data
        {
            let mut matched = vec![0; views.len()];
            let mut is_interrupted = false;
            views.for_each(|row, bytes| {
                if !is_interrupted {
                    let is_match = compiled.matches_while(bytes, &mut { goes_on });
                    is_interrupted = is_match.is_none();
                    matched[row] = i64::from(is_match != Some(self.negated));
                }
            });
            if is_interrupted {
                return Err(SqlError::interrupted());
            }
            let result = Vector { data: Data::Int(matched), validity: vector.validity.clone() };
            return Ok(Evaluated::Rows(Rc::new(result)));
        }
        combine(&subject, &Evaluated::Constant(Value::Null), batch.rows, context, |value, _| {
            test(value, Some(&compiled))
        })
    }
}

fn is_test(inner: &Expr, test: IsTest, batch: &Batch, context: &Context) -> Result<Evaluated> {
    let answer = |value: &Value<'_>| -> Result<bool> {
        Ok(match test {
            IsTest::Null => value.is_null(),
            IsTest::NotNull => !value.is_null(),
            IsTest::True => condition(value)? == Some(true),
            IsTest::NotTrue => condition(value)? != Some(true),
            IsTest::False => condition(value)? == Some(false),
            IsTest::NotFalse => condition(value)? != Some(false),
        })
    };
    Ok(match inner.evaluate(batch, context)? {
        Evaluated::Constant(value) => Evaluated::Constant(Value::boolean(answer(&value)?)),
        Evaluated::Rows(vector) => {
            let answers = match test {
                IsTest::Null => (0..batch.rows).map(|row| i64::from(vector.is_null(row))).collect(),
                IsTest::NotNull => (0..batch.rows).map(|row| i64::from(!vector.is_null(row))).collect(),
                _ => (0..batch.rows).map(|row| Ok(i64::from(answer(&vector.value(row))?))).collect::<Result<_>>()?,
            };
            Evaluated::Rows(Rc::new(Vector::new(Data::Int(answers))))
        }
    })
}

/// The truth of a value used as a condition. A TIME and a document have none, as in the reference.
fn condition(value: &Value<'_>) -> Result<Option<bool>> {
    match value {
        Value::Time(_) | Value::Json(_) => Err(SqlError::general(format!("unable to cast {} to bool", value.family()))),
        other => Ok(truth(other)),
    }
}
