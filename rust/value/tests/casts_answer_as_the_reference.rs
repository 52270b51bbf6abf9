//! CAST: every expectation is an answer of Dolt 2.2.0.

use value::convert::{to_decimal, to_string};
use value::{Date, Json, SqlType, Value, Warning, cast, to_text};

fn text(text: &str) -> Value<'_> {
    Value::text(text)
}

fn decimal(text: &str) -> Value<'static> {
    Value::Decimal(text.parse().unwrap())
}

/// The text protocol's form of the result, `NULL`, or the error; and the number of warnings.
fn cast_text(value: &Value<'_>, kind: &str) -> (String, usize) {
    let kind = match kind {
        "signed" => SqlType::BIGINT,
        "unsigned" => SqlType::BIGINT_UNSIGNED,
        "char" => SqlType::LONGTEXT,
        other => other.parse().unwrap(),
    };
    let mut warnings = Vec::new();
    let shown = match cast(value, &kind, &mut warnings) {
        Ok(result) => match to_text(&result, &kind) {
            Some(bytes) => String::from_utf8(bytes.into_owned()).unwrap(),
            None => "NULL".to_owned(),
        },
        Err(error) => error.to_string(),
    };
    (shown, warnings.len())
}

fn check(value: Value<'_>, kind: &str, expected: &str) {
    assert_eq!(cast_text(&value, kind).0, expected, "cast({value:?} as {kind})");
}

fn date() -> Value<'static> {
    Value::Date(Date::new(2020, 1, 1).unwrap())
}

fn moment(text: &str) -> Value<'static> {
    Value::DateTime(value::temporal::parse_datetime(text).unwrap().round(6).unwrap())
}

#[test]
fn to_integers() {
    check(text(" 12 "), "signed", "12");
    check(text("12.7"), "signed", "12");
    check(text("1e3"), "signed", "1");
    check(text("-5"), "unsigned", "18446744073709551611");
    check(text("abc"), "signed", "0");
    check(text("+5x"), "signed", "5");
    check(text("99999999999999999999"), "signed", "0");
    check(text("99999999999999999999"), "unsigned", "18446744073709551615");
    check(decimal("1.5"), "signed", "2");
    check(decimal("2.5"), "signed", "3");
    check(decimal("-2.5"), "unsigned", "2");
    check(decimal("123456789.987654321"), "unsigned", "123456790");
    check(Value::Double(-2.5), "unsigned", "18446744073709551614");
    check(Value::Double(1e20), "unsigned", "18446744073709551615");
    check(Value::Double(-1e20), "signed", "-9223372036854775808");
    check(Value::Double(1e19), "signed", "9223372036854775807");
    check(Value::UInt(u64::MAX), "signed", "9223372036854775807");
    check(Value::Int(-1), "unsigned", "18446744073709551615");
    check(Value::Int(i64::MIN), "unsigned", "9223372036854775808");
    check(Value::bytes(&b"A"[..]), "signed", "65");
    check(date(), "signed", "1577836800");
    check(Value::Time(value::Time::MAX), "signed", "0");
    check(Value::json(Json::parse("5").unwrap()), "signed", "5");
    check(Value::json(Json::parse("\"5\"").unwrap()), "signed", "5");
    check(Value::json(Json::parse("[5]").unwrap()), "signed", "0");
    check(Value::Null, "signed", "NULL");
}

