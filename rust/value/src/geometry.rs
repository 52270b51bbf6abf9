//! Geometry as Dolt keeps it: EWKB, a u32 SRID and then well-known binary, little-endian (format/tree.md section 6).

use crate::error::ValueError;
use crate::types::GeometryKind;

/// Whether bytes may be stored in a column of a geometry type.
///
/// # Errors
/// [`ValueError::InvalidGeometry`] for another kind, another SRID, or bytes that are no EWKB.
pub fn check_column(bytes: &[u8], kind: GeometryKind, srid: Option<u32>) -> Result<(), ValueError> {
    let invalid = |what: &str| Err(ValueError::InvalidGeometry(what.to_owned()));
    let Some((own_srid, [1, rest @ ..])) = bytes.split_first_chunk::<4>() else {
        return invalid("Cannot get geometry object from data you sent to the GEOMETRY field");
    };
    let Some((code, _)) = rest.split_first_chunk::<4>() else {
        return invalid("Cannot get geometry object from data you sent to the GEOMETRY field");
    };
    let own_kind = GeometryKind::ALL.get(u32::from_le_bytes(*code) as usize);
    if kind != GeometryKind::Geometry && own_kind != Some(&kind) {
        return invalid("Cannot get geometry object from data you sent to the GEOMETRY field");
    }
    let own_srid = u32::from_le_bytes(*own_srid);
    match srid {
        Some(srid) if srid != own_srid => Err(ValueError::InvalidGeometry(format!(
            "The SRID of the geometry is {own_srid}, but the SRID of the column is {srid}."
        ))),
        _ => Ok(()),
    }
}
