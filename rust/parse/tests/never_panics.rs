//! Broken, cut, spliced and deeply nested text gives errors, never a panic, and in bounded time.

use parse::{DEPTH_MAX, Options, ParseError, complete, expression, print, split, statement};

/// Statements of every kind, to be mutilated.
const GOOD: &[&str] = &[
    "with recursive r (n) as (select 1 union all select n + 1 from r where n < 5) select r.n, t.*, count(distinct a, b) over \
     (partition by c order by d desc rows between 1 preceding and unbounded following) x from r join db.t as of 'HEAD~1' t \
     using (n) left join lateral (select 1) l on true where a in (1, 2) and b not like 'x%' escape '|' group by 1 with rollup \
     having sum(a) > 3 order by 1 desc limit 3 offset 2 for update skip locked",
    "insert ignore into t partition (p) (a, b) values (1, default), (row_number() over w, _utf8mb4'x' 'y') as n (x, y) on duplicate \
     key update a = values(a) + n.x, b = case when a then 'é' else x'4f' end",
    "create temporary table if not exists `a``b` (id int unsigned auto_increment primary key, v varchar(10) character set utf8mb4 \
     collate utf8mb4_bin default 'x' comment 'c', g int generated always as (id * 2) stored, check (v <> 'x'), unique key u \
     (v(3) desc, (lower(v))), constraint f foreign key (id) references p (id) on delete set null) engine=InnoDB comment='x'",
    "alter table t add column a enum('x','y') not null first, drop index i, modify b decimal(10,2), rename to u, add primary key (a)",
    "create definer=`root`@`localhost` procedure p(in a int, out b text) comment 'x' begin declare c cursor for select 1; declare \
     exit handler for sqlstate '42000', not found set @x = 1; l: while a > 0 do set a = a - 1; if a = 3 then leave l; end if; end \
     while; case a when 1 then select 1; else begin end; end case; end",
    "create trigger t before update on a for each row follows b set new.x = old.x + 1",
    "select * from json_table(j, '$[*]' columns (id for ordinality, a int path '$.a' default '1' on empty, nested path '$.b' columns \
     (c text path '$'))) as t, dolt_diff('a', 'b', 't') d",
    "set @@session.sql_mode = 'ANSI', global x = on, @a := 5, names utf8mb4 collate utf8mb4_bin",
    "show full columns from t from db like 'a%' /*!40101 ; */ -- end",
    "load data local infile 'f' into table t fields terminated by ',' optionally enclosed by '\"' ignore 1 lines (a, @b) set c = @b",
];

fn exercise(sql: &str) {
    let options = Options::default();
    let parsed = statement(sql, &options);
    for error in &parsed.errors {
        let span = error.span();
        assert!(span.start <= span.end && span.end as usize <= sql.len(), "{span:?} in {sql}");
        assert!(sql.get(span.range()).is_some(), "{span:?} cuts a character of {sql}");
        assert!(!error.to_string().is_empty());
    }
    for piece in split(sql, &options) {
        assert!(sql.get(piece.span.range()).is_some(), "{piece:?} of {sql}");
    }
}

/// A small deterministic generator (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn good_statements_are_good() {
    for sql in GOOD {
        let parsed = statement(sql, &Options { beyond_dolt: true, ..Options::default() });
        assert_eq!(parsed.errors, [], "{sql}");
        let statement = parsed.statement.expect(sql);
        assert!(statement.span.start == 0 && statement.span.end as usize <= sql.len());
    }
}

#[test]
fn every_prefix_parses_and_completes_without_panic() {
    for sql in GOOD {
        for end in (0..=sql.len()).filter(|&end| sql.is_char_boundary(end)) {
            exercise(&sql[..end]);
            complete(sql, end as u32, &Options::default());
            complete(&sql[..end], end as u32, &Options::default());
        }
    }
}

