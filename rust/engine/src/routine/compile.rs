//! From the syntax of a body to steps.
//!
//! Names of variables, cursors, conditions and labels are looked up here, so that a wrong one is an error of CREATE.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use parse::ast::{
    self, Declare, HandlerAction, LoopKind, SetItem, Statement, StatementKind, TriggerEvent, TriggerTime,
};
use value::{SqlType, Value};

use super::condition::{self, Condition};
use super::data_type;
use super::locals::{Local, Locals, RowName};
use super::program::{Argument, Embedded, Evaluation, Handler, Program, Raise, Step, Target, Variable};
use crate::catalog::Column;
use crate::error::{Result, SqlError};
use crate::expr::ExprType;
use crate::session::Prepared;

/// Blocks inside each other; the parser has a limit of its own.
const DEPTH_MAX: usize = 200;

/// A jump that is not known yet.
const UNKNOWN: usize = usize::MAX;

/// Compiles a procedure.
///
/// # Errors
/// Everything that CREATE PROCEDURE refuses: names that are not declared, declarations in the wrong place or twice.
pub fn procedure(sql: Rc<str>, procedure: &ast::CreateProcedure) -> Result<Program> {
    let mut compiler = Compiler::new(sql, true);
    for parameter in &procedure.parameters {
        let ty = data_type::declared(&parameter.data_type)?;
        compiler.declare(&parameter.name, ty, Value::Null)?;
        compiler.program.parameters.push(parameter.mode);
    }
    compiler.scopes.push(Scope::default());
    compiler.statement(&procedure.body)?;
    Ok(compiler.program)
}

/// Compiles the body of a trigger on a table with these columns. The first variables are the columns of NEW, where the
/// event has a new row, and then those of OLD.
///
/// # Errors
/// As [`procedure`]; 1105 for a change of OLD, and of NEW in an AFTER trigger.
pub fn trigger(sql: Rc<str>, trigger: &ast::CreateTrigger, columns: &[Column]) -> Result<Program> {
    let mut compiler = Compiler::new(sql, false);
    let rows: &[RowName] = match trigger.event {
        TriggerEvent::Insert => &[RowName::New],
        TriggerEvent::Update => &[RowName::New, RowName::Old],
        TriggerEvent::Delete => &[RowName::Old],
    };
    for row in rows {
        for column in columns {
            let ty = ExprType { nullable: true, ..column.ty.clone() };
            compiler.add_local(Some(*row), &column.name, ty, Value::Null);
        }
    }
    compiler.keeps_new = trigger.time == TriggerTime::After;
    compiler.is_trigger = true;
    compiler.scopes.push(Scope::default());
    compiler.statement(&trigger.body)?;
    Ok(compiler.program)
}

/// Compiles the body of an event.
///
/// # Errors
/// As [`procedure`].
pub fn event(sql: Rc<str>, event: &ast::Statement) -> Result<Program> {
    let mut compiler = Compiler::new(sql, false);
    compiler.statement(event)?;
    Ok(compiler.program)
}

/// Names and stages of one block.
#[derive(Default)]
struct Scope {
    variables: Vec<Local>,
    conditions: Vec<(Box<str>, Condition)>,
    cursors: Vec<(Box<str>, usize)>,
    caught: Vec<Condition>,
    /// How far its declarations have come.
    stage: Stage,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Variables,
    Cursors,
    Handlers,
    Body,
}

/// What is known of IF or CASE while its branches are compiled.
#[derive(Default)]
struct Branches {
    /// Steps that leave the statement after a branch.
    ends: Vec<usize>,
    tests: Vec<usize>,
}

struct Label {
    name: Box<str>,
    is_loop: bool,
    start: usize,
    depth: usize,
    /// Jumps that want to know where it ends.
    leaves: Vec<usize>,
}

struct Compiler {
    sql: Rc<str>,
    program: Program,
    scopes: Vec<Scope>,
    labels: Vec<Label>,
    /// Blocks that are entered here.
    depth: usize,
    /// All that is visible, as the statements share it.
    visible: Option<Rc<Locals>>,
    /// Variables begin with the zero of their type; else they are NULL.
    begins_with_zero: bool,
    is_trigger: bool,
    /// An AFTER trigger: the row is written.
    keeps_new: bool,
}

