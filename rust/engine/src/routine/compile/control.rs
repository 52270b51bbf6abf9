//! Control flow: IF, CASE, loops and the labels that they may be left by.

use std::rc::Rc;

use parse::ast::{self, LoopKind, Statement};

use super::{Compiler, UNKNOWN};
use crate::error::{Result, SqlError};
use crate::program::{Evaluation, Step};

/// What is known of IF or CASE while its branches are compiled.
#[derive(Default)]
struct Branches {
    /// Steps that leave the statement after a branch.
    ends: Vec<usize>,
    tests: Vec<usize>,
}

/// The statement of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelOf {
    Block,
    Loop,
}

pub(super) struct Label {
    name: Box<str>,
    of: LabelOf,
    start: usize,
    depth: usize,
    /// Jumps that want to know where it ends.
    leaves: Vec<usize>,
}

impl Compiler {
    pub(super) fn open_label(&mut self, label: Option<&ast::Ident>, of: LabelOf) -> Result<()> {
        let Some(label) = label else { return Ok(()) };
        if self.labels.iter().any(|known| label.is(&known.name)) {
            return Err(SqlError::general(format!("Redefining label {}", label.text)).at(label.span));
        }
        let (start, depth) = (self.here(), self.depth);
        self.labels.push(Label { name: label.text.clone(), of, start, depth, leaves: Vec::new() });
        Ok(())
    }

    pub(super) fn close_label(&mut self, label: Option<&ast::Ident>) {
        if label.is_none() {
            return;
        }
        let end = self.here();
        for at in self.labels.pop().map(|label| label.leaves).unwrap_or_default() {
            self.land(at, end);
        }
    }

    /// Says where a jump goes.
    pub(super) fn land(&mut self, at: usize, target: usize) {
        match &mut self.program.steps[at] {
            Step::Jump { to, .. } => *to = target,
            Step::Test { otherwise, .. } => *otherwise = target,
            _ => {}
        }
    }

    pub(super) fn jump(&mut self, to: usize) -> usize {
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

    pub(super) fn leave(&mut self, label: &ast::Ident) -> Result<()> {
        let at = self.here();
        let Some(known) = self.labels.iter_mut().rev().find(|known| label.is(&known.name)) else {
            return Err(no_label("LEAVE", label));
        };
        known.leaves.push(at);
        let leave = self.depth - known.depth;
        self.push(Step::Jump { to: UNKNOWN, leave });
        Ok(())
    }

    pub(super) fn iterate(&mut self, label: &ast::Ident) -> Result<()> {
        let Some(known) = self.labels.iter().rev().find(|known| known.of == LabelOf::Loop && label.is(&known.name))
        else {
            return Err(no_label("ITERATE", label));
        };
        let (to, leave) = (known.start, self.depth - known.depth);
        self.push(Step::Jump { to, leave });
        Ok(())
    }

    pub(super) fn conditional(&mut self, chosen: &ast::If) -> Result<()> {
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
    fn branch(&mut self, condition: Evaluation, statements: &[Rc<Statement>], to: &mut Branches) -> Result<()> {
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

    pub(super) fn case(&mut self, chosen: &ast::CaseStatement, span: ast::Span) -> Result<()> {
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

    pub(super) fn repeat(&mut self, repeated: &ast::Loop) -> Result<()> {
        self.open_label(repeated.label.as_ref(), LabelOf::Loop)?;
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
}

fn no_label(command: &str, label: &ast::Ident) -> SqlError {
    SqlError::general(format!("{command} with no matching label: '{}'", label.text)).at(label.span)
}
