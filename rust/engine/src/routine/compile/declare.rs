//! Blocks and what they declare: variables, conditions, cursors, handlers.

use std::rc::Rc;

use parse::ast::{self, Declare, HandlerAction, Statement};
use value::Value;

use super::control::LabelOf;
use super::{Compiler, Scope, Stage, UNKNOWN};
use crate::error::{Result, SqlError};
use crate::program::{Handler, Step};
use crate::routine::data_type;

impl Compiler {
    pub(super) fn declaration(&mut self, declare: &Declare, span: ast::Span) -> Result<()> {
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
                let cursor = self.embedded(query.clone());
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
        body: &Rc<Statement>,
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
        // Its steps are a block of their own and may not leave enclosing loops.
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

    pub(super) fn block(&mut self, block: &ast::Block) -> Result<()> {
        self.open_label(block.label.as_ref(), LabelOf::Block)?;
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
}
