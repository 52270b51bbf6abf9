//! Completion: what may follow at a byte offset, for the editor.
//!
//! The parser reads the statement up to the word at the offset and notes everything it looks for where the text ends;
//! the tables in scope come from the tokens of the whole statement, which need not be correct.

use crate::assist::expected::NameKind;
use crate::ast::Span;
use crate::lex::keyword::Keyword;
use crate::lex::lexer::{Lexer, unquote_name};
use crate::lex::split::split;
use crate::lex::token::{Token, TokenKind as T};
use crate::options::Options;
use crate::parser::Parser;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    /// The started word, which a choice replaces; empty between words.
    pub replace: Span,
    /// Upper case, sorted; all that may follow here, not only those that start like `replace`.
    pub keywords: Vec<&'static str>,
    /// The kinds of names that may follow here.
    pub names: Vec<NameKind>,
    /// `t` in `t.|`, `db` and `t` in `db.t.|`; unquoted.
    pub qualifiers: Vec<Box<str>>,
    /// Tables whose columns can be named here, inner queries first.
    pub tables: Vec<TableInScope>,
    /// Names from WITH.
    pub common_tables: Vec<Box<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInScope {
    pub database: Option<Box<str>>,
    /// `None` for a derived table.
    pub name: Option<Box<str>>,
    pub alias: Option<Box<str>>,
}

/// Completion at byte `offset` of a script.
pub fn complete(sql: &str, offset: u32, options: &Options) -> Completion {
    let mut offset = (offset as usize).min(sql.len());
    while !sql.is_char_boundary(offset) {
        offset -= 1;
    }
    let offset = offset as u32;
    let piece = split(sql, options).into_iter().find(|piece| {
        let inside = if piece.terminated { offset < piece.end } else { offset <= piece.end };
        inside && piece.span.start <= offset
    });
    let statement = piece.map_or(Span::new(offset, offset), |piece| piece.span);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'`') || *byte >= 0x80;
    let head = &sql.as_bytes()[statement.start as usize..offset as usize];
    let word = head.iter().rev().take_while(|byte| is_word(byte)).count() as u32;
    let replace = Span::new(offset - word, offset);
    let mut completion = Completion { replace, ..Completion::default() };

    let before = Span::new(statement.start, replace.start);
    let Some(tokens) = tokens(sql, before, options) else { return completion };
    // The offset is inside a comment when what follows the last token is not blank.
    let last_end = tokens.last().map_or(before.start, |token| token.span.end);
    let gap = Span::new(last_end, before.end).text(sql);
    if gap.contains("--") || gap.contains('#') {
        let line = gap.rsplit('\n').next().unwrap_or("");
        if line.contains("--") || line.contains('#') {
            return completion;
        }
    }
    completion.qualifiers = qualifiers(sql, &tokens);

    let expected = Parser::new(sql, before, *options).into_expected();
    completion.keywords =
        if completion.qualifiers.is_empty() { expected.keywords.into_iter().collect() } else { Vec::new() };
    completion.names = expected.names.into_iter().collect();
    if completion.names.is_empty() && completion.keywords.is_empty() {
        // Something before is wrong: offer what most often helps.
        completion.names = vec![NameKind::Table, NameKind::Column, NameKind::Function];
    }
    scope(sql, statement, offset, options, &mut completion);
    completion
}

/// The tokens of `span`; `None` when it ends inside a string or comment.
fn tokens(sql: &str, span: Span, options: &Options) -> Option<Vec<Token>> {
    let mut lexer = Lexer::over(sql, span, *options);
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next_token();
        match token.kind {
            T::End => return Some(tokens),
            T::Bad if token.span.end == span.end && token.span.end - token.span.start > 1 => return None,
            _ => tokens.push(token),
        }
    }
}

fn name_of(sql: &str, token: Token) -> Option<Box<str>> {
    match token.kind {
        T::QuotedName => Some(unquote_name(token.span.text(sql)).into()),
        T::Word(_) => Some(token.span.text(sql).into()),
        _ => None,
    }
}

/// The names before the point that the text ends with.
fn qualifiers(sql: &str, tokens: &[Token]) -> Vec<Box<str>> {
    let mut names = Vec::new();
    let mut rest = tokens;
    while let [before @ .., name, point] = rest
        && point.kind == T::Dot
        && let Some(name) = name_of(sql, *name)
    {
        names.insert(0, name);
        rest = before;
    }
    names
}

