//! Changing a document at a path: JSON_SET, JSON_INSERT, JSON_REPLACE, JSON_REMOVE, JSON_ARRAY_APPEND, JSON_ARRAY_INSERT.

use super::path::{Index, Leg};
use super::{DEPTH_MAX, Json, JsonPath};
use crate::error::ValueError;

/// What happens to the value at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Add or replace.
    Set,
    /// Add only.
    Insert,
    /// Replace only.
    Replace,
    /// Put the new value at the end of the array there; anything else becomes an array first.
    ArrayAppend,
    /// Put the new value before the element there.
    ArrayInsert,
}

impl Json {
    /// Applies one edit in place. A path that leads nowhere changes nothing; a scalar counts as an array of one where an index asks
    /// for it.
    ///
    /// # Errors
    /// [`ValueError::InvalidJsonPath`] for wildcards, and for JSON_ARRAY_INSERT at anything but an element;
    /// [`ValueError::JsonTooDeep`] when the result would be.
    pub fn edit(&mut self, path: &JsonPath, value: Json, edit: Edit) -> Result<(), ValueError> {
        if path.has_wildcards() {
            return Err(ValueError::InvalidJsonPath("a path with '*', '**' or a range cannot be changed".to_owned()));
        }
        if edit == Edit::ArrayInsert && !matches!(path.legs().last(), Some(Leg::Cell(_))) {
            return Err(ValueError::InvalidJsonPath(
                "A path expression is not a path to a cell in an array".to_owned(),
            ));
        }
        // One level for each leg and one for a scalar that is wrapped into an array.
        if path.legs().len() + 1 + value.depth() > DEPTH_MAX {
            return Err(ValueError::JsonTooDeep(DEPTH_MAX));
        }
        apply(self, path.legs(), value, edit);
        Ok(())
    }

