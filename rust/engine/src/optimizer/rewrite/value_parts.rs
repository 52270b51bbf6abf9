//! Value parts: the members of a document, or the prefix of a long text, that an expression reads.

use value::json::{JsonParts, JsonPath};
use value::{Charset, Collation, Json, SqlType, Value};

use crate::expr::{AggregateCall, Call, Comparison, Expr, ExprKind, IsTest};
use crate::functions::Reads;
use crate::plan::{ColumnId, ValueParts};

/// A column among the operands of an expression, and what it sees of its values. `None` where it looks at all, or that is not known.
pub fn parts_in(expr: &Expr) -> Option<(ColumnId, ValueParts)> {
    match &expr.kind {
        ExprKind::Call(call) => match members_in(call) {
            Some((id, parts)) => Some((id, ValueParts::Members(parts))),
            None => text_in(call),
        },
        ExprKind::Is(of, IsTest::Null | IsTest::NotNull) => Some((long_text(of)?, ValueParts::Prefix(0))),
        ExprKind::Compare(_, comparison, sides) => compared(*comparison, sides),
        _ => None,
    }
}

/// COUNT of a text that is not read.
pub fn counted(call: &AggregateCall) -> Option<(ColumnId, ValueParts)> {
    match &call.args[..] {
        [of] if call.function.counts() && !call.distinct => Some((long_text(of)?, ValueParts::Prefix(0))),
        _ => None,
    }
}

/// The column whose documents a function looks into, and what it sees of them.
fn members_in(call: &Call) -> Option<(ColumnId, JsonParts)> {
    let ExprKind::Column(id) = call.args.first().filter(|arg| arg.ty.sql == SqlType::Json)?.kind else { return None };
    // The arguments that are paths, one at least.
    let paths = match call.function.reads {
        Reads::Paths { first, most } => {
            let paths = call.args.get(usize::from(first)..)?;
            &paths[..paths.len().min(usize::from(most))]
        }
        Reads::Candidate if call.args.len() > 2 => call.args.get(2..)?,
        Reads::Candidate => {
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

/// A column of long texts or bytes, which may lie outside of their rows.
fn long_text(expr: &Expr) -> Option<ColumnId> {
    match (&expr.kind, &expr.ty.sql) {
        (ExprKind::Column(id), SqlType::Text { .. } | SqlType::Blob { .. }) => Some(*id),
        _ => None,
    }
}

/// The column of whose texts a function looks at the beginning or the length.
fn text_in(call: &Call) -> Option<(ColumnId, ValueParts)> {
    let of = call.args.first()?;
    let id = long_text(of)?;
    let is_utf8 = |collation: Collation| matches!(collation.charset(), Charset::Utf8mb4 | Charset::Utf8mb3);
    let number = |n: usize| match call.args.get(n)?.kind {
        ExprKind::Literal(Value::Int(number)) => usize::try_from(number).ok(),
        _ => None,
    };
    let characters = match call.function.reads {
        // In the bytes of its character set.
        Reads::Length if of.ty.sql.collation().is_none_or(is_utf8) => {
            return Some((id, ValueParts::Length));
        }
        _ if !of.ty.sql.is_text() => return None,
        Reads::Left => number(1)?,
        Reads::Middle => number(1).filter(|start| *start > 0)?.checked_add(number(2)?)?,
        _ => return None,
    };
    Some((id, ValueParts::Prefix(characters.checked_mul(UTF8_BYTES_MAX)?)))
}

/// The column whose bytes are compared with those of a literal, in order: what follows one byte more than these have decides nothing.
fn compared(comparison: Comparison, sides: &[Expr; 2]) -> Option<(ColumnId, ValueParts)> {
    let [left, right] = sides;
    let (column, id, literal) =
        long_text(left).map(|id| (left, id, right)).or_else(|| Some((right, long_text(right)?, left)))?;
    match comparison {
        Comparison::Bytes | Comparison::Text(Collation::UTF8MB4_0900_BIN) => {}
        Comparison::Mixed(_) if column.ty.sql.is_binary() => {}
        _ => return None,
    }
    let literal_bytes = match &literal.kind {
        ExprKind::Literal(Value::Text(text)) => text.len(),
        ExprKind::Literal(Value::Bytes(bytes)) => bytes.len(),
        _ => return None,
    };
    // A character that the prefix would end in is cut off.
    Some((id, ValueParts::Prefix(literal_bytes + UTF8_BYTES_MAX)))
}

const UTF8_BYTES_MAX: usize = 4;

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
