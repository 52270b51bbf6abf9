//! `dolt_help`: the procedures of version control, what they take and what they do.

use std::rc::Rc;

use value::json::JsonObject;
use value::{Collation, EnumType, EnumValue, Json, LobSize, SqlType, Value};

use super::relation::at::At;
use super::relation::computed::{Computed, column, key, required};
use crate::system_tables::entry::{Entry, Rows, SystemTable};

pub const ENTRIES: &[Entry] =
    &[Entry::Table(SystemTable { name: "dolt_help", rows: Rows::OfProcedures(help), is_listed: true })];

/// What the table says of a procedure.
#[derive(Debug, Clone, Copy)]
pub struct ProcedureHelp {
    pub name: &'static str,
    pub synopsis: &'static str,
    pub description: &'static str,
    /// Options with what they are for.
    pub options: &'static [(&'static str, &'static str)],
}

fn help(at: At, procedures: &mut dyn Iterator<Item = ProcedureHelp>) -> Computed {
    let long = || SqlType::Text { size: LobSize::Long, collation: Collation::UTF8MB4_0900_BIN };
    let members = ["system_table", "procedure", "function", "variable"].map(Into::into).to_vec();
    let kind = Rc::new(EnumType { members, collation: Collation::UTF8MB4_0900_BIN });
    let columns = vec![
        key("name", SqlType::Text { size: LobSize::Tiny, collation: Collation::UTF8MB4_0900_BIN }),
        required(column("type", SqlType::Enum(kind.clone()))),
        required(column("synopsis", long())),
        required(column("short_description", long())),
        required(column("long_description", long())),
        required(column("arguments", SqlType::Json)),
    ];
    let row = |ProcedureHelp { name, synopsis, description, options }: ProcedureHelp| {
        let mut arguments = JsonObject::new();
        for (option, what) in options {
            arguments.insert(*option, Json::String((*what).into()));
        }
        vec![
            Value::text(name),
            Value::Enum(EnumValue { index: 2, kind: kind.clone() }),
            Value::text(synopsis),
            Value::text(description),
            Value::text(description),
            Value::json(Json::Object(arguments)),
        ]
    };
    Computed::of_rows(at.database(), "dolt_help", columns, procedures.map(row).collect())
}
