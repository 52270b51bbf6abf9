//! Well-known text.

use std::fmt;

use super::{DEPTH_MAX, Geometry, Line, Point, Rings, Shape, check_ring, invalid, latitude_first};
use crate::error::ValueError;
use crate::number_text::double_text;

impl Geometry {
    /// Reads well-known text, whose first coordinate is the latitude where the reference system says so.
    ///
    /// # Errors
    /// [`ValueError::InvalidGeometry`].
    pub fn from_wkt(text: &str, srid: u32) -> Result<Geometry, ValueError> {
        let shape = Shape::from_wkt(text)?;
        Ok(Geometry { srid, shape: if latitude_first(srid) { shape.swapped() } else { shape } })
    }

    /// Well-known text, latitude first where the reference system says so.
    pub fn to_wkt(&self) -> String {
        if latitude_first(self.srid) { self.shape.clone().swapped().to_string() } else { self.shape.to_string() }
    }
}

impl Shape {
    /// Reads well-known text as x, y.
    ///
    /// # Errors
    /// [`ValueError::InvalidGeometry`], also for collections nested deeper than [`DEPTH_MAX`].
    pub fn from_wkt(text: &str) -> Result<Shape, ValueError> {
        let mut reader = Reader { rest: text };
        let shape = reader.shape(0).filter(|_| reader.rest.trim().is_empty());
        shape.ok_or_else(|| invalid("invalid GIS data provided to function st_geomfromtext"))
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self, character: char) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(character) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, character: char) -> Option<()> {
        self.skip(character).then_some(())
    }

    fn word(&mut self) -> String {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        self.rest = &rest[end..];
        rest[..end].to_ascii_lowercase()
    }

    fn coordinate(&mut self) -> Option<f64> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        self.rest = &rest[end..];
        rest[..end].parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn point(&mut self) -> Option<Point> {
        Some(Point { x: self.coordinate()?, y: self.coordinate()? })
    }

    /// `(part,part…)`
    fn list<T>(&mut self, mut part: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.expect('(')?;
        let mut parts = vec![part(self)?];
        while self.skip(',') {
            parts.push(part(self)?);
        }
        self.expect(')')?;
        Some(parts)
    }

    fn line(&mut self) -> Option<Line> {
        self.list(Self::point)
    }

    fn rings(&mut self) -> Option<Rings> {
        let rings = self.list(Self::line)?;
        rings.iter().all(|ring| check_ring(ring).is_ok()).then_some(rings)
    }

    /// A point of a MULTIPOINT, with or without brackets.
    fn bracketed_point(&mut self) -> Option<Point> {
        if !self.skip('(') {
            return self.point();
        }
        let point = self.point()?;
        self.expect(')')?;
        Some(point)
    }

    fn shape(&mut self, depth: usize) -> Option<Shape> {
        if depth == DEPTH_MAX {
            return None;
        }
        Some(match self.word().as_str() {
            "point" => {
                self.expect('(')?;
                let point = self.point()?;
                self.expect(')')?;
                Shape::Point(point)
            }
            "linestring" => Shape::LineString(self.line()?),
            "polygon" => Shape::Polygon(self.rings()?),
            "multipoint" => Shape::MultiPoint(self.list(Self::bracketed_point)?),
            "multilinestring" => Shape::MultiLineString(self.list(Self::line)?),
            "multipolygon" => Shape::MultiPolygon(self.list(Self::rings)?),
            "geometrycollection" | "geomcollection" => Shape::GeometryCollection(self.collection(depth)?),
            _ => return None,
        })
    }

    fn collection(&mut self, depth: usize) -> Option<Vec<Shape>> {
        let at = self.rest;
        if self.word() == "empty" || (self.skip('(') && self.skip(')')) {
            return Some(Vec::new());
        }
        self.rest = at;
        self.list(|reader| reader.shape(depth + 1))
    }
}

impl fmt::Display for Shape {
    /// Well-known text as x, y, without spaces behind commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind().name().to_ascii_uppercase())?;
        match self {
            Shape::Point(point) => {
                f.write_str("(")?;
                write_point(f, point)?;
                f.write_str(")")
            }
            Shape::LineString(line) => write_line(f, line),
            Shape::Polygon(lines) | Shape::MultiLineString(lines) => write_list(f, lines, write_line),
            Shape::MultiPoint(points) => write_list(f, points, |f, point| {
                f.write_str("(")?;
                write_point(f, point)?;
                f.write_str(")")
            }),
            Shape::MultiPolygon(polygons) => write_list(f, polygons, |f, rings| write_list(f, rings, write_line)),
            Shape::GeometryCollection(shapes) if shapes.is_empty() => f.write_str(" EMPTY"),
            Shape::GeometryCollection(shapes) => write_list(f, shapes, |f, shape| shape.fmt(f)),
        }
    }
}

fn write_point(f: &mut fmt::Formatter<'_>, point: &Point) -> fmt::Result {
    f.write_str(&double_text(point.x))?;
    f.write_str(" ")?;
    f.write_str(&double_text(point.y))
}

fn write_line(f: &mut fmt::Formatter<'_>, line: &Line) -> fmt::Result {
    write_list(f, line, write_point)
}

fn write_list<T>(
    f: &mut fmt::Formatter<'_>,
    parts: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str("(")?;
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(",")?;
        }
        write(f, part)?;
    }
    f.write_str(")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_written_as_in_the_reference() {
        let cases = [
            ("  point ( 1   2 ) ", "POINT(1 2)"),
            ("LINESTRING(0 0,1 1.5,2e10 3)", "LINESTRING(0 0,1 1.5,2e+10 3)"),
            ("POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))", "POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))"),
            ("MULTIPOINT(1 2,3 4)", "MULTIPOINT((1 2),(3 4))"),
            ("MULTIPOINT((1 2),(3 4))", "MULTIPOINT((1 2),(3 4))"),
            ("MULTIPOLYGON(((0 0,4 0,4 4,0 0)))", "MULTIPOLYGON(((0 0,4 0,4 4,0 0)))"),
            (
                "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))",
                "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))",
            ),
            ("GEOMETRYCOLLECTION()", "GEOMETRYCOLLECTION EMPTY"),
            ("geometrycollection empty", "GEOMETRYCOLLECTION EMPTY"),
            ("POINT(.5 -5.)", "POINT(0.5 -5)"),
        ];
        for (text, expected) in cases {
            assert_eq!(Shape::from_wkt(text).unwrap().to_string(), expected);
        }
        for text in [
            "",
            "POINT",
            "POINT(1)",
            "POINT(1 2",
            "POINT(1 2) x",
            "FOO(1 2)",
            "POLYGON((0 0,1 1,2 2))",
            "POINT EMPTY",
            "POINT(1 é)",
        ] {
            assert!(Shape::from_wkt(text).is_err(), "{text}");
        }
        assert!(Shape::from_wkt(&"GEOMETRYCOLLECTION(".repeat(100_000)).is_err());
    }

    #[test]
    fn wgs_84_has_latitude_first_in_text() {
        let geometry = Geometry::from_wkt("POINT(1 2)", 4326).unwrap();
        assert_eq!(geometry.shape, Shape::Point(Point { x: 2.0, y: 1.0 }));
        assert_eq!(geometry.to_wkt(), "POINT(1 2)");
        assert_eq!(Geometry::from_wkt("POINT(1 2)", 0).unwrap().shape, Shape::Point(Point { x: 1.0, y: 2.0 }));
    }
}
