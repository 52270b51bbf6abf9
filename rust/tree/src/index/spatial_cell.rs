//! Cells of a spatial index (docs/format/tree.md, section 8.3).

use value::geometry::{Geometry, Point};

use crate::TreeError;

/// Bytes of a cell: its level, then where it is.
pub const CELL_BYTES: usize = 17;

/// The smallest cell that holds a geometry: level ℓ leaves out the lowest 2ℓ bits of where its points are.
///
/// # Errors
/// `TreeReason::Corrupt` for a geometry without points.
pub fn cell(geometry: &Geometry) -> Result<[u8; CELL_BYTES], TreeError> {
    let bounds = geometry.shape.bounds();
    let (low, high) = bounds.ok_or_else(|| TreeError::corrupt("geometry", "has no points to index", 0))?;
    let (low, high) = (interleaved(&low), interleaved(&high));
    let differing_bits = 128 - (low ^ high).leading_zeros();
    let level = differing_bits.div_ceil(2);
    let place = low.checked_shr(2 * level).map_or(0, |kept| kept << (2 * level));
    let mut cell = [0; CELL_BYTES];
    cell[0] = level as u8;
    cell[1..].copy_from_slice(&place.to_be_bytes());
    Ok(cell)
}

/// The bits of x and y in turn, those of y higher, such that near points have near numbers.
fn interleaved(point: &Point) -> u128 {
    let (x, y) = (ordered(point.x), ordered(point.y));
    (0..64).fold(0, |bits, i| bits | u128::from(x >> i & 1) << (2 * i) | u128::from(y >> i & 1) << (2 * i + 1))
}

/// Bits whose unsigned order is that of the numbers.
fn ordered(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits ^ 1 << 63 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_cell(text: &str, wanted: &str) {
        let found = cell(&Geometry::from_wkt(text, 0).unwrap()).unwrap();
        assert_eq!(codec::hex::lower(&found), wanted, "{text}");
    }

    /// Recorded from Dolt.
    #[test]
    fn cells_are_dolts() {
        assert_cell("POINT(1 2)", "00e5555500000000000000000000000000");
        assert_cell("POINT(-1.5 2.5)", "00b0000035555555555555555555555555");
        assert_cell("LINESTRING(0 0, 10 10)", "3fc0000000000000000000000000000000");
        assert_cell("LINESTRING(-1 -1, 1 1)", "4000000000000000000000000000000000");
    }

    #[test]
    fn no_points_have_no_cell() {
        assert!(cell(&Geometry::from_wkt("GEOMETRYCOLLECTION()", 0).unwrap()).is_err());
    }
}
