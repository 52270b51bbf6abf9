//! Weight tables: one weight per code point, kept as runs and read from a compact form (see tools/collation_table.py).

use std::sync::OnceLock;

use crate::error::ValueError;

/// Tables of utf8mb4_0900_ai_ci, the collation of connections, and of those with short tables: general_ci and the single-byte sets.
static BUILT_IN: &[u8] = include_bytes!("weights.bin");

/// The other tables, once the host has fetched them.
static INSTALLED: OnceLock<Box<[u8]>> = OnceLock::new();

/// Fetches the file of further tables.
static LOADER: OnceLock<fn() -> Option<Vec<u8>>> = OnceLock::new();

/// Decoded tables by collation id.
static DECODED: [OnceLock<Weights>; 324] = [const { OnceLock::new() }; 324];

const CODE_POINTS: u32 = 0x11_0000;

/// The weights of all code points.
pub(super) struct Weights {
    ascii: [u32; 128],
    /// First code point of each run.
    firsts: Box<[u32]>,
    /// Weight of the first code point of each run, times two, plus the step to the next code point's.
    ranks: Box<[u32]>,
    /// The run in which each block of 256 code points begins; one more entry at the end.
    blocks: Box<[u32]>,
}

impl Weights {
    /// The table of a collation; `None` when it is neither built in nor installed nor to be had from the host.
    pub(super) fn of(id: u16) -> Option<&'static Weights> {
        let slot = DECODED.get(usize::from(id))?;
        if let Some(weights) = slot.get() {
            return Some(weights);
        }
        let runs = Tables::all().runs(id).ok()?;
        let runs = runs.or_else(|| if load() { Tables::all().runs(id).ok()? } else { None })?;
        let weights = Weights::new(&runs);
        Some(slot.get_or_init(|| weights))
    }

    fn new(runs: &[Run]) -> Weights {
        let mut firsts = Vec::with_capacity(runs.len());
        let mut ranks = Vec::with_capacity(runs.len());
        let (mut first, mut previous) = (0u32, 0i64);
        for run in runs {
            let rank = previous + run.delta;
            firsts.push(first);
            ranks.push(rank as u32 * 2 + u32::from(run.step));
            first += run.length;
            previous = rank + if run.step { i64::from(run.length) - 1 } else { 0 };
        }
        let block = |number: u32| firsts.partition_point(|first| *first <= number * 256).saturating_sub(1) as u32;
        let blocks = (0..=CODE_POINTS / 256).map(block).collect();
        let mut weights = Weights { ascii: [0; 128], firsts: firsts.into(), ranks: ranks.into(), blocks };
        weights.ascii = std::array::from_fn(|code_point| weights.look_up(code_point as u32));
        weights
    }

    pub(super) fn weight(&self, character: char) -> u32 {
        let code_point = u32::from(character);
        match self.ascii.get(code_point as usize) {
            Some(weight) => *weight,
            None => self.look_up(code_point),
        }
    }

    fn look_up(&self, code_point: u32) -> u32 {
        let block = (code_point / 256) as usize;
        let (from, to) = (self.blocks[block] as usize, self.blocks[block + 1] as usize);
        let run = from + self.firsts[from..=to].partition_point(|first| *first <= code_point) - 1;
        let rank = self.ranks[run];
        rank / 2 + (rank % 2) * (code_point - self.firsts[run])
    }
}

/// Makes the tables in `bytes` (the file weights/collations.bin) known. A second call changes nothing.
pub(super) fn install(bytes: Vec<u8>) -> Result<(), ValueError> {
    let tables = Tables { parts: vec![BUILT_IN, &bytes] };
    for id in Part(&bytes).ids()? {
        tables.runs(id)?;
    }
    // Losing the race against another call means that the tables are there.
    let _ = INSTALLED.set(bytes.into());
    Ok(())
}

pub(super) fn load_with(loader: fn() -> Option<Vec<u8>>) {
    let _ = LOADER.set(loader);
}

/// Whether there are tables now that were not there before.
fn load() -> bool {
    if INSTALLED.get().is_some() {
        return false;
    }
    LOADER.get().and_then(|loader| loader()).is_some_and(|bytes| install(bytes).is_ok())
}

/// Code points with consecutive weights (`step`) or one weight.
#[derive(Clone, Copy)]
struct Run {
    length: u32,
    step: bool,
    /// From the weight of the code point before to that of the first of this run.
    delta: i64,
}

/// Encoded tables in the order of their search.
struct Tables<'a> {
    parts: Vec<&'a [u8]>,
}

const DAMAGED: ValueError = ValueError::DamagedWeights("unexpected end");

impl Tables<'static> {
    fn all() -> Tables<'static> {
        Tables { parts: std::iter::once(BUILT_IN).chain(INSTALLED.get().map(|bytes| &**bytes)).collect() }
    }
}

impl Tables<'_> {
    /// The runs of a table, which cover all code points; `Ok(None)` when it is not here.
    fn runs(&self, id: u16) -> Result<Option<Vec<Run>>, ValueError> {
        let Some((base, payload)) = self.find(id)? else { return Ok(None) };
        let runs = if base == 0 {
            decode(payload)?
        } else {
            let Some((0, base)) = self.find(base)? else { return Err(ValueError::DamagedWeights("no base table")) };
            decode_difference(&decode(base)?, payload)?
        };
        let mut end = 0u32;
        let mut previous = 0i64;
        for run in &runs {
            end = end.checked_add(run.length).filter(|end| *end <= CODE_POINTS).ok_or(DAMAGED)?;
            let first = previous.checked_add(run.delta).filter(|rank| (0..1 << 24).contains(rank));
            previous = first.ok_or(ValueError::DamagedWeights("a weight out of range"))?
                + if run.step { i64::from(run.length) - 1 } else { 0 };
            if run.length == 0 {
                return Err(ValueError::DamagedWeights("an empty run"));
            }
        }
        if end == CODE_POINTS { Ok(Some(runs)) } else { Err(DAMAGED) }
    }

    fn find(&self, id: u16) -> Result<Option<(u16, &[u8])>, ValueError> {
        for part in &self.parts {
            let mut rest = Part(part);
            while let Some((own_id, base, payload)) = rest.next()? {
                if own_id == id {
                    return Ok(Some((base, payload)));
                }
            }
        }
        Ok(None)
    }
}

