//! GeoJSON (RFC 7946): coordinates are x, y whatever the reference system.

use super::{DEPTH_MAX, Geometry, Line, Point, Rings, Shape, check_ring, invalid};
use crate::error::ValueError;
use crate::json::{Json, JsonObject};

/// What ST_ASGEOJSON's third argument asks for, added up.
pub const WITH_BOUNDS: u8 = 1;
pub const WITH_SHORT_REFERENCE: u8 = 2;
pub const WITH_LONG_REFERENCE: u8 = 4;

impl Geometry {
    /// ST_ASGEOJSON: coordinates rounded to `decimals_max` digits; `options` as the constants of this module say.
    pub fn to_geojson(&self, decimals_max: u32, options: u8) -> Json {
        let mut json = shape_json(&self.shape, decimals_max);
        if let Json::Object(members) = &mut json {
            if options & WITH_BOUNDS != 0
                && let Some((low, high)) = self.shape.bounds()
            {
                let bounds = [low.x, low.y, high.x, high.y];
                let bounds = bounds.iter().map(|number| rounded(*number, decimals_max)).collect();
                members.insert("bbox", Json::Array(bounds));
            }
            let reference = match options & (WITH_SHORT_REFERENCE | WITH_LONG_REFERENCE) {
                0 => None,
                WITH_SHORT_REFERENCE => Some(format!("EPSG:{}", self.srid)),
                _ => Some(format!("urn:ogc:def:crs:EPSG::{}", self.srid)),
            };
            if let Some(name) = reference.filter(|_| self.srid != 0) {
                let properties = JsonObject::from_iter([("name", Json::string(name))]);
                let crs = [("type", Json::string("name")), ("properties", Json::Object(properties))];
                members.insert("crs", Json::Object(JsonObject::from_iter(crs)));
            }
        }
        json
    }

    /// ST_GEOMFROMGEOJSON: a geometry, a feature's geometry, or the collection of a feature collection's geometries. A reference
    /// system named in the document is the caller's to compare.
    ///
    /// # Errors
    /// [`ValueError::InvalidGeometry`].
    pub fn from_geojson(json: &Json, srid: u32) -> Result<Geometry, ValueError> {
        let shape =
            read_shape(json, 0).ok_or_else(|| invalid("invalid GIS data provided to function st_geomfromgeojson"))?;
        Ok(Geometry { srid, shape })
    }
}

fn rounded(number: f64, decimals_max: u32) -> Json {
    // From seventeen digits on nothing is left to round.
    Json::Double(match decimals_max {
        0..17 => rounded_by_digits(number, decimals_max),
        _ => number,
    })
}

/// The double of the decimal of so many digits that is nearest.
fn rounded_by_digits(number: f64, decimals_max: u32) -> f64 {
    // Such powers are doubles, so that the last division gives the double that is nearest to that decimal.
    let scale = 10f64.powi(decimals_max as i32);
    let scaled = number * scale;
    let nearest = scaled.round();
    // Within the error of the product the other neighbour may be the nearest.
    let is_clear = 0.5 - (scaled - nearest).abs() > scaled.abs() * (2.0 * f64::EPSILON);
    if is_clear && nearest.abs() < (1_u64 << f64::MANTISSA_DIGITS) as f64 {
        return nearest / scale;
    }
    format!("{number:.*}", decimals_max as usize).parse().unwrap_or(number)
}

fn shape_json(shape: &Shape, decimals_max: u32) -> Json {
    let point = |point: &Point| Json::Array(vec![rounded(point.x, decimals_max), rounded(point.y, decimals_max)]);
    let line = |line: &Line| Json::Array(line.iter().map(point).collect());
    let rings = |rings: &Rings| Json::Array(rings.iter().map(line).collect());
    let (kind, contents) = match shape {
        Shape::Point(own) => ("Point", point(own)),
        Shape::LineString(points) => ("LineString", line(points)),
        Shape::MultiPoint(points) => ("MultiPoint", line(points)),
        Shape::Polygon(lines) => ("Polygon", rings(lines)),
        Shape::MultiLineString(lines) => ("MultiLineString", rings(lines)),
        Shape::MultiPolygon(polygons) => ("MultiPolygon", Json::Array(polygons.iter().map(rings).collect())),
        Shape::GeometryCollection(shapes) => {
            let shapes = shapes.iter().map(|shape| shape_json(shape, decimals_max)).collect();
            ("GeometryCollection", Json::Array(shapes))
        }
    };
    let contents_key = if matches!(shape, Shape::GeometryCollection(_)) { "geometries" } else { "coordinates" };
    Json::Object(JsonObject::from_iter([("type", Json::string(kind)), (contents_key, contents)]))
}

