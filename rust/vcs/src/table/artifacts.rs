//! Conflicts and constraint violations that a merge left in a table (docs/format/database.md, section 10.6; docs/format/tree.md,
//! section 11).

use std::rc::Rc;

use codec::{Address, base64};
use tree::{Direction, Encoding, FieldType, Kind, Map, Node, NodeStore, Tuple, TupleDescriptor};
use value::{IntegerType, IntegerWidth, Json, SqlType};

use crate::error::{Result, VcsError};
use crate::schema::Schema;
use crate::table::Table;

/// How many of each kind a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArtifactCounts {
    pub conflicts: u64,
    pub violations: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArtifactKind {
    Conflict,
    ForeignKeyViolation,
    UniqueViolation,
    CheckViolation,
    NotNullViolation,
}

/// One conflict or violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The whole key tuple, which names it.
    pub key: Box<[u8]>,
    /// Their commit; for violations the root or commit that brought them.
    pub source: Address,
    pub kind: ArtifactKind,
    /// JSON: the base commit of a conflict, what is violated and the row's values of a violation.
    pub value: Box<str>,
}

impl Artifact {
    /// The commit that conflicting rows were changed from: `{"bc":[20 numbers]}`. `None` for a violation.
    pub fn base_commit(&self) -> Option<Address> {
        let byte = |number: &Json| match number {
            Json::Int(number) => u8::try_from(*number).ok(),
            Json::UInt(number) => u8::try_from(*number).ok(),
            Json::Double(number) if number.fract() == 0.0 && (0.0..256.0).contains(number) => Some(*number as u8),
            _ => None,
        };
        let Ok(Json::Object(object)) = Json::parse(&self.value) else { return None };
        let Some(Json::Array(numbers)) = object.get("bc") else { return None };
        let bytes: Vec<u8> = numbers.iter().map(byte).collect::<Option<_>>()?;
        Address::from_slice(&bytes).ok()
    }

    /// What a violation says about the constraint: a JSON text.
    pub fn violation_info(&self) -> Option<String> {
        let (_, rest) = self.value.split_once("\"v_info\":\"")?;
        let (info, _) = rest.split_once('"')?;
        String::from_utf8(base64::decode(info.as_bytes()).ok()?).ok()
    }
}

/// Fields of an artifact's key behind those of the row's key: source commit, kind, hash of the violation.
fn key_descriptor(schema: &Schema) -> TupleDescriptor {
    let kind = SqlType::Integer(IntegerType::new(IntegerWidth::Tiny, true));
    let own = [
        FieldType::new(Encoding::CommitAddr, false, SqlType::Binary { length: Address::LEN as u32 }),
        FieldType::new(Encoding::Uint8, false, kind),
        // Databases from before the hash have keys without it.
        FieldType::new(Encoding::Bytes, true, SqlType::VarBinary { length: Address::LEN as u32 }),
    ];
    TupleDescriptor::new(schema.key.fields().iter().cloned().chain(own).collect::<Vec<_>>())
}

/// The map of artifacts below `root`.
pub(crate) fn artifact_map(nodes: &Rc<NodeStore>, root: Rc<Node>, schema: &Schema) -> Result<Map> {
    if root.kind() != Kind::Artifacts {
        return Err(VcsError::corrupt("table", "its artifacts are of another kind"));
    }
    let value = TupleDescriptor::new([FieldType::new(Encoding::Json, false, SqlType::Json)]);
    Ok(Map::new(nodes.clone(), root, Rc::new(key_descriptor(schema)), Rc::new(value)))
}

impl Table {
    /// The artifacts as a map; `None` when there are none.
    pub fn artifacts(&self) -> Result<Option<Map>> {
        let Some(address) = self.artifacts_address() else { return Ok(None) };
        let nodes = self.objects().nodes();
        let root = nodes.node(&address)?;
        artifact_map(nodes, root, self.schema()).map(Some)
    }

    pub fn artifact_counts(&self) -> Result<ArtifactCounts> {
        let mut counts = ArtifactCounts::default();
        self.each_artifact(&mut |artifact| {
            match artifact.kind {
                ArtifactKind::Conflict => counts.conflicts += 1,
                _ => counts.violations += 1,
            }
            Ok(())
        })?;
        Ok(counts)
    }

    /// Calls `each` with every artifact, in key order.
    pub fn each_artifact(&self, each: &mut dyn FnMut(Artifact) -> Result<()>) -> Result<()> {
        let Some(map) = self.artifacts()? else { return Ok(()) };
        let row_fields = self.schema().key.len();
        let mut scan = map.scan(None, None, Direction::Forward)?;
        while let Some(span) = scan.next_span(usize::MAX)? {
            for index in span.items.clone() {
                each(decode(span.leaf.key(index), span.leaf.value(index), row_fields)?)?;
            }
        }
        Ok(())
    }
}

/// Reads an artifact whose row key has `row_fields` fields.
pub(crate) fn decode(key: &[u8], value: &[u8], row_fields: usize) -> Result<Artifact> {
    let wrong = |what| VcsError::corrupt("artifact", what);
    let fields = Tuple::new(key);
    let source = fields.field(row_fields).and_then(|field| Address::from_slice(field).ok());
    let kind = match fields.field(row_fields + 1) {
        Some([1]) => ArtifactKind::Conflict,
        Some([2]) => ArtifactKind::ForeignKeyViolation,
        Some([3]) => ArtifactKind::UniqueViolation,
        Some([4]) => ArtifactKind::CheckViolation,
        Some([5]) => ArtifactKind::NotNullViolation,
        _ => return Err(wrong("is of an unknown kind")),
    };
    let text = Tuple::new(value).field(0).and_then(|field| field.strip_suffix(&[0]));
    let text = text.and_then(|text| core::str::from_utf8(text).ok()).ok_or(wrong("has no text"))?;
    Ok(Artifact { key: key.into(), source: source.ok_or(wrong("has no source"))?, kind, value: text.into() })
}
