//! The plan of a rebase: the table `dolt_rebase` (docs/format/database.md, section 10.8).

use hashbrown::HashSet;
use std::rc::Rc;

use codec::Address;
use tree::message::schema as message;
use tree::{Direction, Edit, RowWriter, tuple};
use value::{Decimal, EnumValue, SqlType, Value};
use vcs::{Commit, ExistingKinds, RootValue, Schema, TableDraft, new_tag, tag_kind};

use crate::error::{Result, SqlError};

pub const TABLE: &str = "dolt_rebase";
const ACTIONS: &str = "enum('drop','pick','reword','squash','fixup','edit')";
/// Names, types and encodings of the columns.
const COLUMNS: [(&str, &str, u8); 4] = [
    ("rebase_order", "decimal(6,2)", 130),
    ("action", ACTIONS, 19),
    ("commit_hash", "text", 135),
    ("commit_message", "text", 135),
];
/// MySQL's number of `utf8mb4_0900_bin`.
const COLLATION: u16 = 309;

/// What is done with a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Drop,
    Pick,
    Reword,
    Squash,
    Fixup,
    Edit,
}

impl Action {
    const ALL: [Action; 6] = [Action::Drop, Action::Pick, Action::Reword, Action::Squash, Action::Fixup, Action::Edit];
}

/// One step, in the order of the plan.
#[derive(Debug, Clone)]
pub struct Step {
    pub order: f32,
    pub action: Action,
    pub commit: Box<str>,
    pub message: Box<str>,
}

/// A root with the plan that picks these commits, the oldest first.
pub fn write(root: &RootValue, head: &RootValue, commits: &[Rc<Commit>]) -> Result<RootValue> {
    let objects = root.objects();
    let nodes = objects.nodes();
    let schema = Schema::create(objects, &schema_message(root, head)?)?;
    let table = TableDraft::new(objects, schema.clone())?.write()?;
    let mut keys = RowWriter::new(schema.key.clone(), schema.target_row_bytes);
    let mut values = RowWriter::new(schema.value.clone(), schema.target_row_bytes);
    let SqlType::Enum(actions) = &schema.columns[1].sql_type else {
        return Err(SqlError::internal("the actions of a plan are no ENUM"));
    };
    let mut rows = Vec::with_capacity(commits.len());
    for (at, commit) in commits.iter().enumerate() {
        // Native Dolt leaves out the decimals that the column has.
        let order = Value::Decimal(Decimal::new(at as i128 + 1, 0));
        let action = Value::Enum(EnumValue { index: Action::Pick as u16 + 1, kind: actions.clone() });
        let row = [action, Value::text(commit.address.to_string()), Value::text(commit.meta.description.to_string())];
        rows.push((keys.write(&[order], &mut &**nodes)?, values.write(&row, &mut &**nodes)?));
    }
    let mut draft = table.draft();
    draft.rows = table.rows().edited(rows.iter().map(|(key, value)| Edit::put(key, value)))?.root;
    Ok(root.with_table(TABLE, &draft.write()?)?)
}

fn schema_message(root: &RootValue, head: &RootValue) -> Result<message::Schema> {
    let mut used: HashSet<u64> = HashSet::new();
    for root in [root, head] {
        for entry in root.tables() {
            let table = root.objects().table(&entry?.1)?;
            used.extend(table.schema().columns.iter().map(|column| column.tag));
        }
    }
    let (mut columns, mut kinds) = (Vec::new(), ExistingKinds::default());
    for (at, (name, kind, encoding)) in COLUMNS.into_iter().enumerate() {
        let kind_byte = tag_kind(&kind.parse::<SqlType>()?);
        let tag = new_tag(TABLE, name, &kinds, kind_byte, &used);
        used.insert(tag);
        kinds.push(kind_byte);
        columns.push(message::Column {
            name: name.into(),
            sql_type: kind.into(),
            display_order: at as i16,
            tag,
            encoding,
            is_primary_key: at == 0,
            ..message::Column::default()
        });
    }
    Ok(message::Schema {
        columns,
        clustered_index: message::ClusteredIndex { key_columns: vec![0], value_columns: vec![1, 2, 3] },
        secondary_indexes: Vec::new(),
        checks: Vec::new(),
        collation: COLLATION,
        comment: "".into(),
        target_row_bytes: message::TARGET_ROW_BYTES,
    })
}

/// The steps of the plan that a root has, checked.
pub fn read(root: &RootValue) -> Result<Vec<Step>> {
    let table = root.table(TABLE)?.ok_or_else(|| SqlError::table_not_found(TABLE))?;
    let (schema, nodes) = (table.schema().clone(), root.objects().nodes().clone());
    let wrong = || SqlError::general("the rebase plan in dolt_rebase has been altered in an unknown way");
    let positions: Option<Vec<usize>> = COLUMNS.iter().map(|(name, ..)| schema.column(name)).collect();
    let positions = positions.ok_or_else(wrong)?;
    let mut steps: Vec<Step> = Vec::new();
    let mut scan = table.rows().scan(None, None, Direction::Forward)?;
    while let Some(span) = scan.next_span(usize::MAX)? {
        for at in span.items.clone() {
            let (key, value) = (span.leaf.key(at), span.leaf.value(at));
            let mut row = Vec::new();
            for position in &positions {
                let (bytes, fields, field) = match schema.columns[*position].place {
                    vcs::Place::Key(field) => (key, &schema.key, field),
                    vcs::Place::Value(field) => (value, &schema.value, field),
                    vcs::Place::Virtual => return Err(wrong()),
                };
                let kind = fields.fields().get(field).ok_or_else(wrong)?;
                row.push(tuple::decode(&nodes, kind, tree::Tuple::new(bytes).field(field))?.into_owned());
            }
            let [Value::Decimal(order), Value::Enum(action), Value::Text(commit), Value::Text(message)] = &row[..]
            else {
                return Err(wrong());
            };
            let order = order.to_string().parse::<f32>().map_err(|_| wrong())?;
            let action = Action::ALL.get(usize::from(action.index).wrapping_sub(1)).copied().ok_or_else(wrong)?;
            steps.push(Step { order, action, commit: (&**commit).into(), message: (&**message).into() });
        }
    }
    check(&steps, root)?;
    Ok(steps)
}

fn check(steps: &[Step], root: &RootValue) -> Result<()> {
    let mut has_pick = false;
    for step in steps {
        has_pick |= matches!(step.action, Action::Pick | Action::Reword);
        if matches!(step.action, Action::Squash | Action::Fixup) && !has_pick {
            let text = "invalid rebase plan: squash and fixup actions must appear after a pick or reword action";
            return Err(SqlError::general(text));
        }
        let hash = &step.commit;
        let invalid = || SqlError::general(format!("invalid commit hash: {hash}"));
        let address: Address = hash.parse().map_err(|_| invalid())?;
        let unknown = || SqlError::general(format!("unable to resolve commit hash {hash}: target commit not found"));
        root.objects().commit(&address).map_err(|_| unknown())?;
    }
    Ok(())
}
