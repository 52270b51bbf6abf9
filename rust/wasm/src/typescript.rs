//! Writes `web/src/protocol/engine_layout.ts` from [`crate::layout`] and the engine's result pages, and says when it is stale.

use std::fmt::Write;
use std::path::Path;

use engine::{Session, page};

use crate::layout::*;

const FILE: &str = "web/src/protocol/engine_layout.ts";

#[derive(Default)]
struct Text(String);

impl Text {
    fn constant(&mut self, doc: &str, name: &str, value: impl core::fmt::Display) {
        let _ = write!(self.0, "\n/** {doc} */\nexport const {name} = {value};\n");
    }

    /// Names with their numbers, for code that compares numbers.
    fn numbers(&mut self, doc: &str, name: &str, names: &[&str]) {
        let _ = write!(self.0, "\n/** {doc} */\nexport const {name} = {{\n");
        for (number, js) in names.iter().enumerate() {
            let key = if js.contains('-') { format!("'{js}'") } else { (*js).to_owned() };
            let _ = writeln!(self.0, "  {key}: {number},");
        }
        self.0.push_str("} as const;\n");
    }

    /// Names by number, for code that reads numbers.
    fn names(&mut self, doc: &str, name: &str, names: &[&str]) {
        let list: Vec<String> = names.iter().map(|js| format!("'{js}'")).collect();
        let _ = write!(self.0, "\n/** {doc} */\nexport const {name} = [{}] as const;\n", list.join(", "));
    }

    /// The offsets of the fields of a struct, and its bytes.
    fn fields(&mut self, doc: &str, name: &str, fields: &[(&str, usize)]) {
        let _ = write!(self.0, "\n/** {doc} */\n");
        let mut at = 0;
        for (field, bytes) in fields {
            if !field.starts_with("reserved") {
                let _ = writeln!(self.0, "export const {name}_{} = {at};", field.to_uppercase());
            }
            at += bytes;
        }
        let _ = writeln!(self.0, "export const {name}_BYTES = {at};");
    }
}

fn text() -> String {
    let mut text = Text::default();
    text.0.push_str(
        "/**\n * The layout of what crosses the boundary between the engine and JavaScript: numbers, flags, and the offsets of fields, all little endian.\n \
         * Written by `cargo xtask lists` from rust/wasm/src/layout.rs and rust/engine/src/page/layout.rs, where the fields are described.\n */\n",
    );
    text.constant("An answer of an export: the output holds a failure.", "FAILED", FAILED);
    text.constant("An answer of an export: nothing was done; make the same call again.", "WAIT", WAIT);
    text.numbers("Answers of `cursor_next`.", "STEP", StepCode::NAMES);
    text.numbers("How files are read.", "REGION_MODE", RegionMode::NAMES);
    text.numbers("What is flushed.", "FLUSH", FlushCode::NAMES);
    text.numbers("What the statement that runs is to do.", "WISH", WishCode::NAMES);
    text.numbers("Tags of parameters.", "PARAM", ParamTag::NAMES);
    text.numbers("Whose failure it is.", "FAILURE_KINDS", FailureKind::NAMES);
    text.names("Codes of failures that are not SQL's.", "FAILURE_CODES", Code::NAMES);
    text.fields("A failure; the hint and the message follow.", "FAILURE", FailureHead::FIELDS);
    text.names("Levels of warnings.", "WARNING_LEVELS", Level::NAMES);
    text.fields("A warning; its text follows.", "WARNING", WarningHead::FIELDS);
    text.fields("What a statement ends with; warnings and the info follow.", "SUMMARY", SummaryHead::FIELDS);
    text.constant("The bit of a stamp: a transaction is open.", "STAMP_IN_TRANSACTION", Session::STAMP_IN_TRANSACTION);
    text.constant("The bit of a stamp: no other instance could go on.", "STAMP_IS_BOUND", Session::STAMP_IS_BOUND);
    text.fields("How far a piece is; warnings of a script follow.", "PROGRESS", Progress::FIELDS);
    text.fields("What `rows_open` takes; texts for NULL, fields and rows follow.", "ROWS", RowsHead::FIELDS);
    text.numbers("Bits of the traits of rows, by their position.", "ROWS_TRAIT", RowsTrait::NAMES);
    text.fields("The two counters that every statement is measured by.", "READS", ReadCounters::FIELDS);
    text.numbers("Why the host has no number to answer: its answer is -1 less this one.", "REFUSAL", Refusal::NAMES);
    text.numbers("Bits of the traits of a directory, by their position.", "DIRECTORY_TRAIT", DirectoryTrait::NAMES);
    text.names("Kinds of proposals, by their digit.", "PROPOSAL_KINDS", ProposalKind::NAMES);
    text.constant("The first four bytes of every page.", "PAGE_MAGIC", format!("{:#x}", page::MAGIC));
    text.fields("The beginning of a page.", "PAGE_HEADER", page::PageHeader::FIELDS);
    text.fields("A column in the directory of a page.", "PAGE_COLUMN", page::PageColumn::FIELDS);
    text.constant("A flag of a page's column.", "PAGE_HAS_NULLS", page::HAS_NULLS);
    text.constant("A flag of a page's column.", "PAGE_ALL_ASCII", page::ALL_ASCII);
    text.numbers("How the values of a column lie in a page.", "Layout", page::Layout::NAMES);
    text.0.push_str("export type Layout = (typeof Layout)[keyof typeof Layout];\n");
    text.constant("A flag of a header's column.", "COLUMN_NULLABLE", page::IS_NULLABLE);
    text.constant("A flag of a header's column.", "COLUMN_UNSIGNED", page::IS_UNSIGNED);
    text.constant("A flag of a header's column.", "COLUMN_PRIMARY_KEY", page::IS_PRIMARY_KEY);
    text.names("What a column's values mean, by number.", "KINDS", page::Kind::NAMES);
    text.0.push_str("export type ColumnKind = (typeof KINDS)[number];\n");
    text.0
}

#[test]
fn the_layout_for_typescript_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE);
    let text = text();
    if std::env::var_os("VARVE_WRITE").is_some() {
        std::fs::write(&file, &text).expect("generated files are writable");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "{FILE} is stale: run `cargo xtask lists`");
}
