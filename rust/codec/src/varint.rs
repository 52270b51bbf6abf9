//! Variable-length integers: the two encodings of the tree formats.

use crate::{Corrupt, Reader};

/// Reads a base-128 integer: little-endian groups of seven bits, high bit = continue. At most ten bytes.
pub fn read_base128(reader: &mut Reader<'_>) -> Result<u64, Corrupt> {
    let start = reader.position();
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = reader.u8()?;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            break;
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Corrupt::new("varint is longer than 64 bits", start))
}

/// Appends `value` in the form of [`read_base128`].
pub fn write_base128(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// `value` with its sign in the lowest bit, so that small magnitudes stay short.
pub const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`zigzag`].
pub const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// A sequence of counts stored as zigzag deltas (docs/format/tree.md, section 3.3). Ends, or fails once, at the end of the bytes.
#[derive(Clone, Debug)]
pub struct Deltas<'a> {
    reader: Reader<'a>,
    previous: u64,
    failed: bool,
}

impl<'a> Deltas<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Deltas { reader: Reader::new(bytes), previous: 0, failed: false }
    }
}

impl Iterator for Deltas<'_> {
    type Item = Result<u64, Corrupt>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.reader.is_empty() {
            return None;
        }
        let at = self.reader.position();
        let next = read_base128(&mut self.reader).and_then(|delta| {
            self.previous
                .checked_add_signed(unzigzag(delta))
                .ok_or(Corrupt::new("count is negative or above 64 bits", at))
        });
        match next {
            Ok(count) => self.previous = count,
            Err(_) => self.failed = true,
        }
        Some(next)
    }
}

/// Appends `counts` in the form that [`Deltas`] reads. Counts are below 2^63.
pub fn write_deltas(counts: impl IntoIterator<Item = u64>, out: &mut Vec<u8>) {
    let mut previous = 0u64;
    for count in counts {
        write_base128(zigzag(count.wrapping_sub(previous) as i64), out);
        previous = count;
    }
}

/// Reads a SQLite4 integer: the first byte tells the length, 1 to 9 bytes, big-endian (docs/format/tree.md, section 5).
pub fn read_sqlite4(reader: &mut Reader<'_>) -> Result<u64, Corrupt> {
    let first = reader.u8()?;
    Ok(match first {
        0..=240 => u64::from(first),
        241..=248 => 240 + 256 * u64::from(first - 241) + u64::from(reader.u8()?),
        249 => 2288 + u64::from(reader.u16_be()?),
        250..=255 => {
            let mut value = 0u64;
            for byte in reader.take(usize::from(first - 247))? {
                value = value << 8 | u64::from(*byte);
            }
            value
        }
    })
}

/// Appends `value` in the form of [`read_sqlite4`], as short as it goes.
pub fn write_sqlite4(value: u64, out: &mut Vec<u8>) {
    match value {
        0..=240 => out.push(value as u8),
        241..=2287 => out.extend_from_slice(&[((value - 240) >> 8) as u8 + 241, (value - 240) as u8]),
        2288..=67823 => {
            out.push(249);
            out.extend_from_slice(&((value - 2288) as u16).to_be_bytes());
        }
        _ => {
            let len = ((71 - value.leading_zeros()) / 8).max(3) as u8;
            out.push(247 + len);
            out.extend(value.to_be_bytes().into_iter().skip(8 - usize::from(len)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u64; 22] = [
        0,
        1,
        127,
        128,
        240,
        241,
        2287,
        2288,
        16383,
        16384,
        67823,
        67824,
        0xff_ffff,
        0x100_0000,
        0xffff_ffff,
        0x1_0000_0000,
        0xff_ffff_ffff,
        0x100_0000_0000,
        0xffff_ffff_ffff,
        0xff_ffff_ffff_ffff,
        1 << 63,
        u64::MAX,
    ];

    #[test]
    fn integers_round_trip() {
        for value in EDGES {
            let mut bytes = Vec::new();
            write_base128(value, &mut bytes);
            assert_eq!(read_base128(&mut Reader::new(&bytes)).unwrap(), value);
            assert!(read_base128(&mut Reader::new(&bytes[..bytes.len() - 1])).is_err());
            bytes.clear();
            write_sqlite4(value, &mut bytes);
            let mut reader = Reader::new(&bytes);
            assert_eq!(read_sqlite4(&mut reader).unwrap(), value);
            assert!(reader.is_empty());
            assert!(read_sqlite4(&mut Reader::new(&bytes[..bytes.len() - 1])).is_err());
            assert_eq!(zigzag(unzigzag(value)), value);
        }
    }

    #[test]
    fn sqlite4_lengths() {
        for (value, len) in
            [(240, 1), (241, 2), (2287, 2), (2288, 3), (67823, 3), (67824, 4), (0x100_0000, 5), (u64::MAX, 9)]
        {
            let mut bytes = Vec::new();
            write_sqlite4(value, &mut bytes);
            assert_eq!(bytes.len(), len, "{value}");
        }
    }

    #[test]
    fn over_long_varint_is_an_error() {
        assert!(read_base128(&mut Reader::new(&[0xff; 11])).is_err());
        assert!(read_base128(&mut Reader::new(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2])).is_err());
    }

    #[test]
    fn deltas_round_trip_and_refuse_negative_counts() {
        let counts = [5u64, 5, 9, 1, 0, 1 << 40, 3];
        let mut bytes = Vec::new();
        write_deltas(counts, &mut bytes);
        assert_eq!(Deltas::new(&bytes).collect::<Result<Vec<_>, _>>().unwrap(), counts);
        assert!(Deltas::new(&[1]).next().unwrap().is_err());
    }
}
