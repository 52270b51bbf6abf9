//! GROUP BY and aggregate functions.
//!
//! Expressions of a grouped query are bound over the columns of FROM first. Then every part of them that is a group
//! expression becomes that group's column; a column that is still left must depend on the groups.

use parse::ast;

use super::expr::{day_as_text, value_in_json};
use super::{Binder, Scope};
use crate::error::{Result, SqlError};
use crate::expr::{AggregateCall, CompareOp, Expr, ExprKind, ExprType, SortKey};
use crate::functions::{self, Aggregate as Function, Role, Traits};
use crate::plan::{ColumnId, ColumnSet, Plan};

/// Aggregate calls of one query.
#[derive(Default)]
pub(crate) struct Aggregation {
    pub groups: Vec<(ColumnId, Expr)>,
    pub calls: Vec<(ColumnId, AggregateCall)>,
    /// Columns that window functions add behind the grouping.
    pub windows: Vec<ColumnId>,
    /// Calls of GROUPING with their arguments.
    pub groupings: Vec<(ColumnId, Vec<Expr>)>,
}

impl Aggregation {
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.calls.is_empty() && self.groupings.is_empty()
    }

    /// Whether ANY_VALUE is the only aggregate function.
    pub fn only_any_values(&self) -> bool {
        self.groups.is_empty() && self.calls.iter().all(|(_, call)| call.function.role == Role::AnyValue)
    }
}

