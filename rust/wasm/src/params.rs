//! Bound parameters, as `web/src/host/wasm/wire_params.ts` writes them.

use std::borrow::Cow;

use value::Value;

use crate::layout::ParamTag;

/// Reads parameters in place of what `values` held, whose memory texts take over: a u32 of the bytes before the texts; then of each a tag
/// byte, and 8 bytes of a number, or a u32 length and bytes; then the texts. `None` when they are not that.
pub(crate) fn decode(mut bytes: &[u8], values: &mut Vec<Value<'static>>) -> Option<()> {
    let mut count = 0;
    if !bytes.is_empty() {
        let head = take_counted(&mut bytes)?;
        let mut texts = core::str::from_utf8(bytes).ok()?;
        bytes = head;
        while let Some((&tag, rest)) = bytes.split_first() {
            bytes = rest;
            let before = values.get_mut(count).map(|value| core::mem::replace(value, Value::Null));
            let value = match ParamTag::from_number(tag.into())? {
                ParamTag::Null => Value::Null,
                ParamTag::Int => Value::Int(i64::from_le_bytes(take(&mut bytes)?)),
                ParamTag::UInt => Value::UInt(u64::from_le_bytes(take(&mut bytes)?)),
                ParamTag::Double => Value::Double(f64::from_le_bytes(take(&mut bytes)?)),
                ParamTag::Text => {
                    let (text, rest) = texts.split_at_checked(u32::from_le_bytes(take(&mut bytes)?) as usize)?;
                    texts = rest;
                    Value::Text(Cow::Owned(in_memory_of(before, text)))
                }
                ParamTag::Bytes => Value::Bytes(Cow::Owned(take_counted(&mut bytes)?.to_vec())),
            };
            match values.get_mut(count) {
                Some(place) => *place = value,
                None => values.push(value),
            }
            count += 1;
        }
    }
    values.truncate(count);
    Some(())
}

fn in_memory_of(before: Option<Value<'static>>, text: &str) -> String {
    let mut place = match before {
        Some(Value::Text(Cow::Owned(before))) => before,
        _ => String::new(),
    };
    place.clear();
    place.push_str(text);
    place
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*head)
}

fn take_counted<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(take(bytes)?) as usize;
    let (head, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(head)
}
