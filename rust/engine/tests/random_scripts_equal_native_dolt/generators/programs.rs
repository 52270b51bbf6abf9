//! Stored programs: procedures with every kind of statement, blocks, variables, loops, cursors, handlers and parameters, that call
//! each other and meet triggers; and what they leave in tables and variables.

use crate::common::generate::Random;
use crate::script::{self, Step};

/// Variables keep to one of these: where a value does not fit, native Dolt takes it for some types and not for others.
const TYPES: &[(&str, &[&str])] = &[
    ("bigint", &["0", "1", "7", "-3", "null", "9007199254740993"]),
    ("varchar(200)", &["'a'", "'twelve chars'", "''", "null"]),
];
const NUMBER: usize = 0;
const TEXT: usize = 1;
/// How the names of variables begin that count the rounds of a loop.
const COUNTER: &str = "n";

/// Variables that a procedure sees, with their types.
type Variables = Vec<(String, usize)>;

struct Procedure {
    name: String,
    /// Whether each parameter has to be a variable, and its type.
    parameters: Vec<(bool, usize)>,
}

/// Tables, procedures over them, and calls.
pub fn script(random: &mut Random) -> Vec<Step> {
    let mut programs = Programs { random, names: 0, procedures: Vec::new(), steps: 0, loops: 0 };
    let mut statements: Vec<String> = vec![
        "create table t (id int primary key, a bigint, s varchar(200), d decimal(8,2))".into(),
        "create table log (n int primary key auto_increment, what varchar(60), x varchar(250))".into(),
        "insert into t values (1, 10, 'one', 1.5), (2, 20, 'two', null), (3, null, 'three', -2.25), (4, 10, null, 0)"
            .into(),
        "set @u = 5, @v = 'user'".into(),
    ];
    if programs.random.chance(40) {
        statements.push(
            "create trigger tr after update on t for each row insert into log (what, x) values ('trigger', new.a)"
                .into(),
        );
    }
    for _ in 0..5 {
        statements.push(programs.procedure());
        for _ in 0..2 {
            statements.push(programs.call());
            if programs.random.chance(40) {
                statements.push("select @u, @v, @w".into());
            }
        }
        statements.push("select * from t".into());
        statements.push("select * from log".into());
    }
    script::of_one(statements)
}

struct Programs<'r> {
    random: &'r mut Random,
    names: usize,
    procedures: Vec<Procedure>,
    /// Statements of the procedure that is written.
    steps: usize,
    /// Loops around the statement that is written: there nothing is called, or it would take too long.
    loops: usize,
}

