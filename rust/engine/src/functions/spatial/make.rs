//! Geometries from points, text, binary, JSON and geohashes, and back.

use value::geometry::{Geometry, Point, Shape, latitude_first};
use value::{GeometryKind, Json, Value};

use super::super::{Arguments, Function, result};
use super::srids::is_known;
use super::{geometry_type, invalid, value};
use crate::error::{Result, SqlError};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("geomcollection", (0, usize::MAX), geometry_type, collection),
    Function::new("geometrycollection", (0, usize::MAX), geometry_type, collection),
    Function::new("linestring", (2, usize::MAX), geometry_type, |a| {
        let (points, srid) = points(a, "linestring")?;
        Ok(value(&Geometry { srid, shape: Shape::LineString(points) }))
    }),
    Function::new("multilinestring", (1, usize::MAX), geometry_type, |a| {
        let (lines, srid) = lines(a, "multilinestring")?;
        Ok(value(&Geometry { srid, shape: Shape::MultiLineString(lines) }))
    }),
    Function::new("multipoint", (1, usize::MAX), geometry_type, |a| {
        let (points, srid) = points(a, "multipoint")?;
        Ok(value(&Geometry { srid, shape: Shape::MultiPoint(points) }))
    }),
    Function::new("multipolygon", (1, usize::MAX), geometry_type, |a| {
        let (shapes, srid) = shapes(a)?;
        let polygon = |shape| match shape {
            Shape::Polygon(rings) => Ok(rings),
            _ => Err(invalid("multipolygon")),
        };
        let polygons = shapes.into_iter().map(polygon).collect::<Result<_>>()?;
        Ok(value(&Geometry { srid, shape: Shape::MultiPolygon(polygons) }))
    }),
    Function::new("point", (2, 2), geometry_type, |a| {
        Ok(value(&Geometry { srid: 0, shape: Shape::Point(Point { x: a.strict_double(0)?, y: a.strict_double(1)? }) }))
    }),
    Function::new("polygon", (1, usize::MAX), geometry_type, |a| {
        let (rings, srid) = lines(a, "polygon")?;
        if !rings.iter().all(|ring| ring.len() >= 4 && ring.first() == ring.last()) {
            return Err(SqlError::general("Invalid GIS data provided to function polygon."));
        }
        Ok(value(&Geometry { srid, shape: Shape::Polygon(rings) }))
    }),
    Function::new("st_asbinary", (1, 1), result::blob, as_binary),
    Function::new("st_asgeojson", (1, 3), result::json, |a| {
        let digits =
            if a.len() > 1 { u32::try_from(a.count(1)?).map_err(|_| invalid("st_asgeojson"))? } else { u32::MAX };
        let options = if a.len() > 2 { a.count(2)? } else { 0 };
        let options =
            u8::try_from(options).ok().filter(|options| *options < 8).ok_or_else(|| invalid("st_asgeojson"))?;
        Ok(Value::json(a.geometry(0)?.to_geojson(digits, options)))
    }),
    Function::new("st_astext", (1, 1), result::text, |a| Ok(Value::text(a.geometry(0)?.to_wkt()))),
    Function::new("st_aswkb", (1, 1), result::blob, as_binary),
    Function::new("st_aswkt", (1, 1), result::text, |a| Ok(Value::text(a.geometry(0)?.to_wkt()))),
    Function::new("st_geohash", (2, 3), result::text, geohash),
    Function::new("st_geomfromgeojson", (1, 3), geometry_type, from_geojson),
    Function::new("st_latfromgeohash", (1, 1), result::double, |a| {
        Ok(Value::Double(read_geohash(&a.text(0)?, "st_latfromgeohash")?.y))
    }),
    Function::new("st_longfromgeohash", (1, 1), result::double, |a| {
        Ok(Value::Double(read_geohash(&a.text(0)?, "st_longfromgeohash")?.x))
    }),
    Function::new("st_pointfromgeohash", (2, 2), geometry_type, |a| {
        let point = read_geohash(&a.text(0)?, "st_pointfromgeohash")?;
        Ok(value(&Geometry { srid: srid(a, 1)?, shape: Shape::Point(point) }))
    }),
    Function::new(
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
    ),
    Function::new("st_swapxy", (1, 1), geometry_type, |a| {
        let geometry = a.geometry(0)?;
        Ok(value(&Geometry { srid: geometry.srid, shape: geometry.shape.swapped() }))
    }),
    Function::new("st_validate", (1, 1), geometry_type, |a| {
        let geometry = a.geometry(0)?;
        let is_valid = super::planar::is_valid(&geometry.shape, &|steps| a.context.work(steps))?;
        Ok(if is_valid { value(&geometry) } else { Value::Null })
    }),
    reader("st_geomfromtext", |a| from_text(a, GeometryKind::Geometry)),
    reader("st_geometryfromtext", |a| from_text(a, GeometryKind::Geometry)),
    reader("st_geomfromwkb", |a| from_binary(a, GeometryKind::Geometry)),
    reader("st_geometryfromwkb", |a| from_binary(a, GeometryKind::Geometry)),
    reader("st_pointfromtext", |a| from_text(a, GeometryKind::Point)),
    reader("st_pointfromwkb", |a| from_binary(a, GeometryKind::Point)),
    reader("st_linefromtext", |a| from_text(a, GeometryKind::LineString)),
    reader("st_linestringfromtext", |a| from_text(a, GeometryKind::LineString)),
    reader("st_linefromwkb", |a| from_binary(a, GeometryKind::LineString)),
    reader("st_linestringfromwkb", |a| from_binary(a, GeometryKind::LineString)),
    reader("st_polyfromtext", |a| from_text(a, GeometryKind::Polygon)),
    reader("st_polygonfromtext", |a| from_text(a, GeometryKind::Polygon)),
    reader("st_polyfromwkb", |a| from_binary(a, GeometryKind::Polygon)),
    reader("st_polygonfromwkb", |a| from_binary(a, GeometryKind::Polygon)),
    reader("st_mpointfromtext", |a| from_text(a, GeometryKind::MultiPoint)),
    reader("st_multipointfromtext", |a| from_text(a, GeometryKind::MultiPoint)),
    reader("st_mpointfromwkb", |a| from_binary(a, GeometryKind::MultiPoint)),
    reader("st_multipointfromwkb", |a| from_binary(a, GeometryKind::MultiPoint)),
    reader("st_mlinefromtext", |a| from_text(a, GeometryKind::MultiLineString)),
    reader("st_multilinestringfromtext", |a| from_text(a, GeometryKind::MultiLineString)),
    reader("st_mlinefromwkb", |a| from_binary(a, GeometryKind::MultiLineString)),
    reader("st_multilinestringfromwkb", |a| from_binary(a, GeometryKind::MultiLineString)),
    reader("st_mpolyfromtext", |a| from_text(a, GeometryKind::MultiPolygon)),
    reader("st_multipolygonfromtext", |a| from_text(a, GeometryKind::MultiPolygon)),
    reader("st_mpolyfromwkb", |a| from_binary(a, GeometryKind::MultiPolygon)),
    reader("st_multipolygonfromwkb", |a| from_binary(a, GeometryKind::MultiPolygon)),
    reader("st_geomcollfromtext", |a| from_text(a, GeometryKind::GeometryCollection)),
    reader("st_geomcollfromtxt", |a| from_text(a, GeometryKind::GeometryCollection)),
    reader("st_geometrycollectionfromtext", |a| from_text(a, GeometryKind::GeometryCollection)),
    reader("st_geomcollfromwkb", |a| from_binary(a, GeometryKind::GeometryCollection)),
    reader("st_geometrycollectionfromwkb", |a| from_binary(a, GeometryKind::GeometryCollection)),
];

/// ST_GEOMFROMTEXT and its kin: the text or binary, the SRID, options about the order of axes.
const fn reader(name: &'static str, eval: fn(&Arguments<'_>) -> Result<Value<'static>>) -> Function {
    Function::new(name, (1, 3), geometry_type, eval)
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
