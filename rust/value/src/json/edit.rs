//! Changing a document at a path: JSON_SET, JSON_INSERT, JSON_REPLACE, JSON_REMOVE, JSON_ARRAY_APPEND, JSON_ARRAY_INSERT.

use super::path::{Index, Leg};
use super::{DEPTH_MAX, Json, JsonObject, JsonPath};
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
    /// Applies one edit in place. A path that leads nowhere changes nothing; what is no array counts as an array of one where an
    /// index asks for it.
    ///
    /// # Errors
    /// [`ValueError::InvalidJsonPath`] for wildcards; [`ValueError::MisplacedJsonPath`] for JSON_ARRAY_INSERT at anything but an element;
    /// [`ValueError::JsonTooDeep`] when the result would be.
    pub fn edit(&mut self, path: &JsonPath, value: Json, edit: Edit) -> Result<(), ValueError> {
        if path.has_wildcards() {
            return Err(ValueError::InvalidJsonPath("a path with '*', '**' or a range cannot be changed".to_owned()));
        }
        if edit == Edit::ArrayInsert && !matches!(path.legs().last(), Some(Leg::Cell(_))) {
            return Err(match path.is_root() {
                true => ValueError::MisplacedJsonPath("Path expression is not a path to a cell in an array: $"),
                false => no_cell(),
            });
        }
        // One level for each leg and one for a value that is wrapped into an array.
        if path.legs().len() + 1 + value.depth() > DEPTH_MAX {
            return Err(ValueError::JsonTooDeep(DEPTH_MAX));
        }
        apply(self, path.legs(), Change { value, edit }).map(|_| ())
    }

    /// JSON_REMOVE of one path; a path that leads nowhere changes nothing.
    ///
    /// # Errors
    /// [`ValueError::InvalidJsonPath`] for wildcards, [`ValueError::MisplacedJsonPath`] for `$`.
    pub fn remove(&mut self, path: &JsonPath) -> Result<(), ValueError> {
        if path.is_root() {
            return Err(ValueError::MisplacedJsonPath("The path expression '$' is not allowed in this context."));
        }
        if path.has_wildcards() {
            return Err(ValueError::InvalidJsonPath("wildcard".to_owned()));
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
        _ => None,
    }
}

struct Change {
    value: Json,
    edit: Edit,
}

impl Change {
    fn adds(&self) -> bool {
        matches!(self.edit, Edit::Set | Edit::Insert)
    }

    fn replaces(&self) -> bool {
        matches!(self.edit, Edit::Set | Edit::Replace)
    }
}

/// Whether something changed.
fn apply(place: &mut Json, legs: &[Leg], change: Change) -> Result<bool, ValueError> {
    let Some((leg, rest)) = legs.split_first() else {
        match change.edit {
            Edit::Set | Edit::Replace => *place = change.value,
            Edit::ArrayAppend => append(place, change.value),
            Edit::Insert | Edit::ArrayInsert => return Ok(false),
        }
        return Ok(true);
    };
    match (leg, place) {
        (Leg::Member(key), Json::Object(members)) => in_object(members, key, rest, change),
        (Leg::Member(_), _) if change.edit == Edit::ArrayInsert => Err(no_cell()),
        (Leg::Cell(index), Json::Array(items)) => in_array(items, *index, rest, change),
        (Leg::Cell(index), single) => Ok(in_single(single, *index, change)),
        _ => Ok(false),
    }
}

fn no_cell() -> ValueError {
    ValueError::MisplacedJsonPath("A path expression is not a path to a cell in an array")
}

/// A member that is not there counts as null for the legs behind it, and appears when they change that.
fn in_object(members: &mut JsonObject, key: &str, rest: &[Leg], change: Change) -> Result<bool, ValueError> {
    if let Some(member) = members.get_mut(key) {
        return apply(member, rest, change);
    }
    let mut member = Json::Null;
    let appears = match rest {
        [] => change.adds(),
        _ => apply(&mut member, rest, Change { value: change.value.clone(), edit: change.edit })?,
    };
    if appears {
        members.insert(key, if rest.is_empty() { change.value } else { member });
    }
    Ok(appears)
}

/// Legs behind an element that is not there count for nothing: the value becomes that element.
fn in_array(items: &mut Vec<Json>, index: Index, rest: &[Leg], change: Change) -> Result<bool, ValueError> {
    let at = match index.resolve(items.len()) {
        Some(at) => at,
        // `last` of an empty array is its first element, which is not there.
        None if items.is_empty() && index == Index::FromEnd(0) => 0,
        // Before the first element.
        None if change.edit == Edit::Set => 0,
        None => return Ok(false),
    };
    match items.get_mut(at) {
        Some(_) if rest.is_empty() && change.edit == Edit::ArrayInsert => items.insert(at, change.value),
        Some(item) => return apply(item, rest, change),
        None if change.adds() || change.edit == Edit::ArrayInsert => items.push(change.value),
        None => return Ok(false),
    }
    Ok(true)
}

/// A value that is no array counts as an array of one. Legs behind the index count for nothing, as in the reference.
fn in_single(single: &mut Json, index: Index, change: Change) -> bool {
    match index.resolve(1) {
        Some(0) if change.replaces() => *single = change.value,
        Some(0) if change.edit == Edit::ArrayAppend => append(single, change.value),
        Some(1..) if change.adds() => append(single, change.value),
        None if change.adds() => {
            let last = std::mem::replace(single, Json::Null);
            *single = Json::Array(vec![change.value, last]);
        }
        _ => return false,
    }
    true
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
        let cases: [Case<'_>; 27] = [
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
            ("{}", Set, &[("$.b[0]", "5")], r#"{"b": 5}"#),
            ("{}", Insert, &[("$.b[2].c", "5")], r#"{"b": [null, 5]}"#),
            ("{}", Insert, &[("$.b[0]", "5")], "{}"),
            ("{}", Replace, &[("$.b[0]", "null")], r#"{"b": null}"#),
            ("{}", ArrayAppend, &[("$.a[0]", "7")], r#"{"a": [null, 7]}"#),
            ("{}", ArrayAppend, &[("$.a", "7")], "{}"),
            (r#"{"a":1}"#, Replace, &[("$[0].a", "5")], "5"),
            (r#"{"a":1}"#, ArrayAppend, &[("$[0].a", "7")], r#"[{"a": 1}, 7]"#),
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
        document.remove(&"$[0].a".parse().unwrap()).unwrap();
        assert_eq!(document.to_string(), r#"{"a": 1, "b": []}"#);
        assert!(document.remove(&"$".parse().unwrap()).is_err());
        assert!(document.edit(&"$.*".parse().unwrap(), Json::Null, Edit::Set).is_err());
        assert!(document.edit(&"$.a".parse().unwrap(), Json::Null, Edit::ArrayInsert).is_err());
    }
}
