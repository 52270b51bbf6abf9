//! Bound parameters, as `web/src/host/wire_params.ts` writes them.

use std::borrow::Cow;

use value::Value;

const NULL: u8 = 0;
const INT: u8 = 1;
const UINT: u8 = 2;
const DOUBLE: u8 = 3;
const TEXT: u8 = 4;
const BYTES: u8 = 5;

/// Reads parameters in place of what `values` held: a tag byte each, then 8 bytes of a number, or a u32 length and bytes.
/// `None` when they are not that.
pub(crate) fn decode(mut bytes: &[u8], values: &mut Vec<Value<'static>>) -> Option<()> {
    values.clear();
    while let Some((&tag, rest)) = bytes.split_first() {
        bytes = rest;
        values.push(match tag {
            NULL => Value::Null,
            INT => Value::Int(i64::from_le_bytes(take(&mut bytes)?)),
            UINT => Value::UInt(u64::from_le_bytes(take(&mut bytes)?)),
            DOUBLE => Value::Double(f64::from_le_bytes(take(&mut bytes)?)),
            TEXT => {
                let text = take_counted(&mut bytes)?;
                Value::Text(Cow::Owned(String::from_utf8_lossy(text).into_owned()))
            }
            BYTES => Value::Bytes(Cow::Owned(take_counted(&mut bytes)?.to_vec())),
            _ => return None,
        });
    }
    Some(())
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
