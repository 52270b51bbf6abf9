//! Readable text of a plan's expressions, for EXPLAIN: long ones are cut off, and the text is never parsed again.

use std::rc::Rc;

use hashbrown::HashMap;
use value::SqlType;

use crate::catalog::KeyRange;
use crate::expr::{AggregateCall, ArithmeticOp, CastKind, CompareOp, Expr, ExprKind, IsTest, SortKey};
use crate::plan::{
    ColumnId, GroupEnd, JoinStrategy, JsonColumn, JsonRows, LooseIndexScan, OuterSlot, Plan, Scan, Subquery,
    SubqueryTest, WindowCall, WindowFunction, columns_of,
};

/// A list ends behind the item that comes to so many bytes.
const LIST_MAX: usize = 240;

/// Of values that are listed so many are shown.
const VALUES_MAX: usize = 5;

/// Characters of a literal, and of what a column is called that has no name.
const LITERAL_MAX: usize = 40;
const NAME_MAX: usize = 80;

/// How tightly the parts of an expression hold together; looser ones within tighter ones get parentheses.
const OR: u8 = 0;
const XOR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARE: u8 = 4;
const ARITHMETIC: u8 = 5;
const NEGATE: u8 = 11;
const WHOLE: u8 = 12;

/// What the columns of a plan are called: by their table, or by what computes them.
#[derive(Default)]
pub struct Names {
    columns: HashMap<ColumnId, (Rc<str>, u8)>,
    outer: HashMap<OuterSlot, ColumnId>,
    /// The columns of the first round, by the number of the recursive query.
    rounds: HashMap<u32, Vec<ColumnId>>,
    /// The columns of stages.
    stages: Vec<(Rc<str>, Vec<ColumnId>)>,
    /// There are several tables: each column is called with its own.
    qualified: bool,
}

impl Names {
    pub fn of(plan: &Plan) -> Names {
        let mut names = Names { qualified: has_several_tables(plan, &mut None), ..Names::default() };
        names.learn(plan);
        names
    }

    /// What is below an operator has its names first.
    fn learn(&mut self, plan: &Plan) {
        match plan {
            Plan::Join(join) => {
                self.learn(&join.left);
                if let JoinStrategy::Lookup { outer } = &join.strategy {
                    self.outer.extend(outer.iter().copied());
                }
                self.learn(&join.right);
            }
            Plan::Apply(apply) => {
                self.learn(&apply.input);
                self.outer.extend(apply.subquery.outer.iter().copied());
                self.learn(&apply.subquery.plan);
                apply.decorrelated.iter().for_each(|decorrelated| self.learn(&decorrelated.plan));
                let is_tested = !apply.subquery.tested.is_empty();
                self.name(apply.output, self.subquery(&apply.subquery), if is_tested { COMPARE } else { WHOLE });
            }
            Plan::Recursive(recursive) => {
                self.learn(&recursive.first);
                let first = columns_of(&recursive.first);
                self.pass_on(&recursive.columns, &first);
                self.rounds.insert(recursive.id, first);
                self.learn(&recursive.step);
            }
            Plan::Staged(staged) => {
                for stage in &staged.stages {
                    self.learn(&stage.plan);
                    self.stages.push((stage.name.clone(), columns_of(&stage.plan)));
                }
                self.learn(&staged.plan);
            }
            _ => plan.inputs(&mut |input| self.learn(input)),
        }
        match plan {
            Plan::Scan(scan) => self.name_columns(scan),
            Plan::HashIndexedScan(keyed) => self.name_columns(&keyed.scan),
            Plan::LooseIndexScan(groups) => {
                self.name_columns(&groups.scan);
                for (id, end) in &groups.ends {
                    self.name(*id, self.end(groups, *end), WHOLE);
                }
            }
            Plan::Project(_, columns) => columns.iter().for_each(|(id, expr)| self.name_computed(*id, expr)),
            Plan::Aggregate(aggregate) => {
                aggregate.groups.iter().for_each(|(id, expr)| self.name_computed(*id, expr));
                aggregate.calls.iter().for_each(|(id, call)| self.name(*id, self.aggregate(call), WHOLE));
            }
            Plan::Window(window) => {
                window.calls.iter().for_each(|(id, call)| self.name(*id, self.window(call), WHOLE));
            }
            Plan::SetOperation(operation) => self.pass_on(&operation.columns, &columns_of(&operation.left)),
            Plan::StageRows(name, columns) => {
                let stage = self.stages.iter().find(|(known, _)| Rc::ptr_eq(known, name));
                if let Some((_, own)) = stage.cloned() {
                    self.pass_on(columns, &own);
                }
            }
            Plan::RecursiveRows(id, columns) => {
                if let Some(first) = self.rounds.get(id).cloned() {
                    self.pass_on(columns, &first);
                }
            }
            Plan::JsonTable(table) => self.name_values(&table.rows, &mut table.columns.iter()),
            _ => {}
        }
    }

