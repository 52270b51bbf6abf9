//! Outline of a statement, from its tokens: its verb, its placeholders, what it does to a transaction.
//!
//! A statement that has an error has an outline as well, which is why it does not come from the tree.

use crate::ast::Span;
use crate::keyword::Keyword as K;
use crate::lexer::Lexer;
use crate::options::Options;
use crate::token::{Token, TokenKind as T};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The word that says which statement it is: the first one after parentheses and after the common tables of WITH.
    pub verb: Option<Span>,
    /// The token after the verb.
    pub second: Option<Span>,
    /// Where the statement begins whose plan an EXPLAIN without ANALYZE asks for.
    pub explained: Option<u32>,
    /// The first variable of the user (`@name`).
    pub variable: Option<Span>,
    /// Empty for a stored program, whose colons are those of labels.
    pub placeholders: Vec<Placeholder>,
    pub effect: Effect,
}

/// `?`, or `:name`, which the engine does not take: its callers put a value in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder {
    pub span: Span,
    /// Of `:name`, without the colon.
    pub name: Option<Span>,
    pub role: Role,
}

/// What a placeholder is the value of. The numbers are part of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Other = 0,
    /// The first member of a list: `IN (?`.
    Member = 1,
    /// Of LIMIT or OFFSET.
    Count = 2,
}

/// What a statement does to the transaction in which it runs. The numbers are part of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// It may end the transaction, or not be one statement.
    #[default]
    Other = 0,
    /// It leaves the transaction open: what it does is rolled back with it.
    Stays = 1,
    /// ROLLBACK of all of it.
    RollsBack = 2,
}

/// Reads the outline of the first statement of `sql`.
pub fn outline(sql: &str, options: Options) -> Outline {
    let mut tokens = Tokens { lexer: Lexer::new(sql, options) };
    let mut outline = Outline::default();
    let Some((verb, word)) = verb(&mut tokens) else { return outline };
    outline.verb = Some(verb);
    outline.second = tokens.clone().next().map(|token| token.span);
    outline.explained = explained(tokens.clone(), word);
    if word == K::Create && is_program(tokens.clone()) {
        return outline;
    }
    // Common tables, before the verb, may have placeholders, too.
    let has_more = read_values(sql, options, &mut outline);
    outline.effect = if has_more { Effect::Other } else { effect(tokens, word) };
    outline
}

#[derive(Clone)]
struct Tokens<'a> {
    lexer: Lexer<'a>,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        Some(self.lexer.next_token()).filter(|token| token.kind != T::End)
    }
}

fn word(token: Token) -> Option<K> {
    match token.kind {
        T::Word(word) => Some(word),
        _ => None,
    }
}

/// The verb, behind which `tokens` are then.
fn verb(tokens: &mut Tokens<'_>) -> Option<(Span, K)> {
    let first = tokens.find(|token| token.kind != T::LeftParen)?;
    let first = (first.span, word(first)?);
    if first.1 == K::With {
        let after_with = tokens.clone();
        let mut depth = 0_i32;
        for token in tokens.by_ref() {
            match token.kind {
                T::LeftParen => depth += 1,
                T::RightParen => depth -= 1,
                T::Word(word @ (K::Select | K::Table | K::Values | K::Insert | K::Replace | K::Update | K::Delete))
                    if depth == 0 =>
                {
                    return Some((token.span, word));
                }
                _ => {}
            }
        }
        *tokens = after_with;
    }
    Some(first)
}

/// Reads `FORMAT = name` or PLAN behind EXPLAIN.
fn explained(mut tokens: Tokens<'_>, verb: K) -> Option<u32> {
    if !matches!(verb, K::Explain | K::Describe | K::Desc) {
        return None;
    }
    let mut next = tokens.next()?;
    if word(next) == Some(K::Format) {
        tokens.next().filter(|token| token.kind == T::Equal)?;
        tokens.next()?;
        next = tokens.next()?;
    } else if word(next) == Some(K::Plan) {
        next = tokens.next()?;
    }
    (word(next) != Some(K::Analyze)).then_some(next.span.start)
}

/// Whether CREATE makes something with a body.
fn is_program(tokens: Tokens<'_>) -> bool {
    tokens
        .take_while(|token| !matches!(token.kind, T::LeftParen | T::Semicolon))
        .any(|token| matches!(word(token), Some(K::Procedure | K::Function | K::Trigger | K::Event)))
}

/// What `verb` and the tokens after it do to a transaction.
fn effect(mut tokens: Tokens<'_>, verb: K) -> Effect {
    match verb {
        K::Rollback => {
            let mut next = tokens.next().and_then(word);
            if next == Some(K::Work) {
                next = tokens.next().and_then(word);
            }
            if next == Some(K::To) { Effect::Stays } else { Effect::RollsBack }
        }
        K::Select | K::Show | K::Explain | K::Desc | K::Describe | K::Table | K::Values | K::With => Effect::Stays,
        K::Insert | K::Replace | K::Update | K::Delete | K::Savepoint | K::Release => Effect::Stays,
        _ => Effect::Other,
    }
}

