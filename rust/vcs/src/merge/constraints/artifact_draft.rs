//! Conflicts and violations that a merge finds (docs/format/database.md, section 10.6; docs/format/tree.md, section 11).

use std::collections::BTreeMap;

use codec::{Address, CompactSort, base64, xxh3_64, xxh3_128};
use tree::tuple::{Tuple, TupleBuilder};
use tree::{AddressFields, Chunker, Direction, Kind, Map, SideChanges, ThreeWayDiff};

use crate::error::Result;
use crate::error::merge::MergeError;
use crate::merge::rows::map_edits::MapEdits;
use crate::merge::rows::row::Row;
use crate::objects::Objects;
use crate::schema::Schema;
use crate::table::Table;
use crate::table::artifacts::{Artifact, ArtifactKind, artifact_map, decode};

const INFO_HASH_SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const INFO_HASH_BYTES: usize = 20;

/// The address of a map of artifacts; `None` when it is empty.
pub(crate) fn address_of(map: &Map) -> Result<Option<Address>> {
    Ok(if map.is_empty() { None } else { Some(map.put_root()?) })
}

/// Values by key of the artifact; `None` deletes.
type RowEdits = BTreeMap<Box<[u8]>, Option<Box<str>>>;

/// The artifacts of a table with edits.
pub(crate) struct ArtifactDraft {
    map: Map,
    row_fields: usize,
    /// By key of the row.
    edits: BTreeMap<Box<[u8]>, RowEdits>,
}

impl ArtifactDraft {
    /// Starts with the artifacts at `address`.
    pub(crate) fn new(objects: &Objects, schema: &Schema, address: Option<Address>) -> Result<ArtifactDraft> {
        let nodes = objects.nodes();
        let root = match address {
            Some(address) => nodes.node(&address)?,
            None => {
                let empty = Chunker::new(&**nodes, Kind::Artifacts, AddressFields::default()).finish()?;
                nodes.embedded(&empty.message)?
            }
        };
        let map = artifact_map(nodes, root, schema)?;
        Ok(ArtifactDraft { map, row_fields: schema.key.len(), edits: BTreeMap::new() })
    }

    /// The row with this key is in conflict.
    pub(crate) fn add_conflict(&mut self, row_key: &[u8], theirs: &Address, base: &Address) -> Result<()> {
        let numbers: Vec<String> = base.as_bytes().iter().map(u8::to_string).collect();
        let value = format!("{{\"bc\":[{}]}}", numbers.join(","));
        let key = self.key(row_key, theirs, ArtifactKind::Conflict, &[0; INFO_HASH_BYTES])?;
        self.put(row_key, key, Some(value.into()));
        Ok(())
    }

    /// The row violates what `info`, a JSON text, describes. The same violation of the same values is not there twice.
    pub(crate) fn add_violation(
        &mut self,
        row: Row<'_>,
        source: &Address,
        kind: ArtifactKind,
        info: &str,
    ) -> Result<()> {
        let value = format!(
            "{{\"v_info\":\"{}\",\"value\":\"{}\"}}",
            base64::encode(info.as_bytes()),
            base64::encode(row.value)
        );
        for artifact in self.of_row(row.key)? {
            if artifact.kind == kind && *artifact.value == *value {
                self.put(row.key, artifact.key, None);
            }
        }
        let key = self.key(row.key, source, kind, &info_hash(info))?;
        self.put(row.key, key, Some(value.into()));
        Ok(())
    }

    /// Takes the violations of one kind away from a row; tells how many there were.
    pub(crate) fn remove_violations(&mut self, row_key: &[u8], kind: ArtifactKind) -> Result<usize> {
        let mut removed = 0;
        for artifact in self.of_row(row_key)?.into_iter().filter(|artifact| artifact.kind == kind) {
            self.put(row_key, artifact.key, None);
            removed += 1;
        }
        Ok(removed)
    }

    /// Takes in what theirs changed of the base's artifacts.
    pub(crate) fn merge(&mut self, table: &str, base: &Map, theirs: &Map) -> Result<()> {
        let mut walk = ThreeWayDiff::new(base, &self.map, theirs, tree::EveryRow::default())?;
        while let Some(SideChanges { ours, theirs }) = walk.next_changes()? {
            let Some(theirs) = theirs else { continue };
            if let Some(ours) = ours {
                let value = |item: &Option<tree::Item>| item.as_ref().map(|item| item.value().to_vec());
                if value(&ours.to) != value(&theirs.to) {
                    return Err(MergeError::Artifacts(table.into()).into());
                }
                continue;
            }
            let Some(item) = theirs.to.as_ref().or(theirs.from.as_ref()) else { continue };
            let artifact = decode(item.key(), item.value(), self.row_fields)?;
            let row_key = self.row_key(&artifact.key)?;
            let value = theirs.to.is_some().then_some(artifact.value);
            self.put(&row_key, artifact.key, value);
        }
        Ok(())
    }

