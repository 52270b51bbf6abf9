//! What a geometry is made of.

use value::Value;
use value::geometry::{Geometry, Point, Shape, latitude_first};

use super::super::{Arguments, Entry, Function, result};
use super::planar::{self, Figure};
use super::{geometry_type, invalid, value};
use crate::error::Result;
use crate::expr::ExprType;

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("st_dimension", (1, 1), result::int, |a| {
        Ok(Figure::of(&a.geometry(0)?.shape).dimension().map_or(Value::Null, |dimension| Value::Int(dimension.into())))
    })
    .about("geometry", "The dimension: 0 for points, 1 for lines, 2 for polygons"),
    Entry::new("st_endpoint", (1, 1), geometry_type, |a| point_of_line(a, |line| line.last().copied()))
        .about("line", "The last point of a line"),
    Entry::new("st_envelope", (1, 1), geometry_type, |a| {
        let geometry = a.geometry(0)?;
        let Some((low, high)) = geometry.shape.bounds() else { return Ok(Value::Null) };
        let corner = |x, y| Point { x, y };
        let shape = match (low.x == high.x, low.y == high.y) {
            (true, true) => Shape::Point(low),
            (false, false) => Shape::Polygon(vec![vec![low, corner(high.x, low.y), high, corner(low.x, high.y), low]]),
            _ => Shape::LineString(vec![low, high]),
        };
        Ok(value(&Geometry { srid: geometry.srid, shape }))
    })
    .about("geometry", "The smallest rectangle around a geometry"),
    Entry::new("st_exteriorring", (1, 1), geometry_type, |a| {
        ring(a, "st_exteriorring", |rings| rings.first().cloned())
    })
    .about("polygon", "The outer ring of a polygon"),
    Entry::new("st_geometryn", (2, 2), geometry_type, |a| {
        let geometry = a.geometry(0)?;
        let Some(at) = usize::try_from(a.count(1)?).ok().and_then(|n| n.checked_sub(1)) else {
            return Ok(Value::Null);
        };
        let part = match geometry.shape {
            Shape::MultiPoint(points) => points.get(at).map(|point| Shape::Point(*point)),
            Shape::MultiLineString(lines) => lines.get(at).cloned().map(Shape::LineString),
            Shape::MultiPolygon(areas) => areas.get(at).cloned().map(Shape::Polygon),
            Shape::GeometryCollection(shapes) => shapes.get(at).cloned(),
            _ => None,
        };
        Ok(part.map_or(Value::Null, |shape| value(&Geometry { srid: geometry.srid, shape })))
    })
    .about("collection, n", "The n-th geometry, from 1"),
    Entry::new("st_geometrytype", (1, 1), result::text, |a| {
        let kind = a.geometry(0)?.shape.kind();
        Ok(match kind {
            value::GeometryKind::GeometryCollection => Value::text("GEOMCOLLECTION"),
            kind => Value::text(kind.name().to_ascii_uppercase()),
        })
    })
    .about("geometry", "The name of the type"),
    Entry::new("st_interiorringn", (2, 2), geometry_type, |a| {
        let at = usize::try_from(a.count(1)?).unwrap_or(0);
        ring(a, "st_interiorringn", |rings| if at == 0 { None } else { rings.get(at).cloned() })
    })
    .about("polygon, n", "The n-th hole of a polygon, from 1"),
    Entry::new("st_isclosed", (1, 1), result::boolean, |a| {
        let closed = |line: &Vec<Point>| line.first() == line.last();
        Ok(match a.geometry(0)?.shape {
            Shape::LineString(line) => Value::boolean(closed(&line)),
            Shape::MultiLineString(lines) => Value::boolean(lines.iter().all(closed)),
            _ => Value::Null,
        })
    })
    .about("line", "Whether a line ends where it begins"),
    Entry::new("st_isempty", (1, 1), result::boolean, |a| {
        Ok(Value::boolean(Figure::of(&a.geometry(0)?.shape).is_empty()))
    })
    .about("geometry", "Whether a geometry has no points"),
    Entry::new("st_issimple", (1, 1), result::boolean, |a| {
        let shape = a.geometry(0)?.shape;
        if let Shape::MultiPoint(points) = &shape {
            for at in 1..points.len() {
                a.context.work(at)?;
                if points[..at].contains(&points[at]) {
                    return Ok(Value::boolean(false));
                }
            }
            return Ok(Value::boolean(true));
        }
        let Figure { areas, lines, .. } = Figure::of(&shape);
        let are_simple = planar::are_simple(areas.iter().flatten().chain(&lines), &|steps| a.context.work(steps));
        are_simple.map(Value::boolean)
    })
    .about("geometry", "Whether a geometry nowhere crosses itself"),
    Entry::new("st_longitude", (1, 2), coordinate_type, |a| {
        if !latitude_first(a.geometry(0)?.srid) {
            return Err(invalid("st_longitude"));
        }
        coordinate(a, "st_longitude", |point| &mut point.x)
    })
    .about("point[, longitude]", "The longitude; with an argument, the point with another one"),
    Entry::new("st_numgeometries", (1, 1), result::int, |a| {
        let count = match a.geometry(0)?.shape {
            Shape::MultiPoint(points) => points.len(),
            Shape::MultiLineString(lines) => lines.len(),
            Shape::MultiPolygon(areas) => areas.len(),
            Shape::GeometryCollection(shapes) => shapes.len(),
            _ => return Ok(Value::Null),
        };
        Ok(Value::Int(count as i64))
    })
    .about("collection", "The number of geometries in a collection"),
    Entry::new("st_numinteriorrings", (1, 1), result::int, interior_rings)
        .about("polygon", "The number of holes of a polygon")
        .also(&["st_numinteriorring"]),
    Entry::new("st_numpoints", (1, 1), result::int, |a| match a.geometry(0)?.shape {
        Shape::LineString(line) => Ok(Value::Int(line.len() as i64)),
        _ => Ok(Value::Null),
    })
    .about("line", "The number of points of a line"),
    Entry::new("st_pointn", (2, 2), geometry_type, |a| {
        let at = usize::try_from(a.count(1)?).ok().and_then(|n| n.checked_sub(1));
        match a.shape(0)? {
            Shape::LineString(_) => point_of_line(a, |line| at.and_then(|at| line.get(at).copied())),
            _ => Err(invalid("st_pointn")),
        }
    })
    .about("line, n", "The n-th point of a line, from 1"),
    Entry::new("st_startpoint", (1, 1), geometry_type, |a| point_of_line(a, |line| line.first().copied()))
        .about("line", "The first point of a line"),
    Entry::new("st_x", (1, 2), coordinate_type, |a| coordinate(a, "st_x", |point| &mut point.x))
        .about("point[, x]", "The x coordinate; with an argument, the point with another one"),
    Entry::new("st_y", (1, 2), coordinate_type, |a| coordinate(a, "st_y", |point| &mut point.y))
        .about("point[, y]", "The y coordinate; with an argument, the point with another one"),
];

