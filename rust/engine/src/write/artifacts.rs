//! DELETE from `dolt_conflicts_<table>` and `dolt_constraint_violations_<table>`: what a merge left is decided, row by row.

use std::rc::Rc;

use parse::ast::{self, TableExprKind};
use tree::Edit;
use value::Value;
use vcs::ArtifactKind;

use super::rules::eval_over;
use crate::bind::{Binder, Found};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::session::{Cursor, Effect, Outcome, Progress, Session, SessionNames};

/// A running DELETE of artifacts.
struct Decide {
    name: ast::ObjectName,
    table: Box<str>,
    wants_conflicts: bool,
    /// Over the columns of the system table.
    condition: Option<Expr>,
}

/// Begins a DELETE, if it is one of artifacts.
pub fn delete(session: &Session, sql: &str, delete: &ast::Delete, context: &Rc<Context>) -> Result<Option<Cursor>> {
    let [ast::TableExpr { kind: TableExprKind::Table(table), .. }] = &delete.from[..] else { return Ok(None) };
    let name = table.name.name.text.to_lowercase();
    let conflicts = name.strip_prefix("dolt_conflicts_");
    let Some(stored) = conflicts.or_else(|| name.strip_prefix("dolt_constraint_violations_")) else { return Ok(None) };
    if !delete.order_by.is_empty() || delete.limit.is_some() || !delete.targets.is_empty() {
        return Err(SqlError::unsupported("ORDER BY and LIMIT in a DELETE of conflicts or violations"));
    }
    let Found::Relation(relation) = session.catalog().relation(&table.name, None)? else { return Ok(None) };
    let condition = match &delete.filter {
        None => None,
        Some(filter) => {
            let names = SessionNames::new(session.catalog().clone(), context.clone());
            let parameters = context.parameter_types();
            Some(Binder::new(&names, sql, &parameters).over_relation(relation.columns(), filter)?)
        }
    };
    let effect =
        Decide { name: table.name.clone(), table: stored.into(), wants_conflicts: conflicts.is_some(), condition };
    Ok(Some(Cursor::of_running(Box::new(effect), context.clone())))
}

impl Effect for Decide {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let catalog = &context.catalog;
        let place = catalog.place(self.name.database.as_ref().map(|database| &*database.text))?;
        let root = place.root()?;
        let found = root.find_table(&self.table)?;
        let (stored, address) = found.ok_or_else(|| SqlError::table_not_found(&self.name.name.text))?;
        let table = root.objects().table(&address)?;
        let mut artifacts = Vec::new();
        table.each_artifact(&mut |artifact| {
            if (artifact.kind == ArtifactKind::Conflict) == self.wants_conflicts {
                artifacts.push(artifact);
            }
            Ok(())
        })?;
        if let Some(condition) = &self.condition {
            let Found::Relation(relation) = catalog.relation(&self.name, None)? else {
                return Err(SqlError::table_not_found(&self.name.name.text));
            };
            // The system table has a row for each artifact, in their order.
            let columns: Vec<usize> = (0..relation.columns().len()).collect();
            let mut is_wanted = Vec::with_capacity(artifacts.len());
            for row in relation.rows(context, &columns, &[])? {
                let row: Vec<Value<'static>> = row?;
                is_wanted.push(value::truth(&eval_over(condition, &row, context)?) == Some(true));
            }
            let mut is_wanted = is_wanted.into_iter();
            artifacts.retain(|_| is_wanted.next().unwrap_or(false));
        }
        let affected = artifacts.len() as u64;
        if let (Some(map), 1..) = (table.artifacts()?, affected) {
            catalog.transaction.check_writable()?;
            catalog.transaction.will_write();
            let edits = artifacts.iter().map(|artifact| Edit::delete(&artifact.key));
            let rest = map.edit(edits, &mut &**root.objects().nodes())?;
            let is_empty = map.with_root(&rest)?.is_empty();
            let mut draft = table.draft();
            draft.artifacts = (!is_empty).then_some(rest.address);
            catalog.set_root(&place, &root.with_table(&stored, &draft.write()?)?)?;
        }
        Ok(Progress::Done(Outcome { affected, ..Outcome::default() }))
    }
}
