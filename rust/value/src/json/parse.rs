//! JSON text to values, through `serde_json`'s reader, without a tree of its own in between.

use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fault::fault;
use super::{DEPTH_MAX, Json, JsonObject, JsonParts};
use crate::error::ValueError;

impl Json {
    /// Reads one JSON document. Numbers become doubles; of members with the same key the last wins.
    ///
    /// # Errors
    /// [`ValueError::InvalidJson`] with what was wrong and where, also for documents nested deeper than [`DEPTH_MAX`].
    pub fn parse(text: &str) -> Result<Json, ValueError> {
        Json::read(text, Whole::Doubles, None)
    }

    /// Reads a document that a column has: whole numbers that no double holds stay what they are.
    ///
    /// # Errors
    /// As [`Json::parse`].
    pub fn parse_stored(text: &str) -> Result<Json, ValueError> {
        Json::read(text, Whole::Exact, None)
    }

    /// As [`Json::parse_stored`], without the members that are no part of `parts`: those are looked through, and nothing is made of
    /// them.
    ///
    /// # Errors
    /// As [`Json::parse`]; but what is left out may be nested deeper, for that is no matter of how it is written.
    pub fn parse_stored_parts(text: &str, parts: &JsonParts) -> Result<Json, ValueError> {
        Json::read(text, Whole::Exact, Some(parts))
    }

    fn read(text: &str, whole: Whole, parts: Option<&JsonParts>) -> Result<Json, ValueError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let level = Level { depth: 1, whole, parts: parts.filter(|parts| !parts.is_whole()) };
        let parsed = level.deserialize(&mut reader).and_then(|json| reader.end().map(|()| json));
        parsed.map_err(|error| ValueError::InvalidJson(fault(text).unwrap_or_else(|| error.to_string())))
    }

    /// Whether the text is a JSON document (JSON_VALID).
    pub fn is_valid(text: &str) -> bool {
        Json::parse(text).is_ok()
    }
}

/// What becomes of whole numbers.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    Doubles,
    /// Where a double would be another number they are kept.
    Exact,
}

/// A double holds every whole number up to here.
const DOUBLE_EXACT_MAX: u64 = 1 << 53;

/// A value to be read at a level of nesting.
#[derive(Clone, Copy)]
struct Level<'p> {
    depth: usize,
    whole: Whole,
    /// Of an object these members; `None` for all.
    parts: Option<&'p JsonParts>,
}

impl<'p> Level<'p> {
    /// A value within this one.
    fn inner<E: Error>(self) -> Result<Level<'p>, E> {
        if self.depth >= DEPTH_MAX {
            return Err(E::custom(format_args!("more than {DEPTH_MAX} levels deep")));
        }
        Ok(Level { depth: self.depth + 1, parts: None, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Json, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
        Ok(Json::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        let is_kept = self.whole == Whole::Exact && number.unsigned_abs() > DOUBLE_EXACT_MAX;
        Ok(if is_kept { Json::Int(number) } else { Json::Double(number as f64) })
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        let is_kept = self.whole == Whole::Exact && number > DOUBLE_EXACT_MAX;
        Ok(if is_kept { Json::UInt(number) } else { Json::Double(number as f64) })
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Double(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let inner = self.inner()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let inner = self.inner()?;
        let mut read: Vec<(Box<str>, Json)> = Vec::new();
        let Some(parts) = self.parts else {
            while let Some(key) = members.next_key::<Box<str>>()? {
                read.push((key, members.next_value_seed(inner)?));
            }
            return Ok(Json::Object(JsonObject::from_iter(read)));
        };
        while let Some(member) = members.next_key_seed(Key(parts))? {
            let Some((key, parts)) = member else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let parts = Some(parts).filter(|parts| !parts.is_whole());
            read.push((key.clone(), members.next_value_seed(Level { parts, ..inner })?));
        }
        Ok(Json::Object(JsonObject::from_iter(read)))
    }
}

/// A key, which is looked up among the members that are asked for.
struct Key<'p>(&'p JsonParts);

impl<'de, 'p> DeserializeSeed<'de> for Key<'p> {
    type Value = Option<&'p (Box<str>, JsonParts)>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_str(self)
    }
}

impl<'p> Visitor<'_> for Key<'p> {
    type Value = Option<&'p (Box<str>, JsonParts)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.member(key))
    }
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
        check(" [1.0, 12345678901234567890, 9007199254740993] ", "[1, 12345678901234567000, 9007199254740992]");
        check(r#""\u00e9\ud83d\ude00""#, "\"é😀\"");
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
            let whole = Json::parse_stored(text).unwrap();
            for (i, first) in paths.iter().enumerate() {
                for second in &paths[i..] {
                    let mut parts = JsonParts::default();
                    parts.add_path(first);
                    parts.add(&{
                        let mut other = JsonParts::default();
                        other.add_path(second);
                        other
                    });
                    let part = Json::parse_stored_parts(text, &parts).unwrap();
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
                let part = Json::parse_stored_parts(text, &parts).unwrap();
                assert_eq!(part.contains(&candidate), whole.contains(&candidate), "{candidate} in {text}");
            }
        }
        // What nobody asks for is looked through all the same.
        for text in [
            r#"{"a":1,"x":01}"#,
            r#"{"x":{"y":[1,]},"a":1}"#,
            r#"{"a":1}}"#,
            r#"{"x":"\q"}"#,
            r#"{"a":1,"x""#,
            r#"{1:2}"#,
        ] {
            assert!(Json::parse_stored_parts(text, &JsonParts::default()).is_err(), "{text}");
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
