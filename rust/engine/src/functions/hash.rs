//! Digests and compression.

use md5::Digest;
use value::Value;

use super::{Arguments, Entry, Function, result};
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::of_text("compress", (1, 1), result::blob, compress).about("bytes", "The bytes, compressed with zlib"),
    Entry::of_text("md5", (1, 1), result::text, |a| Ok(hex(&md5::Md5::digest(a.bytes(0)?))))
        .null_as_arguments()
        .about("bytes", "The MD5 digest, in hexadecimal digits"),
    Entry::of_text("random_bytes", (1, 1), result::blob, random_bytes)
        .volatile()
        .not_in_checks()
        .about("length", "Random bytes"),
    Entry::of_text("sha", (1, 1), result::text, |a| Ok(hex(&sha1::Sha1::digest(a.bytes(0)?))))
        .null_as_arguments()
        .about("bytes", "The SHA-1 digest, in hexadecimal digits")
        .also(&["sha1"]),
    Entry::of_text("sha2", (2, 2), result::text, sha2_of)
        .about("bytes, bits", "The SHA-2 digest of 224, 256, 384 or 512 bits"),
    Entry::of_text("uncompress", (1, 1), result::blob, uncompress).about("bytes", "What COMPRESS has compressed"),
    Entry::of_text("uncompressed_length", (1, 1), result::unsigned, |a| {
        Ok(match a.bytes(0)?.split_first_chunk() {
            Some((length, [_, ..])) => Value::UInt(u32::from_le_bytes(*length).into()),
            _ if a.bytes(0)?.is_empty() => Value::UInt(0),
            _ => Value::Null,
        })
    })
    .about("bytes", "The length of what COMPRESS has compressed"),
    Entry::of_text("validate_password_strength", (1, 1), result::int, password_strength)
        .about("text", "The strength of a password, 0 to 100"),
];

/// RANDOM_BYTES gives at most so many.
const RANDOM_BYTES_MAX: i64 = 1024;
/// UNCOMPRESS makes at most so many bytes, whatever the text claims.
const UNCOMPRESSED_MAX: usize = 64 << 20;
/// Bytes before the compressed ones that say how long they become.
const LENGTH_BYTES: usize = 4;

fn hex(bytes: &[u8]) -> Value<'static> {
    Value::text(codec::hex::lower(bytes))
}

fn sha2_of(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bytes = a.bytes(0)?;
    Ok(match a.count(1)? {
        224 => hex(&sha2::Sha224::digest(bytes)),
        0 | 256 => hex(&sha2::Sha256::digest(bytes)),
        384 => hex(&sha2::Sha384::digest(bytes)),
        512 => hex(&sha2::Sha512::digest(bytes)),
        _ => Value::Null,
    })
}

fn random_bytes(a: &Arguments<'_>) -> Result<Value<'static>> {
    let length = a.integer(0)?;
    if !(1..=RANDOM_BYTES_MAX).contains(&length) {
        return Err(SqlError::general("length value is out of range in 'random_bytes'"));
    }
    let mut bytes = vec![0; length as usize];
    a.context.session.host.random(&mut bytes);
    Ok(Value::bytes(bytes))
}

fn compress(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bytes = a.bytes(0)?;
    if bytes.is_empty() {
        return Ok(Value::bytes(Vec::new()));
    }
    let mut packed = (bytes.len() as u32).to_le_bytes().to_vec();
    packed.extend(miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6));
    Ok(Value::bytes(packed))
}

fn uncompress(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bytes = a.bytes(0)?;
    if bytes.is_empty() {
        return Ok(Value::bytes(Vec::new()));
    }
    let plain = bytes
        .get(LENGTH_BYTES..)
        .and_then(|packed| miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, UNCOMPRESSED_MAX).ok());
    if plain.is_none() {
        a.context.session.warn(1259, "ZLIB: Input data corrupted");
    }
    Ok(plain.map_or(Value::Null, Value::bytes))
}

/// 0 for fewer than 4 characters, 25 for fewer than 8, 100 for all kinds of characters, else 50.
fn password_strength(a: &Arguments<'_>) -> Result<Value<'static>> {
    let password = a.text(0)?;
    let strength = match password.chars().count() {
        0..4 => 0,
        4..8 => 25,
        _ => {
            let has = |kind: fn(char) -> bool| password.chars().any(kind);
            let every = has(char::is_lowercase) && has(char::is_uppercase) && has(char::is_numeric);
            if every && has(|c| !c.is_alphanumeric()) { 100 } else { 50 }
        }
    };
    Ok(Value::Int(strength))
}
