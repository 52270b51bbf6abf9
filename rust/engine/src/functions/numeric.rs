//! Numbers: rounding, powers, logarithms, angles.

use value::{Decimal, SqlType, Value};

use super::{Arguments, DeclaredCall, Entry, Form, Function, Traits, declared, result};
use crate::error::{Result, SqlError};
use crate::expr::{ExprType, out_of_range, types::has_own_digits};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("abs", (1, 1), absolute_type, absolute).null_as_arguments().common().about("x", "The absolute value"),
    Entry::new("acos", (1, 1), result::double, |a| Ok(number(a.double(0)?.acos()))).about("x", "The arc cosine"),
    Entry::new("asin", (1, 1), result::double, |a| Ok(number(a.double(0)?.asin()))).about("x", "The arc sine"),
    Entry::new("atan", (1, 2), result::double, arc_tangent)
        .about("x[, y]", "The arc tangent of x, or of x / y")
        .also(&["atan2"]),
    // What CAST(x AS DECIMAL) becomes: the digits that x has.
    Entry::new("cast_decimal", (1, 1), decimal_type, |a| {
        let mut warnings = Vec::new();
        let number = value::convert::to_decimal(a.get(0), &mut warnings);
        warnings.iter().for_each(|warning| a.context.session.warn(warning.errno(), warning));
        Ok(Value::Decimal(number.unwrap_or(Decimal::ZERO)))
    })
    .internal()
    .about("x", "What `CAST(x AS DECIMAL)` becomes"),
    Entry::new("ceil", (1, 1), whole_type, |a| whole(a, Decimal::ceil, f64::ceil))
        .null_as_arguments()
        .common()
        .about("x", "The least whole number that is not less")
        .also(&["ceiling"]),
    Entry::new("cos", (1, 1), result::double, |a| Ok(number(a.double(0)?.cos()))).about("x", "The cosine"),
    Entry::new("cot", (1, 1), result::double, cotangent).about("x", "The cotangent"),
    Entry::new("degrees", (1, 1), result::double, |a| Ok(number(a.double(0)? * 180.0 / std::f64::consts::PI)))
        .null_as_arguments()
        .about("x", "Radians in degrees"),
    Entry::new("exp", (1, 1), result::double, |a| Ok(finite(a.double(0)?.exp()))).about("x", "e to the power of x"),
    Entry::new("floor", (1, 1), whole_type, |a| whole(a, Decimal::floor, f64::floor))
        .null_as_arguments()
        .common()
        .about("x", "The greatest whole number that is not greater"),
    Entry::new("ln", (1, 1), result::double, |a| Ok(logarithm(a, std::f64::consts::E, a.double(0)?)))
        .about("x", "The natural logarithm"),
    Entry::new("log", (1, 2), result::double, |a| match a.len() {
        1 => Ok(logarithm(a, std::f64::consts::E, a.double(0)?)),
        _ => Ok(logarithm(a, a.double(0)?, a.double(1)?)),
    })
    .about("[base, ]x", "The natural logarithm, or that of another base"),
    Entry::new("log10", (1, 1), result::double, |a| Ok(logarithm(a, 10.0, a.double(0)?)))
        .about("x", "The decimal logarithm"),
    Entry::new("log2", (1, 1), result::double, |a| Ok(logarithm(a, 2.0, a.double(0)?)))
        .about("x", "The binary logarithm"),
    Entry::rewritten("mod", (2, 2), Form::Modulo).common().about("x, y", "The remainder of x divided by y"),
    Entry::new("pi", (0, 0), result::double, |_| Ok(Value::Double(std::f64::consts::PI)))
        .declared(declared::own_never_null)
        .about("", "The number π"),
    Entry::new("pow", (2, 2), result::double, |a| Ok(Value::Double(a.double(0)?.powf(a.double(1)?))))
        .null_as_arguments()
        .about("x, y", "x to the power of y")
        .also(&["power"]),
    Entry::new("radians", (1, 1), result::double, |a| Ok(number(a.double(0)? * std::f64::consts::PI / 180.0)))
        .null_as_arguments()
        .about("x", "Degrees in radians"),
    Entry::new("rand", (0, 1), result::double, random)
        .handling_nulls()
        .volatile()
        .with(Traits::CALLED_ALONE_NOT_IN_CHECKS)
        .declared(declared::own_never_null)
        .about("[seed]", "A random number from 0 to 1"),
    Entry::new("round", (1, 2), rounded_type, |a| {
        // A column keeps its digits, another exact number has all that it is rounded to.
        let fraction: fn(&Decimal, u8) -> Decimal = match has_own_digits(&a.result.sql) {
            true => |exact, digits| exact.rescale(digits).unwrap_or_else(|| exact.round(digits)),
            false => Decimal::round,
        };
        rounded(a, fraction, Decimal::round_integer)
    })
    .typed_by(|args| match args {
        [number, ..] if matches!(number.ty.sql, SqlType::Decimal { .. }) => {
            ExprType::new(result::of_own_digits(number), true)
        }
        _ => rounded_type(&args.iter().map(|arg| arg.ty.clone()).collect::<Vec<_>>()),
    })
    .null_as_arguments()
    .common()
    .declared(declared_rounded)
    .about("x[, digits]", "A number rounded to digits after the point"),
    Entry::new("sign", (1, 1), result::tinyint, sign)
        .null_as_arguments()
        .about("x", "-1, 0 or 1: the sign of a number"),
    Entry::new("sin", (1, 1), result::double, |a| Ok(number(a.double(0)?.sin())))
        .null_as_arguments()
        .about("x", "The sine"),
    Entry::new("sqrt", (1, 1), result::double, |a| Ok(finite(a.double(0)?.sqrt()))).about("x", "The square root"),
    Entry::new("tan", (1, 1), result::double, |a| Ok(number(a.double(0)?.tan()))).about("x", "The tangent"),
    Entry::new("truncate", (2, 2), rounded_type, |a| {
        // Digits that no DECIMAL has are lost.
        rounded(a, |exact, digits| exact.truncate(digits.min(value::DECIMAL_SCALE_MAX)), Decimal::truncate_integer)
    })
    .null_as_arguments()
    .about("x, digits", "A number cut off after digits behind the point"),
];

