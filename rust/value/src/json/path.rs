//! JSON paths: `$.a[0]`, `$."a b"`, `$.*`, `$[*]`, `$**.a`, `$[last]`, `$[last-1]`, `$[1 to 3]`.

use std::str::FromStr;

use super::Json;
use crate::error::ValueError;

/// A path from the root of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPath {
    legs: Vec<Leg>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leg {
    /// `.key`
    Member(Box<str>),
    /// `[n]`, `[last-n]`
    Cell(Index),
    /// `[m to n]`
    Range(Index, Index),
    /// `.*`
    AnyMember,
    /// `[*]`
    AnyCell,
    /// `**`: this value and everything below it
    Descendants,
}

/// A place in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    FromStart(usize),
    /// 0 is the last element.
    FromEnd(usize),
}

impl Index {
    /// The place in an array of `length` elements; `None` before its start. It may lie behind the end.
    pub fn resolve(self, length: usize) -> Option<usize> {
        match self {
            Index::FromStart(at) => Some(at),
            Index::FromEnd(back) => length.checked_sub(back + 1),
        }
    }
}

/// More legs than this make no sense in documents of limited depth.
const LEGS_MAX: usize = 128;

impl FromStr for JsonPath {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<JsonPath, ValueError> {
        let invalid = |what: &str| ValueError::InvalidJsonPath(format!("{what} in '{text}'"));
        let trimmed = text.trim();
        let mut rest = trimmed.strip_prefix('$').ok_or_else(|| invalid("Path must start with '$'"))?.trim_start();
        let mut legs = Vec::new();
        while let Some(first) = rest.chars().next() {
            if legs.len() == LEGS_MAX {
                return Err(invalid("Too many steps"));
            }
            let (leg, after) = match first {
                '.' => member(rest[1..].trim_start()).ok_or_else(|| invalid("Expected field name after '.'"))?,
                '[' => cell(&rest[1..]).ok_or_else(|| invalid("Expected an array index between '[' and ']'"))?,
                '*' if rest.starts_with("**") => (Leg::Descendants, &rest[2..]),
                _ => return Err(invalid("Expected '.', '[' or '**'")),
            };
            legs.push(leg);
            rest = after.trim_start();
        }
        if legs.last() == Some(&Leg::Descendants) {
            return Err(invalid("'**' must be followed by a step"));
        }
        Ok(JsonPath { legs })
    }
}

fn member(text: &str) -> Option<(Leg, &str)> {
    if let Some(after) = text.strip_prefix('*') {
        return Some((Leg::AnyMember, after));
    }
    if let Some(inside) = text.strip_prefix('"') {
        let (quoted, after) = text.split_at(quoted_end(inside)? + 2);
        let Ok(Json::String(key)) = Json::parse(quoted) else { return None };
        return Some((Leg::Member(key), after));
    }
    let end = text.find(['.', '[', '*']).unwrap_or(text.len());
    let key = text[..end].trim_end();
    if key.is_empty() { None } else { Some((Leg::Member(key.into()), &text[end..])) }
}

/// The place of the quote that ends a string.
fn quoted_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => return Some(at),
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    None
}

fn cell(text: &str) -> Option<(Leg, &str)> {
    let (inside, after) = text.split_once(']')?;
    let inside = inside.trim();
    let leg = if inside == "*" {
        Leg::AnyCell
    } else if let Some((from, to)) = inside.split_once(" to ") {
        Leg::Range(index(from)?, index(to)?)
    } else {
        Leg::Cell(index(inside)?)
    };
    Some((leg, after))
}

fn index(text: &str) -> Option<Index> {
    let number = |text: &str| text.trim().parse::<u32>().ok().map(|number| number as usize);
    let text = text.trim();
    match text.strip_prefix("last").map(str::trim_start) {
        Some("") => Some(Index::FromEnd(0)),
        Some(back) => Some(Index::FromEnd(number(back.strip_prefix('-')?)?)),
        None => Some(Index::FromStart(number(text)?)),
    }
}