    /// Takes away what `is_resolved` says.
    pub(crate) fn remove(&mut self, mut is_resolved: impl FnMut(&Artifact) -> bool) -> Result<()> {
        let mut scan = self.map.scan(None, None, Direction::Forward)?;
        let mut gone = Vec::new();
        while let Some(span) = scan.next_span(usize::MAX)? {
            for index in span.items.clone() {
                let artifact = decode(span.leaf.key(index), span.leaf.value(index), self.row_fields)?;
                if is_resolved(&artifact) {
                    gone.push(artifact.key);
                }
            }
        }
        for key in gone {
            let row_key = self.row_key(&key)?;
            self.put(&row_key, key, None);
        }
        Ok(())
    }

    /// Takes the edits to write them.
    pub(crate) fn take_edits(&mut self) -> Result<MapEdits> {
        let mut edits = Vec::new();
        for (key, text) in core::mem::take(&mut self.edits).into_values().flatten() {
            let value = match text {
                Some(text) => Some(TupleBuilder::new().push(Some(format!("{text}\0").as_bytes())).finish()?),
                None => None,
            };
            edits.push((Vec::from(key), value));
        }
        edits.try_compact_sort_by(|one, two| self.map.order.compare(&self.map.nodes, &one.0, &two.0))?;
        Ok(MapEdits::new(self.map.clone(), edits))
    }

    /// Writes the map; `None` when nothing is left.
    pub(crate) fn write(mut self) -> Result<Option<Address>> {
        address_of(&self.take_edits()?.at_once()?)
    }

    fn put(&mut self, row_key: &[u8], key: Box<[u8]>, value: Option<Box<str>>) {
        self.edits.entry(row_key.into()).or_default().insert(key, value);
    }

    fn key(&self, row_key: &[u8], source: &Address, kind: ArtifactKind, hash: &[u8]) -> Result<Box<[u8]>> {
        let row_key = Tuple::new(row_key);
        let mut key = TupleBuilder::new();
        for field in 0..self.row_fields {
            key.push(row_key.field(field));
        }
        let hash = [hash, &[0]].concat();
        Ok(key.push(Some(source.as_bytes())).push(Some(&[kind.number()])).push(Some(&hash)).finish()?.into())
    }

    /// The first fields of an artifact's key.
    fn row_key(&self, key: &[u8]) -> Result<Box<[u8]>> {
        let key = Tuple::new(key);
        let mut row_key = TupleBuilder::new();
        for field in 0..self.row_fields {
            row_key.push(key.field(field));
        }
        Ok(row_key.finish()?.into())
    }

    /// Artifacts of one row as they are by now.
    fn of_row(&self, row_key: &[u8]) -> Result<Vec<Artifact>> {
        let mut artifacts = BTreeMap::new();
        let mut scan = self.map.scan_prefix(row_key, self.row_fields, Direction::Forward)?;
        while let Some(span) = scan.next_span(usize::MAX)? {
            for index in span.items.clone() {
                let (key, value) = (span.leaf.key(index), span.leaf.value(index));
                artifacts.insert(Box::from(key), decode(key, value, self.row_fields)?);
            }
        }
        for (key, value) in self.edits.get(row_key).into_iter().flatten() {
            match value {
                Some(text) => {
                    let value = TupleBuilder::new().push(Some(format!("{text}\0").as_bytes())).finish()?;
                    artifacts.insert(key.clone(), decode(key, &value, self.row_fields)?);
                }
                None => {
                    artifacts.remove(key);
                }
            }
        }
        Ok(artifacts.into_values().collect())
    }
}

/// The artifacts of a table, or those of a table without any.
pub(crate) fn artifacts_of(table: &Table) -> Result<Map> {
    match table.artifacts()? {
        Some(map) => Ok(map),
        None => Ok(ArtifactDraft::new(table.objects(), table.schema(), None)?.map),
    }
}

fn info_hash(info: &str) -> [u8; INFO_HASH_BYTES] {
    let mut hash = [0; INFO_HASH_BYTES];
    hash[..16].copy_from_slice(&xxh3_128(info.as_bytes()).to_be_bytes());
    hash[16..].copy_from_slice(&xxh3_64(info.as_bytes(), INFO_HASH_SEED).to_be_bytes()[4..]);
    hash
}

/// JSON text as the reference writes it: `<`, `>` and `&` are escaped too.
pub(crate) fn json_string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            c if c < ' ' || matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') => {
                json.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// A JSON array of strings.
pub(crate) fn json_strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(json_string).collect();
    format!("[{}]", texts.join(","))
}

impl ArtifactKind {
    fn number(self) -> u8 {
        match self {
            ArtifactKind::Conflict => 1,
            ArtifactKind::ForeignKeyViolation => 2,
            ArtifactKind::UniqueViolation => 3,
            ArtifactKind::CheckViolation => 4,
            ArtifactKind::NotNullViolation => 5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_text_escapes_what_html_minds() {
        assert_eq!(json_strings(["a<b", "c\"d\n"]), r#"["a\u003cb","c\"d\n"]"#);
    }
}
