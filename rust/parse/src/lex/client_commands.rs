//! Commands of the mysql client between the statements of a script. They are lines, not SQL.

/// The words that begin one where a statement may begin.
const WORDS: [&str; 26] = [
    "charset",
    "clear",
    "connect",
    "delimiter",
    "edit",
    "ego",
    "exit",
    "go",
    "help",
    "nopager",
    "notee",
    "nowarning",
    "pager",
    "print",
    "prompt",
    "query_attributes",
    "quit",
    "rehash",
    "resetconnection",
    "source",
    "ssl_session_data_print",
    "status",
    "system",
    "tee",
    "warnings",
    "use",
];

/// The first line of a text, with its end.
pub(crate) fn first_line(text: &[u8]) -> &[u8] {
    text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// The length of the command with which `text` begins: a word such as `source`, or a backslash and a character. A statement is looked at no
/// further than its first word, for it may be long.
///
/// `use` is one only where its line has no `delimiter`: with it, it is a statement like others.
pub(crate) fn command_length(text: &[u8], delimiter: &str) -> Option<usize> {
    if let [b'\\', character, ..] = text {
        return (!matches!(character, b'g' | b'G')).then_some(2);
    }
    let length = text.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_').count();
    let (word, rest) = text.split_at(length);
    if !WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())) {
        return None;
    }
    let ends_word = rest.first().is_none_or(u8::is_ascii_whitespace) || rest.starts_with(delimiter.as_bytes());
    if word.eq_ignore_ascii_case(b"use") {
        let rest = first_line(rest);
        let has_delimiter = rest.windows(delimiter.len().max(1)).any(|bytes| bytes == delimiter.as_bytes());
        return (ends_word && !has_delimiter && !rest.trim_ascii().is_empty()).then_some(length);
    }
    ends_word.then_some(length)
}

/// The command with which a text begins that is no statement for that reason.
pub(crate) fn client_command(text: &str) -> Option<&str> {
    let length = command_length(text.as_bytes(), ";")?;
    text.get(..length).filter(|word| !word.eq_ignore_ascii_case("use"))
}