    fn name(&mut self, id: ColumnId, text: String, holds: u8) {
        self.columns.insert(id, (cut(text, NAME_MAX).into(), holds));
    }

    fn name_columns(&mut self, scan: &Scan) {
        for (id, position) in &scan.columns {
            self.name(*id, self.of_table(scan, *position), WHOLE);
        }
    }

    fn name_computed(&mut self, id: ColumnId, expr: &Expr) {
        match expr.as_column() {
            Some(column) => self.pass_on(&[id], &[column]),
            None => self.name(id, self.text(expr), holds(expr)),
        }
    }

    fn name_values(&mut self, rows: &JsonRows, ids: &mut std::slice::Iter<'_, ColumnId>) {
        for column in &rows.columns {
            match column {
                JsonColumn::Nested(rows) => self.name_values(rows, ids),
                JsonColumn::Value { name, .. } => {
                    ids.next().into_iter().for_each(|id| self.name(*id, name.to_string(), WHOLE));
                }
                _ => _ = ids.next(),
            }
        }
    }

    /// These are called as those are.
    fn pass_on(&mut self, columns: &[ColumnId], from: &[ColumnId]) {
        for (id, from) in columns.iter().zip(from) {
            if let Some(name) = self.columns.get(from).cloned() {
                self.columns.insert(*id, name);
            }
        }
    }

    fn of_table(&self, scan: &Scan, position: usize) -> String {
        let column = &scan.relation.columns()[position].name;
        if self.qualified { format!("{}.{column}", scan.alias) } else { column.to_string() }
    }

    fn end(&self, groups: &LooseIndexScan, end: GroupEnd) -> String {
        match end {
            GroupEnd::Count => "COUNT(*)".to_owned(),
            GroupEnd::Least(at) => format!("MIN({})", self.of_table(&groups.scan, at)),
            GroupEnd::Greatest(at) => format!("MAX({})", self.of_table(&groups.scan, at)),
        }
    }

    /// The placeholder of a subquery.
    fn subquery(&self, subquery: &Subquery) -> String {
        let tested = self.list(&subquery.tested);
        let tested = if subquery.tested.len() > 1 { format!("({tested})") } else { tested };
        match subquery.test {
            SubqueryTest::Scalar => "(SELECT …)".to_owned(),
            SubqueryTest::Exists => "EXISTS (SELECT …)".to_owned(),
            SubqueryTest::In => format!("{tested} IN (SELECT …)"),
            SubqueryTest::Row(op) => format!("{tested} {} (SELECT …)", comparison(op)),
            SubqueryTest::Any(op) => format!("{tested} {} ANY (SELECT …)", comparison(op)),
            SubqueryTest::All(op) => format!("{tested} {} ALL (SELECT …)", comparison(op)),
        }
    }

    fn aggregate(&self, call: &AggregateCall) -> String {
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let args = if call.args.is_empty() { "*".to_owned() } else { self.list(&call.args) };
        let order = if call.order.is_empty() { "" } else { " ORDER BY " };
        format!("{}({distinct}{args}{order}{})", call.function.name.to_uppercase(), self.order(&call.order))
    }