impl Programs<'_> {
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn procedure(&mut self) -> String {
        let name = self.name("p");
        let (mut variables, mut parameters, mut written) = (Variables::new(), Vec::new(), Vec::new());
        for _ in 0..self.random.below(3) {
            let (variable, ty) = (self.name("q"), self.random.below(TYPES.len()));
            let mode = *self.random.pick(&["", "in ", "out ", "inout "]);
            written.push(format!("{mode}{variable} {}", TYPES[ty].0));
            parameters.push((mode.contains("out"), ty));
            variables.push((variable, ty));
        }
        self.steps = 0;
        let body = self.block(&variables, 3, &[]);
        self.procedures.push(Procedure { name: name.clone(), parameters });
        format!("create procedure {name} ({}) {body}", written.join(", "))
    }

    fn call(&mut self) -> String {
        let at = self.random.below(self.procedures.len());
        let (name, modes) = (self.procedures[at].name.clone(), self.procedures[at].parameters.clone());
        let arguments: Vec<&str> = modes
            .iter()
            .map(|of| match *of {
                (_, NUMBER) if of.0 || self.random.chance(20) => "@u",
                (_, TEXT) if of.0 || self.random.chance(20) => "@v",
                (_, ty) => *self.random.pick(TYPES[ty].1),
            })
            .collect();
        format!("call {name}({})", arguments.join(", "))
    }

    fn block(&mut self, outer: &Variables, depth: usize, labels: &[String]) -> String {
        let (mut variables, mut sql) = (outer.clone(), "begin ".to_owned());
        for _ in 0..1 + self.random.below(2) {
            let (name, ty) = (self.name("v"), self.random.below(TYPES.len()));
            let default = match self.random.below(3) {
                0 => String::new(),
                _ => format!(" default {}", self.random.pick(TYPES[ty].1)),
            };
            sql += &format!("declare {name} {}{default}; ", TYPES[ty].0);
            variables.push((name, ty));
        }
        let cursor = self.random.chance(30).then(|| self.name("c"));
        let fetched = [self.name("v"), self.name("v")];
        if let Some(cursor) = &cursor {
            for (name, ty) in fetched.iter().zip([NUMBER, TEXT]) {
                sql += &format!("declare {name} {}; ", TYPES[ty].0);
                variables.push((name.clone(), ty));
            }
            sql += &format!(
                "declare done int default 0; declare {cursor} cursor for select id, s from t where id <= {} order by id; ",
                self.random.below(5)
            );
            sql += "declare continue handler for not found set done = 1; ";
        } else if self.random.chance(30) {
            let action = *self.random.pick(&["continue", "exit"]);
            let condition = *self.random.pick(&[
                "sqlexception",
                "sqlstate '23000'",
                "sqlstate '45000'",
                "1062",
                "not found",
                "sqlwarning",
            ]);
            let statement = self.simple(&variables);
            sql += &format!("declare {action} handler for {condition} {statement}; ");
        }
        for _ in 0..1 + self.random.below(3) {
            let statement = self.statement(&variables, depth, labels);
            sql += &format!("{statement}; ");
        }
        if let Some(cursor) = &cursor {
            let ([one, two], label) = (&fetched, self.name("l"));
            let each = self.simple(&variables);
            sql += &format!(
                "open {cursor}; {label}: loop fetch {cursor} into {one}, {two}; if done then leave {label}; end if; {each}; end loop; close {cursor}; "
            );
        }
        sql + "end"
    }

    /// One of a type; there is always one.
    fn variable(&mut self, ty: usize, variables: &Variables) -> String {
        let of_type: Vec<&String> = variables.iter().filter(|(_, it)| *it == ty).map(|(name, _)| name).collect();
        match of_type.is_empty() {
            true => (*self.random.pick(TYPES[ty].1)).into(),
            false => (*self.random.pick(&of_type)).clone(),
        }
    }

    /// One of a type that may have another value; a counter would count for ever.
    fn assignable(&mut self, ty: usize, variables: &Variables) -> Option<String> {
        let is_counter = |name: &str| name.starts_with(COUNTER);
        let of_type = variables.iter().filter(|(name, it)| *it == ty && !is_counter(name));
        let of_type: Vec<&String> = of_type.map(|(name, _)| name).collect();
        if of_type.is_empty() { None } else { Some((*self.random.pick(&of_type)).clone()) }
    }

    fn value(&mut self, ty: usize, variables: &Variables) -> String {
        let variable = self.variable(ty, variables);
        let of_text = ty == TEXT;
        match self.random.below(8) {
            0 | 1 => variable,
            2 if of_text => format!("concat({variable}, '-')"),
            2 => format!("{variable} % 1000 + 1"),
            3 if of_text => "(select max(s) from t)".into(),
            3 => "(select max(a) from t)".into(),
            4 if of_text => format!("(select s from t where id = {})", 1 + self.random.below(4)),
            4 => format!("(select a from t where id = {})", 1 + self.random.below(4)),
            5 => (if of_text { "@v" } else { "@u" }).into(),
            6 if of_text => format!("left(coalesce({variable}, 'none'), 9)"),
            6 => format!("coalesce({variable}, {})", self.random.below(9)),
            _ => (*self.random.pick(TYPES[ty].1)).into(),
        }
    }

    fn condition(&mut self, variables: &Variables) -> String {
        let (number, text) = (self.variable(NUMBER, variables), self.variable(TEXT, variables));
        match self.random.below(7) {
            0 => format!("{number} is null"),
            1 => format!("{text} = 'a'"),
            2 => format!("exists (select 1 from t where a = {number})"),
            3 => format!("{number} in (1, 2, 7)"),
            4 => format!("{text} like '%-%'"),
            _ => format!("{number} > {}", self.random.below(8)),
        }
    }

    /// One that has no others in it.
    fn simple(&mut self, variables: &Variables) -> String {
        let ty = self.random.below(TYPES.len());
        let (user, column) = if ty == TEXT { ("@v", "s") } else { ("@u", "a") };
        let (value, id) = (self.value(ty, variables), 1 + self.random.below(6));
        let (number, text) = (self.variable(NUMBER, variables), self.variable(TEXT, variables));
        let into = self.assignable(ty, variables).unwrap_or_else(|| user.to_owned());
        match self.random.below(17) {
            0..=2 => format!("set {into} = {value}"),
            3 => format!("set {user} = {value}"),
            4 => format!("set @w = {number}, {into} = {value}"),
            5 => format!("insert into t (id, {column}) values ({id}, {value})"),
            6 => format!("insert into t (id) values ({id}) on duplicate key update a = a % 100 + {id}"),
            7 => format!("update t set {column} = {value} where id = {id}"),
            8 => format!("update t set s = {text} where a = {number}"),
            9 => format!("delete from t where id = {id} or a = {number}"),
            10 => format!("select {column} into {into} from t where id = {id}"),
            11 => format!("select count(*), max({column}) into @w, {into} from t"),
            12 => format!("insert into log (what, x) values ('here', {text})"),
            13 => format!("select {number}, {value}"),
            14 => format!("replace into t values ({id}, {id}, {text}, 1)"),
            15 => "signal sqlstate '45000' set message_text = 'raised'".into(),
            _ => format!("insert into log (what, x) select 'all', s from t where id > {id} or s = {text} order by id"),
        }
    }

    fn statement(&mut self, variables: &Variables, depth: usize, labels: &[String]) -> String {
        self.steps += 1;
        if depth == 0 || self.steps > 14 {
            return self.simple(variables);
        }
        let condition = self.condition(variables);
        match self.random.below(16) {
            0 => {
                let (one, two) = (self.statement(variables, depth - 1, labels), self.simple(variables));
                format!("if {condition} then {one}; else {two}; end if")
            }
            1 => {
                let (one, two, other) =
                    (self.simple(variables), self.statement(variables, depth - 1, labels), self.condition(variables));
                format!("if {condition} then {one}; elseif {other} then {two}; end if")
            }
            2 => {
                let (one, two) = (self.simple(variables), self.simple(variables));
                let variable = self.variable(NUMBER, variables);
                format!("case {variable} when 1 then {one}; when 7 then set @w = 1; else {two}; end case")
            }
            3 => {
                let (one, two) = (self.simple(variables), self.statement(variables, depth - 1, labels));
                format!("case when {condition} then {one}; else {two}; end case")
            }
            4..=6 => self.repeated(variables, depth, labels),
            7 | 8 => self.block(variables, depth - 1, labels),
            9 if !labels.is_empty() => {
                let (word, label) = (*self.random.pick(&["leave", "iterate"]), self.random.pick(labels).clone());
                format!("if {condition} then {word} {label}; end if")
            }
            10 if !self.procedures.is_empty() && self.loops == 0 => {
                let at = self.random.below(self.procedures.len());
                let (name, modes) = (self.procedures[at].name.clone(), self.procedures[at].parameters.clone());
                let arguments: Vec<String> = modes
                    .iter()
                    .map(|(is_out, ty)| {
                        let variable = if *is_out { self.assignable(*ty, variables) } else { None };
                        variable.unwrap_or_else(|| self.value(*ty, variables))
                    })
                    .collect();
                format!("call {name}({})", arguments.join(", "))
            }
            _ => self.simple(variables),
        }
    }

    /// A loop with a counter of its own, so that it ends.
    fn repeated(&mut self, variables: &Variables, depth: usize, labels: &[String]) -> String {
        let (label, counter, count) = (self.name("l"), self.name(COUNTER), 1 + self.random.below(4));
        let labels: Vec<String> = labels.iter().cloned().chain([label.clone()]).collect();
        let mut inner = variables.clone();
        inner.push((counter.clone(), 0));
        let form = self.random.below(3);
        // ITERATE goes on before UNTIL is looked at.
        self.loops += 1;
        let body = self.statement(&inner, depth - 1, if form == 1 { &[] } else { &labels });
        self.loops -= 1;
        let counted = format!("set {counter} = {counter} + 1");
        let repeated = match form {
            0 => format!("{label}: while {counter} < {count} do {counted}; {body}; end while"),
            1 => format!("{label}: repeat {counted}; {body}; until {counter} >= {count} end repeat"),
            _ => {
                format!("{label}: loop {counted}; if {counter} > {count} then leave {label}; end if; {body}; end loop")
            }
        };
        format!("begin declare {counter} int default 0; {repeated}; end")
    }
}
