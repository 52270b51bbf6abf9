//! Geometries from points, text, binary, JSON and geohashes, and back.

use value::geometry::{Geometry, Point, Shape, latitude_first};
use value::{GeometryKind, Json, Value};

use super::super::{Arguments, Entry, Function, result};
use super::srids::is_known;
use super::{geometry_type, invalid, value};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("geomcollection", (0, usize::MAX), geometry_type, collection)
        .about("geometry, …", "A collection of geometries")
        .also(&["geometrycollection"]),
    Entry::new("linestring", (2, usize::MAX), geometry_type, |a| {
        let (points, srid) = points(a, "linestring")?;
        Ok(value(&Geometry { srid, shape: Shape::LineString(points) }))
    })
    .about("point, point, …", "A line through points"),
    Entry::new("multilinestring", (1, usize::MAX), geometry_type, |a| {
        let (lines, srid) = lines(a, "multilinestring")?;
        Ok(value(&Geometry { srid, shape: Shape::MultiLineString(lines) }))
    })
    .about("line, …", "Several lines"),
    Entry::new("multipoint", (1, usize::MAX), geometry_type, |a| {
        let (points, srid) = points(a, "multipoint")?;
        Ok(value(&Geometry { srid, shape: Shape::MultiPoint(points) }))
    })
    .about("point, …", "Several points"),
    Entry::new("multipolygon", (1, usize::MAX), geometry_type, |a| {
        let (shapes, srid) = shapes(a)?;
        let polygon = |shape| match shape {
            Shape::Polygon(rings) => Ok(rings),
            _ => Err(invalid("multipolygon")),
        };
        let polygons = shapes.into_iter().map(polygon).collect::<Result<_>>()?;
        Ok(value(&Geometry { srid, shape: Shape::MultiPolygon(polygons) }))
    })
    .about("polygon, …", "Several polygons"),
    Entry::new("point", (2, 2), geometry_type, |a| {
        Ok(value(&Geometry { srid: 0, shape: Shape::Point(Point { x: a.strict_double(0)?, y: a.strict_double(1)? }) }))
    })
    .about("x, y", "A point"),
    Entry::new("polygon", (1, usize::MAX), geometry_type, |a| {
        let (rings, srid) = lines(a, "polygon")?;
        if !rings.iter().all(|ring| ring.len() >= 4 && ring.first() == ring.last()) {
            return Err(SqlError::general("Invalid GIS data provided to function polygon."));
        }
        Ok(value(&Geometry { srid, shape: Shape::Polygon(rings) }))
    })
    .about("ring, …", "A polygon: its outer ring, then its holes"),
    Entry::new("st_asbinary", (1, 1), result::blob, as_binary)
        .about("geometry", "A geometry in well-known binary form")
        .also(&["st_aswkb"]),
    Entry::new("st_asgeojson", (1, 3), result::json, |a| {
        let digits =
            if a.len() > 1 { u32::try_from(a.count(1)?).map_err(|_| invalid("st_asgeojson"))? } else { u32::MAX };
        let options = if a.len() > 2 { a.count(2)? } else { 0 };
        let options =
            u8::try_from(options).ok().filter(|options| *options < 8).ok_or_else(|| invalid("st_asgeojson"))?;
        Ok(Value::json(a.geometry(0)?.to_geojson(digits, options)))
    })
    .about("geometry[, digits[, options]]", "A geometry as GeoJSON"),
    Entry::new("st_astext", (1, 1), result::text, |a| Ok(Value::text(a.geometry(0)?.to_wkt())))
        .about("geometry", "A geometry in well-known text form")
        .also(&["st_aswkt"]),
    Entry::new("st_geohash", (2, 3), result::text, geohash)
        .about("point, length or longitude, latitude, length", "The geohash of a place"),
    Entry::new("st_geomfromgeojson", (1, 3), geometry_type, from_geojson)
        .about("document[, options[, srid]]", "The geometry of a GeoJSON document"),
    Entry::new("st_latfromgeohash", (1, 1), result::double, |a| {
        Ok(Value::Double(read_geohash(&a.text(0)?, "st_latfromgeohash")?.y))
    })
    .about("geohash", "The latitude of a geohash"),
    Entry::new("st_longfromgeohash", (1, 1), result::double, |a| {
        Ok(Value::Double(read_geohash(&a.text(0)?, "st_longfromgeohash")?.x))
    })
    .about("geohash", "The longitude of a geohash"),
    Entry::new("st_pointfromgeohash", (2, 2), geometry_type, |a| {
        let point = read_geohash(&a.text(0)?, "st_pointfromgeohash")?;
        Ok(value(&Geometry { srid: srid(a, 1)?, shape: Shape::Point(point) }))
    })
    .about("geohash, srid", "The point of a geohash"),
    Entry::new(
        "st_srid",
        (1, 2),
        |types| if types.len() > 1 { geometry_type(types) } else { result::int(types) },
        |a| {
            let mut geometry = a.geometry(0)?;
            if a.len() == 1 {
                return Ok(Value::Int(geometry.srid.into()));
            }
            geometry.srid = srid(a, 1)?;
            Ok(value(&geometry))
        },
    )
    .about("geometry[, srid]", "The reference system; with an argument, the geometry in another one"),
    Entry::new("st_swapxy", (1, 1), geometry_type, |a| {
        let geometry = a.geometry(0)?;
        Ok(value(&Geometry { srid: geometry.srid, shape: geometry.shape.swapped() }))
    })
    .about("geometry", "The geometry with x and y exchanged"),
    Entry::new("st_validate", (1, 1), geometry_type, |a| {
        let geometry = a.geometry(0)?;
        let is_valid = super::planar::is_valid(&geometry.shape, &|steps| a.context.work(steps))?;
        Ok(if is_valid { value(&geometry) } else { Value::Null })
    })
    .about("geometry", "The geometry, or NULL where it is not valid"),
    reader("st_geomfromtext", |a| from_text(a, GeometryKind::Geometry))
        .about("text[, srid[, options]]", "The geometry that well-known text names")
        .also(&["st_geometryfromtext"]),
    reader("st_geomfromwkb", |a| from_binary(a, GeometryKind::Geometry))
        .about("bytes[, srid[, options]]", "The geometry that well-known binary names")
        .also(&["st_geometryfromwkb"]),
    reader("st_pointfromtext", |a| from_text(a, GeometryKind::Point))
        .about("text[, srid[, options]]", "The point that well-known text names"),
    reader("st_pointfromwkb", |a| from_binary(a, GeometryKind::Point))
        .about("bytes[, srid[, options]]", "The point that well-known binary names"),
    reader("st_linefromtext", |a| from_text(a, GeometryKind::LineString))
        .about("text[, srid[, options]]", "The line that well-known text names")
        .also(&["st_linestringfromtext"]),
    reader("st_linefromwkb", |a| from_binary(a, GeometryKind::LineString))
        .about("bytes[, srid[, options]]", "The line that well-known binary names")
        .also(&["st_linestringfromwkb"]),
    reader("st_polyfromtext", |a| from_text(a, GeometryKind::Polygon))
        .about("text[, srid[, options]]", "The polygon that well-known text names")
        .also(&["st_polygonfromtext"]),
    reader("st_polyfromwkb", |a| from_binary(a, GeometryKind::Polygon))
        .about("bytes[, srid[, options]]", "The polygon that well-known binary names")
        .also(&["st_polygonfromwkb"]),
    reader("st_mpointfromtext", |a| from_text(a, GeometryKind::MultiPoint))
        .about("text[, srid[, options]]", "The points that well-known text names")
        .also(&["st_multipointfromtext"]),
    reader("st_mpointfromwkb", |a| from_binary(a, GeometryKind::MultiPoint))
        .about("bytes[, srid[, options]]", "The points that well-known binary names")
        .also(&["st_multipointfromwkb"]),
    reader("st_mlinefromtext", |a| from_text(a, GeometryKind::MultiLineString))
        .about("text[, srid[, options]]", "The lines that well-known text names")
        .also(&["st_multilinestringfromtext"]),
    reader("st_mlinefromwkb", |a| from_binary(a, GeometryKind::MultiLineString))
        .about("bytes[, srid[, options]]", "The lines that well-known binary names")
        .also(&["st_multilinestringfromwkb"]),
    reader("st_mpolyfromtext", |a| from_text(a, GeometryKind::MultiPolygon))
        .about("text[, srid[, options]]", "The polygons that well-known text names")
        .also(&["st_multipolygonfromtext"]),
    reader("st_mpolyfromwkb", |a| from_binary(a, GeometryKind::MultiPolygon))
        .about("bytes[, srid[, options]]", "The polygons that well-known binary names")
        .also(&["st_multipolygonfromwkb"]),
    reader("st_geomcollfromtext", |a| from_text(a, GeometryKind::GeometryCollection))
        .about("text[, srid[, options]]", "The collection that well-known text names")
        .also(&["st_geomcollfromtxt", "st_geometrycollectionfromtext"]),
    reader("st_geomcollfromwkb", |a| from_binary(a, GeometryKind::GeometryCollection))
        .about("bytes[, srid[, options]]", "The collection that well-known binary names")
        .also(&["st_geometrycollectionfromwkb"]),
];

