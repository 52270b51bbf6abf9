//! MATCH … AGAINST over the columns of a full-text index.

use std::rc::Rc;

use parse::ast;

use super::Binder;
use crate::catalog::{IndexChoice, Relation};
use crate::error::{Result, SqlError};
use crate::expr::{AggregateCall, Expr, ExprKind, ExprType};
use crate::functions;
use crate::plan::{Aggregate, ColumnId, Plan, Scan, Subquery, SubqueryTest};

impl Binder<'_> {
    /// A call of `match_against`; how common the words are is a subquery over the whole table.
    pub(super) fn full_text_match(
        &mut self,
        columns: &[ast::Expr],
        against: &ast::Expr,
        mode: ast::MatchMode,
        span: ast::Span,
    ) -> Result<Expr> {
        let mode = match mode {
            ast::MatchMode::NaturalLanguage => None,
            ast::MatchMode::NaturalLanguageWithExpansion => Some("IN NATURAL LANGUAGE MODE WITH QUERY EXPANSION"),
            ast::MatchMode::Boolean => Some("IN BOOLEAN MODE"),
            ast::MatchMode::Expansion => Some("WITH QUERY EXPANSION"),
        };
        if let Some(mode) = mode {
            return Err(SqlError::general(format!("\"{mode}\" is not supported yet")).at(span));
        }
        let columns = self.exprs(columns)?;
        let (relation, positions) = self.full_text_columns(&columns).map_err(|error| error.at(span))?;
        let mut search = self.expr(against)?;
        if !search.is_row_independent() || search.any(&|e| matches!(e.kind, ExprKind::Subquery(_))) {
            let known = self.constant(against).and_then(|bound| bound.eval_constant(self.names.context()));
            let known = known.map_err(|_| SqlError::general("Incorrect arguments to AGAINST").at(against.span))?;
            let ty = ExprType::of(&known);
            search = Expr::literal(known, ty);
        }
        if !(search.ty.sql.is_text() || search.ty.sql == value::SqlType::Null) {
            let text = format!("expected WORD to be a string, but had type `{}`", search.ty.sql);
            return Err(SqlError::general(text).at(against.span));
        }
        let statistics = self.match_statistics(relation, &positions, search.clone(), span)?;
        let args = [search, statistics].into_iter().chain(columns).collect();
        self.call("match_against", args)
    }

    /// The table whose columns these are, and their positions, if a full-text index has exactly them.
    fn full_text_columns(&self, columns: &[Expr]) -> Result<(Rc<dyn Relation>, Vec<usize>)> {
        let not_columns = || SqlError::general("Full-Text MATCH expression must only contain column names");
        let mut found: Option<Rc<dyn Relation>> = None;
        let mut positions = Vec::new();
        let mut first = 0;
        for column in columns {
            let id = column.as_column().ok_or_else(not_columns)?;
            let (from, relation) = self.origins.iter().rev().find(|(from, _)| *from <= id).ok_or_else(not_columns)?;
            let position = (id - from) as usize;
            if position >= relation.columns().len() {
                return Err(not_columns());
            }
            if found.is_some() && first != *from {
                return Err(SqlError::general("Full-Text MATCH expression has columns of several tables"));
            }
            first = *from;
            found.get_or_insert_with(|| relation.clone());
            positions.push(position);
        }
        let relation = found.ok_or_else(not_columns)?;
        let serves = |index: &vcs::Index| {
            index.fulltext.is_some()
                && index.columns.len() == positions.len()
                && index.columns.iter().all(|column| positions.contains(column))
        };
        match relation.base().is_some_and(|base| base.schema().indexes.iter().any(serves)) {
            true => Ok((relation, positions)),
            false => {
                let text = format!("no matching Full-Text index found on table `{}`", relation.name());
                Err(SqlError::general(text))
            }
        }
    }

    fn match_statistics(
        &mut self,
        relation: Rc<dyn Relation>,
        positions: &[usize],
        search: Expr,
        span: ast::Span,
    ) -> Result<Expr> {
        let function = functions::aggregate("match_statistics").ok_or_else(|| SqlError::internal("no statistics"))?;
        let mut args = vec![search];
        let mut columns: Vec<(ColumnId, usize)> = Vec::new();
        for &position in positions {
            let ty = relation.columns()[position].ty.clone();
            ty.collation().ready()?;
            let id = self.column(ty.clone());
            columns.push((id, position));
            args.push(Expr::column(id, ty));
        }
        let ty = ExprType::new(value::SqlType::Json, true);
        let call =
            AggregateCall { function, args, distinct: false, order: Vec::new(), separator: None, ty: ty.clone() };
        let (alias, access) = (relation.name().clone(), IndexChoice::default());
        let (parts, filter) = Default::default();
        let scan = Scan { relation, alias, columns, parts, access, filter, reverse: false, estimate: None };
        let id = self.column(ty.clone());
        let plan = Plan::Aggregate(Box::new(Aggregate {
            input: Plan::Scan(Box::new(scan)),
            groups: Vec::new(),
            calls: vec![(id, call)],
            in_order: false,
        }));
        let (number, test) = (self.subquery_number(), SubqueryTest::Scalar);
        let (outer, tested, comparisons) = (Vec::new(), Vec::new(), Vec::new());
        let subquery = Subquery { number, plan, outer, test, tested, comparisons, shown: None, span };
        Ok(Expr::new(ExprKind::Subquery(Box::new(subquery)), ty))
    }
}