    fn window(&self, call: &WindowCall) -> String {
        use WindowFunction as F;
        let (name, value) = match &call.function {
            F::RowNumber => ("ROW_NUMBER", None),
            F::Rank => ("RANK", None),
            F::DenseRank => ("DENSE_RANK", None),
            F::PercentRank => ("PERCENT_RANK", None),
            F::Ntile(parts) => ("NTILE", Some(parts)),
            F::Lag { value, .. } => ("LAG", Some(value)),
            F::Lead { value, .. } => ("LEAD", Some(value)),
            F::FirstValue(value) => ("FIRST_VALUE", Some(value)),
            F::LastValue(value) => ("LAST_VALUE", Some(value)),
            F::Aggregate(_) => ("", None),
        };
        let function = match &call.function {
            F::Aggregate(call) => self.aggregate(call),
            _ => format!("{name}({})", value.map_or(String::new(), |value| self.text(value))),
        };
        let mut over = Vec::new();
        if !call.partition.is_empty() {
            over.push(format!("PARTITION BY {}", self.list(&call.partition)));
        }
        if !call.order.is_empty() {
            over.push(format!("ORDER BY {}", self.order(&call.order)));
        }
        format!("{function} OVER ({})", over.join(" "))
    }

    pub fn text(&self, expr: &Expr) -> String {
        self.within(OR, expr)
    }

    pub fn list<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> String {
        listed(&mut exprs.into_iter().map(|expr| self.text(expr)), ", ", usize::MAX)
    }

