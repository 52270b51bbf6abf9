//! Anything may be typed, or be in a damaged database.

use proptest::prelude::*;
use value::convert::{nearest, to_moment, to_string, to_time};
use value::geometry::{Geometry, Shape};
use value::json::JsonPath;
use value::temporal::{Date, DateTime, date_format, parse_datetime, parse_time, str_to_date};
use value::{Collation, Decimal, Json, LikePattern, SqlType, Value, assign, cast, compare, hash_key, to_text, truth};

const TYPES: &str = "tinyint|int unsigned|bigint unsigned|bigint|float|double|decimal(10,3)|decimal(65,30)|bit(7)|year|date|time(6)|\
    datetime(3)|timestamp(6)|char(2)|varchar(3) COLLATE utf8mb4_0900_ai_ci|tinytext|binary(3)|varbinary(2)|blob|enum('a','b')|set('x','y')|\
    json|point|geometry|VECTOR(2)";

/// Text near what the readers know.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "0",
        "1",
        "9",
        "12",
        "2020",
        "-",
        ":",
        ".",
        " ",
        "T",
        "+",
        "e",
        "E",
        "x",
        "é",
        "\u{1f600}",
        "%",
        "_",
        "\\",
        "'",
        "\"",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        "$",
        "*",
        "last",
        " to ",
        "null",
        "POINT",
        "enum",
        "int",
        "0000-00-00",
        "23:59:59",
        "%Y",
        "%j",
        "%W",
        "%d",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..12).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Int),
        any::<u64>().prop_map(Value::UInt),
        any::<f32>().prop_map(Value::Float),
        any::<f64>().prop_map(Value::Double),
        (any::<i128>(), any::<u8>())
            .prop_map(|(coefficient, scale)| Value::Decimal(Decimal::new(coefficient, scale % 66))),
        text().prop_map(Value::text),
        any::<Vec<u8>>().prop_map(Value::bytes),
        any::<Vec<u8>>().prop_map(|bytes| Value::Geometry(bytes.into())),
        any::<u32>().prop_map(|packed| Value::Date(Date::from_packed(packed).unwrap_or(Date::MAX))),
        any::<i64>()
            .prop_map(|micros| Value::DateTime(DateTime::from_microseconds(micros / 40).unwrap_or(DateTime::ZERO))),
        any::<i64>().prop_map(|micros| Value::Time(value::Time::from_microseconds(micros))),
        any::<u16>().prop_map(Value::Year),
        any::<u64>().prop_map(Value::Bit),
        text().prop_map(|text| Value::json(Json::parse(&text).unwrap_or(Json::string(text)))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn texts(text in text(), other in text()) {
        if let Ok(kind) = text.parse::<SqlType>() {
            prop_assert_eq!(kind.to_string().parse::<SqlType>(), Ok(kind));
        }
        if let Ok(json) = Json::parse(&text) {
            let again = Json::parse(&json.canonical()).unwrap();
            prop_assert_eq!(&again, &json);
            prop_assert_eq!(again.canonical(), json.canonical());
            if let Ok(path) = other.parse::<JsonPath>() {
                let _ = json.extract(&[path]);
            }
        }
        let _ = (parse_time(&text), str_to_date(&text, &other));
        if let Some(moment) = parse_datetime(&text).and_then(|parsed| parsed.round(6)) {
            let _ = date_format(moment, &other);
            prop_assert_eq!(parse_datetime(&moment.text(6)).and_then(|parsed| parsed.round(6)), Some(moment));
        }
        if let Ok(shape) = Shape::from_wkt(&text) {
            prop_assert_eq!(Shape::from_wkt(&shape.to_string()), Ok(shape));
        }
        if let Some(pattern) = LikePattern::new(&text, Some('\\'), Collation::UTF8MB4_GENERAL_CI) {
            let _ = pattern.matches(other.as_bytes());
        }
    }

    #[test]
    fn every_value_into_every_type(value in value()) {
        for kind in TYPES.split('|') {
            let kind: SqlType = kind.parse().unwrap();
            if let Ok(result) = cast(&value, &kind, &mut Vec::new()) {
                let _ = to_text(&result, &kind);
            }
            if let Ok(stored) = assign(&value, &kind) {
                // What a column holds it takes again, unchanged.
                let again = assign(&stored, &kind);
                prop_assert!(again.is_ok(), "{:?} {:?} {:?}", value, stored, kind);
                let again = again.unwrap();
                prop_assert_eq!(to_text(&again, &kind), to_text(&stored, &kind));
            }
            let _ = nearest(&value, &kind);
        }
        let _ = (truth(&value), to_string(&value), to_moment(&value), to_time(&value));
        if let Value::Geometry(bytes) = &value {
            let _ = Geometry::from_ewkb(bytes);
        }
    }

    #[test]
    fn comparison_is_symmetric_and_keys_agree(left in value(), right in value()) {
        let collation = Collation::UTF8MB4_0900_AI_CI;
        let forward = compare(&left, &right, collation);
        let backward = compare(&right, &left, collation);
        if let (Ok(forward), Ok(backward)) = (&forward, &backward) {
            prop_assert_eq!(*forward, backward.map(std::cmp::Ordering::reverse));
        }
        prop_assert_eq!(forward.is_ok(), backward.is_ok());
        let (mut key, mut same) = (Vec::new(), Vec::new());
        hash_key(&left, collation, &mut key);
        hash_key(&left.borrowed(), collation, &mut same);
        prop_assert_eq!(key, same);
    }
}
