//! Which parts of a document a function looks at.

use value::json::{JsonParts, JsonPath};
use value::{Json, SqlType, Value};

use crate::expr::{Call, Expr, ExprKind};
use crate::plan::ColumnId;

/// The column whose documents a function looks into, and what it sees of them. `None` where it looks at all, or that is not known.
pub fn parts_in(call: &Call) -> Option<(ColumnId, JsonParts)> {
    let ExprKind::Column(id) = call.args.first().filter(|arg| arg.ty.sql == SqlType::Json)?.kind else { return None };
    // The arguments that are paths, one at least.
    let paths = match call.function.name {
        "json_extract" => call.args.get(1..)?,
        "json_contains_path" => call.args.get(2..)?,
        "json_keys" | "json_length" | "json_value" => call.args.get(1..2)?,
        "json_contains" if call.args.len() > 2 => call.args.get(2..)?,
        "json_contains" => {
            let mut parts = JsonParts::default();
            parts.add_compared(&document(call.args.get(1)?)?);
            return Some((id, parts));
        }
        _ => return None,
    };
    let mut parts = JsonParts::default();
    for path in paths {
        parts.add_path(&text(path)?.parse::<JsonPath>().ok()?);
    }
    Some((id, parts)).filter(|_| !paths.is_empty())
}

fn text(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Literal(Value::Text(text)) => Some(text),
        _ => None,
    }
}

fn document(expr: &Expr) -> Option<Json> {
    match &expr.kind {
        ExprKind::Literal(Value::Json(json)) => Some((**json).clone()),
        _ => Json::parse(text(expr)?).ok(),
    }
}