impl Binder<'_> {
    pub(super) fn aggregate_call(
        &mut self,
        function: &'static Function,
        call: &ast::FunctionCall,
        span: ast::Span,
    ) -> Result<Expr> {
        let frame = self.frame();
        if frame.in_aggregate || frame.aggregation.is_none() {
            return Err(SqlError::general("Invalid use of group function").at(span));
        }
        frame.in_aggregate = true;
        let bound = self.aggregate_arguments(function, call, span);
        self.frame().in_aggregate = false;
        let bound = bound?;
        let ty = bound.ty.clone();
        let same = |known: &AggregateCall| known.is_same(&bound);
        let known = self.frame().aggregation.as_ref().and_then(|a| a.calls.iter().find(|(_, call)| same(call)));
        let id = match known {
            Some((id, _)) => *id,
            None => {
                let id = self.column(ty.clone());
                if let Some(aggregation) = &mut self.frame().aggregation {
                    aggregation.calls.push((id, bound));
                }
                id
            }
        };
        Ok(Expr::column(id, ty))
    }

    pub(super) fn aggregate_arguments(
        &mut self,
        function: &'static Function,
        call: &ast::FunctionCall,
        span: ast::Span,
    ) -> Result<AggregateCall> {
        let star = matches!(call.arguments[..], [ast::Expr { kind: ast::ExprKind::Star, .. }]);
        let counts_rows = star && function.counts();
        let args = if counts_rows { Vec::new() } else { self.exprs(&call.arguments)? };
        let args = if function.is(Traits::OF_DOCUMENTS) { args.into_iter().map(value_in_json).collect() } else { args };
        let args = if function.is(Traits::READS_TEXT) { args.into_iter().map(day_as_text).collect() } else { args };
        let (least, most) = function.arity;
        // Several values are counted only as DISTINCT ones.
        let most = if function.counts() && !call.distinct { 1 } else { most };
        if !counts_rows && (args.len() < least || args.len() > most) {
            let text = format!("function '{}' expected {least} arguments, {} received", function.name, args.len());
            return Err(SqlError::general(text).at(span));
        }
        let mut order = Vec::new();
        for item in &call.order_by {
            let expr = match (&item.expr.kind, args.first()) {
                // ORDER BY 1 means the first argument.
                (ast::ExprKind::Literal(ast::Literal::Integer(1)), Some(first)) => first.clone(),
                _ => self.expr(&item.expr)?,
            };
            order.push(SortKey { expr, descending: item.is_descending() });
        }
        let types: Vec<ExprType> = args.iter().map(|arg| arg.ty.clone()).collect();
        Ok(AggregateCall {
            function,
            ty: (function.result)(&types),
            args,
            distinct: call.distinct,
            order,
            separator: call.separator.as_deref().map(Into::into),
        })
    }

    /// An expression over the columns of FROM as one over the columns of the grouped rows. `number` is the position in
    /// the select list, for the message.
    pub(super) fn group_expr(
        &mut self,
        expr: &mut Expr,
        fixed: &ColumnSet,
        number: Option<usize>,
        strict: bool,
    ) -> Result<()> {
        let frame = self.frames.len() - 1;
        let Some(aggregation) = &self.frames[frame].aggregation else { return Ok(()) };
        if let Some((id, group)) = aggregation.groups.iter().find(|(_, group)| group.is_same(expr)) {
            *expr = Expr::column(*id, group.ty.clone());
            return Ok(());
        }
        if let ExprKind::Column(id) = expr.kind {
            if aggregation.calls.iter().any(|(call, _)| *call == id)
                || aggregation.groups.iter().any(|(group, _)| *group == id)
                || aggregation.windows.contains(&id)
                || aggregation.groupings.iter().any(|(call, _)| *call == id)
            {
                return Ok(());
            }
            if strict && !fixed.contains(&id) && !self.depends_on_groups(id, fixed) {
                return Err(self.not_grouped(id, number));
            }
            *expr = self.any_value(expr.clone())?;
            return Ok(());
        }
        // Columns that a subquery reads from here go through the same rewriting; where all rows are one group, it may read any.
        if let ExprKind::Subquery(subquery) = &mut expr.kind {
            let strict = strict && !aggregation.groups.is_empty();
            for at in 0..subquery.outer.len() {
                let id = subquery.outer[at].1;
                let mut column = Expr::column(id, self.types[id as usize].clone());
                self.group_expr(&mut column, fixed, number, strict)?;
                subquery.outer[at].1 =
                    column.as_column().ok_or_else(|| SqlError::unsupported("this grouped subquery"))?;
            }
        }
        let mut result = Ok(());
        expr.children_mut(|child| {
            if result.is_ok() {
                result = self.group_expr(child, fixed, number, strict);
            }
        });
        result
    }

    /// Refuses what the reference takes for a column that is not grouped: a variable, a call without arguments and, beside groups, a
    /// subquery, unless it is a group itself or the groups hold a key.
    pub(super) fn only_groups(&self, expr: &Expr, fixed: &ColumnSet, number: usize) -> Result<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let Some(aggregation) = &frame.aggregation else { return Ok(()) };
        let groups = &aggregation.groups;
        let is_call = |id: &ColumnId| aggregation.calls.iter().any(|(call, _)| call == id);
        let opaque = |expr: &Expr| match &expr.kind {
            // One that reads aggregates alone, by their aliases, is like them.
            ExprKind::Subquery(query) if !query.outer.is_empty() && query.outer.iter().all(|(_, id)| is_call(id)) => {
                None
            }
            ExprKind::Subquery(_) => (!groups.is_empty()).then(|| "a subquery".to_owned()),
            ExprKind::UserVariable(..) => Some("a variable".to_owned()),
            ExprKind::Call(call) if call.args.is_empty() => Some(format!("{}()", call.function.name)),
            _ => None,
        };
        // Subqueries and volatile calls are like no other; where they are grouped by, nothing can be told.
        if groups.iter().any(|(_, group)| group.any(&|part| opaque(part).is_some())) {
            return Ok(());
        }
        let grouped = |key: &ColumnId| fixed.contains(key) || groups.iter().any(|(_, g)| g.as_column() == Some(*key));
        let relations = &frame.scope.relations;
        let mut keys = relations.iter().map(|relation| &relation.key).filter(|key| !key.is_empty());
        let holds_key = match relations.len() {
            1 => keys.any(|key| key.iter().all(grouped)),
            // Of a join the reference asks for one column of a key.
            _ => keys.any(|key| key.iter().any(grouped)),
        };
        // Rows of a table with a key are counted without looking at them, before anybody minds what else is asked.
        let counts_rows = |(_, call): &(ColumnId, AggregateCall)| call.function.counts() && call.args.is_empty();
        let is_counted = groups.is_empty()
            && matches!(relations.as_slice(), [relation] if !relation.key.is_empty())
            && aggregation.calls.iter().all(counts_rows);
        if holds_key || is_counted || groups.iter().any(|(_, group)| group.is_same(expr)) {
            return Ok(());
        }
        if let Some(what) = opaque(expr) {
            return Err(if groups.is_empty() { not_one_row(number, &what) } else { not_grouped(number, &what) });
        }
        let mut result = Ok(());
        expr.children(|child| {
            if result.is_ok() {
                result = self.only_groups(child, fixed, number);
            }
        });
        result
    }

    /// The value of some row of the group, as a column of the grouped rows.
    fn any_value(&mut self, expr: Expr) -> Result<Expr> {
        let function = functions::aggregate("any_value").ok_or_else(|| SqlError::internal("no any_value"))?;
        let ty = ExprType { nullable: true, ..expr.ty.clone() };
        let call = AggregateCall {
            function,
            args: vec![expr],
            distinct: false,
            order: Vec::new(),
            separator: None,
            ty: ty.clone(),
        };
        let known = self.frame().aggregation.as_ref().and_then(|a| a.calls.iter().find(|(_, c)| c.is_same(&call)));
        if let Some((id, _)) = known {
            return Ok(Expr::column(*id, ty));
        }
        let id = self.column(ty.clone());
        if let Some(aggregation) = &mut self.frame().aggregation {
            aggregation.calls.push((id, call));
        }
        Ok(Expr::column(id, ty))
    }

    /// Whether the groups (with columns that count as grouped) hold the whole key of the column's table.
    fn depends_on_groups(&self, id: ColumnId, fixed: &ColumnSet) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let Some(aggregation) = &frame.aggregation else { return false };
        let has = |key: &ColumnId| {
            fixed.contains(key) || aggregation.groups.iter().any(|(_, group)| group.as_column() == Some(*key))
        };
        let scope = &frame.scope;
        // Of a join the reference asks for one column of any key.
        if scope.relations.len() > 1 && scope.relations.iter().any(|relation| relation.key.iter().any(has)) {
            return true;
        }
        scope.columns.iter().filter(|column| column.expr.as_column() == Some(id)).any(|column| {
            let key = &scope.relations[column.relation].key;
            !key.is_empty() && key.iter().all(has)
        })
    }

    fn not_grouped(&self, id: ColumnId, number: Option<usize>) -> SqlError {
        let name = self.frames.last().map(|frame| frame.scope.name_of(id)).unwrap_or_default();
        let grouped = self.frames.last().and_then(|f| f.aggregation.as_ref()).is_some_and(|a| !a.groups.is_empty());
        if grouped { not_grouped(number.unwrap_or(0), &name) } else { not_one_row(number.unwrap_or(0), &name) }
    }
}

