//! A piece of a text of rows, as `web/src/host/wasm/wire_rows.ts` writes it.

use engine::{DateOrder, DecimalMark, RowsText, WrittenForms};

use crate::layout::{RowsHead, RowsTrait};

/// Reads a piece and how it is written; `None` when it is not that.
pub(crate) fn decode(bytes: &[u8]) -> Option<RowsText> {
    let head = RowsHead::from_bytes(bytes)?;
    let (nulls, bytes) = bytes.get(RowsHead::BYTES..)?.split_at_checked(head.nulls_bytes as usize)?;
    let (left_out, bytes) = bytes.split_at_checked(head.fields as usize)?;
    let has = |of: RowsTrait| head.traits & 1 << of as u32 != 0;
    let mut text = RowsText::new(bytes.get(..head.text_bytes as usize)?, has(RowsTrait::IsLast));
    text.left_out = left_out.iter().map(|byte| *byte != 0).collect();
    text.nulls = core::str::from_utf8(nulls).ok()?.split_terminator('\0').map(Into::into).collect();
    text.has_titles = has(RowsTrait::HasTitles);
    text.separator = char::from_u32(head.separator).unwrap_or(',');
    text.forms = WrittenForms {
        dates: match (has(RowsTrait::DayFirst), has(RowsTrait::MonthFirst)) {
            (true, _) => Some(DateOrder::DayFirst),
            (false, true) => Some(DateOrder::MonthFirst),
            (false, false) => None,
        },
        decimal: match (has(RowsTrait::DecimalComma), has(RowsTrait::DecimalPoint)) {
            (true, _) => Some(DecimalMark::Comma),
            (false, true) => Some(DecimalMark::Point),
            (false, false) => None,
        },
    };
    text.fills_short_lines = has(RowsTrait::FillsShortLines);
    text.has_escapes = has(RowsTrait::HasEscapes);
    text.rows_before = head.rows_before as u64;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(traits: &[RowsTrait], nulls: &str, left_out: &[u8], text: &str) -> Vec<u8> {
        let head = RowsHead {
            nulls_bytes: nulls.len() as u32,
            fields: left_out.len() as u32,
            text_bytes: text.len() as u32,
            separator: u32::from(';'),
            traits: traits.iter().fold(0, |bits, of| bits | 1 << *of as u32),
            rows_before: 3.0,
        };
        [&head.to_bytes(), nulls.as_bytes(), left_out, text.as_bytes()].concat()
    }

    #[test]
    fn a_piece_has_what_was_written() {
        let traits = [RowsTrait::IsLast, RowsTrait::MonthFirst, RowsTrait::DecimalComma, RowsTrait::HasEscapes];
        let text = decode(&piece(&traits, "\0NULL\0", &[0, 1], "1;2\n")).expect("a piece");
        assert_eq!(text.nulls.iter().map(|null| &**null).collect::<Vec<_>>(), ["", "NULL"]);
        assert_eq!(*text.left_out, [false, true]);
        assert_eq!((text.separator, text.rows_before), (';', 3));
        assert_eq!(text.forms.dates, Some(DateOrder::MonthFirst));
        assert_eq!(text.forms.decimal, Some(DecimalMark::Comma));
        assert_eq!((text.has_titles, text.fills_short_lines, text.has_escapes), (false, false, true));
    }

    #[test]
    fn what_is_cut_off_is_no_piece() {
        let whole = piece(&[], "NULL\0", &[0], "1\n");
        for length in 0..whole.len() {
            assert!(decode(&whole[..length]).is_none(), "{length} bytes");
        }
        assert!(decode(&piece(&[], "\u{e9}", &[], "")).is_some());
        assert!(decode(&piece(&[], "", &[], "1")).is_some());
    }
}
