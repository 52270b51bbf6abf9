//! Queries whose rows are rows of one table: with the key of a row that changed, the row of the result can be asked for by itself.

use crate::ast::{QueryBody, SelectItem, SelectOptions, Span, StatementKind, TableExprKind};
use crate::grammar::statement::statement;
use crate::keyword::Keyword as K;
use crate::lexer::{Lexer, unquote_name, unquote_text};
use crate::options::Options;
use crate::token::TokenKind as T;

/// The parts of such a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowQuery {
    /// The select list.
    pub selected: Span,
    pub table: Box<str>,
    /// What the query calls the table.
    pub alias: Box<str>,
    pub condition: Option<Span>,
}

/// Functions over many rows, of the moment, or of the session.
const FUNCTIONS: &[&str] = &[
    "ANY_VALUE",
    "AVG",
    "BENCHMARK",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "CONNECTION_ID",
    "COUNT",
    "CURDATE",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURTIME",
    "FIRST",
    "FOUND_ROWS",
    "GET_LOCK",
    "GROUPING",
    "GROUP_CONCAT",
    "JSON_ARRAYAGG",
    "JSON_OBJECTAGG",
    "LAST",
    "LAST_INSERT_ID",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "MAX",
    "MIN",
    "NOW",
    "RAND",
    "RANDOM_BYTES",
    "RELEASE_LOCK",
    "ROW_COUNT",
    "SLEEP",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "SUM",
    "SYSDATE",
    "UNIX_TIMESTAMP",
    "UTC_DATE",
    "UTC_TIME",
    "UTC_TIMESTAMP",
    "UUID",
    "UUID_SHORT",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
];

/// `None` for a query whose rows are not rows of one table, whose order or number matters, or that depends on more than its table.
pub fn row_query(sql: &str, options: Options) -> Option<RowQuery> {
    // Before the tree is made: the rows of an INSERT are many.
    let is_select = Lexer::new(sql, options).next_token().kind == T::Word(K::Select);
    if !is_select || depends_on_more(sql, options) {
        return None;
    }
    let parsed = statement(sql, &options);
    let StatementKind::Query(query) = parsed.statement.filter(|_| parsed.rest.is_none())?.kind else { return None };
    let is_plain = query.with.is_none() && query.limit.is_none() && query.into.is_none() && query.locking.is_empty();
    let QueryBody::Select(select) = query.body else { return None };
    let is_plain = is_plain
        && select.options == SelectOptions::default()
        && select.group_by.is_none()
        && select.having.is_none()
        && select.windows.is_empty();
    let [from] = &*select.from else { return None };
    let TableExprKind::Table(table) = &from.kind else { return None };
    if !is_plain
        || table.name.database.is_some()
        || table.as_of.is_some()
        || !table.partitions.is_empty()
        || !table.hints.is_empty()
    {
        return None;
    }
    let span_of = |item: &SelectItem| match item {
        SelectItem::Star { span, .. } | SelectItem::Expr { span, .. } => *span,
    };
    let selected = span_of(select.items.first()?).to(span_of(select.items.last()?));
    Some(RowQuery {
        selected,
        table: table.name.name.text.clone(),
        alias: table.alias.as_ref().unwrap_or(&table.name.name).text.clone(),
        condition: select.filter.as_ref().map(|filter| filter.span),
    })
}

/// Whether there is a subquery, a variable, a window, or a function whose value does not follow from a row. Text in version comments
/// cannot be cut at the spans of its nodes.
fn depends_on_more(sql: &str, options: Options) -> bool {
    let mut lexer = Lexer::new(sql, options);
    let mut selects = 0;
    loop {
        let token = lexer.next_token();
        match token.kind {
            T::End => return false,
            T::UserVariable | T::SystemVariable | T::Bad | T::Word(K::Over | K::Table) => return true,
            T::Word(K::Select) if selects > 0 => return true,
            T::Word(word) => {
                selects += u32::from(word == K::Select);
                let text = token.span.text(sql).to_ascii_uppercase();
                let is_bare = ["CURRENT_", "LOCALTIME", "UTC_"].iter().any(|start| text.starts_with(start));
                let mut ahead = lexer;
                let is_called = is_bare || ahead.next_token().kind == T::LeftParen;
                if is_called && FUNCTIONS.binary_search(&&*text).is_ok() {
                    return true;
                }
            }
            _ => {}
        }
        if lexer.is_in_version_comment() {
            return true;
        }
    }
}

/// All names in a text that may be those of tables, in lower case: its words and quoted names. Those in its strings are among them, for
/// PREPARE and procedures take SQL as text: there may be names too many, never too few.
pub fn names(sql: &str, options: Options) -> Vec<String> {
    let mut names = Vec::new();
    collect_names(sql, options, NESTED_MAX, &mut names);
    names.sort_unstable();
    names.dedup();
    names
}

