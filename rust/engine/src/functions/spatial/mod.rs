//! Geometry. Formats and the shapes themselves live in `value::geometry`; measures and relations here are those of the
//! plane. As in the reference coordinates on the globe are taken for such of a plane, but for areas and distances, which fail.

mod make;
mod measure;
mod parts;
mod planar;
mod relate;
pub mod srids;

pub use make::known_srid;
use value::geometry::{Geometry, Shape};
use value::{GeometryKind, SqlType, Value};

use super::argument::bytes_of;
use super::{Arguments, Family, Function};
use crate::error::{Result, SqlError};
use crate::expr::ExprType;

pub(super) const FAMILIES: [Family<Function>; 4] = [
    Family { heading: HEADING, entries: make::ENTRIES },
    Family { heading: HEADING, entries: measure::ENTRIES },
    Family { heading: HEADING, entries: parts::ENTRIES },
    Family { heading: HEADING, entries: relate::ENTRIES },
];

const HEADING: &str = "Spatial";

fn geometry_type(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Geometry { kind: GeometryKind::Geometry, srid: None }, true)
}

fn value(geometry: &Geometry) -> Value<'static> {
    Value::Geometry(geometry.to_ewkb().into())
}

fn invalid(function: &str) -> SqlError {
    SqlError::general(format!("Invalid argument to {function}"))
}

impl Arguments<'_> {
    /// The n-th argument as a geometry, from its own type or from bytes in the stored form.
    fn geometry(&self, n: usize) -> Result<Geometry> {
        match self.get(n) {
            value @ (Value::Geometry(_) | Value::Bytes(_)) => Ok(Geometry::from_ewkb(&bytes_of(value)?)?),
            other => Err(SqlError::general(format!("Invalid GIS data provided to function: {}", other.family()))),
        }
    }

    fn shape(&self, n: usize) -> Result<Shape> {
        Ok(self.geometry(n)?.shape)
    }

    /// Two arguments as shapes of the same plane, and its SRID.
    fn shapes_of_one_plane(&self, function: &str) -> Result<(Shape, Shape, u32)> {
        let (left, right) = (self.geometry(0)?, self.geometry(1)?);
        if left.srid != right.srid {
            let text = format!(
                "Binary geometry function {function} given two geometries of different srids: {} and {}, which should \
                 have been identical.",
                left.srid, right.srid
            );
            return Err(SqlError::general(text));
        }
        Ok((left.shape, right.shape, left.srid))
    }
}

/// # Errors
/// Only the plane without a name has areas and distances.
fn check_is_plane(srid: u32) -> Result<()> {
    match srid {
        0 => Ok(()),
        srid => {
            let text = format!("SRID {srid} has not been implemented for geographic spatial reference systems.");
            Err(SqlError::general(text))
        }
    }
}
