//! UUIDs and IP addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use codec::hex;
use value::{Collation, SqlType, Value};

use super::{Arguments, Entry, Function, declared, result};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("bin_to_uuid", (1, 2), result::server_text, |a| {
        let bytes = a.bytes(0)?;
        let bytes: [u8; 16] = bytes.as_ref().try_into().map_err(|_| {
            SqlError::general(format!(
                "unable to parse '{}' to UUID: invalid UUID (got {} bytes)",
                String::from_utf8_lossy(&bytes),
                bytes.len()
            ))
        })?;
        Ok(Value::text(uuid_text(if swaps(a)? { unswapped(bytes) } else { bytes })))
    })
    .about("bytes[, swap]", "The text of a UUID"),
    Entry::new("inet6_aton", (1, 1), result::blob, |a| {
        Ok(match address(a, "inet6_aton")? {
            Some(IpAddr::V4(ip)) => Value::bytes(ip.octets().to_vec()),
            Some(IpAddr::V6(ip)) => Value::bytes(ip.octets().to_vec()),
            None => Value::Null,
        })
    })
    .about("address", "The bytes of an IPv6 or IPv4 address"),
    Entry::new("inet6_ntoa", (1, 1), result::text, inet6_text).about("bytes", "The text of an IPv6 or IPv4 address"),
    Entry::new("inet_aton", (1, 1), result::unsigned_int, |a| {
        Ok(match address(a, "inet_aton")? {
            Some(IpAddr::V4(ip)) => Value::UInt(u32::from(ip).into()),
            _ => Value::Null,
        })
    })
    .null_as_arguments()
    .about("address", "An IPv4 address as a number"),
    Entry::new("inet_ntoa", (1, 1), result::text, |a| {
        let number = match a.get(0) {
            Value::Bytes(_) => 0,
            _ => a.integer(0)?,
        };
        let number = u32::try_from(number).unwrap_or(if number < 0 { 0 } else { u32::MAX });
        Ok(Value::text(Ipv4Addr::from(number).to_string()))
    })
    .null_as_arguments()
    .about("number", "The text of an IPv4 address"),
    Entry::new("is_ipv4", (1, 1), result::boolean, |a| Ok(Value::boolean(matches!(parsed(a), Some(IpAddr::V4(_))))))
        .null_as_arguments()
        .about("text", "Whether a text is an IPv4 address"),
    Entry::new("is_ipv4_compat", (1, 1), result::boolean, |a| Ok(Value::boolean(has_prefix(a, [0; 12]))))
        .about("bytes", "Whether an address is IPv4-compatible"),
    Entry::new("is_ipv4_mapped", (1, 1), result::boolean, |a| {
        Ok(Value::boolean(has_prefix(a, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])))
    })
    .about("bytes", "Whether an address is IPv4-mapped"),
    Entry::new("is_ipv6", (1, 1), result::boolean, |a| Ok(Value::boolean(matches!(parsed(a), Some(IpAddr::V6(_))))))
        .about("text", "Whether a text is an IPv6 address"),
    Entry::new("is_uuid", (1, 1), result::boolean, |a| Ok(Value::boolean(read_uuid(&a.text(0)?).is_some())))
        .about("text", "Whether a text is a UUID"),
    Entry::new("uuid", (0, 0), result::server_text, |a| {
        let mut bytes = [0; 16];
        a.context.session.host.random(&mut bytes);
        // Version 4, variant of RFC 4122.
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Ok(Value::text(uuid_text(bytes)))
    })
    .volatile()
    .not_in_checks()
    .declared(|_| declared::never_null(SqlType::VarChar { length: 36, collation: Collation::UTF8MB4_0900_BIN }))
    .about("", "A new UUID"),
    Entry::new("uuid_short", (0, 0), result::unsigned, |a| {
        let mut bytes = [0; 3];
        a.context.session.host.random(&mut bytes);
        let [low, middle, high] = bytes.map(u64::from);
        let seconds = (a.context.session.host.now_microseconds() / 1_000_000) as u64;
        // Server 1, seconds, and in place of a counter something that pages do not share.
        Ok(Value::UInt(1 << 56 | (seconds & 0xffff_ffff) << 24 | high << 16 | middle << 8 | low))
    })
    .volatile()
    .not_in_checks()
    .about("", "A new number of 64 bits"),
    Entry::new("uuid_to_bin", (1, 2), result::blob, |a| {
        let text = a.text(0)?;
        let bytes = read_uuid(&text).ok_or_else(|| {
            let why = match text.len() {
                32 | 36 | 38 | 45 => "invalid UUID format".to_owned(),
                length => format!("invalid UUID length: {length}"),
            };
            SqlError::general(format!("unable to parse '{text}' to UUID: {why}"))
        })?;
        Ok(Value::bytes(if swaps(a)? { swapped(bytes) } else { bytes }.to_vec()))
    })
    .about("uuid[, swap]", "The bytes of a UUID"),
];

