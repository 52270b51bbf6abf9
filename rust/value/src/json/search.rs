//! Looking into documents: JSON_EXTRACT, JSON_CONTAINS, JSON_OVERLAPS, JSON_SEARCH.

use super::text::quote;
use super::{Json, JsonPath};

impl Json {
    /// JSON_EXTRACT: the value of a single plain path; with several paths or a wildcard an array of all that was found; `None` when
    /// nothing was.
    pub fn extract(&self, paths: &[JsonPath]) -> Option<Json> {
        if let [path] = paths
            && !path.has_wildcards()
        {
            return path.first(self).cloned();
        }
        let mut found = Vec::new();
        for path in paths {
            path.each(self, &mut |value| {
                found.push(value.clone());
                true
            });
        }
        if found.is_empty() { None } else { Some(Json::Array(found)) }
    }

    /// JSON_CONTAINS: every member of a candidate object is contained in the member of the same key, every element of a candidate
    /// array in some element, a scalar in an equal scalar or in an array that has it. As in the reference an array within a
    /// candidate array is not one element: each of its elements counts.
    pub fn contains(&self, candidate: &Json) -> bool {
        match (self, candidate) {
            (Json::Array(_), Json::Array(candidates)) => candidates.iter().all(|candidate| self.contains(candidate)),
            (Json::Array(items), candidate) => items.iter().any(|item| item.contains(candidate)),
            (Json::Object(members), Json::Object(candidates)) => candidates
                .iter()
                .all(|(key, candidate)| members.get(key).is_some_and(|value| value.contains(candidate))),
            (target, candidate) => !target.is_container() && target == candidate,
        }
    }

    /// JSON_OVERLAPS: a common element, a common member, or equal scalars; a scalar counts as an array of one against an array.
    pub fn overlaps(&self, other: &Json) -> bool {
        match (self, other) {
            (Json::Array(a), Json::Array(b)) => a.iter().any(|item| b.contains(item)),
            (Json::Array(items), single) | (single, Json::Array(items)) => items.contains(single),
            (Json::Object(a), Json::Object(b)) => a.iter().any(|(key, value)| b.get(key) == Some(value)),
            (a, b) => a == b,
        }
    }

    /// JSON_SEARCH: the paths of the strings for which `matches` is true, within what `paths` lead to (the whole document when
    /// there are none). With `first_only` at most one.
    pub fn search(&self, paths: &[JsonPath], first_only: bool, matches: &mut dyn FnMut(&str) -> bool) -> Vec<String> {
        let mut wanted: Vec<*const Json> = Vec::new();
        for path in paths {
            path.each(self, &mut |value| {
                wanted.push(std::ptr::from_ref(value));
                true
            });
        }
        let mut search = Search { wanted, first_only, matches, found: Vec::new() };
        search.visit(self, paths.is_empty(), &mut String::from("$"));
        search.found
    }
}

/// The answer of JSON_SEARCH: nothing, one path, or an array of several.
pub fn search_result(paths: Vec<String>) -> Option<Json> {
    let mut paths: Vec<Json> = paths.into_iter().map(Json::string).collect();
    match paths.len() {
        0 => None,
        1 => paths.pop(),
        _ => Some(Json::Array(paths)),
    }
}

struct Search<'a> {
    /// Only identities: what the paths led to.
    wanted: Vec<*const Json>,
    first_only: bool,
    matches: &'a mut dyn FnMut(&str) -> bool,
    found: Vec<String>,
}

impl Search<'_> {
    /// Visits `value`, whose path is `at`; `inside` when it or an ancestor is wanted.
    fn visit(&mut self, value: &Json, inside: bool, at: &mut String) {
        if self.first_only && !self.found.is_empty() {
            return;
        }
        let inside = inside || self.wanted.contains(&std::ptr::from_ref(value));
        let length = at.len();
        match value {
            Json::String(text) if inside && (self.matches)(text) => self.found.push(at.clone()),
            Json::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    at.push_str(&format!("[{index}]"));
                    self.visit(item, inside, at);
                    at.truncate(length);
                }
            }
            Json::Object(members) => {
                for (key, member) in members.iter() {
                    push_member(at, key);
                    self.visit(member, inside, at);
                    at.truncate(length);
                }
            }
            _ => {}
        }
    }
}