/// An encoded table: its id, that of its base (0 for none) and its runs.
type Encoded<'a> = (u16, u16, &'a [u8]);

/// Encoded tables one after the other.
struct Part<'a>(&'a [u8]);

impl<'a> Part<'a> {
    fn next(&mut self) -> Result<Option<Encoded<'a>>, ValueError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let ([a, b, c, d, length @ ..], rest) = self.0.split_first_chunk::<8>().ok_or(DAMAGED)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (payload, rest) = rest.split_at_checked(length).ok_or(DAMAGED)?;
        self.0 = rest;
        Ok(Some((u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]), payload)))
    }

    fn ids(mut self) -> Result<Vec<u16>, ValueError> {
        let mut ids = Vec::new();
        while let Some((id, _, _)) = self.next()? {
            ids.push(id);
        }
        Ok(ids)
    }
}

fn varint(bytes: &mut &[u8]) -> Result<u64, ValueError> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(DAMAGED)?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return Ok(value);
        }
    }
    Err(ValueError::DamagedWeights("a number too long"))
}

fn run(bytes: &mut &[u8]) -> Result<Run, ValueError> {
    let length = varint(bytes)?;
    let delta = varint(bytes)?;
    let magnitude = (delta >> 1) as i64;
    Ok(Run {
        length: u32::try_from(length >> 1).map_err(|_| DAMAGED)?,
        step: length & 1 == 1,
        delta: if delta & 1 == 1 { -magnitude - 1 } else { magnitude },
    })
}

fn decode(mut payload: &[u8]) -> Result<Vec<Run>, ValueError> {
    let mut runs = Vec::new();
    while !payload.is_empty() {
        runs.push(run(&mut payload)?);
    }
    Ok(runs)
}

fn decode_difference(base: &[Run], mut payload: &[u8]) -> Result<Vec<Run>, ValueError> {
    let mut runs = Vec::new();
    let mut rest = base;
    while !payload.is_empty() {
        let copied = usize::try_from(varint(&mut payload)?).map_err(|_| DAMAGED)?;
        let (same, behind) = rest.split_at_checked(copied).ok_or(DAMAGED)?;
        runs.extend_from_slice(same);
        let skipped = usize::try_from(varint(&mut payload)?).map_err(|_| DAMAGED)?;
        rest = behind.get(skipped..).ok_or(DAMAGED)?;
        for _ in 0..varint(&mut payload)? {
            runs.push(run(&mut payload)?);
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rank tables of the format's vectors: runs of first code point, rank, step.
    #[test]
    fn weights_order_code_points_as_the_vectors_do() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/format/vectors/tree/collation_ranks.json");
        let Ok(text) = std::fs::read_to_string(path) else {
            eprintln!("skipped: ../shared not found");
            return;
        };
        install_further();
        let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut checked = 0;
        for (name, runs) in vectors["collations"].as_object().unwrap() {
            let collation = crate::Collation::from_name(name).unwrap();
            if collation.is_code_point_order() {
                continue;
            }
            let weights = Weights::of(collation.id()).unwrap();
            let runs: Vec<[u32; 3]> = serde_json::from_value(runs.clone()).unwrap();
            for (at, [first, rank, step]) in runs.iter().enumerate() {
                let end = runs.get(at + 1).map_or(CODE_POINTS, |next| next[0]);
                // Within a run every 31st is enough; its ends decide.
                let picked = (*first..end).step_by(31).chain([end - 1]);
                for character in picked.filter_map(char::from_u32) {
                    assert_eq!(
                        weights.weight(character),
                        rank + step * (u32::from(character) - first),
                        "{name} {character:?}"
                    );
                }
            }
            checked += 1;
        }
        assert_eq!(checked, 7);
    }

    /// As a host does when a table is asked for.
    fn install_further() {
        install(std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/collations.bin")).unwrap()).unwrap();
    }

    #[test]
    fn further_tables_can_be_installed_and_damaged_ones_cannot() {
        let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/collations.bin")).unwrap();
        for cut in [1, 7, 100, bytes.len() / 2, bytes.len() - 1] {
            assert!(install(bytes[..cut].to_vec()).is_err(), "{cut}");
        }
        for at in (0..300).chain((300..3000).step_by(7)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let tables = Tables { parts: vec![BUILT_IN, &damaged] };
            if let Ok(ids) = Part(&damaged).ids() {
                // Any answer but a panic or a table with holes will do.
                for id in ids.into_iter().take(2) {
                    if let Ok(Some(runs)) = tables.runs(id) {
                        assert_eq!(runs.iter().map(|run| run.length).sum::<u32>(), CODE_POINTS);
                    }
                }
            }
        }
        install_further();
        for collation in crate::Collation::all().filter(|collation| collation.is_implemented()) {
            assert_eq!(collation.ready(), Ok(()), "{collation}");
        }
    }
}
