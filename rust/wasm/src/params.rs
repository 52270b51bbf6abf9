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

#[cfg(test)]
mod tests {
    use super::*;

    /// The form of `writeParams`: the bytes before the texts, the parameters, the texts.
    fn written(params: &[(ParamTag, &[u8])], texts: &str) -> Vec<u8> {
        let head: Vec<u8> =
            params.iter().flat_map(|(tag, bytes)| std::iter::once(*tag as u8).chain(bytes.iter().copied())).collect();
        [&(head.len() as u32).to_le_bytes(), &*head, texts.as_bytes()].concat()
    }

    #[test]
    fn every_tag_is_read() {
        let bytes = written(
            &[
                (ParamTag::Null, &[]),
                (ParamTag::Int, &(-7i64).to_le_bytes()),
                (ParamTag::UInt, &u64::MAX.to_le_bytes()),
                (ParamTag::Double, &1.5f64.to_le_bytes()),
                (ParamTag::Text, &3u32.to_le_bytes()),
                (ParamTag::Bytes, &[2, 0, 0, 0, 9, 8]),
                (ParamTag::Text, &2u32.to_le_bytes()),
            ],
            "one\u{fc}",
        );
        let mut values = vec![Value::text("memory of an earlier call"); 9];
        decode(&bytes, &mut values).expect("parameters");
        let expected = [
            Value::Null,
            Value::Int(-7),
            Value::UInt(u64::MAX),
            Value::Double(1.5),
            Value::text("one"),
            Value::bytes(vec![9, 8]),
            Value::text("\u{fc}"),
        ];
        assert_eq!(format!("{values:?}"), format!("{expected:?}"));
    }

    #[test]
    fn no_bytes_are_no_parameters() {
        let mut values = vec![Value::Int(1)];
        assert!(decode(&[], &mut values).is_some() && values.is_empty());
    }

    #[test]
    fn what_is_cut_off_or_unknown_is_refused() {
        let whole = written(&[(ParamTag::Int, &1i64.to_le_bytes()), (ParamTag::Text, &2u32.to_le_bytes())], "ab");
        for length in 1..whole.len() {
            assert!(decode(&whole[..length], &mut Vec::new()).is_none(), "{length} bytes");
        }
        assert!(decode(&[1, 0, 0, 0, 6], &mut Vec::new()).is_none());
    }
}
