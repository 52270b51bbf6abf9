//! SQL has one lexer, `rust/parse`: TypeScript asks for what it reads (`web/src/console/sql/lexer.ts`, the request `analyze`). This check
//! finds the telltales of another one.
//!
//! Telltales are what a regular expression over SQL cannot do without: texts with their escapes, names in back-ticks, comments, and
//! keywords at the edges of words. Lines of code are searched for them as text, case does not matter. Keywords alone would be wrong often:
//! statements that TypeScript sends have them.

use crate::files;

/// Files with telltales that are no second lexer, or have to be one, and why.
const ALLOWED: &[(&str, &str)] = &[
    ("web/src/client/generated_columns.ts", "lines of a definition that the engine has printed"),
    ("web/src/client/transfer/script/named_defaults.ts", "lines of a definition that the engine has printed"),
    ("web/src/console/diagram/load.ts", "a statement of dolt_patch, which the engine has printed"),
    (
        "web/src/client/transfer/export/dump.ts",
        "orders views whose text the engine has printed; names too many do no harm",
    ),
    (
        "web/src/client/transfer/script/left_out.ts",
        "says of a statement that the engine has refused what it was to make",
    ),
    (
        "web/src/client/transfer/script/script_bytes.ts",
        "bytes in other character sets, before they are text that the engine reads",
    ),
    ("web/src/client/transfer/script/script_charset.ts", "the same: what the bytes of a script are in"),
    ("web/src/client/transfer/script/script_tables.ts", "the same: which fields are bytes that are no text"),
    ("web/src/console/transfer/file_head.ts", "hides lines of comments in a preview"),
    ("web/src/host/wasm/deferred.ts", "words that make a module load early; one too many costs a download"),
    (
        "web/src/node/commands/local_files.ts",
        "the file of LOAD DATA LOCAL, which is opened before the statement is sent",
    ),
    ("web/src/node/commands/prompt_place.ts", "words after which the prompt is asked for; one too many costs a query"),
    ("web/src/client/transfer/json/json_reader.ts", "JSON"),
];

/// How regular expressions take texts, quoted names and comments apart.
const QUOTES_AND_COMMENTS: [&str; 10] = [
    r"'(?:[^'\\]|",
    r#""(?:[^"\\]|"#,
    r"'(?:[^']|''",
    r"(?:[^`]|``)",
    r"`[^`]*`",
    r"`[^`]+`",
    r"--[^\n]",
    r"#[^\n]",
    r"--(?=",
    r"\/\*",
];

/// Words that begin statements and clauses.
const KEYWORDS: [&str; 26] = [
    "alter", "call", "commit", "create", "delete", "describe", "drop", "execute", "explain", "from", "infile",
    "insert", "join", "limit", "load", "order", "replace", "rollback", "select", "set", "show", "table", "update",
    "use", "values", "where",
];

/// Lines of TypeScript that take SQL apart, outside of tests and of the editor's highlighter.
pub fn by_the_engine_alone() -> Vec<String> {
    let mut offences = Vec::new();
    let mut found: Vec<String> = Vec::new();
    for path in files::below(&files::root().join("web/src")) {
        let name = files::relative(&path);
        let is_code = name.ends_with(".ts") || name.ends_with(".tsx");
        if !is_code || name.contains(".test.") || name.contains("/testing/") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = text.lines().enumerate().filter(|(_, line)| is_telltale(line));
        let places: Vec<String> = lines.map(|(index, line)| format!("{name}:{}: {}", index + 1, line.trim())).collect();
        if !places.is_empty() {
            found.push(name.clone());
        }
        if ALLOWED.iter().all(|(allowed, _)| *allowed != name) {
            offences.extend(places);
        }
    }
    let stale = ALLOWED.iter().filter(|(allowed, _)| !found.iter().any(|name| name == allowed));
    offences.extend(stale.map(|(name, _)| format!("{name} takes no SQL apart: it needs no exception")));
    offences
}

fn is_telltale(line: &str) -> bool {
    let line = line.trim().to_ascii_lowercase();
    if line.starts_with("//") || line.starts_with('*') || line.starts_with("/*") {
        return false;
    }
    QUOTES_AND_COMMENTS.iter().any(|part| line.contains(part)) || KEYWORDS.iter().any(|word| is_matched(&line, word))
}

/// Whether a regular expression looks for the word: at the edge of a word, before or after space, or as one of several.
fn is_matched(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], line[at + word.len()..].trim_start_matches(')'));
        let is_edge = [r"\b", r"\s", r"\s+", r"\s*"].iter().any(|edge| before.ends_with(edge))
            || [r"\b", r"\s"].iter().any(|edge| after.starts_with(edge));
        let next =
            after.strip_prefix('|').and_then(|rest| rest.split(|letter: char| !letter.is_ascii_alphabetic()).next());
        let is_in_list = next.is_some_and(|word| KEYWORDS.contains(&word));
        is_edge || is_in_list
    })
}

#[cfg(test)]
mod tests {
    use super::is_telltale;

    #[test]
    fn another_lexer_is_found() {
        for line in [
            r"const QUERY = /^[\s(]*(SELECT|WITH|VALUES)\b/i;",
            r"const ROLLS_BACK = /^\s*ROLLBACK\b(?!\s+TO\b)/i;",
            r"const TOKEN = /'(?:[^'\\]|\\.|'')*'|`((?:[^`]|``)*)`/g;",
            r"if (/--[^\n]*/.test(sql)) return;",
            r"sql.replace(/\/\*[\s\S]*?\*\//g, ' ')",
            r"return /\bfrom\s+/i.test(before);",
        ] {
            assert!(is_telltale(line), "{line}");
        }
    }

    #[test]
    fn statements_and_comments_are_none() {
        for line in [
            "await session.query('SELECT a FROM t WHERE b = ? LIMIT 1');",
            "// how `'(?:[^'\\\\]|` is read",
            "type Verb = 'select' | 'insert';",
            "const READS = new Set(['SELECT', 'SHOW', 'TABLE']);",
            r"text.replace(/\s+/g, ' ')",
        ] {
            assert!(!is_telltale(line), "{line}");
        }
    }
}
