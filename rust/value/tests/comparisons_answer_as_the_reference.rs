//! Comparison across types: every expectation is an answer of Dolt 2.2.0.

use std::cmp::Ordering;

use value::{Collation, Json, SqlType, Value, assign, compare, hash_key, sort_order};

const BIN: Collation = Collation::UTF8MB4_0900_BIN;

fn order(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    let forward = compare(left, right, BIN).unwrap();
    let backward = compare(right, left, BIN).unwrap();
    assert_eq!(forward, backward.map(Ordering::reverse), "{left:?} {right:?}");
    forward
}

fn equal(left: &Value<'_>, right: &Value<'_>) -> bool {
    order(left, right) == Some(Ordering::Equal)
}

fn greater(left: &Value<'_>, right: &Value<'_>) -> bool {
    order(left, right) == Some(Ordering::Greater)
}

fn text(text: &str) -> Value<'_> {
    Value::text(text)
}

fn decimal(text: &str) -> Value<'static> {
    Value::Decimal(text.parse().unwrap())
}

fn of(kind: &str, text: &str) -> Value<'static> {
    assign(&Value::text(text), &kind.parse::<SqlType>().unwrap()).unwrap()
}

fn json(text: &str) -> Value<'static> {
    Value::json(Json::parse(text).unwrap())
}

#[test]
fn numbers_and_text() {
    assert!(equal(&text("abc"), &Value::Int(0)));
    assert!(equal(&text("1abc"), &Value::Int(1)));
    assert!(equal(&text("01"), &Value::Int(1)));
    assert!(equal(&decimal("1.5"), &decimal("1.50")));
    assert!(equal(&decimal("0.1"), &Value::Double(0.1)));
    assert!(equal(&text("0.1"), &decimal("0.1")));
    assert!(greater(&Value::UInt(u64::MAX), &Value::Int(-1)));
    assert!(equal(&Value::UInt(u64::MAX), &decimal("18446744073709551615.0")));
    assert!(!equal(&Value::Float(0.1), &decimal("0.1")));
    assert!(!equal(&Value::Float(0.1), &text("0.1")));
    assert!(equal(&Value::Int(7), &text("7.0")));
    assert!(greater(&Value::Double(1e300), &decimal("1")));
    assert_eq!(order(&Value::Null, &Value::Int(1)), None);
    assert!(!equal(&text("a"), &text("a ")));
}

#[test]
fn dates_and_times() {
    let date = of("date", "2020-01-01");
    for same in ["2020-01-01", "2020-1-1", "2020-01-01 00:00:00"] {
        assert!(equal(&date, &text(same)), "{same}");
    }
    assert!(!equal(&date, &Value::Int(20_200_101)));
    assert!(!greater(&date, &Value::Int(5)));
    assert!(compare(&date, &text("abc"), BIN).is_err());
    let moment = of("datetime(6)", "2020-01-01 10:11:12.5");
    assert!(equal(&moment, &text("2020-01-01T10:11:12.5")));
    assert!(greater(&moment, &date));
    assert!(equal(&of("datetime(6)", "2020-01-01"), &date));
    let time = of("time(6)", "10:11:12.25");
    assert!(equal(&time, &text("10:11:12.25")));
    assert!(greater(&time, &text("9:00:00")));
    assert!(greater(&time, &text("abc")));
    assert!(greater(&time, &Value::Int(5)));
    assert!(!equal(&time, &Value::Int(101_112)));
    assert!(greater(&time, &date));
    let year = Value::Year(1999);
    assert!(equal(&year, &text("1999")) && !equal(&year, &Value::Int(99)) && greater(&year, &decimal("1998.5")));
}

#[test]
fn members() {
    let member = of("enum('a','b','c')", "b");
    for same in [text("b"), text("2"), Value::Int(2), decimal("2.0")] {
        assert!(equal(&member, &same), "{same:?}");
    }
    for other in [text("B"), text("zz"), text(""), Value::Int(0)] {
        assert!(!equal(&member, &other), "{other:?}");
    }
    assert!(greater(&member, &text("a")) && !greater(&member, &text("c")) && !greater(&member, &Value::Int(5)));
    let chosen = of("set('x','y','z')", "x,z");
    for same in [text("x,z"), text("z,x"), Value::Int(5)] {
        assert!(equal(&chosen, &same), "{same:?}");
    }
    assert!(!equal(&chosen, &text("5")));
    assert!(greater(&chosen, &text("x")));
    assert!(!equal(&member, &chosen));
    assert!(equal(&of("enum('q','b')", "b"), &member));
}

#[test]
fn bytes_bits_json_and_geometry() {
    let bytes = Value::bytes(&b"AB"[..]);
    assert!(equal(&bytes, &text("AB")) && !equal(&bytes, &text("ab")));
    assert!(!equal(&bytes, &Value::Int(16706)));
    assert!(greater(&bytes, &Value::Int(5)));
    let bits = Value::Bit(5);
    assert!(equal(&bits, &Value::Int(5)) && equal(&bits, &text("5")) && greater(&bits, &text("a")));
    assert!(equal(&json("1"), &Value::Int(1)));
    assert!(!equal(&json("1"), &text("1")));
    assert!(equal(&json("\"a\""), &text("a")));
    assert!(equal(&json("{\"a\": [1, 2.0]}"), &json("{\"a\":[1,2]}")));
    assert!(!equal(&json("{\"a\":1}"), &text("{\"a\":1}")));
    assert!(greater(&json("{}"), &Value::Int(5)));
    assert_eq!(order(&json("1"), &Value::Null), None);
}

#[test]
fn null_sorts_first_and_collations_decide() {
    assert_eq!(sort_order(&Value::Null, &Value::Int(-9), BIN), Ok(Ordering::Less));
    assert_eq!(sort_order(&Value::Null, &Value::Null, BIN), Ok(Ordering::Equal));
    let general = Collation::UTF8MB4_GENERAL_CI;
    assert_eq!(compare(&text("A"), &text("a"), general), Ok(Some(Ordering::Equal)));
    let key = |value: &Value<'_>| {
        let mut key = Vec::new();
        hash_key(value, general, &mut key);
        key
    };
    assert_eq!(key(&text("É")), key(&text("e")));
    assert_ne!(key(&text("e")), key(&text("f")));
    for same in [decimal("1.50"), Value::Double(1.5)] {
        assert_eq!(key(&same), key(&decimal("1.5")));
    }
    assert_eq!(key(&Value::Int(3)), key(&Value::UInt(3)));
    assert_ne!(key(&Value::Null), key(&text("")));
}