/// SQL in a string in a string and so on.
const NESTED_MAX: u32 = 8;

fn collect_names(sql: &str, options: Options, depth: u32, names: &mut Vec<String>) {
    let mut lexer = Lexer::new(sql, options);
    loop {
        let token = lexer.next_token();
        let text = token.span.text(sql);
        match token.kind {
            T::End => return,
            T::QuotedName => names.push(unquote_name(text).to_lowercase()),
            T::Word(_) => names.push(text.to_lowercase()),
            T::Text if depth > 0 => collect_names(&unquote_text(text, options), options, depth - 1, names),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Selected, table, alias, condition.
    fn parts(sql: &str, options: Options) -> Option<[String; 4]> {
        let RowQuery { selected, table, alias, condition } = row_query(sql, options)?;
        let condition = condition.map_or("", |span| span.text(sql));
        Some([selected.text(sql), &table, &alias, condition].map(str::to_owned))
    }

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted());
    }

    #[test]
    fn a_query_over_rows_of_one_table_is_taken_apart() {
        let check = |sql: &str, expected: [&str; 4]| {
            assert_eq!(parts(sql, Options::default()), Some(expected.map(str::to_owned)), "{sql}");
        };
        check("SELECT * FROM t", ["*", "t", "t", ""]);
        check(
            "select a, upper(b) AS c from `my ``t` as x where a > 1 and b <> 'limit 3' order by c desc;",
            ["a, upper(b) AS c", "my `t", "x", "a > 1 and b <> 'limit 3'"],
        );
        check("SELECT id FROM t u ORDER BY id", ["id", "t", "u", ""]);
        check(
            "SELECT (a + 1) FROM t -- every one\nWHERE (b IN (1, 2)) /* or so */",
            ["(a + 1)", "t", "t", "(b IN (1, 2))"],
        );
        check("SELECT a --the first\n, b //the last\nFROM t", ["a --the first\n, b", "t", "t", ""]);
        check("SELECT `count`, status FROM t WHERE `limit` = ?", ["`count`, status", "t", "t", "`limit` = ?"]);
        check("SELECT 'é', a FROM t WHERE b = '漢'", ["'é', a", "t", "t", "b = '漢'"]);
    }

    #[test]
    fn other_queries_are_not() {
        for sql in [
            "SELECT COUNT(*) FROM t",
            "SELECT DISTINCT a FROM t",
            "SELECT a FROM t GROUP BY a",
            "SELECT a FROM t LIMIT 3",
            "SELECT a FROM t, u",
            "SELECT a FROM t JOIN u USING (id)",
            "SELECT a FROM other.t",
            "SELECT a FROM (SELECT 1 AS a) AS t",
            "SELECT a FROM t WHERE a IN (SELECT a FROM u)",
            "SELECT a FROM t WHERE a IN (TABLE u)",
            "SELECT a FROM t UNION SELECT a FROM u",
            "SELECT a, NOW() FROM t",
            "SELECT a, CURRENT_TIMESTAMP FROM t",
            "SELECT a, RANK() OVER (ORDER BY a) FROM t",
            "SELECT @n := @n + 1 FROM t",
            "SELECT @@version, a FROM t",
            "SELECT a FROM t AS OF 'HEAD'",
            "SELECT a FROM t; DROP TABLE t",
            "SELECT /*! SQL_NO_CACHE */ a FROM t",
            "SELECT a FROM t /*!50000 JOIN u */",
            "SELECT a FROM t USE INDEX (i)",
            "SELECT a FROM t FOR UPDATE",
            "SELECT 1",
            "TABLE t",
            "WITH c AS (SELECT 1) SELECT * FROM c",
            "SELECT a FROM t WHERE 'open",
            "",
        ] {
            assert_eq!(parts(sql, Options::default()), None, "{sql}");
        }
    }

    #[test]
    fn names_are_those_that_the_engine_reads() {
        let found = |sql: &str, options| names(sql, options);
        let plain = Options::default();
        assert_eq!(found("TABLE `Odd ``name` --Über_T", plain), ["odd `name", "table"]);
        assert_eq!(found("a /*! JOIN b */ /*!80000JOIN c*/ /*M!100000 JOIN d*/", plain), ["a", "b", "c", "d", "join"]);
        assert_eq!(found("-- a lone ` \n `my table`", plain), ["my table"]);
        assert_eq!(found("1 + ':' + b", plain), ["b"]);
        assert_eq!(found("PREPARE s FROM 'TABLE `t''s`'", plain), ["from", "prepare", "s", "t's", "table"]);
        let options = Options { no_backslash_escapes: true, ..plain };
        assert_eq!(found("'\\', a, '1'", options), ["a"]);
        assert_eq!(found("\"my \"\"table\"", Options { ansi_quotes: true, ..plain }), ["my \"table"]);
    }
}
