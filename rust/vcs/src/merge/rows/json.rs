//! Merge of two changes of one JSON document (docs/format/database.md, section 10.5).

use value::Json;
use value::json::JsonObject;

/// The document with the changes of both sides; `None` when they change the same thing differently.
///
/// Objects are merged member by member. Anything else, arrays above all, is a whole: two different changes are a conflict.
pub(crate) fn merge_json(base: &Json, ours: &Json, theirs: &Json) -> Option<Json> {
    let equals = |one: &Json, two: &Json| one.compare(two).is_eq();
    match (base, ours, theirs) {
        (Json::Object(base), Json::Object(ours), Json::Object(theirs)) => {
            merge_objects(base, ours, theirs).map(Json::Object)
        }
        _ if equals(ours, theirs) => Some(ours.clone()),
        _ => None,
    }
}

fn merge_objects(base: &JsonObject, ours: &JsonObject, theirs: &JsonObject) -> Option<JsonObject> {
    let equals = |one: Option<&Json>, two: Option<&Json>| match (one, two) {
        (None, None) => true,
        (Some(one), Some(two)) => one.compare(two).is_eq(),
        _ => false,
    };
    let mut merged = ours.clone();
    let names = base.iter().chain(theirs.iter()).map(|(name, _)| name);
    for name in names {
        let (before, our, their) = (base.get(name), ours.get(name), theirs.get(name));
        if equals(before, their) {
            continue;
        }
        if equals(before, our) || equals(our, their) {
            match their {
                Some(their) => drop(merged.insert(name, their.clone())),
                None => drop(merged.remove(name)),
            }
            continue;
        }
        let value = merge_json(before?, our?, their?)?;
        merged.insert(name, value);
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_objects_are_merged() {
        let merge = |base: &str, ours: &str, theirs: &str| {
            let parse = |text: &str| Json::parse(text).unwrap();
            merge_json(&parse(base), &parse(ours), &parse(theirs)).map(|merged| merged.canonical())
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(merge(r#"{"a":1}"#, r#"{"a":1,"b":2}"#, r#"{"a":3}"#), some(r#"{"a":3,"b":2}"#));
        assert_eq!(merge(r#"{"a":1,"b":1}"#, r#"{"a":1}"#, r#"{"b":1}"#), some("{}"));
        assert_eq!(
            merge(r#"{"a":{"b":1,"c":1}}"#, r#"{"a":{"b":2,"c":1}}"#, r#"{"a":{"b":1}}"#),
            some(r#"{"a":{"b":2}}"#)
        );
        assert_eq!(merge(r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#), None);
        assert_eq!(merge(r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":2}"#), some(r#"{"a":2}"#));
        assert_eq!(merge(r#"{"a":1}"#, r#"{"a":2}"#, "{}"), None);
        assert_eq!(merge("{}", r#"{"a":1}"#, r#"{"a":1}"#), some(r#"{"a":1}"#));
        assert_eq!(merge("[1]", "[1,2]", "[1,3]"), None);
        assert_eq!(merge(r#"{"a":[1]}"#, r#"{"a":[1,2]}"#, r#"{"a":[0,1]}"#), None);
    }
}