/// With a second argument, the point with another coordinate.
fn coordinate_type(types: &[ExprType]) -> ExprType {
    if types.len() > 1 { geometry_type(types) } else { ExprType::double() }
}

fn coordinate(a: &Arguments<'_>, function: &str, axis: fn(&mut Point) -> &mut f64) -> Result<Value<'static>> {
    let Geometry { srid, shape: Shape::Point(mut point) } = a.geometry(0)? else { return Err(invalid(function)) };
    if a.len() == 1 {
        return Ok(Value::Double(*axis(&mut point)));
    }
    *axis(&mut point) = a.strict_double(1)?;
    Ok(value(&Geometry { srid, shape: Shape::Point(point) }))
}

fn point_of_line(a: &Arguments<'_>, pick: impl Fn(&[Point]) -> Option<Point>) -> Result<Value<'static>> {
    let geometry = a.geometry(0)?;
    Ok(match &geometry.shape {
        Shape::LineString(line) => {
            pick(line).map_or(Value::Null, |point| value(&Geometry { srid: geometry.srid, shape: Shape::Point(point) }))
        }
        _ => Value::Null,
    })
}

fn ring(
    a: &Arguments<'_>,
    function: &str,
    pick: impl Fn(&[Vec<Point>]) -> Option<Vec<Point>>,
) -> Result<Value<'static>> {
    let Geometry { srid, shape: Shape::Polygon(rings) } = a.geometry(0)? else { return Err(invalid(function)) };
    Ok(pick(&rings).map_or(Value::Null, |line| value(&Geometry { srid, shape: Shape::LineString(line) })))
}

fn interior_rings(a: &Arguments<'_>) -> Result<Value<'static>> {
    match a.geometry(0)?.shape {
        Shape::Polygon(rings) => Ok(Value::Int(rings.len().saturating_sub(1) as i64)),
        _ => Err(invalid("st_numinteriorrings")),
    }
}
