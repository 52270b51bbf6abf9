//! How two geometries lie to each other.

use value::Value;

use super::super::{Arguments, Entry, Function, result};
use super::planar::{self, Figure, Work};
use crate::error::Result;

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("st_contains", (2, 2), result::boolean, |a| {
        related(a, "st_contains", |left, right, work| planar::is_within(right, left, work))
    })
    .about("geometry, other", "Whether the first contains the second"),
    Entry::new("st_disjoint", (2, 2), result::boolean, |a| {
        related(a, "st_disjoint", |left, right, work| Ok(!planar::meet(left, right, work)?))
    })
    .about("geometry, other", "Whether two geometries share no point"),
    Entry::new("st_equal", (2, 2), result::boolean, |a| {
        related(a, "st_equal", |left, right, work| {
            Ok(planar::is_within(left, right, work)? && planar::is_within(right, left, work)?)
        })
    })
    .about("geometry, other", "Whether two geometries cover the same points"),
    Entry::new("st_intersects", (2, 2), result::boolean, |a| related(a, "st_intersects", planar::meet))
        .about("geometry, other", "Whether two geometries share a point"),
    Entry::new("st_within", (2, 2), result::boolean, |a| related(a, "st_within", planar::is_within))
        .about("geometry, other", "Whether the first is within the second"),
];

type Test = fn(&Figure, &Figure, Work<'_>) -> Result<bool>;

fn related(a: &Arguments<'_>, function: &str, test: Test) -> Result<Value<'static>> {
    let (left, right, _) = a.shapes_of_one_plane(function)?;
    let (left, right) = (Figure::of(&left), Figure::of(&right));
    if left.is_empty() || right.is_empty() {
        return Ok(Value::Null);
    }
    Ok(Value::boolean(test(&left, &right, &|steps| a.context.work(steps))?))
}