fn declared_rounded(call: &DeclaredCall<'_>) -> Option<ExprType> {
    if matches!(call.ty.sql, SqlType::Decimal { .. }) { call.sql(call.argument(0)?.sql) } else { None }
}

/// Digits after the point that ROUND and TRUNCATE go to at most, and before it.
const DIGITS_MAX: i64 = 65;

fn number(number: f64) -> Value<'static> {
    if number.is_nan() { Value::Null } else { Value::Double(number) }
}

fn finite(number: f64) -> Value<'static> {
    if number.is_finite() { Value::Double(number) } else { Value::Null }
}

fn is_number(ty: &ExprType) -> bool {
    ty.sql.is_number()
}

fn decimal_type(types: &[ExprType]) -> ExprType {
    match types {
        [ty, ..] if matches!(ty.sql, SqlType::Decimal { .. }) => result::first(types),
        _ => ExprType::new(SqlType::Decimal { precision: 65, scale: 30 }, true),
    }
}

fn absolute_type(types: &[ExprType]) -> ExprType {
    match types {
        [ty, ..] if is_number(ty) => result::first(types),
        _ => ExprType::double(),
    }
}

fn absolute(a: &Arguments<'_>) -> Result<Value<'static>> {
    Ok(match a.get(0) {
        // The smallest BIGINT has no positive counterpart and stays.
        Value::Int(number) => Value::Int(number.wrapping_abs()),
        Value::UInt(number) => Value::UInt(*number),
        Value::Decimal(number) => Value::Decimal(number.abs()),
        Value::Float(number) => Value::Float(number.abs()),
        _ => Value::Double(a.double(0)?.abs()),
    })
}

fn arc_tangent(a: &Arguments<'_>) -> Result<Value<'static>> {
    let x = if a.len() > 1 { a.double(1)? } else { 1.0 };
    Ok(number(a.double(0)?.atan2(x)))
}

fn cotangent(a: &Arguments<'_>) -> Result<Value<'static>> {
    let cotangent = 1.0 / a.double(0)?.tan();
    if cotangent.is_infinite() {
        return Err(SqlError::general("DOUBLE out of range for COT"));
    }
    Ok(number(cotangent))
}

fn logarithm(a: &Arguments<'_>, base: f64, x: f64) -> Value<'static> {
    for argument in [x, base] {
        if argument <= 0.0 || (argument == 1.0 && argument == base && x != base) || (base == 1.0 && argument == base) {
            a.context.session.warn(3020, "Invalid argument for logarithm");
            return Value::Null;
        }
    }
    number(match base {
        2.0 => x.log2(),
        10.0 => x.log10(),
        std::f64::consts::E => x.ln(),
        base => x.ln() / base.ln(),
    })
}

fn whole_type(types: &[ExprType]) -> ExprType {
    match types {
        [ty, ..] if ty.sql.is_unsigned() => result::unsigned(types),
        [ty, ..] if is_number(ty) => ExprType::bigint(),
        _ => ExprType::double(),
    }
}

fn whole(a: &Arguments<'_>, exact: fn(&Decimal) -> Decimal, double: fn(f64) -> f64) -> Result<Value<'static>> {
    let whole = match a.get(0) {
        Value::Int(number) => Value::Int(*number),
        Value::UInt(number) => Value::UInt(*number),
        // With zeros behind the point the reference loses the fraction before it looks at it.
        Value::Decimal(number) if number.scale() > number.digits() => Value::Int(0),
        Value::Decimal(number) => Value::Decimal(exact(number)),
        _ => Value::Double(double(a.double(0)?)),
    };
    // Numbers beyond the type become its nearest end.
    Ok(value::cast(&whole, &a.result.sql, &mut Vec::new())?)
}

fn rounded_type(types: &[ExprType]) -> ExprType {
    match types {
        [ty, ..] => match &ty.sql {
            SqlType::Integer(_) => ExprType::bigint(),
            SqlType::Decimal { .. } => result::first(types),
            _ => ExprType::double(),
        },
        _ => ExprType::double(),
    }
}

fn rounded(
    a: &Arguments<'_>,
    fraction: fn(&Decimal, u8) -> Decimal,
    integer: fn(&Decimal, u32) -> Option<Decimal>,
) -> Result<Value<'static>> {
    let digits = if a.len() > 1 { a.integer(1)?.clamp(-DIGITS_MAX, DIGITS_MAX) } else { 0 };
    let exact = match a.get(0) {
        Value::Int(number) if digits >= 0 => return Ok(Value::Int(*number)),
        Value::Text(_) | Value::Bytes(_) => Decimal::from_f64(a.double(0)?),
        Value::Double(number) if !number.is_finite() => return Ok(Value::Double(*number)),
        Value::Double(number) => Decimal::from_f64(*number),
        _ => Some(a.decimal(0)),
    };
    // A double of more than 65 digits has no fraction to lose.
    let Some(exact) = exact else { return Ok(Value::Double(a.double(0)?)) };
    let rounded = match u8::try_from(digits) {
        Ok(digits) => fraction(&exact, digits),
        Err(_) => integer(&exact, digits.unsigned_abs() as u32).ok_or_else(|| out_of_range(a.result))?,
    };
    Ok(match &a.result.sql {
        SqlType::Decimal { .. } => Value::Decimal(rounded),
        SqlType::Double => Value::Double(rounded.to_f64()),
        ty => value::cast(&Value::Decimal(rounded), ty, &mut Vec::new())?,
    })
}

fn sign(a: &Arguments<'_>) -> Result<Value<'static>> {
    let sign = match a.get(0) {
        Value::Int(number) => number.signum(),
        Value::UInt(number) | Value::Bit(number) => i64::from(*number != 0),
        // As the reference: numbers with a fraction are rounded first.
        Value::Float(_) | Value::Double(_) | Value::Decimal(_) => a.integer(0)?.signum(),
        Value::Text(text) => {
            let (number, _) = value::number_text::double_at_start(text);
            if number == 0.0 { 0 } else { number.signum() as i64 }
        }
        Value::Date(_) | Value::DateTime(_) => 1,
        Value::Year(_) | Value::Enum(_) | Value::Set(_) => i64::from(a.double(0)? != 0.0),
        _ => 0,
    };
    Ok(Value::Int(sign))
}

/// RAND() from the host; RAND(seed) is the same in every row.
fn random(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_empty() {
        let mut bytes = [0; 8];
        a.context.session.host.random(&mut bytes);
        // 53 bits: all that a double holds below 1.
        return Ok(Value::Double((u64::from_le_bytes(bytes) >> 11) as f64 / (1u64 << 53) as f64));
    }
    a.context.work(SEEDED_WORK)?;
    Ok(Value::Double(seeded(a.integer(0)?)))
}

/// About two thousand steps of its generator.
const SEEDED_WORK: usize = 1 << 13;

/// The first number of Go's `math/rand`, which native Dolt begins anew for every call.
fn seeded(seed: i64) -> f64 {
    const MODULUS: u64 = (1 << 31) - 1;
    const FACTOR: u64 = 48_271;
    // The first number is the sum of two of the 607 entries of its state. Each is mixed with one that Go has in a table.
    const ENTRIES: [(u32, i64); 2] = [(333, -4_633_371_852_008_891_965), (606, 4_152_330_101_494_654_406)];
    let seed = match seed.rem_euclid(MODULUS as i64) as u64 {
        0 => 89_482_311,
        seed => seed,
    };
    let next = |number: u64| number * FACTOR % MODULUS;
    let sum = ENTRIES.iter().fold(0u64, |sum, (at, mixed)| {
        // Twenty numbers are thrown away, and each entry is made of three.
        let first = (0..21 + 3 * at).fold(seed, |number, _| next(number));
        let (second, third) = (next(first), next(next(first)));
        sum.wrapping_add(first << 40 ^ second << 20 ^ third ^ *mixed as u64)
    });
    (sum & i64::MAX as u64) as f64 / (1u64 << 63) as f64
}
