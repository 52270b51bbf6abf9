//! Compiler of stored programs: the syntax of a body to steps.
//!
//! Names of variables, cursors, conditions and labels are looked up here, so that a wrong one is an error of CREATE.

mod control;
mod declare;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use parse::ast::{self, SetItem, Statement, StatementKind, TriggerEvent, TriggerTime};
use value::{SqlType, Value};

use self::control::Label;
use super::data_type;
use crate::catalog::Column;
use crate::error::{Result, SqlError};
use crate::expr::ExprType;
use crate::expr::locals::{Local, Locals, RowName};
use crate::prepared::Prepared;
use crate::program::condition::{self, Condition};
use crate::program::{Argument, Embedded, Evaluation, Program, Raise, Step, Target, Variable};

/// Blocks inside each other; the parser has a limit of its own.
const DEPTH_MAX: usize = 200;

/// A jump that is not known yet.
const UNKNOWN: usize = usize::MAX;

/// Compiles a procedure.
///
/// # Errors
/// Everything that CREATE PROCEDURE refuses: names that are not declared, declarations in the wrong place or twice.
pub fn procedure(sql: Rc<str>, procedure: &ast::CreateProcedure) -> Result<Program> {
    let mut compiler = Compiler { begins_with_zero: true, ..Compiler::new(sql) };
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
    let mut compiler = Compiler::new(sql);
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
pub fn event(sql: Rc<str>, event: &Rc<Statement>) -> Result<Program> {
    let mut compiler = Compiler::new(sql);
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
    fn new(sql: Rc<str>) -> Compiler {
        Compiler {
            sql,
            program: Program::default(),
            scopes: vec![Scope::default()],
            labels: Vec::new(),
            depth: 0,
            visible: None,
            begins_with_zero: false,
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

    fn embedded(&mut self, statement: impl Into<Rc<Statement>>) -> Embedded {
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

    fn statements(&mut self, statements: &[Rc<Statement>]) -> Result<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Rc<Statement>) -> Result<()> {
        if let StatementKind::Declare(declare) = &statement.kind {
            return self.declaration(declare, statement.span);
        }
        if self.depth + self.labels.len() > DEPTH_MAX {
            return Err(SqlError::too_deep().at(statement.span));
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
            StatementKind::Call(call) => {
                let arguments = call.arguments.iter().map(|argument| self.argument(argument)).collect::<Result<_>>()?;
                let (name, as_of) = (call.name.clone(), call.as_of.clone());
                let statement = self.embedded(statement.clone());
                self.push(Step::Call { statement, name, arguments, as_of });
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
            StatementKind::Return(_) => {
                let text = format!("syntax error at position {}", statement.span.start + 1);
                Err(SqlError::general(text).at(statement.span))
            }
            StatementKind::Commit(_) | StatementKind::Rollback(_) if self.is_trigger => {
                let text = "Explicit or implicit commit is not allowed in stored function or trigger.";
                Err(SqlError::general(text).at(statement.span))
            }
            StatementKind::Use(_)
            | StatementKind::LoadData(_)
            | StatementKind::LockTables(_)
            | StatementKind::UnlockTables
            | StatementKind::Kill(_) => Err(not_in_a_body(&self.sql, statement)),
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

    fn query(&mut self, query: &ast::Query, statement: &Rc<Statement>) -> Result<()> {
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

/// A statement that no body has, or none that it is alone.
pub(super) fn not_in_a_body(sql: &str, statement: &Statement) -> SqlError {
    let word = statement.span.text(sql).split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let position = statement.span.start as usize + word.len() + 1;
    let near = word.to_lowercase();
    SqlError::general(format!("syntax error at position {position} near '{near}'")).at(statement.span)
}