/// Finds placeholders and the first variable. Answers whether the text goes on after the statement.
fn read_values(sql: &str, options: Options, outline: &mut Outline) -> bool {
    let mut before = [T::End; 2];
    let mut counts = false;
    let mut colon: Option<Span> = None;
    let (mut is_over, mut has_more) = (false, false);
    for token in (Tokens { lexer: Lexer::new(sql, options) }) {
        has_more |= is_over;
        is_over |= token.kind == T::Semicolon;
        let role = match before {
            _ if counts => Role::Count,
            [T::Word(K::In), T::LeftParen] => Role::Member,
            _ => Role::Other,
        };
        let named = colon.take().filter(|colon| colon.end == token.span.start && word(token).is_some());
        if token.kind == T::Parameter {
            outline.placeholders.push(Placeholder { span: token.span, name: None, role });
        } else if let Some(colon) = named {
            outline.placeholders.push(Placeholder { span: colon.to(token.span), name: Some(token.span), role });
        } else if token.kind == T::Colon && is_apart(sql, token.span.start) {
            colon = Some(token.span);
            continue;
        } else if token.kind == T::UserVariable && outline.variable.is_none() {
            outline.variable = Some(token.span);
        }
        counts = match token.kind {
            T::Word(K::Limit | K::Offset) if named.is_none() => true,
            T::Comma | T::Integer | T::Parameter => counts,
            _ => counts && named.is_some(),
        };
        before = [before[1], token.kind];
    }
    has_more
}

/// Whether the byte before is none of a name, a variable or another colon.
fn is_apart(sql: &str, at: u32) -> bool {
    let before = (at as usize).checked_sub(1).and_then(|before| sql.as_bytes().get(before));
    before.is_none_or(|byte| {
        !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b':' | b'.') || *byte >= 0x80)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verb_of(sql: &str) -> &str {
        outline(sql, Options::default()).verb.map_or("", |span| span.text(sql))
    }

    #[test]
    fn the_verb_is_the_first_word_that_counts() {
        assert_eq!(verb_of(" ((select 1))"), "select");
        assert_eq!(verb_of("--1\n#2\n//3\n/* 4 */ update t set a = 1"), "update");
        assert_eq!(verb_of("/*!40101 SET NAMES utf8 */"), "SET");
        assert_eq!(verb_of("with a as (select 1), b (x) as (delete) insert into t select * from a"), "insert");
        assert_eq!(verb_of("with a as (select 1) (table a)"), "with");
        assert_eq!(verb_of("'select'"), "");
        assert_eq!(verb_of(" -- nothing"), "");
    }

    #[test]
    fn an_explained_statement_has_its_place() {
        let explained = |sql: &'static str| outline(sql, Options::default()).explained.map(|at| &sql[at as usize..]);
        assert_eq!(explained("EXPLAIN FORMAT = TREE select 1"), Some("select 1"));
        assert_eq!(explained("desc plan /* x */ table t"), Some("table t"));
        assert_eq!(explained("EXPLAIN ANALYZE SELECT 1"), None);
        assert_eq!(explained("EXPLAIN"), None);
        assert_eq!(explained("SELECT 1"), None);
    }

    fn placeholders(sql: &str, options: Options) -> Vec<(&str, Role)> {
        outline(sql, options).placeholders.iter().map(|found| (found.span.text(sql), found.role)).collect()
    }

    #[test]
    fn placeholders_are_found_where_the_engine_reads_them() {
        let found = |sql| placeholders(sql, Options::default()).into_iter().map(|found| found.0).collect::<Vec<_>>();
        assert_eq!(found("SELECT :low, ? + :é FROM t WHERE a IN (:low)"), [":low", "?", ":é", ":low"]);
        assert_eq!(found("SELECT ':a', \"?\", `?:b` --:c\n, #?\n /* :d */ //?\n 1 --?"), [] as [&str; 0]);
        assert_eq!(found("SELECT 'it''s :a', 'b\\':b', :c"), [":c"]);
        assert_eq!(found("SELECT 1 /*! + ? */"), ["?"]);
        assert_eq!(found("SELECT @x := 1, @a.:b, t::c, : d"), [] as [&str; 0]);
        assert_eq!(found("CREATE PROCEDURE p() BEGIN here :loop LOOP LEAVE here; END LOOP; END"), [] as [&str; 0]);
        let options = Options { no_backslash_escapes: true, ..Options::default() };
        assert_eq!(placeholders("SELECT '\\', ?, '?'", options).len(), 1);
        let options = Options { ansi_quotes: true, ..Options::default() };
        assert_eq!(placeholders("SELECT \"a\\\", ?", options).len(), 1);
    }

    #[test]
    fn placeholders_have_roles() {
        use Role::{Count, Member, Other};
        let roles = |sql| placeholders(sql, Options::default()).into_iter().map(|found| found.1).collect::<Vec<_>>();
        assert_eq!(roles("SELECT ? FROM t WHERE a IN /* x */ (?, ?) LIMIT ?, ?"), [Other, Member, Other, Count, Count]);
        assert_eq!(roles("SELECT 1 LIMIT 5 OFFSET ?"), [Count]);
        assert_eq!(roles("SELECT (SELECT 1 LIMIT ?), ?"), [Count, Other]);
        assert_eq!(roles("SELECT 1 LIMIT :few OFFSET :more"), [Count, Count]);
    }

    #[test]
    fn transactions_end_by_what_the_engine_runs() {
        use Effect::{Other, RollsBack, Stays};
        for (sql, effect) in [
            ("ROLLBACK", RollsBack),
            ("--1\nrollback work;", RollsBack),
            ("/* x */ ROLLBACK AND CHAIN", RollsBack),
            ("/*! ROLLBACK */", RollsBack),
            ("ROLLBACK TO a", Stays),
            ("ROLLBACK WORK TO SAVEPOINT a", Stays),
            ("(SELECT 1)", Stays),
            ("INSERT INTO t VALUES ('COMMIT')", Stays),
            ("SELECT 1 /*! ; COMMIT */", Other),
            ("COMMIT", Other),
            ("CREATE TABLE t (a int)", Other),
            ("CALL dolt_commit('-am', 'x')", Other),
            ("", Other),
        ] {
            assert_eq!(outline(sql, Options::default()).effect, effect, "{sql}");
        }
    }
}
