//! JSON text to values.

use std::borrow::Cow;

use super::reader::{Fault, Reader};
use super::{DEPTH_MAX, Json, JsonParts};
use crate::error::ValueError;

impl Json {
    /// Reads one JSON document. Whole numbers of 64 bits that no double holds stay what they are, other numbers become doubles; of
    /// members with the same key the last wins.
    ///
    /// # Errors
    /// [`ValueError::InvalidJson`] with what was wrong and where, also for documents nested deeper than [`DEPTH_MAX`].
    pub fn parse(text: &str) -> Result<Json, ValueError> {
        read(text, None)
    }

    /// As [`Json::parse`], without the members that are no part of `parts`: those are looked through, and nothing is made of them.
    ///
    /// # Errors
    /// As [`Json::parse`]; but what is left out may be nested deeper, for that is no matter of how it is written.
    pub fn parse_parts(text: &str, parts: &JsonParts) -> Result<Json, ValueError> {
        read(text, Some(parts))
    }

    /// Whether the text is a JSON document (JSON_VALID).
    pub fn is_valid(text: &str) -> bool {
        Json::parse(text).is_ok()
    }
}

fn read(text: &str, parts: Option<&JsonParts>) -> Result<Json, ValueError> {
    let mut reader = Reader::new(text);
    let level = Level { depth: 1, parts: parts.filter(|parts| !parts.is_whole()) };
    Ok(value(&mut reader, level).and_then(|json| reader.end().map(|()| json))?)
}

/// A double holds every whole number up to here.
const DOUBLE_EXACT_MAX: u64 = 1 << 53;

/// A value to be read at a level of nesting.
#[derive(Clone, Copy)]
struct Level<'p> {
    depth: usize,
    /// Of an object these members; `None` for all.
    parts: Option<&'p JsonParts>,
}

fn value(reader: &mut Reader<'_>, level: Level<'_>) -> Result<Json, Fault> {
    let first = reader.begin()?;
    if !matches!(first, b'{' | b'[') {
        return scalar(reader, first);
    }
    if level.depth >= DEPTH_MAX {
        return Err(Fault::TooDeep);
    }
    let inner = Level { depth: level.depth + 1, parts: None };
    let is_object = first == b'{';
    let mut goes_on = reader.first(is_object)?;
    if !is_object {
        let mut items = Vec::new();
        while goes_on {
            items.push(value(reader, inner)?);
            goes_on = reader.another(false)?;
        }
        return Ok(Json::Array(items));
    }
    let mut members: Vec<(Box<str>, Json)> = Vec::new();
    while goes_on {
        let key = reader.key()?.text()?;
        match level.parts.map(|parts| parts.member(&key)) {
            Some(None) => reader.skip_value()?,
            asked => {
                let parts = asked.flatten().filter(|parts| !parts.is_whole());
                members.push((key.into(), value(reader, Level { parts, ..inner })?));
            }
        }
        goes_on = reader.another(true)?;
    }
    Ok(Json::Object(members.into_iter().collect()))
}

fn scalar(reader: &mut Reader<'_>, first: u8) -> Result<Json, Fault> {
    Ok(match first {
        b'"' => Json::String(match reader.string()?.text()? {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }),
        b'-' | b'0'..=b'9' => {
            let (digits, is_whole) = reader.number(first)?;
            number(digits, is_whole)?
        }
        _ => match reader.literal(first)? {
            "null" => Json::Null,
            literal => Json::Bool(literal == "true"),
        },
    })
}