/// `.key`; quoted, unlike in the reference, where the path could not be read otherwise.
fn push_member(path: &mut String, key: &str) {
    path.push('.');
    if key.is_empty() || key.contains(['.', '[', '*', '"']) || key.trim() != key {
        path.push_str(&quote(key));
    } else {
        path.push_str(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    #[test]
    fn extraction_wraps_only_what_may_be_many() {
        let extracted = |document: &str, paths: &[&str]| {
            let paths: Vec<JsonPath> = paths.iter().map(|path| path.parse().unwrap()).collect();
            json(document).extract(&paths).map_or("NULL".to_owned(), |found| found.to_string())
        };
        assert_eq!(extracted(r#"{"a":[1,2]}"#, &["$.a[1]"]), "2");
        assert_eq!(extracted(r#"[{"a":1},{"a":2},{"b":3}]"#, &["$[*].a"]), "[1, 2]");
        assert_eq!(extracted(r#"{"a":1,"b":2}"#, &["$.a", "$.x"]), "[1]");
        assert_eq!(extracted(r#"{"a":1}"#, &["$.x", "$.y"]), "NULL");
        assert_eq!(extracted("5", &["$[0]"]), "NULL");
    }

    #[test]
    fn containment_and_overlap() {
        let contained = [
            (r#"{"a":1,"b":2}"#, r#"{"a":1}"#, true),
            ("[1,2,3]", "[1,3]", true),
            ("[1,2,3]", "2", true),
            ("[1,[2,3]]", "[2]", true),
            (r#"{"a":[1,2]}"#, r#"{"a":1}"#, true),
            (r#"[1,{"a":[1,2]}]"#, r#"{"a":[1]}"#, true),
            ("[]", "[]", true),
            (r#"{"a":1}"#, "[1]", false),
            ("[[1,2],3]", "[[1],3]", true),
            ("1", "1.0", true),
            ("1", "2", false),
            ("[null]", "null", true),
            ("[1,2]", "[[]]", true),
            ("[1,2]", "[[1],2]", true),
        ];
        for (target, candidate, expected) in contained {
            assert_eq!(json(target).contains(&json(candidate)), expected, "{target} {candidate}");
        }
        let overlapping = [
            ("[1,2]", "[2,3]", true),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#, true),
            (r#"{"a":1,"b":3}"#, r#"{"a":2,"b":3}"#, true),
            ("[1]", "1", true),
            ("[[1]]", "[1]", false),
            ("1", "2", false),
        ];
        for (a, b, expected) in overlapping {
            assert_eq!(json(a).overlaps(&json(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn searches_name_the_paths_of_strings() {
        let document = json(r#"{"k": ["abc", "b", {"a b": "abc"}], "z": "abc"}"#);
        let all = |paths: &[JsonPath], first| document.search(paths, first, &mut |text| text == "abc");
        assert_eq!(all(&[], false), ["$.k[0]", "$.k[2].a b", "$.z"]);
        assert_eq!(all(&[], true), ["$.k[0]"]);
        let result = |paths: &[&str]| search_result(paths.iter().map(|path| (*path).to_owned()).collect());
        assert_eq!(result(&["$"]).unwrap().to_string(), "\"$\"");
        assert_eq!(result(&["$.a", "$.b"]).unwrap().to_string(), "[\"$.a\", \"$.b\"]");
        assert!(result(&[]).is_none());
        assert_eq!(all(&["$.k[2]".parse().unwrap()], false), ["$.k[2].a b"]);
    }
}