fn not_one_row(number: usize, what: &str) -> SqlError {
    let text = format!(
        "in aggregated query without GROUP BY, expression #{} of SELECT list contains nonaggregated column '{what}'; this is \
         incompatible with sql_mode=only_full_group_by",
        number + 1
    );
    SqlError::new(1140, text)
}

fn not_grouped(number: usize, what: &str) -> SqlError {
    SqlError::general(format!(
        "Expression #{} of SELECT list is not in GROUP BY clause and contains nonaggregated column '{what}' which is not \
         functionally dependent on columns in GROUP BY clause; this is incompatible with sql_mode=only_full_group_by",
        number + 1
    ))
}

impl Scope {
    /// `table.column` of a column, for messages.
    fn name_of(&self, id: ColumnId) -> String {
        let column = self.columns.iter().find(|column| column.expr.as_column() == Some(id));
        column.map_or(String::new(), |c| format!("{}.{}", self.relations[c.relation].name, c.name))
    }
}

/// Columns that count as grouped: an equality of WHERE, or of the last join of FROM, names them.
pub(super) fn fixed_columns(predicate: &[Expr], from: &Plan) -> ColumnSet {
    let on = if let Plan::Join(join) = from { join.on.as_slice() } else { &[] };
    let mut fixed = ColumnSet::default();
    for term in predicate.iter().chain(on) {
        if let ExprKind::Compare(CompareOp::Equal | CompareOp::NullSafeEqual, _, sides) = &term.kind {
            fixed.extend(sides.iter().filter_map(Expr::as_column));
        }
    }
    fixed
}
