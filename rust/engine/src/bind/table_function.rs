//! Table functions in FROM.

use parse::ast;
use value::Value;

use super::from::{Source, derived_scope, join};
use super::{Binder, Output};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType};
use crate::plan::{JoinKind, Plan, TableFunction};

impl Binder<'_> {
    /// What the function is given is known now, as a rule: then its columns may depend on it.
    pub(super) fn table_function(&mut self, function: &ast::TableFunction) -> Result<Source> {
        let (_, arguments, outer) = self.subquery_frame(|binder| {
            let arguments = function.arguments.iter().map(|argument| binder.function_argument(argument));
            Ok((Plan::Unit, arguments.collect::<Result<Vec<Expr>>>()?))
        })?;
        let is_late = |part: &Expr| matches!(part.kind, ExprKind::Outer(_) | ExprKind::Subquery(_));
        if arguments.iter().any(|argument| argument.any(&is_late)) {
            return self.late_function(function, arguments, outer);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, written) in arguments.iter().zip(&function.arguments) {
            values.push(argument.eval_constant(self.names.context()).map_err(|error| error.at(written.span))?);
        }
        let relation = self.names.table_function(&function.name, &values).map_err(|e| e.at(function.name.span))?;
        let alias = function.alias.as_ref().unwrap_or(&function.name.name);
        self.scan(relation, &alias.text)
    }

    /// A bare word is a column where there is one of that name, and a text otherwise: `dolt_log(main)`.
    fn function_argument(&mut self, argument: &ast::Expr) -> Result<Expr> {
        if let ast::ExprKind::Column(name) = &argument.kind
            && name.table.is_none()
            && self.local(name).is_none()
            && self.frames.iter().all(|frame| matches!(frame.scope.find(name), Ok(None)))
        {
            let text = Value::text(name.name.text.to_string());
            let ty = ExprType::of(&text);
            return Ok(Expr::literal(text, ty));
        }
        self.expr(argument)
    }

    /// A function that reads columns of outer rows, or subqueries: the arguments are a row, and the function is LATERAL to it.
    fn late_function(
        &mut self,
        function: &ast::TableFunction,
        arguments: Vec<Expr>,
        outer: super::OuterColumns,
    ) -> Result<Source> {
        let name = &function.name;
        // What any arguments have as columns.
        let Some(example) = self.names.late_arguments(&name.name.text) else {
            let name = name.name.text.to_lowercase();
            let text = format!("Invalid argument to {name}: only literal values supported");
            return Err(SqlError::general(text).at(function.name.span));
        };
        let relation = self.names.table_function(name, example).map_err(|error| error.at(name.span))?;
        let given = relation.columns();
        let outputs =
            given.iter().map(|column| Output::new(self.column(column.ty.clone()), &column.name, column.ty.clone()));
        let outputs: Vec<Output> = outputs.collect();
        let (mut row, mut slots, mut read) = (Vec::new(), Vec::new(), Vec::new());
        for argument in arguments {
            let (ty, slot) = (argument.ty.clone(), self.slots);
            let id = self.column(ty.clone());
            row.push((id, argument));
            slots.push((slot, id));
            read.push(Expr::new(ExprKind::Outer(slot), ty));
            self.slots += 1;
        }
        let columns = outputs.iter().map(|output| output.id).collect();
        let called = Plan::TableFunction(Box::new(TableFunction { name: name.clone(), arguments: read, columns }));
        let plan = join(JoinKind::Inner, Plan::Unit.project(row), called, Vec::new(), slots);
        let alias = function.alias.as_ref().unwrap_or(&name.name);
        let scope = derived_scope(relation.database(), &alias.text, &outputs, &[])?;
        Ok(Source { plan, scope, outer })
    }
}