/// ST_GEOMFROMTEXT and its kin: the text or binary, the SRID, options about the order of axes.
const fn reader(name: &'static str, eval: fn(&Arguments<'_>) -> Result<Value<'static>>) -> Entry<Function> {
    Entry::new(name, (1, 3), geometry_type, eval)
}

fn srid(a: &Arguments<'_>, n: usize) -> Result<u32> {
    if a.len() <= n {
        return Ok(0);
    }
    let srid = u32::try_from(a.count(n)?).map_err(|_| SqlError::general("SRID value is out of range"))?;
    known_srid(srid)
}

/// # Errors
/// A number that is no reference system's.
pub fn known_srid(srid: u32) -> Result<u32> {
    match is_known(srid) {
        true => Ok(srid),
        false => Err(SqlError::general(format!("There's no spatial reference with SRID {srid}"))),
    }
}

/// Whether the third argument turns the axes of what is read around, and the SRID.
fn axes(a: &Arguments<'_>) -> Result<(u32, bool)> {
    let srid = srid(a, 1)?;
    let order = if a.len() > 2 { a.text(2)?.to_ascii_lowercase().replace(' ', "") } else { String::new() };
    match order.as_str() {
        "" | "axis-order=srid-defined" => Ok((srid, latitude_first(srid))),
        "axis-order=lat-long" => Ok((srid, srid != 0)),
        "axis-order=long-lat" => Ok((srid, false)),
        _ => Err(invalid("axis-order")),
    }
}

