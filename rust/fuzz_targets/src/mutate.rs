//! Mutations of inputs: bytes, numbers and pieces of any format, words of SQL, messages within bundles.

use crate::bundle::unpack;
use crate::repair::{repair, replace_message};
use crate::{Format, Random};

/// Numbers at the edges of what fields hold.
const NUMBERS: [u64; 10] = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0xffff_ffff, 1 << 40, u64::MAX >> 1, u64::MAX];

/// Words that plans take apart.
const WORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "t",
    "u",
    "v",
    "a",
    "b",
    "c",
    "d",
    "j",
    "x",
    "*",
    "(",
    ")",
    ",",
    "WHERE",
    "JOIN",
    "LEFT JOIN",
    "ON",
    "USING (a)",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "LIMIT",
    "OFFSET",
    "UNION",
    "UNION ALL",
    "EXCEPT",
    "INTERSECT",
    "WITH",
    "RECURSIVE",
    "AS",
    "IN",
    "EXISTS",
    "NOT",
    "NULL",
    "IS NULL",
    "BETWEEN",
    "AND",
    "OR",
    "XOR",
    "LIKE",
    "REGEXP",
    "=",
    "<",
    ">",
    "<=>",
    "+",
    "-",
    "*",
    "/",
    "%",
    "COUNT(*)",
    "SUM(a)",
    "MAX(b)",
    "OVER (ORDER BY a)",
    "PARTITION BY b",
    "JSON_EXTRACT(j, '$.a')",
    "j->>'$.a'",
    "CAST(a AS CHAR)",
    "CASE WHEN",
    "THEN",
    "ELSE",
    "END",
    "INTERVAL 1 DAY",
    "'x'",
    "''",
    "1",
    "-1",
    "1e400",
    "99999999999999999999",
    "0x",
    "@a",
    "?",
    "DISTINCT",
    "LATERAL",
    "VALUES ROW(1)",
    "INSERT INTO",
    "UPDATE",
    "SET",
    "DELETE",
    "CREATE TABLE",
    "ALTER TABLE",
    "DROP",
    "dolt_log",
    "dolt_diff('a','b')",
    "AS OF 'HEAD'",
    "FOR UPDATE",
    ";",
    "--",
    "/*",
    "`",
    "(SELECT",
    "(SELECT 1)",
    "MATCH (x) AGAINST ('w')",
    "EXPLAIN",
    "JSON_TABLE(j, '$' COLUMNS (o FOR ORDINALITY)) jt",
];

/// Changes an input by a seed, up to `bytes_max`.
pub fn mutate(format: Format, bytes: &mut Vec<u8>, seed: u64, bytes_max: usize) {
    let mut random = Random::new(seed);
    for _ in 0..1 + random.below(3) {
        match format {
            Format::Node | Format::AddressMap | Format::Blob => {
                let count = unpack(bytes).len();
                // The root is looked at first: half of the changes are there.
                let at = if random.chance(2) { count.saturating_sub(1) } else { random.below(count) };
                match random.below(24) {
                    0 => mutate_bytes(bytes, &mut random),
                    _ => replace_message(bytes, at, |message| mutate_bytes(message, &mut random)),
                }
            }
            Format::Sql if !random.chance(5) => mutate_words(bytes, &mut random),
            _ => mutate_bytes(bytes, &mut random),
        }
    }
    bytes.truncate(bytes_max);
    // Some keep what is wrong with them.
    if !random.chance(8) {
        repair(format, bytes);
    }
}

fn mutate_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let len = bytes.len();
    let at = random.below(len);
    match random.below(12) {
        0 => bytes.truncate(at),
        1 if len > 1 => {
            let piece = 1 + random.below(64.min(len - 1));
            let (from, to) = (random.below(len - piece), random.below(len - piece));
            bytes.copy_within(from..from + piece, to);
        }
        2 => bytes.insert(at, random.below(256) as u8),
        3 => bytes.extend(vec![random.below(256) as u8; random.below(40)]),
        4 | 5 => {
            let number = *random.pick(&NUMBERS);
            let width = *random.pick(&[1, 2, 4, 8]);
            let end = (at + width).min(len);
            let (big, little) = (number.to_be_bytes(), number.to_le_bytes());
            let from = if random.chance(2) { &big[8 - width..] } else { &little[..width] };
            bytes[at..end].copy_from_slice(&from[..end - at]);
        }
        // A number becomes one close to it: offsets and counts by one.
        6 | 7 if len > 0 => bytes[at] = bytes[at].wrapping_add(if random.chance(2) { 1 } else { 0xff }),
        8 if len > 300 => bytes[len - 1 - random.below(300)] ^= 1 << random.below(8),
        9 if len > 1 => {
            let piece = 1 + random.below(32.min(len - 1));
            let from = random.below(len - piece);
            bytes.drain(from..from + piece);
        }
        _ => {
            for _ in 0..=random.below(4) {
                if !bytes.is_empty() {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
        }
    }
}

fn mutate_words(bytes: &mut Vec<u8>, random: &mut Random) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut words: Vec<String> = text.split_inclusive([' ', '(', ')', ',']).map(str::to_owned).collect();
    let at = random.below(words.len() + 1);
    match random.below(7) {
        0 if at < words.len() => drop(words.remove(at)),
        1 if at < words.len() => words[at] = format!("{} ", random.pick(WORDS)),
        2 if words.len() > 1 => {
            let other = random.below(words.len());
            words.swap(at.min(other), other);
        }
        3 => {
            let from = random.below(words.len());
            let piece: Vec<String> = words.iter().skip(from).take(1 + random.below(12)).cloned().collect();
            words.splice(at..at, piece);
        }
        4 if !words.is_empty() => {
            // A part of the text many times: lists, chains and nesting.
            let from = random.below(words.len());
            let piece: String = words.iter().skip(from).take(1 + random.below(4)).cloned().collect();
            words.insert(at, piece.repeat(1 + random.below(40)));
        }
        _ => words.insert(at, format!("{} ", random.pick(WORDS))),
    }
    *bytes = words.concat().into_bytes();
}