    /// JSON_REMOVE of one path; a path that leads nowhere changes nothing.
    ///
    /// # Errors
    /// [`ValueError::InvalidJsonPath`] for wildcards and for `$`.
    pub fn remove(&mut self, path: &JsonPath) -> Result<(), ValueError> {
        if path.has_wildcards() || path.is_root() {
            let what =
                if path.is_root() { "The path expression '$' is not allowed in this context." } else { "wildcard" };
            return Err(ValueError::InvalidJsonPath(what.to_owned()));
        }
        let mut place = self;
        for leg in &path.legs()[..path.legs().len() - 1] {
            match step(place, leg) {
                Some(next) => place = next,
                None => return Ok(()),
            }
        }
        match (path.legs().last(), place) {
            (Some(Leg::Member(key)), Json::Object(members)) => {
                members.remove(key);
            }
            (Some(Leg::Cell(index)), Json::Array(items)) => {
                if let Some(at) = index.resolve(items.len()).filter(|at| *at < items.len()) {
                    items.remove(at);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn step<'a>(place: &'a mut Json, leg: &Leg) -> Option<&'a mut Json> {
    match (leg, place) {
        (Leg::Member(key), Json::Object(members)) => members.get_mut(key),
        (Leg::Cell(index), Json::Array(items)) => {
            let at = index.resolve(items.len())?;
            items.get_mut(at)
        }
        // A value that is no array is its own first element.
        (Leg::Cell(index), scalar) => (index.resolve(1) == Some(0)).then_some(scalar),
        _ => None,
    }
}

fn apply(place: &mut Json, legs: &[Leg], value: Json, edit: Edit) {
    let Some((leg, rest)) = legs.split_first() else {
        match edit {
            Edit::Set | Edit::Replace => *place = value,
            Edit::ArrayAppend => append(place, value),
            Edit::Insert | Edit::ArrayInsert => {}
        }
        return;
    };
    if !rest.is_empty() {
        if let Some(next) = step(place, leg) {
            apply(next, rest, value, edit);
        }
        return;
    }
    if edit == Edit::ArrayInsert {
        if let (Leg::Cell(index), Json::Array(items)) = (leg, place) {
            let at = index.resolve(items.len()).unwrap_or(0).min(items.len());
            items.insert(at, value);
        }
        return;
    }
    let adds = matches!(edit, Edit::Set | Edit::Insert);
    match step(place, leg) {
        Some(existing) => match edit {
            Edit::Set | Edit::Replace => *existing = value,
            Edit::ArrayAppend => append(existing, value),
            Edit::Insert | Edit::ArrayInsert => {}
        },
        None if adds => add(place, leg, value),
        None => {}
    }
}

fn append(place: &mut Json, value: Json) {
    match place {
        Json::Array(items) => items.push(value),
        other => {
            let first = std::mem::replace(other, Json::Null);
            *other = Json::Array(vec![first, value]);
        }
    }
}

/// Adds what is not there: a member, or an element at the end of an array (at the start when the path counts from the end).
fn add(place: &mut Json, leg: &Leg, value: Json) {
    match (leg, place) {
        (Leg::Member(key), Json::Object(members)) => {
            members.insert(key.clone(), value);
        }
        (Leg::Cell(Index::FromEnd(_)), Json::Array(items)) => items.insert(0, value),
        (Leg::Cell(_), Json::Array(items)) => items.push(value),
        (Leg::Cell(_), scalar) => append(scalar, value),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(document: &str, edit: Edit, changes: &[(&str, &str)]) -> String {
        let mut document = Json::parse(document).unwrap();
        for (path, value) in changes {
            document.edit(&path.parse().unwrap(), Json::parse(value).unwrap(), edit).unwrap();
        }
        document.to_string()
    }

    #[test]
    fn edits_do_what_the_reference_does() {
        use Edit::*;
        type Case<'a> = (&'a str, Edit, &'a [(&'a str, &'a str)], &'a str);
        let cases: [Case<'_>; 19] = [
            (r#"{"a":1}"#, Set, &[("$.b", "2"), ("$.a", "9")], r#"{"a": 9, "b": 2}"#),
            (r#"{"a":1}"#, Insert, &[("$.b", "2"), ("$.a", "9")], r#"{"a": 1, "b": 2}"#),
            (r#"{"a":1}"#, Replace, &[("$.b", "2"), ("$.a", "9")], r#"{"a": 9}"#),
            ("[1,2]", Set, &[("$[5]", "3")], "[1, 2, 3]"),
            ("1", Set, &[("$[1]", "3")], "[1, 3]"),
            ("5", Set, &[("$[0]", "6")], "6"),
            ("5", Insert, &[("$[0]", "6")], "5"),
            ("5", Replace, &[("$[0]", "6")], "6"),
            (r#"{"a":1}"#, Set, &[("$[0]", "7")], "7"),
            (r#"{"a":1}"#, Set, &[("$[1]", "7")], r#"[{"a": 1}, 7]"#),
            ("[1]", Set, &[("$.a", "7")], "[1]"),
            (r#"{"a":1}"#, Set, &[("$.b.c", "3")], r#"{"a": 1}"#),
            (r#"{"a":[1,2,3]}"#, Set, &[("$.a[last]", "9"), ("$.a[last-1]", "8")], r#"{"a": [1, 8, 9]}"#),
            ("[1,[2]]", ArrayAppend, &[("$[1]", "3"), ("$[0]", "4")], "[[1, 4], [2, 3]]"),
            (r#"{"a":1}"#, ArrayAppend, &[("$", "2")], r#"[{"a": 1}, 2]"#),
            ("[1,2]", ArrayInsert, &[("$[1]", "9"), ("$[9]", "8")], "[1, 9, 2, 8]"),
            (r#"{"a":[1]}"#, ArrayInsert, &[("$.a[0]", "9")], r#"{"a": [9, 1]}"#),
            (r#"{"a":1}"#, ArrayInsert, &[("$[0]", "9")], r#"{"a": 1}"#),
            (r#"{"a":1}"#, Set, &[("$", "5")], "5"),
        ];
        for (document, edit, changes, expected) in cases {
            assert_eq!(edited(document, edit, changes), expected, "{document} {edit:?} {changes:?}");
        }
    }

    #[test]
    fn removal_and_refusals() {
        let mut document = Json::parse(r#"{"a":1,"b":[1,2]}"#).unwrap();
        document.remove(&"$.b[0]".parse().unwrap()).unwrap();
        document.remove(&"$.x.y".parse().unwrap()).unwrap();
        document.remove(&"$.b[last]".parse().unwrap()).unwrap();
        assert_eq!(document.to_string(), r#"{"a": 1, "b": []}"#);
        assert!(document.remove(&"$".parse().unwrap()).is_err());
        assert!(document.edit(&"$.*".parse().unwrap(), Json::Null, Edit::Set).is_err());
        assert!(document.edit(&"$.a".parse().unwrap(), Json::Null, Edit::ArrayInsert).is_err());
    }
}