    /// All of these hold.
    pub fn all<'e>(&self, terms: impl IntoIterator<Item = &'e Expr>) -> String {
        let terms: Vec<&Expr> = terms.into_iter().collect();
        let least = if terms.len() == 1 { OR } else { AND };
        listed(&mut terms.iter().map(|term| self.within(least, term)), " AND ", usize::MAX)
    }

    fn terms(&self, terms: &[Expr], operator: &str, least: u8) -> String {
        listed(&mut terms.iter().map(|term| self.within(least, term)), operator, usize::MAX)
    }

    pub fn order(&self, keys: &[SortKey]) -> String {
        let key = |key: &SortKey| format!("{}{}", self.text(&key.expr), if key.descending { " DESC" } else { "" });
        listed(&mut keys.iter().map(key), ", ", usize::MAX)
    }

    pub fn columns(&self, columns: &mut dyn Iterator<Item = ColumnId>) -> String {
        listed(&mut columns.map(|id| self.column(id).0.to_string()), ", ", usize::MAX)
    }

    /// Each of these equals its partner.
    pub fn equal(&self, left: &[Expr], right: &[Expr]) -> String {
        let pair = |(left, right)| self.sides(COMPARE, left, " = ", right);
        listed(&mut left.iter().zip(right).map(pair), " AND ", usize::MAX)
    }

    /// The parts of an index that are read.
    pub fn ranges(&self, scan: &Scan) -> String {
        let (Some(index), Some(ranges)) = (scan.access.index, &scan.access.ranges) else { return String::new() };
        let index = &scan.relation.indexes()[index];
        let range = |range: &KeyRange| {
            let mut terms = Vec::new();
            let mut columns = index.columns.iter().map(|column| self.of_table(scan, *column));
            for ((at, value), column) in range.equal.iter().enumerate().zip(&mut columns) {
                let operator = if range.null_safe.contains(&at) { "<=>" } else { "=" };
                terms.push(format!("{column} {operator} {}", self.within(COMPARE + 1, value)));
            }
            if let Some(column) = columns.next() {
                for (bound, beyond, within) in [(&range.lower, ">", ">="), (&range.upper, "<", "<=")] {
                    if let Some((value, is_part)) = bound {
                        let operator = if *is_part { within } else { beyond };
                        terms.push(format!("{column} {operator} {}", self.within(COMPARE + 1, value)));
                    }
                }
                if range.is_not_null {
                    terms.push(format!("{column} IS NOT NULL"));
                }
            }
            terms.join(" AND ")
        };
        listed(&mut ranges.iter().map(range), " OR ", VALUES_MAX)
    }

    fn column(&self, id: ColumnId) -> (Rc<str>, u8) {
        self.columns.get(&id).cloned().unwrap_or_else(|| (format!("#{id}").into(), WHOLE))
    }

    /// In brackets where it holds together less than `least`.
    fn within(&self, least: u8, expr: &Expr) -> String {
        let (text, holds) = match &expr.kind {
            ExprKind::Column(id) => {
                let (name, holds) = self.column(*id);
                (name.to_string(), holds)
            }
            ExprKind::Outer(slot) => {
                let column = self.outer.get(slot).map(|id| self.column(*id));
                column.map_or_else(|| ("?".to_owned(), WHOLE), |(name, holds)| (name.to_string(), holds))
            }
            _ => (self.bare(expr), holds(expr)),
        };
        if holds < least { format!("({text})") } else { text }
    }

    fn bare(&self, expr: &Expr) -> String {
        let own = holds(expr);
        match &expr.kind {
            ExprKind::Column(_) | ExprKind::Outer(_) => self.text(expr),
            ExprKind::Literal(value) => literal(value, &expr.ty.sql),
            ExprKind::Param(_) => "?".to_owned(),
            ExprKind::Call(call) => format!("{}({})", call.function.name.to_uppercase(), self.list(&call.args)),
            ExprKind::And(terms) => self.terms(terms, " AND ", own),
            ExprKind::Or(terms) => self.terms(terms, " OR ", own),
            ExprKind::Xor(sides) => self.sides(own, &sides[0], " XOR ", &sides[1]),
            ExprKind::Not(inner) => format!("NOT {}", self.within(own, inner)),
            ExprKind::Compare(op, _, sides) => self.sides(own, &sides[0], &format!(" {} ", comparison(*op)), &sides[1]),
            ExprKind::Arithmetic(op, sides) => {
                self.sides(own, &sides[0], &format!(" {} ", arithmetic(*op).0), &sides[1])
            }
            ExprKind::Negate(inner) => format!("-{}", self.within(own + 1, inner)),
            ExprKind::Case(case) => {
                let mut text = "CASE".to_owned();
                for (condition, value) in &case.branches {
                    if text.len() > LIST_MAX {
                        text.push_str(" …");
                        break;
                    }
                    text.push_str(&format!(" WHEN {} THEN {}", self.text(condition), self.text(value)));
                }
                if let Some(otherwise) = &case.otherwise {
                    text.push_str(&format!(" ELSE {}", self.text(otherwise)));
                }
                text.push_str(" END");
                text
            }
            ExprKind::Cast(inner, CastKind::Explicit) => format!("CAST({} AS {})", self.text(inner), expr.ty.sql),
            // It is implicit.
            ExprKind::Cast(inner, _) => self.text(inner),
            ExprKind::In(list) => {
                let not = if list.negated { "NOT " } else { "" };
                let values = listed(&mut list.list.iter().map(|value| self.text(value)), ", ", VALUES_MAX);
                format!("{} {not}IN ({values})", self.within(own + 1, &list.value))
            }
            ExprKind::Like(like) => {
                let operator = if like.negated { " NOT LIKE " } else { " LIKE " };
                self.sides(own, &like.text, operator, &like.pattern)
            }
            ExprKind::Is(inner, test) => {
                let test = match test {
                    IsTest::Null => "NULL",
                    IsTest::NotNull => "NOT NULL",
                    IsTest::True => "TRUE",
                    IsTest::NotTrue => "NOT TRUE",
                    IsTest::False => "FALSE",
                    IsTest::NotFalse => "NOT FALSE",
                };
                format!("{} IS {test}", self.within(own + 1, inner))
            }
            ExprKind::UserVariable(name, _) => format!("@{name}"),
            ExprKind::SetUserVariable(name, value) => format!("@{name} := {}", self.text(value)),
            ExprKind::Subquery(subquery) => self.subquery(subquery),
        }
    }

    fn sides(&self, own: u8, left: &Expr, operator: &str, right: &Expr) -> String {
        // Comparisons of comparisons are in brackets on both sides.
        let least = if own == COMPARE { own + 1 } else { own };
        format!("{}{operator}{}", self.within(least, left), self.within(own + 1, right))
    }
}

