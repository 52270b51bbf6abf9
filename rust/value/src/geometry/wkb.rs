//! Well-known binary, in both byte orders, and EWKB.

use super::{DEPTH_MAX, Geometry, Line, NOT_GEOMETRY, Point, Rings, Shape, check_ring, invalid};
use crate::error::ValueError;

impl Geometry {
    /// Reads the stored form: u32 SRID, then well-known binary, to the last byte.
    ///
    /// # Errors
    /// [`ValueError::InvalidGeometry`].
    pub fn from_ewkb(bytes: &[u8]) -> Result<Geometry, ValueError> {
        let (srid, wkb) = bytes.split_first_chunk::<4>().ok_or_else(|| invalid(NOT_GEOMETRY))?;
        Ok(Geometry { srid: u32::from_le_bytes(*srid), shape: Shape::from_wkb(wkb)? })
    }

    /// The stored form.
    pub fn to_ewkb(&self) -> Vec<u8> {
        let mut bytes = self.srid.to_le_bytes().to_vec();
        write_shape(&self.shape, &mut bytes);
        bytes
    }
}

impl Shape {
    /// Reads well-known binary of either byte order, to the last byte; coordinates are taken as x, y.
    ///
    /// # Errors
    /// [`ValueError::InvalidGeometry`], also for collections nested deeper than [`DEPTH_MAX`].
    pub fn from_wkb(bytes: &[u8]) -> Result<Shape, ValueError> {
        let mut reader = Reader { rest: bytes, big_endian: false };
        let shape = reader.shape(0).ok_or_else(|| invalid(NOT_GEOMETRY))?;
        if !reader.rest.is_empty() {
            return Err(invalid(NOT_GEOMETRY));
        }
        Ok(shape)
    }

    /// Little-endian well-known binary.
    pub fn to_wkb(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_shape(self, &mut bytes);
        bytes
    }
}

const POINT: u32 = 1;
const LINE_STRING: u32 = 2;
const POLYGON: u32 = 3;
const MULTI_POINT: u32 = 4;
const MULTI_LINE_STRING: u32 = 5;
const MULTI_POLYGON: u32 = 6;
const GEOMETRY_COLLECTION: u32 = 7;

struct Reader<'a> {
    rest: &'a [u8],
    big_endian: bool,
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*bytes)
    }

    fn number(&mut self) -> Option<u32> {
        let bytes = self.bytes()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn coordinate(&mut self) -> Option<f64> {
        let bytes = self.bytes()?;
        Some(if self.big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) })
    }

    fn point(&mut self) -> Option<Point> {
        Some(Point { x: self.coordinate()?, y: self.coordinate()? })
    }

    /// A count and as many parts, each of at least `size_min` bytes: a count beyond the rest of the bytes is refused early.
    fn parts<T>(&mut self, size_min: usize, mut part: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()? as usize;
        if count > self.rest.len() / size_min {
            return None;
        }
        (0..count).map(|_| part(self)).collect()
    }

    fn line(&mut self) -> Option<Line> {
        self.parts(16, Self::point)
    }

    fn rings(&mut self) -> Option<Rings> {
        let rings = self.parts(4, Self::line)?;
        rings.iter().all(|ring| check_ring(ring).is_ok()).then_some(rings)
    }

    /// Byte order and type.
    fn header(&mut self) -> Option<u32> {
        self.big_endian = match self.bytes()? {
            [0] => true,
            [1] => false,
            _ => return None,
        };
        self.number()
    }

    /// A part of a multi-shape, which has a header of its own.
    fn part<T>(&mut self, kind: u32, read: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        if self.header()? == kind { read(self) } else { None }
    }

    fn shape(&mut self, depth: usize) -> Option<Shape> {
        if depth == DEPTH_MAX {
            return None;
        }
        let kind = self.header()?;
        let order = self.big_endian;
        let shape = match kind {
            POINT => Shape::Point(self.point()?),
            LINE_STRING => Shape::LineString(self.line()?),
            POLYGON => Shape::Polygon(self.rings()?),
            MULTI_POINT => Shape::MultiPoint(self.parts(21, |reader| reader.part(POINT, Self::point))?),
            MULTI_LINE_STRING => Shape::MultiLineString(self.parts(9, |reader| reader.part(LINE_STRING, Self::line))?),
            MULTI_POLYGON => Shape::MultiPolygon(self.parts(9, |reader| reader.part(POLYGON, Self::rings))?),
            GEOMETRY_COLLECTION => Shape::GeometryCollection(self.parts(9, |reader| reader.shape(depth + 1))?),
            _ => return None,
        };
        self.big_endian = order;
        Some(shape)
    }
}