fn read_shape(json: &Json, depth: usize) -> Option<Shape> {
    if depth == DEPTH_MAX {
        return None;
    }
    let Json::Object(members) = json else { return None };
    let Json::String(kind) = members.get("type")? else { return None };
    let coordinates = || members.get("coordinates");
    let all = |key: &str| match members.get(key)? {
        Json::Array(items) => items.iter().map(|item| read_shape(item, depth + 1)).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    Some(match &**kind {
        "Point" => Shape::Point(read_point(coordinates()?)?),
        "LineString" => Shape::LineString(read_line(coordinates()?)?),
        "MultiPoint" => Shape::MultiPoint(read_line(coordinates()?)?),
        "Polygon" => Shape::Polygon(read_rings(coordinates()?)?),
        "MultiLineString" => Shape::MultiLineString(read_list(coordinates()?, read_line)?),
        "MultiPolygon" => Shape::MultiPolygon(read_list(coordinates()?, read_rings)?),
        "GeometryCollection" => Shape::GeometryCollection(all("geometries")?),
        "Feature" => return read_shape(members.get("geometry")?, depth + 1),
        "FeatureCollection" => Shape::GeometryCollection(all("features")?),
        _ => return None,
    })
}

fn read_list<T>(json: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    match json {
        Json::Array(items) => items.iter().map(read).collect(),
        _ => None,
    }
}

/// Coordinates beyond the second are ignored.
fn read_point(json: &Json) -> Option<Point> {
    let number = |json: &Json| match json {
        Json::Double(number) => Some(*number),
        Json::Int(number) => Some(*number as f64),
        Json::UInt(number) => Some(*number as f64),
        Json::Decimal(number) => Some(number.to_f64()),
        _ => None,
    };
    match json {
        Json::Array(items) => match items.as_slice() {
            [x, y, ..] => Some(Point { x: number(x)?, y: number(y)? }),
            _ => None,
        },
        _ => None,
    }
}

fn read_line(json: &Json) -> Option<Line> {
    read_list(json, read_point)
}

fn read_rings(json: &Json) -> Option<Rings> {
    let rings: Rings = read_list(json, read_line)?;
    rings.iter().all(|ring| check_ring(ring).is_ok()).then_some(rings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_the_references() {
        let json = |text: &str, srid, decimals, options| {
            Geometry::from_wkt(text, srid).unwrap().to_geojson(decimals, options).to_string()
        };
        assert_eq!(json("POINT(1 2)", 0, 99, 0), r#"{"type": "Point", "coordinates": [1, 2]}"#);
        assert_eq!(
            json("POINT(1 2)", 4326, 10, 4),
            r#"{"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::4326"}}, "type": "Point", "coordinates": [2, 1]}"#
        );
        assert_eq!(json("POINT(1.23456 2)", 0, 2, 2), r#"{"type": "Point", "coordinates": [1.23, 2]}"#);
        assert_eq!(
            json("MULTIPOINT(1 2,3 4)", 0, 5, 1),
            r#"{"bbox": [1, 2, 3, 4], "type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}"#
        );
        assert_eq!(
            json("GEOMETRYCOLLECTION(POINT(1 2))", 0, 5, 0),
            r#"{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]}"#
        );
    }

    #[test]
    fn numbers_are_rounded_as_their_digits_are() {
        let mut number = 0.000_123_456_789_f64;
        for step in 0..20_000 {
            number = if number.abs() > 1e12 { number * 1e-13 } else { number * -1.7 };
            for number in
                [number, number.round(), (number * 8.0).round() / 8.0, (number * 1000.0).round() / 1000.0 + 0.0005]
            {
                let decimals = step % 17;
                let digits: f64 = format!("{number:.*}", decimals as usize).parse().unwrap();
                assert_eq!(rounded_by_digits(number, decimals), digits, "{number} to {decimals}");
            }
        }
    }

    #[test]
    fn documents_come_back() {
        for text in [
            "POINT(1 2)",
            "LINESTRING(0 0,1 1.5)",
            "POLYGON((0 0,4 0,4 4,0 0))",
            "MULTILINESTRING((0 0,1 1))",
            "MULTIPOLYGON(((0 0,4 0,4 4,0 0)))",
            "GEOMETRYCOLLECTION(POINT(1 2))",
        ] {
            let geometry = Geometry::from_wkt(text, 0).unwrap();
            assert_eq!(Geometry::from_geojson(&geometry.to_geojson(99, 0), 0), Ok(geometry));
        }
        let feature =
            Json::parse(r#"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#)
                .unwrap();
        assert_eq!(Geometry::from_geojson(&feature, 4326).unwrap().to_wkt(), "POINT(2 1)");
        for text in [
            "1",
            "{}",
            r#"{"type":"Point"}"#,
            r#"{"type":"Point","coordinates":[1]}"#,
            r#"{"type":"Polygon","coordinates":[[[0,0]]]}"#,
        ] {
            assert!(Geometry::from_geojson(&Json::parse(text).unwrap(), 0).is_err(), "{text}");
        }
    }
}
