//! Geometry. Formats and the shapes themselves live in `value::geometry`; measures and relations here are those of the
//! plane: for coordinates on the globe they answer that they are not built.

mod make;
mod measure;
mod parts;
mod planar;
mod relate;

use value::geometry::{Geometry, Shape};
use value::{GeometryKind, SqlType, Value};

use super::argument::bytes_of;
use super::{Arguments, Function};
use crate::error::{Result, SqlError};
use crate::expr::ExprType;

pub(super) static FAMILIES: [&[Function]; 4] =
    [make::FUNCTIONS, measure::FUNCTIONS, parts::FUNCTIONS, relate::FUNCTIONS];

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

    /// The n-th argument as a shape of the plane.
    fn planar(&self, n: usize) -> Result<Shape> {
        let geometry = self.geometry(n)?;
        if value::geometry::latitude_first(geometry.srid) {
            return Err(SqlError::unsupported("measuring coordinates on the globe"));
        }
        Ok(geometry.shape)
    }

    /// Two arguments as shapes of the same plane.
    fn planar_pair(&self, function: &str) -> Result<(Shape, Shape)> {
        let (left, right) = (self.geometry(0)?.srid, self.geometry(1)?.srid);
        if left != right {
            let text = format!(
                "Binary geometry function {function} given two geometries of different srids: {left} and {right}, which should \
                 have been identical."
            );
            return Err(SqlError::new(3033, text));
        }
        Ok((self.planar(0)?, self.planar(1)?))
    }
}
