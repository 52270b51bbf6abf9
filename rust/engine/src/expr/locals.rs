//! Local variables of stored programs, as statements see them.

use parse::ast;

use super::ExprType;

/// `NEW` and `OLD` of a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowName {
    New,
    Old,
}

/// A variable, a parameter, or a column of a trigger's row.
#[derive(Debug, Clone)]
pub struct Local {
    pub row: Option<RowName>,
    pub name: Box<str>,
    /// Its position among the values of the running program.
    pub slot: u32,
    pub ty: ExprType,
}

/// What is visible at one place of a program, the innermost last.
#[derive(Debug, Clone, Default)]
pub struct Locals {
    pub known: Vec<Local>,
}

impl Locals {
    /// The variable that a name means: an unqualified one, or `NEW.column` and `OLD.column` in a trigger.
    pub fn find(&self, name: &ast::ColumnName) -> Option<&Local> {
        if name.database.is_some() {
            return None;
        }
        let row = match &name.table {
            None => None,
            Some(table) if table.is("new") => Some(RowName::New),
            Some(table) if table.is("old") => Some(RowName::Old),
            Some(_) => return None,
        };
        self.known.iter().rev().find(|local| local.row == row && name.name.is(&local.name))
    }

    /// An unqualified variable by its name.
    pub fn variable(&self, name: &str) -> Option<&Local> {
        self.known.iter().rev().find(|local| local.row.is_none() && local.name.eq_ignore_ascii_case(name))
    }
}