impl JsonPath {
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// Whether the path is `$`.
    pub fn is_root(&self) -> bool {
        self.legs.is_empty()
    }

    /// Whether the path may find several values.
    pub fn has_wildcards(&self) -> bool {
        self.legs.iter().any(|leg| !matches!(leg, Leg::Member(_) | Leg::Cell(_)))
    }

    /// Calls `found` for every value the path leads to, in document order, until it returns false.
    pub fn each<'a>(&self, root: &'a Json, found: &mut dyn FnMut(&'a Json) -> bool) {
        walk(root, &self.legs, found);
    }

    /// The first value the path leads to.
    pub fn first<'a>(&self, root: &'a Json) -> Option<&'a Json> {
        let mut first = None;
        self.each(root, &mut |value| {
            first = Some(value);
            false
        });
        first
    }
}

/// Returns false when the search shall stop.
fn walk<'a>(value: &'a Json, legs: &[Leg], found: &mut dyn FnMut(&'a Json) -> bool) -> bool {
    let Some((leg, rest)) = legs.split_first() else { return found(value) };
    match (leg, value) {
        (Leg::Member(key), Json::Object(members)) => members.get(key).is_none_or(|member| walk(member, rest, found)),
        (Leg::AnyMember, Json::Object(members)) => members.iter().all(|(_, member)| walk(member, rest, found)),
        (Leg::Cell(index), Json::Array(items)) => {
            let item = index.resolve(items.len()).and_then(|at| items.get(at));
            item.is_none_or(|item| walk(item, rest, found))
        }
        (Leg::Range(from, to), Json::Array(items)) => {
            let from = from.resolve(items.len()).unwrap_or(0);
            let to = to.resolve(items.len()).map_or(0, |to| to + 1).min(items.len());
            items.get(from..to).unwrap_or_default().iter().all(|item| walk(item, rest, found))
        }
        (Leg::AnyCell, Json::Array(items)) => items.iter().all(|item| walk(item, rest, found)),
        (Leg::Descendants, _) => {
            let below = |inner: &'a Json, found: &mut dyn FnMut(&'a Json) -> bool| walk(inner, legs, found);
            walk(value, rest, found)
                && match value {
                    Json::Array(items) => items.iter().all(|item| below(item, found)),
                    Json::Object(members) => members.iter().all(|(_, member)| below(member, found)),
                    _ => true,
                }
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(document: &str, path: &str) -> String {
        let document = Json::parse(document).unwrap();
        let mut all = Vec::new();
        path.parse::<JsonPath>().unwrap().each(&document, &mut |value| {
            all.push(value.to_string());
            true
        });
        all.join(" ")
    }

    #[test]
    fn paths_lead_to_values() {
        let document = r#"{"a": [1, 2, {"b": 3}], "c": {"b": 4, "d e": [[5]]}, "f-g": 6}"#;
        assert_eq!(found(document, "$.a[0]"), "1");
        assert_eq!(found(document, "$.a[last].b"), "3");
        assert_eq!(found(document, "$.a[last-1]"), "2");
        assert_eq!(found(document, "$.a[0 to 1]"), "1 2");
        assert_eq!(found(document, "$.a[*]"), "1 2 {\"b\": 3}");
        assert_eq!(found(document, "$**.b"), "3 4");
        assert_eq!(found(document, "$.c.*"), "4 [[5]]");
        assert_eq!(found(document, "$.c.\"d e\"[0][0]"), "5");
        assert_eq!(found(document, " $ . f-g "), "6");
        assert_eq!(found(document, "$.x.y"), "");
        assert_eq!(found(document, "$[0]"), "");
        assert_eq!(found("5", "$"), "5");
    }

    #[test]
    fn bad_paths_are_refused() {
        let long = format!("${}", ".a".repeat(1000));
        for path in
            ["", "a", "$.", "$[", "$[x]", "$[-1]", "$**", "$.a**", "$a", "$.\"a", "$[1 to]", "$[last+1]", long.as_str()]
        {
            assert!(matches!(path.parse::<JsonPath>(), Err(ValueError::InvalidJsonPath(_))), "{path}");
        }
    }
}
