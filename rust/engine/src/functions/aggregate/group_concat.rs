//! GROUP_CONCAT.

use std::cmp::Ordering;
use std::rc::Rc;

use codec::CompactSort;
use value::{SqlType, Value};

use super::{Accumulator, Aggregate};
use crate::error::Result;
use crate::expr::{AggregateCall, Comparison, Context, ExprType};
use crate::functions::argument::text_of;
use crate::functions::{DeclaredCall, Entry, Traits, declared};
use crate::vector::Vector;

pub(super) const ENTRIES: &[Entry<Aggregate>] =
    &[Entry::aggregate("group_concat", (1, usize::MAX), |_| ExprType::text(), |call| Box::new(GroupConcat::new(call)))
        .with(Traits::READS_TEXT.and(Traits::NOT_OVER_WINDOWS))
        .declared(declared_text)
        .common()
        .about("[DISTINCT] x, … [ORDER BY …] [SEPARATOR text]", "The values as one text, with commas between them")];

fn declared_text(call: &DeclaredCall<'_>) -> Option<ExprType> {
    if matches!(call.ty.sql, SqlType::Text { .. }) { declared::regular_text(call) } else { None }
}

/// A text and the values of the call's ORDER BY.
struct Item {
    text: String,
    keys: Vec<Value<'static>>,
}

struct GroupConcat {
    separator: Rc<str>,
    /// Comparison of each sort key and whether it descends.
    keys: Vec<(Comparison, bool)>,
    groups: Vec<Group>,
}

#[derive(Default)]
struct Group {
    items: Vec<Item>,
    /// Bytes of all texts and separators.
    len: usize,
}

impl GroupConcat {
    fn new(call: &AggregateCall) -> GroupConcat {
        GroupConcat {
            separator: call.separator.clone().unwrap_or_else(|| ",".into()),
            keys: call.order.iter().map(|key| (Comparison::within(&key.expr.ty), key.descending)).collect(),
            groups: Vec::new(),
        }
    }

    fn order(&self, left: &Item, right: &Item) -> Ordering {
        for ((comparison, descending), (l, r)) in self.keys.iter().zip(left.keys.iter().zip(&right.keys)) {
            let order = match (l.is_null(), r.is_null()) {
                (false, false) => comparison.compare(l, r).ok().flatten().unwrap_or(Ordering::Equal),
                (l, r) => r.cmp(&l),
            };
            let order = if *descending { order.reverse() } else { order };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

/// `group_concat_max_len`, in bytes, up to what any text may have.
fn len_max(context: &Context) -> usize {
    let bytes = context.session.variables.borrow().integer("group_concat_max_len");
    usize::try_from(bytes).unwrap_or(usize::MAX).min(context.made_bytes_max())
}

impl Accumulator for GroupConcat {
    fn resize(&mut self, groups: usize) {
        self.groups.resize_with(groups, Group::default);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], context: &Context) -> Result<()> {
        // Of several arguments the reference takes the first.
        let [values, ..] = args else { return Ok(()) };
        let keys = &args[args.len() - self.keys.len()..];
        let len_max = len_max(context);
        for (row, &group) in groups.iter().enumerate() {
            if values.is_null(row) {
                continue;
            }
            let group = &mut self.groups[group as usize];
            if keys.is_empty() && group.len > len_max {
                continue;
            }
            let text = text_of(&values.value(row))?.into_owned();
            // As the reference: empty texts count for nothing, not even a separator.
            if text.is_empty() {
                continue;
            }
            group.len = group.len.saturating_add(text.len() + self.separator.len());
            let keys = keys.iter().map(|key| key.value(row).into_owned()).collect();
            group.items.push(Item { text, keys });
        }
        Ok(())
    }

    fn value(&mut self, group: usize, context: &Context) -> Result<Value<'static>> {
        let mut items = std::mem::take(&mut self.groups[group].items);
        if items.is_empty() {
            return Ok(Value::Null);
        }
        items.compact_sort_by(|left, right| self.order(left, right));
        let len_max = len_max(context);
        let len = self.groups[group].len.min(len_max);
        context.needs(len, 2)?;
        let mut text = String::with_capacity(len);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                text.push_str(&self.separator);
            }
            let left = len_max.saturating_sub(text.len());
            text.push_str(&item.text[..item.text.floor_char_boundary(left)]);
            if left <= item.text.len() {
                break;
            }
        }
        text.truncate(text.floor_char_boundary(len_max));
        Ok(Value::text(text))
    }
}