#[test]
fn mutilated_statements_give_errors_not_panics() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    const BITS: &[&str] =
        &["(", ")", "'", "`", "\"", ";", ",", ".", "@", "/*", "*/", "--\n", "é", "select", "as", "0x", "\\", "\0", ":"];
    for round in 0..20_000 {
        let mut text = GOOD[random.below(GOOD.len())].to_owned();
        for _ in 0..=random.below(3) {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match round % 4 {
                0 => text.insert_str(at, BITS[random.below(BITS.len())]),
                1 => text.truncate(at),
                2 => {
                    let other = GOOD[random.below(GOOD.len())];
                    let from = (random.below(other.len())..).find(|&from| other.is_char_boundary(from)).unwrap_or(0);
                    text.replace_range(at.., &other[from..]);
                }
                _ => {
                    if let Some(character) = text[at..].chars().next() {
                        text.replace_range(at..at + character.len_utf8(), BITS[random.below(BITS.len())]);
                    }
                }
            }
        }
        exercise(&text);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = DEPTH_MAX as usize * 50;
    let texts = [
        format!("select {}1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("select {}1", "- ".repeat(deep)),
        format!("select {}1", "not ".repeat(deep)),
        format!("select {}1{}", "(select ".repeat(deep), ")".repeat(deep)),
        format!("select * from {}t{}", "(".repeat(deep), ")".repeat(deep)),
        format!("{}select 1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("select {}1{}", "f(".repeat(deep), ")".repeat(deep)),
        format!("select {}1{}", "case when ".repeat(deep), " then 1 end".repeat(deep)),
        format!("select 1{}", " + 1".repeat(deep)),
        format!("select * from t{}", " join t".repeat(deep)),
        format!("create procedure p() {}select 1; {}", "begin ".repeat(deep), "end; ".repeat(deep)),
        format!("select * from json_table('', '' columns {})", "(nested '' columns ".repeat(deep)),
        format!("explain {}select 1", "explain ".repeat(deep)),
        format!("select a{}", "->'$'".repeat(deep)),
        format!("with {} select 1", "a as (with ".repeat(deep)),
    ];
    for text in texts {
        let parsed = statement(&text, &Options::default());
        let shape = &text[..40];
        assert!(parsed.statement.is_none(), "{shape}");
        let error = &parsed.errors[0];
        assert!(matches!(error, ParseError::TooDeep { .. } | ParseError::Syntax { .. }), "{shape} {error}");
    }
}

#[test]
fn as_deep_as_allowed_takes_half_of_a_browser_stack() {
    let nested = |open: &str, close: &str, levels: usize| format!("{}1{}", open.repeat(levels), close.repeat(levels));
    let texts = [
        nested("(", ")", 90),
        nested("f(", ")", 90),
        nested("case when 1 then ", " end", 90),
        nested("(select ", ")", 45),
    ];
    // Frames of a debug build are several times those of the release build in a browser.
    let stack_bytes = if cfg!(debug_assertions) { 2 << 20 } else { 1 << 19 };
    let run = move || {
        for text in texts {
            let expr = expression(&text, &Options::default()).expect(&text);
            drop(expr.clone());
        }
    };
    std::thread::Builder::new().stack_size(stack_bytes).spawn(run).expect("a thread").join().expect("no overflow");
}

#[test]
fn long_flat_statements_parse() {
    let and = format!("select 1 from t where {}", vec!["a = 1"; 20_000].join(" and "));
    let or = format!("select 1 from t where {}", vec!["(a = 1 and b = 2)"; 10_000].join(" or "));
    let union = vec!["select 1"; 10_000].join(" union all ");
    let rows = format!("insert into t values {}", vec!["(1, 'x', null)"; 20_000].join(","));
    let list = format!("select 1 in ({})", vec!["1"; 50_000].join(","));
    let texts = vec!["'a'"; 20_000].join(" ");
    for sql in [and, or, union, rows, list, format!("select {texts}")] {
        assert_eq!(statement(&sql, &Options::default()).errors, [], "{}", &sql[..40]);
    }
}

#[test]
fn hostile_backtracking_stays_linear() {
    // Each of these would double the work per level if an attempt were thrown away and made again.
    for unit in ["((select 1 from (", "(((select (", "with a as (((select "] {
        let text = format!("select {}", unit.repeat(40));
        exercise(&text);
    }
    let delete = format!("delete from {} where", "a,".repeat(5_000));
    exercise(&delete);
    let insert = format!("insert into t {}", "(".repeat(5_000));
    exercise(&insert);
    assert!(print(&expression("1", &Options::default()).expect("one")).is_ok());
}