fn holds(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Or(_) | ExprKind::SetUserVariable(..) => OR,
        ExprKind::Xor(_) => XOR,
        ExprKind::And(_) => AND,
        ExprKind::Not(_) => NOT,
        ExprKind::Compare(..) | ExprKind::In(_) | ExprKind::Like(_) | ExprKind::Is(..) => COMPARE,
        ExprKind::Arithmetic(op, _) => arithmetic(*op).1,
        ExprKind::Negate(_) => NEGATE,
        ExprKind::Cast(inner, kind) if *kind != CastKind::Explicit => holds(inner),
        _ => WHOLE,
    }
}

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "=",
        CompareOp::NotEqual => "<>",
        CompareOp::Less => "<",
        CompareOp::LessOrEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterOrEqual => ">=",
        CompareOp::NullSafeEqual => "<=>",
    }
}

fn arithmetic(op: ArithmeticOp) -> (&'static str, u8) {
    let (sign, level) = match op {
        ArithmeticOp::BitOr => ("|", 0),
        ArithmeticOp::BitAnd => ("&", 1),
        ArithmeticOp::ShiftLeft => ("<<", 2),
        ArithmeticOp::ShiftRight => (">>", 2),
        ArithmeticOp::Add => ("+", 3),
        ArithmeticOp::Subtract => ("-", 3),
        ArithmeticOp::Multiply => ("*", 4),
        ArithmeticOp::Divide | ArithmeticOp::InnerDivide => ("/", 4),
        ArithmeticOp::IntegerDivide => ("DIV", 4),
        ArithmeticOp::Modulo => ("%", 4),
        ArithmeticOp::BitXor => ("^", 5),
    };
    (sign, ARITHMETIC + level)
}

/// Numbers as they are, all else between quotes and in one line.
fn literal(value: &value::Value<'_>, ty: &SqlType) -> String {
    let Some(text) = value::to_text(value, ty) else { return "NULL".to_owned() };
    let text = String::from_utf8_lossy(&text);
    if ty.is_number() {
        return text.into_owned();
    }
    let text = text.chars().take(LITERAL_MAX + 1).map(|char| if char.is_control() { ' ' } else { char });
    parse::quote_text(&cut(text.collect(), LITERAL_MAX))
}

fn cut(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The first items, and how many more there are.
fn listed(items: &mut dyn Iterator<Item = String>, separator: &str, most: usize) -> String {
    let mut text = String::new();
    for number in 0.. {
        let Some(item) = items.next() else { break };
        if number > 0 {
            text.push_str(separator);
        }
        if number == most || text.len() > LIST_MAX {
            text.push_str(&format!("… {} more", items.count() + 1));
            break;
        }
        text.push_str(&item);
    }
    text
}

/// The scan that an operator is.
pub fn scan_of(plan: &Plan) -> Option<&Scan> {
    match plan {
        Plan::Scan(scan) => Some(scan),
        Plan::HashIndexedScan(keyed) => Some(&keyed.scan),
        Plan::LooseIndexScan(groups) => Some(&groups.scan),
        _ => None,
    }
}

/// Whether a plan reads tables that are called otherwise than `first`.
fn has_several_tables(plan: &Plan, first: &mut Option<Rc<str>>) -> bool {
    let mut has_others =
        scan_of(plan).is_some_and(|scan| *first.get_or_insert_with(|| scan.alias.clone()) != scan.alias);
    if let Plan::Apply(apply) = plan {
        has_others |= has_several_tables(&apply.subquery.plan, first);
    }
    plan.inputs(&mut |input| has_others |= has_several_tables(input, first));
    has_others
}