impl Compiler {
    fn new(sql: Rc<str>, begins_with_zero: bool) -> Compiler {
        Compiler {
            sql,
            program: Program::default(),
            scopes: vec![Scope::default()],
            labels: Vec::new(),
            depth: 0,
            visible: None,
            begins_with_zero,
            is_trigger: false,
            keeps_new: false,
        }
    }

    fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let top = self.scopes.len() - 1;
        &mut self.scopes[top]
    }

    fn here(&self) -> usize {
        self.program.steps.len()
    }

    fn push(&mut self, step: Step) -> usize {
        self.program.steps.push(step);
        self.here() - 1
    }

    fn visible(&mut self) -> Rc<Locals> {
        if let Some(known) = &self.visible {
            return known.clone();
        }
        let known = self.scopes.iter().flat_map(|scope| scope.variables.iter().cloned()).collect();
        let locals = Rc::new(Locals { known });
        self.visible = Some(locals.clone());
        locals
    }

    fn add_local(&mut self, row: Option<RowName>, name: &str, ty: ExprType, initial: Value<'static>) -> usize {
        let slot = self.program.variables.len();
        self.program.variables.push(Variable { ty: ty.sql.clone(), initial });
        let local = Local { row, name: name.into(), slot: slot as u32, ty };
        self.scope().variables.push(local);
        self.visible = None;
        slot
    }

    fn declare(&mut self, name: &ast::Ident, ty: SqlType, initial: Value<'static>) -> Result<usize> {
        if self.scope().variables.iter().any(|known| known.row.is_none() && name.is(&known.name)) {
            return Err(SqlError::general(format!("duplicate variable '{}'", name.text)).at(name.span));
        }
        Ok(self.add_local(None, &name.text, ExprType::new(ty, true), initial))
    }

    fn embedded(&mut self, statement: Statement) -> Embedded {
        Embedded { prepared: Prepared::embedded(self.sql.clone(), statement), locals: self.visible() }
    }

    fn evaluation(&mut self, expr: &ast::Expr) -> Evaluation {
        Evaluation {
            sql: self.sql.clone(),
            expr: expr.clone(),
            locals: self.visible(),
            bound: RefCell::default(),
            query: OnceCell::new(),
        }
    }

    /// A variable by name, or a user variable in the form that INTO has.
    fn local_slot(&mut self, name: &ast::Ident) -> Result<usize> {
        let found = self.visible().variable(&name.text).map(|local| local.slot as usize);
        found.ok_or_else(|| SqlError::general(format!("variable `{}` could not be found", name.text)).at(name.span))
    }

    fn cursor(&self, name: &ast::Ident) -> Result<usize> {
        let find = |scope: &Scope| scope.cursors.iter().rev().find(|(known, _)| name.is(known)).map(|(_, at)| *at);
        let found = self.scopes.iter().rev().find_map(find);
        found.ok_or_else(|| SqlError::general(format!("cursor '{}' does not exist", name.text)).at(name.span))
    }

    fn condition(&self, value: &ast::ConditionValue) -> Result<Condition> {
        if let Some(condition) = Condition::of(value)? {
            return Ok(condition);
        }
        let ast::ConditionValue::Name(name) = value else {
            return Err(SqlError::internal("a condition without value"));
        };
        let find =
            |scope: &Scope| scope.conditions.iter().find(|(known, _)| name.is(known)).map(|(_, found)| found.clone());
        let found = self.scopes.iter().rev().find_map(find);
        found.ok_or_else(|| SqlError::general(format!("condition {} does not exist", name.text)).at(name.span))
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        if let StatementKind::Declare(declare) = &statement.kind {
            return self.declaration(declare, statement.span);
        }
        if self.depth + self.labels.len() > DEPTH_MAX {
            return Err(SqlError::general("statement is nested too deeply").at(statement.span));
        }
        self.scope().stage = Stage::Body;
        match &statement.kind {
            StatementKind::Block(block) => self.block(block),
            StatementKind::If(chosen) => self.conditional(chosen),
            StatementKind::Case(chosen) => self.case(chosen, statement.span),
            StatementKind::Loop(repeated) => self.repeat(repeated),
            StatementKind::Leave(label) => self.leave(label),
            StatementKind::Iterate(label) => self.iterate(label),
            StatementKind::Set(items) => self.set(items, statement.span),
            StatementKind::Query(query) => self.query(query, statement),
            StatementKind::Call(call) if call.as_of.is_some() => {
                Err(SqlError::unsupported("CALL … AS OF").at(statement.span))
            }
            StatementKind::Call(call) => {
                let arguments = call.arguments.iter().map(|argument| self.argument(argument)).collect::<Result<_>>()?;
                let (statement, name) = (self.embedded(statement.clone()), call.name.clone());
                self.push(Step::Call { statement, name, arguments });
                Ok(())
            }
            StatementKind::Open(name) => {
                let cursor = self.cursor(name)?;
                self.push(Step::Open(cursor));
                Ok(())
            }
            StatementKind::Close(name) => {
                let cursor = self.cursor(name)?;
                self.push(Step::Close(cursor));
                Ok(())
            }
            StatementKind::Fetch(fetch) => {
                let cursor = self.cursor(&fetch.cursor)?;
                let local = |name: &ast::Ident| self.local_slot(name).map(Target::Local);
                let targets = fetch.into.iter().map(local).collect::<Result<_>>()?;
                self.push(Step::Fetch { cursor, targets });
                Ok(())
            }
            StatementKind::Signal(signal) => self.signal(signal),
            StatementKind::Resignal(_) | StatementKind::Return(_) => {
                let text = format!("syntax error at position {}", statement.span.start + 1);
                Err(SqlError::general(text).at(statement.span))
            }
            StatementKind::Commit(_) | StatementKind::Rollback(_) if self.is_trigger => {
                let text = "Explicit or implicit commit is not allowed in stored function or trigger.";
                Err(SqlError::new(1422, text).at(statement.span))
            }
            StatementKind::CreateProcedure(_) => {
                Err(SqlError::general("can't create a PROCEDURE from within another stored routine").at(statement.span))
            }
            StatementKind::CreateTrigger(_) => {
                Err(SqlError::general("can't create a TRIGGER from within another stored routine").at(statement.span))
            }
            StatementKind::CreateEvent(_) => {
                Err(SqlError::general("can't create an EVENT from within another stored routine").at(statement.span))
            }
            StatementKind::CreateDatabase(_) | StatementKind::AlterDatabase(_) | StatementKind::DropDatabase { .. } => {
                Err(SqlError::general("DBDDL in CREATE PROCEDURE not yet supported").at(statement.span))
            }
            _ => {
                let embedded = self.embedded(statement.clone());
                self.push(Step::Run(embedded));
                Ok(())
            }
        }
    }

    fn query(&mut self, query: &ast::Query, statement: &Statement) -> Result<()> {
        let Some(ast::Into::Variables(targets)) = &query.into else {
            let embedded = self.embedded(statement.clone());
            self.push(Step::Run(embedded));
            return Ok(());
        };
        let target = |target: &ast::IntoTarget| match target {
            ast::IntoTarget::User(name) => Ok(Target::User((*name.text).into())),
            ast::IntoTarget::Local(name) => self.local_slot(name).map(Target::Local),
        };
        let targets = targets.iter().map(target).collect::<Result<_>>()?;
        let query = ast::Query { into: None, ..query.clone() };
        let query = self.embedded(Statement { kind: StatementKind::Query(Box::new(query)), span: statement.span });
        self.push(Step::SelectInto { query, targets });
        Ok(())
    }

    fn argument(&mut self, expr: &ast::Expr) -> Result<Argument> {
        let target = match &expr.kind {
            ast::ExprKind::UserVariable(name) => Some(Target::User((*name.text).into())),
            ast::ExprKind::Column(name) => self.visible().find(name).map(|local| Target::Local(local.slot as usize)),
            _ => None,
        };
        Ok(Argument { value: self.evaluation(expr), target })
    }

    /// Each assignment is a step of its own: later ones see what earlier ones did.
    fn set(&mut self, items: &[SetItem], span: ast::Span) -> Result<()> {
        for item in items {
            let local = match item {
                SetItem::Variable { scope: None, system: false, name, value, .. } => {
                    self.visible().variable(name).map(|local| (local.slot as usize, value))
                }
                SetItem::Column { column, value } => match self.visible().find(column) {
                    Some(local) if local.row == Some(RowName::Old) => {
                        let text = "Updating of old row is not allowed in trigger";
                        return Err(SqlError::general(text).at(column.span));
                    }
                    Some(_) if self.keeps_new => {
                        let text = "Updating of new row is not allowed in after trigger";
                        return Err(SqlError::general(text).at(column.span));
                    }
                    Some(local) => Some((local.slot as usize, value)),
                    None => {
                        let table = column.table.as_ref().map_or("", |table| &table.text);
                        return Err(SqlError::table_not_found(&table.to_lowercase()).at(column.span));
                    }
                },
                _ => None,
            };
            match local {
                Some((slot, value)) => {
                    let value = self.evaluation(value);
                    self.push(Step::Assign { slot, value });
                }
                None => {
                    let embedded = self.embedded(Statement { kind: StatementKind::Set(vec![item.clone()]), span });
                    self.push(Step::Run(embedded));
                }
            }
        }
        Ok(())
    }

    fn declaration(&mut self, declare: &Declare, span: ast::Span) -> Result<()> {
        let stage = self.scope().stage;
        let (latest, complaint) = match declare {
            Declare::Variables { .. } => {
                (Stage::Variables, "DECLARE variables may only exist at the beginning of a BEGIN/END block")
            }
            Declare::Condition { .. } => {
                (Stage::Variables, "DECLARE ... CONDITION may only exist at the beginning of a BEGIN/END block")
            }
            Declare::Cursor { .. } => (
                Stage::Cursors,
                "DECLARE ... CURSOR may only exist at the beginning of a BEGIN/END block, following all variables and conditions",
            ),
            Declare::Handler { .. } => (
                Stage::Handlers,
                "DECLARE ... HANDLER may only exist at the beginning of a BEGIN/END block, following all variables, conditions, and cursors",
            ),
        };
        if stage > latest {
            return Err(SqlError::general(complaint).at(span));
        }
        self.scope().stage = latest;
        match declare {
            Declare::Variables { names, data_type, default } => {
                let ty = data_type::declared(data_type)?;
                let value = default.as_ref().map(|expr| self.evaluation(expr));
                let initial = if self.begins_with_zero { data_type::zero(&ty) } else { Value::Null };
                let mut value = value;
                for name in names {
                    let slot = self.declare(name, ty.clone(), initial.clone())?;
                    let value = match names.len() {
                        1 => value.take(),
                        _ => default.as_ref().map(|expr| self.evaluation(expr)),
                    };
                    self.push(Step::Declare { slot, value });
                }
                Ok(())
            }
            Declare::Condition { name, condition } => {
                if self.scope().conditions.iter().any(|(known, _)| name.is(known)) {
                    return Err(SqlError::general(format!("duplicate condition '{}'", name.text)).at(name.span));
                }
                if !matches!(condition, ast::ConditionValue::SqlState(_)) {
                    return Err(self.unsupported(span));
                }
                let condition = self.condition(condition)?;
                self.scope().conditions.push((name.text.clone(), condition));
                Ok(())
            }
            Declare::Cursor { name, query } => {
                if self.scope().cursors.iter().any(|(known, _)| name.is(known)) {
                    return Err(SqlError::general(format!("duplicate cursor '{}'", name.text)).at(name.span));
                }
                let statement = Statement { kind: StatementKind::Query(query.clone()), span: query.span };
                let cursor = self.embedded(statement);
                self.program.cursors.push((name.text.clone(), cursor));
                let at = self.program.cursors.len() - 1;
                self.scope().cursors.push((name.text.clone(), at));
                Ok(())
            }
            Declare::Handler { action, conditions, body } => self.handler(*action, conditions, body, span),
        }
    }

    /// As the reference words it: the statement in lower case.
    fn unsupported(&self, span: ast::Span) -> SqlError {
        SqlError::general(format!("unsupported syntax: {}", span.text(&self.sql).to_lowercase())).at(span)
    }

    fn handler(
        &mut self,
        action: HandlerAction,
        conditions: &[ast::ConditionValue],
        body: &Statement,
        span: ast::Span,
    ) -> Result<()> {
        // The reference knows two kinds; a definition that it could not read would break its listings.
        use ast::ConditionValue::{NotFound, SqlException};
        let [NotFound | SqlException] = conditions else { return Err(self.unsupported(span)) };
        if action == HandlerAction::Undo {
            return Err(SqlError::general("DECLARE ... HANDLER does not support the UNDO action").at(span));
        }
        let conditions = conditions.iter().map(|value| self.condition(value)).collect::<Result<Vec<_>>>()?;
        if conditions.iter().any(|condition| self.scope().caught.contains(condition)) {
            return Err(SqlError::general("duplicate handler declared in the same block").at(span));
        }
        self.scope().caught.extend(conditions.iter().cloned());
        let handler = self.program.handlers.len();
        let start = self.here() + 1;
        self.program.handlers.push(Handler { action, conditions, start, block_end: UNKNOWN });
        let entry = self.push(Step::Handle { handler, behind: UNKNOWN });
        // Its steps stand in a block of their own and may not leave loops around them.
        let labels = std::mem::take(&mut self.labels);
        self.scopes.push(Scope::default());
        let compiled = self.statement(body);
        self.pop_scope();
        self.labels = labels;
        compiled?;
        self.push(Step::EndHandler);
        let end = self.here();
        if let Step::Handle { behind, .. } = &mut self.program.steps[entry] {
            *behind = end;
        }
        Ok(())
    }

    fn pop_scope(&mut self) {
        self.scopes.pop();
        self.visible = None;
    }

    fn block(&mut self, block: &ast::Block) -> Result<()> {
        self.open_label(block.label.as_ref(), false)?;
        let first_cursor = self.program.cursors.len();
        let entry = self.push(Step::Enter { cursors: 0..0 });
        self.depth += 1;
        let first_handler = self.program.handlers.len();
        self.scopes.push(Scope::default());
        self.statements(&block.statements)?;
        self.pop_scope();
        self.depth -= 1;
        self.push(Step::Exit);
        let end = self.here();
        self.program.steps[entry] = Step::Enter { cursors: first_cursor..self.program.cursors.len() };
        // Handlers of inner blocks know their ends already.
        for handler in &mut self.program.handlers[first_handler..] {
            if handler.block_end == UNKNOWN {
                handler.block_end = end;
            }
        }
        self.close_label(block.label.as_ref());
        Ok(())
    }

    fn open_label(&mut self, label: Option<&ast::Ident>, is_loop: bool) -> Result<()> {
        let Some(label) = label else { return Ok(()) };
        if self.labels.iter().any(|known| label.is(&known.name)) {
            return Err(SqlError::general(format!("Redefining label {}", label.text)).at(label.span));
        }
        let (start, depth) = (self.here(), self.depth);
        self.labels.push(Label { name: label.text.clone(), is_loop, start, depth, leaves: Vec::new() });
        Ok(())
    }

    fn close_label(&mut self, label: Option<&ast::Ident>) {
        if label.is_none() {
            return;
        }
        let end = self.here();
        for at in self.labels.pop().map(|label| label.leaves).unwrap_or_default() {
            self.land(at, end);
        }
    }

    /// Says where a jump goes.
    fn land(&mut self, at: usize, target: usize) {
        match &mut self.program.steps[at] {
            Step::Jump { to, .. } => *to = target,
            Step::Test { otherwise, .. } => *otherwise = target,
            _ => {}
        }
    }

    fn jump(&mut self, to: usize) -> usize {
        self.push(Step::Jump { to, leave: 0 })
    }

    fn test(&mut self, condition: Evaluation) -> usize {
        self.push(Step::Test { condition, otherwise: UNKNOWN, resume: UNKNOWN })
    }

    /// Where a failed condition goes on when a handler lets the error pass.
    fn resume_at(&mut self, tests: &[usize], end: usize) {
        for at in tests {
            if let Step::Test { resume, .. } = &mut self.program.steps[*at] {
                *resume = end;
            }
        }
    }

    fn leave(&mut self, label: &ast::Ident) -> Result<()> {
        let at = self.here();
        let Some(known) = self.labels.iter_mut().rev().find(|known| label.is(&known.name)) else {
            return Err(no_label("LEAVE", label));
        };
        known.leaves.push(at);
        let leave = self.depth - known.depth;
        self.push(Step::Jump { to: UNKNOWN, leave });
        Ok(())
    }

    fn iterate(&mut self, label: &ast::Ident) -> Result<()> {
        let Some(known) = self.labels.iter().rev().find(|known| known.is_loop && label.is(&known.name)) else {
            return Err(no_label("ITERATE", label));
        };
        let (to, leave) = (known.start, self.depth - known.depth);
        self.push(Step::Jump { to, leave });
        Ok(())
    }

    fn conditional(&mut self, chosen: &ast::If) -> Result<()> {
        let mut branches = Branches::default();
        for branch in &chosen.branches {
            let condition = self.evaluation(&branch.condition);
            self.branch(condition, &branch.statements, &mut branches)?;
        }
        self.statements(&chosen.otherwise)?;
        self.join(branches);
        Ok(())
    }

    /// Statements that run when `condition` holds, and then go on behind all branches.
    fn branch(&mut self, condition: Evaluation, statements: &[Statement], to: &mut Branches) -> Result<()> {
        let test = self.test(condition);
        to.tests.push(test);
        self.statements(statements)?;
        to.ends.push(self.jump(UNKNOWN));
        let next = self.here();
        self.land(test, next);
        Ok(())
    }

    /// The place behind the branches.
    fn join(&mut self, branches: Branches) {
        let end = self.here();
        branches.ends.into_iter().for_each(|at| self.land(at, end));
        self.resume_at(&branches.tests, end);
    }

    fn case(&mut self, chosen: &ast::CaseStatement, span: ast::Span) -> Result<()> {
        let mut branches = Branches::default();
        for branch in &chosen.branches {
            let condition = match &chosen.operand {
                None => self.evaluation(&branch.condition),
                Some(operand) => {
                    let kind = ast::ExprKind::Binary {
                        operator: ast::BinaryOperator::Equal,
                        left: Box::new(operand.clone()),
                        right: Box::new(branch.condition.clone()),
                    };
                    self.evaluation(&ast::Expr { kind, span })
                }
            };
            self.branch(condition, &branch.statements, &mut branches)?;
        }
        match &chosen.otherwise {
            Some(statements) => self.statements(statements)?,
            None => {
                self.push(Step::CaseNotFound);
            }
        }
        self.join(branches);
        Ok(())
    }

    fn repeat(&mut self, repeated: &ast::Loop) -> Result<()> {
        self.open_label(repeated.label.as_ref(), true)?;
        let start = self.here();
        let mut tests = Vec::new();
        match &repeated.kind {
            LoopKind::Loop => {
                self.statements(&repeated.statements)?;
                self.jump(start);
            }
            LoopKind::While(condition) => {
                let condition = self.evaluation(condition);
                let test = self.test(condition);
                tests.push(test);
                self.statements(&repeated.statements)?;
                self.jump(start);
                let end = self.here();
                self.land(test, end);
            }
            LoopKind::Repeat(condition) => {
                self.statements(&repeated.statements)?;
                let condition = self.evaluation(condition);
                let test = self.test(condition);
                tests.push(test);
                self.land(test, start);
            }
        }
        let end = self.here();
        self.resume_at(&tests, end);
        self.close_label(repeated.label.as_ref());
        Ok(())
    }

    fn signal(&mut self, signal: &ast::Signal) -> Result<()> {
        let state = match &signal.condition {
            Some(value @ ast::ConditionValue::Name(_)) => match self.condition(value)? {
                Condition::SqlState(state) => state,
                _ => return Err(SqlError::general("SIGNAL takes a condition of a SQLSTATE")),
            },
            Some(ast::ConditionValue::SqlState(text)) => condition::state(text)?,
            _ => return Err(SqlError::general("SIGNAL takes a SQLSTATE or a condition")),
        };
        let items = signal.items.iter().map(|item| (item.name.clone(), self.evaluation(&item.value))).collect();
        self.push(Step::Raise(Raise { state, items }));
        Ok(())
    }
}

fn no_label(command: &str, label: &ast::Ident) -> SqlError {
    SqlError::general(format!("{command} with no matching label: '{}'", label.text)).at(label.span)
}