fn write_header(kind: u32, bytes: &mut Vec<u8>) {
    bytes.push(1);
    bytes.extend_from_slice(&kind.to_le_bytes());
}

fn write_count(count: usize, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&(count as u32).to_le_bytes());
}

fn write_point(point: &Point, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&point.x.to_le_bytes());
    bytes.extend_from_slice(&point.y.to_le_bytes());
}

fn write_line(line: &Line, bytes: &mut Vec<u8>) {
    write_count(line.len(), bytes);
    line.iter().for_each(|point| write_point(point, bytes));
}

fn write_rings(rings: &Rings, bytes: &mut Vec<u8>) {
    write_count(rings.len(), bytes);
    rings.iter().for_each(|ring| write_line(ring, bytes));
}

fn write_shape(shape: &Shape, bytes: &mut Vec<u8>) {
    match shape {
        Shape::Point(point) => {
            write_header(POINT, bytes);
            write_point(point, bytes);
        }
        Shape::LineString(line) => {
            write_header(LINE_STRING, bytes);
            write_line(line, bytes);
        }
        Shape::Polygon(rings) => {
            write_header(POLYGON, bytes);
            write_rings(rings, bytes);
        }
        Shape::MultiPoint(points) => {
            write_header(MULTI_POINT, bytes);
            write_count(points.len(), bytes);
            for point in points {
                write_header(POINT, bytes);
                write_point(point, bytes);
            }
        }
        Shape::MultiLineString(lines) => {
            write_header(MULTI_LINE_STRING, bytes);
            write_count(lines.len(), bytes);
            for line in lines {
                write_header(LINE_STRING, bytes);
                write_line(line, bytes);
            }
        }
        Shape::MultiPolygon(polygons) => {
            write_header(MULTI_POLYGON, bytes);
            write_count(polygons.len(), bytes);
            for rings in polygons {
                write_header(POLYGON, bytes);
                write_rings(rings, bytes);
            }
        }
        Shape::GeometryCollection(shapes) => {
            write_header(GEOMETRY_COLLECTION, bytes);
            write_count(shapes.len(), bytes);
            shapes.iter().for_each(|shape| write_shape(shape, bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_dolts() {
        let geometry = Geometry { srid: 4326, shape: Shape::Point(Point { x: 2.0, y: 1.0 }) };
        assert_eq!(codec::hex::upper(&geometry.to_ewkb()), "E610000001010000000000000000000040000000000000F03F");
    }

    #[test]
    fn every_shape_round_trips_and_no_damage_panics() {
        let texts = [
            "POINT(1 2)",
            "LINESTRING(0 0,1 1.5,2 3)",
            "POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))",
            "MULTIPOINT(1 2,3 4)",
            "MULTILINESTRING((0 0,1 1),(2 2,3 3))",
            "MULTIPOLYGON(((0 0,4 0,4 4,0 0)),((5 5,6 5,6 6,5 5)))",
            "GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(LINESTRING(0 0,1 1)))",
        ];
        for text in texts {
            let shape = Shape::from_wkt(text).unwrap();
            let bytes = shape.to_wkb();
            assert_eq!(Shape::from_wkb(&bytes).as_ref(), Ok(&shape));
            for cut in 0..bytes.len() {
                assert!(Shape::from_wkb(&bytes[..cut]).is_err());
            }
            for at in 0..bytes.len() {
                for flip in [1u8, 0x80, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[at] ^= flip;
                    let _ = Shape::from_wkb(&damaged);
                }
            }
        }
        let big_endian = b"\0\0\0\0\x01\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0";
        assert_eq!(Shape::from_wkb(big_endian), Ok(Shape::Point(Point { x: 1.0, y: 2.0 })));
        let deep = [1u8, 7, 0, 0, 0, 1, 0, 0, 0].repeat(100_000);
        assert!(Shape::from_wkb(&deep).is_err());
        assert!(Shape::from_wkb(&[1, 2, 0, 0, 0, 255, 255, 255, 255]).is_err());
    }
}
