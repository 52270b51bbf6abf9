//! Area, length, distance, centre.

use value::Value;
use value::geometry::{Geometry, Point, Shape};

use super::super::{Arguments, Entry, Function, result};
use super::planar::{self, Figure, signed_area};
use super::{check_is_plane, geometry_type, invalid, value};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("st_area", (1, 1), result::double, |a| match a.geometry(0)? {
        Geometry { srid, shape: shape @ (Shape::Polygon(_) | Shape::MultiPolygon(_)) } => {
            check_is_plane(srid)?;
            Ok(Value::Double(area(&Figure::of(&shape))))
        }
        _ => Err(invalid("st_area")),
    })
    .about("polygon", "The area")
    .adapted("plane only"),
    Entry::new("st_centroid", (1, 1), geometry_type, |a| {
        let Geometry { srid, shape } = a.geometry(0)?;
        let centre = centroid(&Figure::of(&shape));
        Ok(centre.map_or(Value::Null, |point| value(&Geometry { srid, shape: Shape::Point(point) })))
    })
    .about("geometry", "The centre of mass"),
    Entry::new("st_convexhull", (1, 1), geometry_type, |a| {
        let Geometry { srid, shape } = a.geometry(0)?;
        let mut hull = planar::convex_hull(Figure::of(&shape).vertices());
        let shape = match hull[..] {
            [] => return Ok(Value::Null),
            [point] => Shape::Point(point),
            [_, _] => Shape::LineString(hull),
            [first, ..] => {
                hull.push(first);
                Shape::Polygon(vec![hull])
            }
        };
        Ok(value(&Geometry { srid, shape }))
    })
    .about("geometry", "The convex hull"),
    Entry::new("st_distance", (2, 2), result::double, |a| {
        let (left, right, srid) = a.shapes_of_one_plane("st_distance")?;
        check_is_plane(srid)?;
        let (left, right) = (Figure::of(&left), Figure::of(&right));
        let distance = planar::distance_between(&left, &right, &|steps| a.context.work(steps))?;
        Ok(distance.map_or(Value::Null, Value::Double))
    })
    .about("geometry, other", "The distance between two geometries")
    .adapted("plane only"),
    Entry::new("st_length", (1, 2), result::double, |a| match a.shape(0)? {
        Shape::LineString(_) | Shape::MultiLineString(_) if a.len() > 1 => {
            Err(SqlError::general("unsupported feature: st_length with non-zero SRID"))
        }
        Shape::LineString(line) => Ok(Value::Double(length(&line))),
        Shape::MultiLineString(lines) => Ok(Value::Double(lines.iter().map(|line| length(line)).sum())),
        Shape::GeometryCollection(_) => Err(invalid("st_length")),
        _ => Ok(Value::Null),
    })
    .about("line[, unit]", "The length of a line")
    .adapted("plane only"),
    Entry::new("st_perimeter", (1, 2), result::double, perimeter)
        .about("polygon[, unit]", "The length of the boundary")
        .adapted("plane only"),
];

fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| planar::distance(pair[0], pair[1])).sum()
}

fn perimeter(a: &Arguments<'_>) -> Result<Value<'static>> {
    let Shape::Polygon(rings) = a.shape(0)? else { return Err(invalid("st_perimeter")) };
    if a.len() > 1 {
        return Err(SqlError::general("unsupported feature: st_perimeter on spheroid"));
    }
    Ok(Value::Double(rings.iter().map(|ring| length(ring)).sum()))
}

fn area(figure: &Figure) -> f64 {
    let of_rings = |rings: &Vec<Vec<Point>>| {
        let areas: Vec<f64> = rings.iter().map(|ring| signed_area(ring).abs()).collect();
        areas.first().copied().unwrap_or(0.0) - areas.iter().skip(1).sum::<f64>()
    };
    figure.areas.iter().map(of_rings).sum()
}

/// The centre of mass of the parts of the highest dimension.
fn centroid(figure: &Figure) -> Option<Point> {
    let (mut x, mut y, mut weight) = (0.0, 0.0, 0.0);
    let mut add = |at: Point, mass: f64| {
        x += at.x * mass;
        y += at.y * mass;
        weight += mass;
    };
    for rings in &figure.areas {
        for (n, ring) in rings.iter().enumerate() {
            // Holes count against the area whichever way they run.
            let sign = signed_area(ring).signum() * if n == 0 { 1.0 } else { -1.0 };
            for pair in ring.windows(2) {
                let cross = pair[0].x * pair[1].y - pair[1].x * pair[0].y;
                add(Point { x: (pair[0].x + pair[1].x) / 3.0, y: (pair[0].y + pair[1].y) / 3.0 }, sign * cross / 2.0);
            }
        }
    }
    if figure.areas.is_empty() {
        for pair in figure.lines.iter().flat_map(|line| line.windows(2)) {
            let middle = Point { x: f64::midpoint(pair[0].x, pair[1].x), y: f64::midpoint(pair[0].y, pair[1].y) };
            add(middle, planar::distance(pair[0], pair[1]));
        }
    }
    if figure.areas.is_empty() && figure.lines.is_empty() {
        figure.points.iter().for_each(|point| add(*point, 1.0));
    }
    (weight != 0.0).then(|| Point { x: x / weight, y: y / weight })
}
