//! JSON_MERGE_PATCH and JSON_MERGE_PRESERVE.

use super::{Json, JsonObject};

impl Json {
    /// RFC 7396: members of `patch` replace or, when null, remove those of `self`; anything but an object replaces all.
    pub fn merge_patch(self, patch: Json) -> Json {
        match (self, patch) {
            (Json::Object(mut target), Json::Object(patch)) => {
                for (key, value) in patch {
                    if matches!(value, Json::Null) {
                        target.remove(&key);
                    } else {
                        let merged = match target.remove(&key) {
                            Some(old) => old.merge_patch(value),
                            None => value,
                        };
                        target.insert(key, merged);
                    }
                }
                Json::Object(target)
            }
            (_, patch) => patch,
        }
    }

    /// Arrays are joined, members of objects merged, everything else wrapped into arrays and joined.
    pub fn merge_preserve(self, other: Json) -> Json {
        match (self, other) {
            (Json::Object(mut left), Json::Object(right)) => {
                for (key, value) in right {
                    let merged = match left.remove(&key) {
                        Some(old) => old.merge_preserve(value),
                        None => value,
                    };
                    left.insert(key, merged);
                }
                Json::Object(left)
            }
            (left, right) => {
                let mut items = into_items(left);
                items.extend(into_items(right));
                Json::Array(items)
            }
        }
    }

    /// JSON_KEYS: the keys of an object in order, `None` for anything else.
    pub fn keys(&self) -> Option<Json> {
        match self {
            Json::Object(members) => Some(Json::Array(keys_of(members))),
            _ => None,
        }
    }
}

fn keys_of(members: &JsonObject) -> Vec<Json> {
    members.iter().map(|(key, _)| Json::string(key)).collect()
}

fn into_items(value: Json) -> Vec<Json> {
    match value {
        Json::Array(items) => items,
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_do_what_the_reference_does() {
        let patch = |a: &str, b: &str| Json::parse(a).unwrap().merge_patch(Json::parse(b).unwrap()).to_string();
        assert_eq!(patch(r#"{"a":1,"b":2}"#, r#"{"a":null,"c":3}"#), r#"{"b": 2, "c": 3}"#);
        assert_eq!(patch("[1]", r#"{"a":{"b":null}}"#), r#"{"a": {"b": null}}"#);
        assert_eq!(patch(r#"{"a":{"x":1,"y":2}}"#, r#"{"a":{"x":null,"z":3}}"#), r#"{"a": {"y": 2, "z": 3}}"#);
        assert_eq!(patch("1", "2"), "2");
        let preserve = |a: &str, b: &str| Json::parse(a).unwrap().merge_preserve(Json::parse(b).unwrap()).to_string();
        assert_eq!(preserve(r#"{"a":1}"#, r#"{"a":2,"b":3}"#), r#"{"a": [1, 2], "b": 3}"#);
        assert_eq!(preserve(r#"{"a":[1]}"#, r#"{"a":{"b":1}}"#), r#"{"a": [1, {"b": 1}]}"#);
        assert_eq!(preserve("1", "2"), "[1, 2]");
        assert_eq!(preserve(r#"{"a":1}"#, "[2]"), r#"[{"a": 1}, 2]"#);
        assert_eq!(Json::parse(r#"{"b":1,"aa":2,"a":3}"#).unwrap().keys().unwrap().to_string(), r#"["a", "b", "aa"]"#);
    }
}