fn uuid_text(bytes: [u8; 16]) -> String {
    let digits = hex::lower(&bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// With dashes, without, in braces, or as `urn:uuid:…`.
fn read_uuid(text: &str) -> Option<[u8; 16]> {
    let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    let text = lower.strip_prefix("urn:uuid:").unwrap_or(&lower);
    let digits = match text.len() {
        32 => text.to_owned(),
        36 if [8, 13, 18, 23].iter().all(|at| text.as_bytes()[*at] == b'-') => {
            let digits = text.replace('-', "");
            Some(digits).filter(|digits| digits.len() == 32)?
        }
        _ => return None,
    };
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    Some(u128::from_str_radix(&digits, 16).ok()?.to_be_bytes())
}

fn swaps(a: &Arguments<'_>) -> Result<bool> {
    match if a.len() > 1 { a.integer(1)? } else { 0 } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(SqlError::general("UUID_TO_BIN received invalid swap flag")),
    }
}

/// The time of a version 1 UUID with its high part first, so that they sort by time.
fn swapped([a, b, c, d, e, f, g, h, rest @ ..]: [u8; 16]) -> [u8; 16] {
    let [i, j, k, l, m, n, o, p] = rest;
    [g, h, e, f, a, b, c, d, i, j, k, l, m, n, o, p]
}

fn unswapped([g, h, e, f, a, b, c, d, rest @ ..]: [u8; 16]) -> [u8; 16] {
    let [i, j, k, l, m, n, o, p] = rest;
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}

fn parsed(a: &Arguments<'_>) -> Option<IpAddr> {
    match a.get(0) {
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// The first argument as an address; a warning and `None` if it is none.
fn address(a: &Arguments<'_>, function: &str) -> Result<Option<IpAddr>> {
    let text = a.text(0)?;
    let address = text.parse().ok();
    if address.is_none() {
        a.context.session.warn(1411, format!("Incorrect string value: ''{text}'' for function {function}"));
    }
    Ok(address)
}

fn has_prefix(a: &Arguments<'_>, prefix: [u8; 12]) -> bool {
    matches!(a.get(0), Value::Bytes(bytes) if bytes.len() == 16 && bytes.starts_with(&prefix))
}

fn inet6_text(a: &Arguments<'_>) -> Result<Value<'static>> {
    if let Value::Bytes(bytes) = a.get(0) {
        if let Ok(four) = <[u8; 4]>::try_from(&bytes[..]) {
            return Ok(Value::text(Ipv4Addr::from(four).to_string()));
        }
        if let Ok(sixteen) = <[u8; 16]>::try_from(&bytes[..]) {
            let four = Ipv4Addr::new(sixteen[12], sixteen[13], sixteen[14], sixteen[15]);
            let compatible = sixteen[..12] == [0; 12] && (sixteen[12] != 0 || sixteen[13] != 0);
            return Ok(Value::text(match compatible {
                true => format!("::{four}"),
                false => Ipv6Addr::from(sixteen).to_string(),
            }));
        }
    }
    a.context.session.warn(1411, "Incorrect string value for function inet6_ntoa");
    Ok(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_are_read_and_swapped() {
        let bytes = read_uuid("6ccd780c-baba-1026-9564-5b8c656024db").expect("a UUID");
        assert_eq!(uuid_text(bytes), "6ccd780c-baba-1026-9564-5b8c656024db");
        assert_eq!(unswapped(swapped(bytes)), bytes);
        assert_eq!(hex::lower(&swapped(bytes)), "1026baba6ccd780c95645b8c656024db");
        assert_eq!(read_uuid("{6CCD780C-BABA-1026-9564-5B8C656024DB}"), Some(bytes));
        for wrong in
            ["", "6ccd780cbaba", "6ccd780c-baba-1026-9564-5b8c656024dé", "é", "6ccd780c+baba-1026-9564-5b8c656024db"]
        {
            assert_eq!(read_uuid(wrong), None, "{wrong}");
        }
    }
}