/// Finds the tables of the query at `offset` and of the enclosing queries.
fn scope(sql: &str, statement: Span, offset: u32, options: &Options, completion: &mut Completion) {
    let Some(tokens) = tokens(sql, statement, options) else { return };
    // Every parenthesis opens a group; a table can be seen from its own group and those inside it.
    let mut open: Vec<usize> = vec![0];
    let mut parents: Vec<Option<usize>> = vec![None];
    let mut in_from: Vec<bool> = vec![false];
    let mut found: Vec<(usize, TableInScope)> = Vec::new();
    let mut cursor_group = 0;
    let mut index = 0;
    while let Some(&token) = tokens.get(index) {
        let group = open.last().copied().unwrap_or(0);
        if token.span.start < offset {
            cursor_group = group;
        }
        index += 1;
        match token.kind {
            T::LeftParen => {
                parents.push(Some(group));
                in_from.push(false);
                open.push(parents.len() - 1);
                if token.span.start < offset {
                    cursor_group = parents.len() - 1;
                }
            }
            T::RightParen if open.len() > 1 => {
                open.pop();
                let outer = open.last().copied().unwrap_or(0);
                if token.span.start < offset {
                    cursor_group = outer;
                }
                if in_from[outer]
                    && let Some((alias, next)) = alias(sql, &tokens, index)
                {
                    found.push((outer, TableInScope { database: None, name: None, alias: Some(alias) }));
                    index = next;
                }
            }
            T::Word(Keyword::From | Keyword::Join | Keyword::StraightJoin | Keyword::Update | Keyword::Into) => {
                in_from[group] = true;
                index = table(sql, &tokens, index, group, &mut found);
            }
            T::Comma if in_from[group] => index = table(sql, &tokens, index, group, &mut found),
            T::Word(
                Keyword::Where | Keyword::Group | Keyword::Order | Keyword::Having | Keyword::Set | Keyword::Select,
            )
            | T::Word(Keyword::Limit | Keyword::On | Keyword::Using | Keyword::Values | Keyword::Union) => {
                // The conditions of a join are followed by further tables only after JOIN or a comma.
                in_from[group] &= matches!(token.kind, T::Word(Keyword::On | Keyword::Using));
            }
            T::Word(Keyword::As)
                if matches!(tokens.get(index).map(|token| token.kind), Some(T::LeftParen)) && !in_from[group] =>
            {
                // `name AS (`: a common table.
                if let Some(name) = index.checked_sub(2).and_then(|at| tokens.get(at)).and_then(|&t| name_of(sql, t)) {
                    completion.common_tables.push(name);
                }
            }
            _ => {}
        }
    }
    let mut group = Some(cursor_group);
    while let Some(id) = group {
        completion.tables.extend(found.iter().filter(|table| table.0 == id).map(|table| table.1.clone()));
        group = parents[id];
    }
}

/// Reads `[db.]name [[AS] alias]` at `index` if it is there.
fn table(sql: &str, tokens: &[Token], mut index: usize, group: usize, found: &mut Vec<(usize, TableInScope)>) -> usize {
    let usable = |token: &&Token| match token.kind {
        T::Word(word) => !word.is_reserved(),
        kind => kind == T::QuotedName,
    };
    let Some(first) = tokens.get(index).filter(usable).and_then(|&token| name_of(sql, token)) else { return index };
    index += 1;
    let mut table = TableInScope { database: None, name: Some(first), alias: None };
    if tokens.get(index).is_some_and(|token| token.kind == T::Dot)
        && let Some(second) = tokens.get(index + 1).and_then(|&token| name_of(sql, token))
    {
        table.database = table.name.replace(second);
        index += 2;
    }
    if let Some((alias, next)) = alias(sql, tokens, index) {
        table.alias = Some(alias);
        index = next;
    }
    found.push((group, table));
    index
}

fn alias(sql: &str, tokens: &[Token], mut index: usize) -> Option<(Box<str>, usize)> {
    if tokens.get(index).is_some_and(|token| token.kind == T::Word(Keyword::As)) {
        index += 1;
    }
    let token = *tokens.get(index)?;
    match token.kind {
        T::Word(word) if word.is_reserved() => None,
        _ => name_of(sql, token).map(|name| (name, index + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Completion at the `|`.
    fn at(text: &str) -> Completion {
        let offset = text.find('|').expect("a cursor") as u32;
        complete(&text.replacen('|', "", 1), offset, &Options::default())
    }

    fn tables(completion: &Completion) -> Vec<&str> {
        completion.tables.iter().filter_map(|table| table.name.as_deref().or(table.alias.as_deref())).collect()
    }

    #[test]
    fn clauses_follow_a_table() {
        let completion = at("select a from t |");
        for keyword in ["WHERE", "GROUP", "ORDER", "LIMIT", "JOIN", "LEFT", "AS", "UNION"] {
            assert!(completion.keywords.contains(&keyword), "{keyword} in {:?}", completion.keywords);
        }
        assert!(!completion.keywords.contains(&"SELECT"));
    }

    #[test]
    fn columns_of_the_tables_in_scope() {
        let completion = at("select | from people p join db.pets on p.id = pets.owner where 1");
        assert!(completion.names.contains(&NameKind::Column) && completion.names.contains(&NameKind::Function));
        assert_eq!(tables(&completion), ["people", "pets"]);
        assert_eq!(completion.tables[0].alias.as_deref(), Some("p"));
        assert_eq!(completion.tables[1].database.as_deref(), Some("db"));
        let inner = at("select 1 from a where exists (select 1 from b where |) and x");
        assert_eq!(tables(&inner), ["b", "a"]);
        let outer = at("select 1 from a where exists (select 1 from b) and |");
        assert_eq!(tables(&outer), ["a"]);
    }

    #[test]
    fn tables_databases_and_qualified_names() {
        let completion = at("select * from pe|");
        assert!(completion.names.contains(&NameKind::Table) && completion.names.contains(&NameKind::Database));
        assert_eq!(completion.replace, Span::new(14, 16));
        let qualified = at("select p.| from people p");
        assert_eq!(qualified.qualifiers, ["p".into()]);
        assert_eq!(qualified.names, [NameKind::Column]);
        assert!(qualified.keywords.is_empty());
        assert!(at("use |").names.contains(&NameKind::Database));
        assert!(at("call |").names.contains(&NameKind::Procedure));
        assert!(at("update t set |").names.contains(&NameKind::Column));
    }

    #[test]
    fn statements_start_anywhere_in_a_script() {
        assert!(at("|").keywords.contains(&"SELECT"));
        assert!(at("select 1; sel|").keywords.contains(&"SELECT"));
        assert!(at("select 1 from a;\nshow |").keywords.contains(&"TABLES"));
        assert!(at("alter table t |").keywords.contains(&"ADD"));
        assert!(at("create |").keywords.contains(&"TABLE"));
    }

    #[test]
    fn nothing_inside_strings_and_comments() {
        assert_eq!(at("select 'a |").keywords, [] as [&str; 0]);
        assert_eq!(at("select 1 -- from |").names, []);
    }
}
