//! Values on their way into columns: every expectation is an answer of Dolt 2.2.0 to an INSERT.

use value::convert::nearest;
use value::{SqlType, Value, assign, to_text};

fn stored(value: &Value<'_>, kind: &str) -> String {
    let kind: SqlType = kind.parse().unwrap();
    match assign(value, &kind) {
        Ok(result) => String::from_utf8_lossy(&to_text(&result, &kind).unwrap()).into_owned(),
        Err(error) => error.to_string(),
    }
}

fn decimal(text: &str) -> Value<'static> {
    Value::Decimal(text.parse().unwrap())
}

fn check_text(kind: &str, cases: &[(&'static str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(stored(&Value::text(*text), kind), *expected, "'{text}' into {kind}");
    }
}

fn check(kind: &str, cases: &[(Value<'static>, &str)]) {
    for (value, expected) in cases {
        assert_eq!(stored(value, kind), *expected, "{value:?} into {kind}");
    }
}

#[test]
fn integers() {
    check(
        "tinyint",
        &[
            (Value::Int(127), "127"),
            (Value::Int(128), "128 out of range for tinyint"),
            (Value::Int(-129), "-129 out of range for tinyint"),
            (decimal("1.6"), "2"),
            (Value::Double(2.5), "3"),
            (Value::bytes(&b"\x05"[..]), "5"),
        ],
    );
    check_text(
        "tinyint",
        &[
            ("12", "12"),
            ("12abc", "error: '12abc' is not a valid value for 'tinyint'"),
            ("", "0"),
            (" 12 ", "12"),
            ("1.6", "2"),
            ("1e1", "10"),
        ],
    );
    check(
        "tinyint unsigned",
        &[
            (Value::Int(-1), "-1 out of range for tinyint unsigned"),
            (Value::Int(256), "256 out of range for tinyint unsigned"),
            (decimal("-0.4"), "0"),
        ],
    );
    check(
        "bigint unsigned",
        &[
            (Value::Int(-1), "-1 out of range for bigint unsigned"),
            (decimal("18446744073709551616"), "18446744073709551616 out of range for bigint unsigned"),
            (Value::Double(1e30), "1e+30 out of range for bigint unsigned"),
            (decimal("-0.6"), "-0.6 out of range for bigint unsigned"),
        ],
    );
    check_text("bigint unsigned", &[("18446744073709551615", "18446744073709551615")]);
    check("bigint", &[(decimal("9223372036854775808"), "9223372036854775808 out of range for bigint")]);
}

#[test]
fn fractions() {
    check_text(
        "double",
        &[
            ("abc", "error: 'abc' is not a valid value for 'double'"),
            ("1.5x", "error: '1.5x' is not a valid value for 'double'"),
            ("", "0"),
        ],
    );
    check(
        "float",
        &[
            (Value::Double(1e39), "1e+39 out of range for float"),
            (Value::Int(16_777_217), "1.6777216e+07"),
            (decimal("0.1"), "0.1"),
        ],
    );
    check(
        "decimal(5,2)",
        &[
            (decimal("999.994"), "999.99"),
            (decimal("999.995"), "Out of range value for column of Decimal type"),
            (Value::Double(1.5), "1.50"),
        ],
    );
    check_text(
        "decimal(5,2)",
        &[("1.235", "1.24"), ("1.5x", "error: '1.5x' is not a valid value for 'decimal(5,2)'"), ("", "0.00")],
    );
}

#[test]
fn years_dates_and_times() {
    check(
        "year",
        &[
            (Value::Int(1900), "value 1900 is not a valid Year"),
            (Value::Int(2155), "2155"),
            (Value::Int(70), "1970"),
            (decimal("1999.6"), "2000"),
            (Value::Int(0), "0"),
        ],
    );
    check_text("year", &[("0", "2000"), ("00", "2000"), ("69", "2069"), ("abc", "value abc is not a valid Year")]);
    check_text(
        "date",
        &[
            ("abc", "Incorrect datetime value: 'abc'"),
            ("2020-02-30", "error: '2020-02-30' is not a valid value for 'date'"),
            ("2020-1-1", "2020-01-01"),
            ("0000-00-00", "0000-00-00"),
            ("2020-00-01", "Incorrect datetime value: '2020-00-01'"),
            ("2020-01-01 23:59:59.9", "2020-01-01"),
            ("0500-01-01", "500-01-01"),
            ("10000-01-01", "Incorrect datetime value: '10000-01-01'"),
        ],
    );
    check("date", &[(Value::Int(20_200_101), "Incorrect datetime value: '20200101'"), (Value::Int(0), "0000-00-00")]);
    check_text(
        "datetime(0)",
        &[
            ("2020-01-01 23:59:59.9", "2020-01-02 00:00:00"),
            ("2020-01-01 25:00:00", "error: '2020-01-01 25:00:00' is not a valid value for 'datetime'"),
        ],
    );
    check_text(
        "timestamp(0)",
        &[
            ("1969-01-01", "value \"1969-01-01 00:00:00\" is outside of timestamp range"),
            ("2038-01-20", "value \"2038-01-20 00:00:00\" is outside of timestamp range"),
            ("0000-00-00", "0000-00-00 00:00:00"),
        ],
    );
    check_text(
        "time(6)",
        &[
            ("10:11:12.7", "10:11:12.700000"),
            ("abc", "value abc is not a valid Time"),
            ("99:99:99", "value 99:99:99 is not a valid Time"),
            ("900:00:00", "838:59:59.000000"),
            ("-1:00", "-01:00:00.000000"),
            ("", "00:00:00.000000"),
        ],
    );
    check("time(6)", &[(Value::Double(1e3), "00:10:00.000000")]);
}

#[test]
fn members_and_bits() {
    let refused = |value: &str| format!("Data truncated for column: {value}");
    for (text, expected) in [("a", "a"), ("2", "b")] {
        check_text("enum('a','b','c')", &[(text, expected)]);
    }
    for text in ["A", "zz", "", " a"] {
        assert_eq!(stored(&Value::text(text), "enum('a','b','c')"), refused(text));
    }
    check(
        "enum('a','b','c')",
        &[(Value::Int(1), "a"), (decimal("1.6"), "b"), (Value::Int(4), &refused("4")), (Value::Int(0), &refused("0"))],
    );
    check_text("enum('a','b') COLLATE utf8mb4_0900_ai_ci", &[("B", "b")]);
    check_text(
        "set('x','y','z')",
        &[("x,y", "x,y"), ("y,x,x", "x,y"), ("", ""), ("q", &refused("q")), ("3", &refused("3"))],
    );
    check("set('x','y','z')", &[(Value::Int(7), "x,y,z"), (Value::Int(8), &refused("8")), (decimal("1.6"), "y")]);
    let bits = |value: &Value<'_>| stored(value, "bit(8)");
    assert_eq!(bits(&Value::text("5")), "5");
    assert_eq!(bits(&Value::Int(256)), "256 is beyond the maximum value that can be held by 8 bits");
    assert_eq!(bits(&Value::Int(-1)), "18446744073709551615 is beyond the maximum value that can be held by 8 bits");
    assert_eq!(bits(&Value::text("abc")), "6382179 is beyond the maximum value that can be held by 8 bits");
    assert_eq!(assign(&decimal("1.6"), &SqlType::Bit(8)).map(|value| format!("{value:?}")), Ok("Bit(2)".to_owned()));
}

#[test]
fn text_and_bytes_have_lengths() {
    check_text("char(3)", &[("ab ", "ab "), ("éééé", "string 'éééé' is too large for column"), ("ééé", "ééé")]);
    check_text("varchar(3)", &[("ab  ", "string 'ab  ' is too large for column")]);
    check_text("varbinary(4)", &[("abcde", "string 'abcde' is too large for column"), ("ab", "ab")]);
    check_text("binary(4)", &[("ab", "ab\0\0")]);
    check("varchar(9)", &[(Value::Double(1e10), "string '10000000000' is too large for column")]);
    let long = "x".repeat(256);
    assert!(assign(&Value::text(long.as_str()), &"tinytext".parse().unwrap()).is_err());
}

#[test]
fn insert_ignore_keeps_what_it_can() {
    let kept = |value: Value<'_>, kind: &str| {
        let kind: SqlType = kind.parse().unwrap();
        let (value, warning) = nearest(&value, &kind).unwrap();
        let text = String::from_utf8_lossy(&to_text(&value, &kind).unwrap()).into_owned();
        (text, warning.is_some())
    };
    assert_eq!(kept(Value::Int(300), "tinyint"), ("127".to_owned(), true));
    assert_eq!(kept(Value::text("12abc"), "int"), ("12".to_owned(), true));
    assert_eq!(kept(Value::text("abcdef"), "varchar(3)"), ("abc".to_owned(), true));
    assert_eq!(kept(Value::text("zz"), "enum('a')"), (String::new(), true));
    assert_eq!(kept(Value::text("bad"), "date"), ("0000-00-00".to_owned(), true));
    assert_eq!(kept(Value::Int(5), "int"), ("5".to_owned(), false));
    assert!(nearest(&Value::text("{"), &SqlType::Json).is_err());
}
