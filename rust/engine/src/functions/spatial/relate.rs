//! How two geometries lie to each other.

use value::Value;

use super::super::{Arguments, Function, result};
use super::planar::{self, Figure, Work};
use crate::error::Result;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("st_contains", (2, 2), result::boolean, |a| {
        related(a, "st_contains", |left, right, work| planar::is_within(right, left, work))
    }),
    Function::new("st_disjoint", (2, 2), result::boolean, |a| {
        related(a, "st_disjoint", |left, right, work| Ok(!planar::meet(left, right, work)?))
    }),
    Function::new("st_equal", (2, 2), result::boolean, |a| {
        related(a, "st_equal", |left, right, work| {
            Ok(planar::is_within(left, right, work)? && planar::is_within(right, left, work)?)
        })
    }),
    Function::new("st_intersects", (2, 2), result::boolean, |a| related(a, "st_intersects", planar::meet)),
    Function::new("st_within", (2, 2), result::boolean, |a| related(a, "st_within", planar::is_within)),
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