fn of_kind(shape: Shape, srid: u32, kind: GeometryKind, swaps: bool) -> Result<Value<'static>> {
    if kind != GeometryKind::Geometry && shape.kind() != kind {
        return Err(SqlError::general(format!("Invalid GIS data provided to function: not a {}", kind.name())));
    }
    Ok(value(&Geometry { srid, shape: if swaps { shape.swapped() } else { shape } }))
}

fn from_text(a: &Arguments<'_>, kind: GeometryKind) -> Result<Value<'static>> {
    let (srid, swaps) = axes(a)?;
    of_kind(Shape::from_wkt(&a.text(0)?)?, srid, kind, swaps)
}

fn from_binary(a: &Arguments<'_>, kind: GeometryKind) -> Result<Value<'static>> {
    let (srid, swaps) = axes(a)?;
    of_kind(Shape::from_wkb(&a.bytes(0)?)?, srid, kind, swaps)
}

fn as_binary(a: &Arguments<'_>) -> Result<Value<'static>> {
    let geometry = a.geometry(0)?;
    let swaps = latitude_first(geometry.srid);
    Ok(Value::bytes(if swaps { geometry.shape.swapped() } else { geometry.shape }.to_wkb()))
}

fn from_geojson(a: &Arguments<'_>) -> Result<Value<'static>> {
    /// GeoJSON speaks of the globe unless told otherwise.
    const WGS_84: u32 = 4326;
    let srid = if a.len() > 2 { srid(a, 2)? } else { WGS_84 };
    let json = match a.get(0) {
        Value::Json(json) => (**json).clone(),
        _ => Json::parse(&a.text(0)?)?,
    };
    Ok(value(&Geometry::from_geojson(&json, srid)?))
}

/// All arguments as shapes of one reference system.
fn shapes(a: &Arguments<'_>) -> Result<(Vec<Shape>, u32)> {
    let geometries = (0..a.len()).map(|n| a.geometry(n)).collect::<Result<Vec<_>>>()?;
    let srid = geometries.first().map_or(0, |geometry| geometry.srid);
    if geometries.iter().any(|geometry| geometry.srid != srid) {
        return Err(SqlError::general("geometries of different srids"));
    }
    Ok((geometries.into_iter().map(|geometry| geometry.shape).collect(), srid))
}

fn points(a: &Arguments<'_>, function: &str) -> Result<(Vec<Point>, u32)> {
    let (shapes, srid) = shapes(a)?;
    let point = |shape| match shape {
        Shape::Point(point) => Ok(point),
        _ => Err(invalid(function)),
    };
    Ok((shapes.into_iter().map(point).collect::<Result<_>>()?, srid))
}

fn lines(a: &Arguments<'_>, function: &str) -> Result<(Vec<Vec<Point>>, u32)> {
    let (shapes, srid) = shapes(a)?;
    let line = |shape| match shape {
        Shape::LineString(points) => Ok(points),
        _ => Err(invalid(function)),
    };
    Ok((shapes.into_iter().map(line).collect::<Result<_>>()?, srid))
}

fn collection(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (shapes, srid) = shapes(a)?;
    Ok(value(&Geometry { srid, shape: Shape::GeometryCollection(shapes) }))
}

const GEOHASH: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
const GEOHASH_LENGTH_MAX: usize = 100;

fn geohash(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (longitude, latitude, length) = match a.len() {
        2 => match a.geometry(0)?.shape {
            Shape::Point(point) => (point.x, point.y, a.count(1)?),
            _ => return Err(invalid("st_geohash")),
        },
        _ => (a.strict_double(0)?, a.strict_double(1)?, a.count(2)?),
    };
    let length = usize::try_from(length).unwrap_or(1).clamp(1, GEOHASH_LENGTH_MAX);
    if !(-180.0..=180.0).contains(&longitude) || !(-90.0..=90.0).contains(&latitude) {
        return Err(invalid("st_geohash"));
    }
    let (mut across, mut along) = ((-180.0, 180.0), (-90.0, 90.0));
    let mut text = String::with_capacity(length);
    // Five bits a character, longitude and latitude by turns.
    for at in 0..length {
        let mut digit = 0;
        for bit in 0..5 {
            let is_longitude = (at * 5 + bit) % 2 == 0;
            let (range, coordinate) = if is_longitude { (&mut across, longitude) } else { (&mut along, latitude) };
            let middle = f64::midpoint(range.0, range.1);
            let high = coordinate >= middle;
            digit = digit << 1 | usize::from(high);
            *range = if high { (middle, range.1) } else { (range.0, middle) };
        }
        text.push(char::from(GEOHASH[digit]));
    }
    Ok(Value::text(text))
}

/// The middle of what a geohash stands for.
fn read_geohash(text: &str, function: &str) -> Result<Point> {
    let (mut across, mut along) = ((-180.0, 180.0), (-90.0, 90.0));
    if text.len() > GEOHASH_LENGTH_MAX {
        return Err(invalid(function));
    }
    for (at, byte) in text.bytes().enumerate() {
        let digit = GEOHASH.iter().position(|digit| *digit == byte);
        let digit = digit.ok_or_else(|| SqlError::general(format!("invalid geohash character: {}", byte as char)))?;
        for bit in 0..5 {
            let range = if (at * 5 + bit) % 2 == 0 { &mut across } else { &mut along };
            let middle = f64::midpoint(range.0, range.1);
            *range = if digit >> (4 - bit) & 1 == 1 { (middle, range.1) } else { (range.0, middle) };
        }
    }
    Ok(Point { x: f64::midpoint(across.0, across.1), y: f64::midpoint(along.0, along.1) })
}