#[test]
fn to_decimals_and_doubles() {
    check(text("1.5abc"), "decimal(10,2)", "1.50");
    check(text("1e3"), "decimal(10,2)", "1000.00");
    check(text("abc"), "decimal(10,2)", "0.00");
    check(text("0x1F"), "decimal(10,2)", "31.00");
    check(text(""), "decimal(5,1)", "0.0");
    check(decimal("1.005"), "decimal(10,2)", "1.01");
    check(decimal("999.999"), "decimal(5,2)", "0.00");
    check(decimal("123456789.987654321"), "decimal(5,1)", "0.0");
    check(decimal("0.0015"), "decimal(5,1)", "0.0");
    check(Value::Int(i64::MAX), "decimal(10,2)", "0.00");
    check(Value::Int(i64::MIN), "decimal(65,30)", "-9223372036854775808.000000000000000000000000000000");
    check(text("1.5e3x"), "double", "1500");
    check(text("1e"), "double", "0");
    check(decimal("99999999999999999999"), "double", "1e+20");
    check(moment("2020-01-01 10:11:12.5"), "double", "1.577873472e+09");
    check(Value::UInt(u64::MAX), "float", "1.8446744e+19");
    check(Value::Double(1e300), "float", "3.4028235e+38");
    let unlimited = to_decimal(&decimal("0.1"), &mut Vec::new()).unwrap();
    assert_eq!(unlimited.to_string(), "0.1");
}

#[test]
fn to_dates_and_times() {
    check(text("2020-01-01 01:02:03.6"), "datetime(0)", "2020-01-01 01:02:04");
    check(text("2020-01-01 01:02:03.6"), "datetime(1)", "2020-01-01 01:02:03.6");
    check(text("2020-02-30"), "date", "2020-02-03");
    check(text("bad"), "date", "Incorrect datetime value: 'bad'");
    check(text("0099-01-01"), "datetime(0)", "99-01-01 00:00:00");
    check(text("0000-00-00"), "date", "0000-00-00");
    check(Value::Int(20_200_101), "date", "NULL");
    check(date(), "datetime(0)", "2020-01-01 00:00:00");
    check(moment("2020-01-01 10:11:12.5"), "date", "2020-01-01");
    check(moment("2020-01-01 10:11:12.5"), "time(6)", "10:11:12.500000");
    check(Value::Int(101_112), "time(6)", "10:11:12.000000");
    check(decimal("-101112.5"), "time(6)", "-10:11:13.000000");
    check(text("x"), "time(6)", "NULL");
    check(text("1 10:11:12"), "time(6)", "NULL");
}

#[test]
fn to_text_and_bytes() {
    check(Value::Double(1e10), "char", "10000000000");
    check(Value::Double(1e-7), "char", "0.0000001");
    check(date(), "char", "2020-01-01 00:00:00");
    check(moment("2021-02-03 04:05:06.789"), "char", "2021-02-03 04:05:06.789");
    check(Value::Time(value::Time::ZERO), "char", "NULL");
    check(Value::Bit(5), "char", "5");
    check(Value::Year(1999), "char", "1999");
    check(Value::bytes(&b"\xff"[..]), "char", "NULL");
    check(text("ab"), "binary(4)", "ab\0\0");
    check(Value::json(Json::parse("[1,2]").unwrap()), "char", "[1, 2]");
    assert!(to_string(&Value::Null).is_err());
}

#[test]
fn to_json() {
    check(text("{\"a\":1}"), "json", "{\"a\": 1}");
    check(decimal("1.50"), "json", "1.50");
    check(date(), "json", "\"2020-01-01T00:00:00Z\"");
    check(moment("2020-01-01 10:11:12.5"), "json", "\"2020-01-01T10:11:12.5Z\"");
    assert!(cast_text(&text("abc"), "json").0.starts_with("Invalid JSON text"));
}

#[test]
fn what_is_lost_is_said() {
    assert_eq!(cast_text(&text("12abc"), "signed").1, 1);
    assert_eq!(cast_text(&text("abc"), "double").1, 1);
    assert_eq!(cast_text(&text("2020-01-01x"), "date").1, 1);
    assert_eq!(cast_text(&Value::Int(-1), "unsigned").1, 1);
    assert_eq!(cast_text(&text("12"), "signed").1, 0);
    let mut warnings = Vec::new();
    cast(&text("abc"), &SqlType::Double, &mut warnings).unwrap();
    assert_eq!(warnings, [Warning::TruncatedNumber { value: "abc".to_owned(), kind: "double" }]);
    assert_eq!(
        (warnings[0].errno(), warnings[0].to_string().as_str()),
        (1292, "Truncated incorrect double value: 'abc'")
    );
}
