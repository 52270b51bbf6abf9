//! Geometry: shapes with a spatial reference, their binary forms, well-known text and GeoJSON.
//!
//! Dolt keeps EWKB: u32 SRID, then little-endian well-known binary (docs/format/tree.md, section 6). Coordinates are x, y inside; text and
//! binary from outside have latitude first where the reference system says so ([`latitude_first`]).

pub mod geojson;
mod wkb;
mod wkt;

use crate::error::ValueError;
use crate::types::GeometryKind;

/// Deepest nesting of collections that is read.
pub const DEPTH_MAX: usize = 32;

/// A shape in a spatial reference system.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// 0 is the plane without units.
    pub srid: u32,
    pub shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Points of a line, or of a ring whose last point is its first.
pub type Line = Vec<Point>;

/// The first ring is the outside, the others are holes.
pub type Rings = Vec<Line>;

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Point(Point),
    LineString(Line),
    Polygon(Rings),
    MultiPoint(Vec<Point>),
    MultiLineString(Vec<Line>),
    MultiPolygon(Vec<Rings>),
    GeometryCollection(Vec<Shape>),
}

fn invalid(what: impl Into<String>) -> ValueError {
    ValueError::InvalidGeometry(what.into())
}

/// MySQL's message for what no column of geometries takes.
pub const NOT_GEOMETRY: &str = "Cannot get geometry object from data you sent to the GEOMETRY field";

impl Shape {
    pub fn kind(&self) -> GeometryKind {
        match self {
            Shape::Point(_) => GeometryKind::Point,
            Shape::LineString(_) => GeometryKind::LineString,
            Shape::Polygon(_) => GeometryKind::Polygon,
            Shape::MultiPoint(_) => GeometryKind::MultiPoint,
            Shape::MultiLineString(_) => GeometryKind::MultiLineString,
            Shape::MultiPolygon(_) => GeometryKind::MultiPolygon,
            Shape::GeometryCollection(_) => GeometryKind::GeometryCollection,
        }
    }

    /// Calls `each` for every point.
    pub fn each_point(&self, each: &mut impl FnMut(&Point)) {
        match self {
            Shape::Point(point) => each(point),
            Shape::LineString(points) | Shape::MultiPoint(points) => points.iter().for_each(each),
            Shape::Polygon(lines) | Shape::MultiLineString(lines) => lines.iter().flatten().for_each(each),
            Shape::MultiPolygon(polygons) => polygons.iter().flatten().flatten().for_each(each),
            Shape::GeometryCollection(shapes) => shapes.iter().for_each(|shape| shape.each_point(each)),
        }
    }

    /// Calls `each` for every point, which it may change.
    pub fn each_point_mut(&mut self, each: &mut impl FnMut(&mut Point)) {
        match self {
            Shape::Point(point) => each(point),
            Shape::LineString(points) | Shape::MultiPoint(points) => points.iter_mut().for_each(each),
            Shape::Polygon(lines) | Shape::MultiLineString(lines) => lines.iter_mut().flatten().for_each(each),
            Shape::MultiPolygon(polygons) => polygons.iter_mut().flatten().flatten().for_each(each),
            Shape::GeometryCollection(shapes) => shapes.iter_mut().for_each(|shape| shape.each_point_mut(each)),
        }
    }

    /// The shape with x and y exchanged (ST_SWAPXY).
    pub fn swapped(mut self) -> Shape {
        self.each_point_mut(&mut |point| std::mem::swap(&mut point.x, &mut point.y));
        self
    }

    /// Least and greatest corner; `None` for an empty collection.
    pub fn bounds(&self) -> Option<(Point, Point)> {
        let mut bounds: Option<(Point, Point)> = None;
        self.each_point(&mut |point| {
            let (low, high) = bounds.get_or_insert((*point, *point));
            *low = Point { x: low.x.min(point.x), y: low.y.min(point.y) };
            *high = Point { x: high.x.max(point.x), y: high.y.max(point.y) };
        });
        bounds
    }
}

/// Whether text and binary of a spatial reference system have latitude, kept as y, first: of those the reference handles, WGS 84.
pub fn latitude_first(srid: u32) -> bool {
    srid == 4326
}

/// Whether bytes may be stored in a column of a geometry type.
///
/// # Errors
/// [`ValueError::InvalidGeometry`] for another kind, another SRID, or bytes that are no EWKB.
pub fn check_column(bytes: &[u8], kind: GeometryKind, srid: Option<u32>) -> Result<(), ValueError> {
    let geometry = Geometry::from_ewkb(bytes)?;
    if kind != GeometryKind::Geometry && geometry.shape.kind() != kind {
        return Err(invalid(NOT_GEOMETRY));
    }
    match srid {
        Some(srid) if srid != geometry.srid => Err(invalid(format!(
            "The SRID of the geometry does not match the SRID of the column. The SRID of the geometry is {}, but the SRID of \
             the column is {srid}. Consider changing the SRID of the geometry or the SRID property of the column.",
            geometry.srid
        ))),
        _ => Ok(()),
    }
}

/// A ring has four points or more and ends where it began.
fn check_ring(ring: &[Point]) -> Result<(), ValueError> {
    if ring.len() >= 4 && ring.first() == ring.last() { Ok(()) } else { Err(invalid("a polygon's ring is not closed")) }
}