/// The number of a text that JSON takes for one, and whether it has neither a point nor an exponent.
pub(super) fn number(digits: &str, is_whole: bool) -> Result<Json, Fault> {
    if is_whole {
        let is_kept = |size: u64| size > DOUBLE_EXACT_MAX;
        if let Ok(number) = digits.parse::<u64>() {
            return Ok(if is_kept(number) { Json::UInt(number) } else { Json::Double(number as f64) });
        }
        if let Ok(number) = digits.parse::<i64>() {
            // JSON knows a negative zero.
            let double = if number == 0 { -0.0 } else { number as f64 };
            return Ok(if is_kept(number.unsigned_abs()) { Json::Int(number) } else { Json::Double(double) });
        }
    }
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite());
    number.map(Json::Double).ok_or(Fault::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::JsonPath;

    fn check(text: &str, expected: &str) {
        assert_eq!(Json::parse(text).map(|json| json.to_string()), Ok(expected.to_owned()), "{text}");
    }

    #[test]
    fn documents_are_normalised() {
        check(r#"{"bb":1,"a":2,"aa":{"z":1},"é":1,"":5}"#, r#"{"": 5, "a": 2, "aa": {"z": 1}, "bb": 1, "é": 1}"#);
        check(r#"{"a":1,"b":2,"a":3}"#, r#"{"a": 3, "b": 2}"#);
        check(" [1.0, 12345678901234567890, 9007199254740993] ", "[1, 12345678901234567890, 9007199254740993]");
        check(r#""\u00e9\ud83d\ude00""#, "\"é😀\"");
    }

    #[test]
    fn whole_numbers_that_no_double_holds_are_kept_and_unsigned_without_a_minus() {
        let kind = |text: &str| Json::parse(text).unwrap();
        assert!(matches!(kind("9007199254740993"), Json::UInt(9_007_199_254_740_993)));
        assert!(matches!(kind("-9007199254740993"), Json::Int(-9_007_199_254_740_993)));
        assert!(matches!(kind("18446744073709551615"), Json::UInt(u64::MAX)));
        assert!(matches!(kind("9007199254740992"), Json::Double(9_007_199_254_740_992.0)));
        assert!(matches!(kind("-0"), Json::Double(zero) if zero.is_sign_negative()));
    }

    #[test]
    fn damaged_text_is_refused_with_its_place() {
        for text in ["", "{", "abc", "[1,]", "{\"a\" 1}", "1 2", "\"\u{1}\"", "nul", "01", "\"\\ud800\"", "{1:2}"] {
            assert!(matches!(Json::parse(text), Err(ValueError::InvalidJson(_))), "{text}");
        }
        assert_eq!(
            Json::parse("[1,x]").unwrap_err().to_string(),
            "Invalid JSON text: invalid character 'x' looking for beginning of value"
        );
    }

    #[test]
    fn parts_answer_as_the_whole_document_does() {
        let documents = [
            r#"{"a":1,"b":{"c":[1,{"d":2}],"c d":"x\u00e9\"}"},"e":null}"#,
            r#"{"b":1,"a":[2],"b":{"c":3,"c":4},"\u0061":5}"#,
            r#"[{"a":1},{"b":{"c":2}}]"#,
            r#"{"a":{"a":{"a":12345678901234567890}}, "b" : { "c" : [ ] } }"#,
            "17",
            "{}",
        ];
        let paths = [
            "$.a",
            "$.b.c",
            "$.b.c[1].d",
            "$.b.*",
            "$.a[0]",
            "$.a.a.a",
            "$.b.\"c d\"",
            "$.x.y",
            "$[0].a",
            "$**.d",
            "$",
        ];
        let paths = paths.map(|path| path.parse::<JsonPath>().unwrap());
        for text in documents {
            let whole = Json::parse(text).unwrap();
            for (i, first) in paths.iter().enumerate() {
                for second in &paths[i..] {
                    let mut parts = JsonParts::default();
                    parts.add_path(first);
                    parts.add(&{
                        let mut other = JsonParts::default();
                        other.add_path(second);
                        other
                    });
                    let part = Json::parse_parts(text, &parts).unwrap();
                    for path in [first, second] {
                        let found =
                            |json: &Json| json.extract(std::slice::from_ref(path)).map(|found| found.to_string());
                        assert_eq!(found(&part), found(&whole), "{path:?} of {text}, of which is left {part}");
                    }
                }
            }
            for candidate in [r#"{"b":{"c":4}}"#, r#"{"a":[2],"b":{}}"#, "{}", "17", "[17]", r#"[{"a":1}]"#] {
                let candidate = Json::parse(candidate).unwrap();
                let mut parts = JsonParts::default();
                parts.add_compared(&candidate);
                let part = Json::parse_parts(text, &parts).unwrap();
                assert_eq!(part.contains(&candidate), whole.contains(&candidate), "{candidate} in {text}");
            }
        }
        // Skipped members are validated all the same.
        for text in [
            r#"{"a":1,"x":01}"#,
            r#"{"x":{"y":[1,]},"a":1}"#,
            r#"{"a":1}}"#,
            r#"{"x":"\q"}"#,
            r#"{"a":1,"x""#,
            r#"{1:2}"#,
        ] {
            assert!(Json::parse_parts(text, &JsonParts::default()).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_has_an_end() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(Json::parse(&nested(DEPTH_MAX - 1)).unwrap().depth(), DEPTH_MAX - 1);
        assert!(Json::parse(&nested(DEPTH_MAX + 1)).is_err());
        assert!(Json::parse(&"[".repeat(1_000_000)).is_err());
    }
}
