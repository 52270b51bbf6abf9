//! SELECT: from FROM to the select list.

use std::borrow::Cow;
use std::rc::Rc;

use parse::ast;

use super::aggregate::{Aggregation, fixed_columns};
use super::expr::compare_likes;
use super::query::Ordering;
use super::{Binder, Output, Scope, ScopeColumn};
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType, SortKey};
use crate::functions::Traits;
use crate::plan::repeatable::queries_repeat;
use crate::plan::{Aggregate, ColumnId, ColumnSet, Plan, Window, WindowCall, WindowFunction};

/// A bound select list item.
struct Item {
    expr: Expr,
    output: Output,
    /// Where it is written; a column of `*` is not.
    written: Option<ast::Span>,
}

/// As many as MySQL has in a result.
const COLUMNS_MAX: usize = 4096;

impl Binder<'_> {
    /// Binds a SELECT with the ORDER BY of the enclosing query, which may use columns that the list does not give.
    pub(super) fn select(&mut self, select: &ast::Select, order_by: &[ast::OrderItem]) -> Result<(Plan, Vec<Output>)> {
        let mut plan = self.from(&select.from)?;
        let mut predicate = Vec::new();
        if let Some(filter) = &select.filter {
            let mut filter = self.expr(filter)?;
            compare_likes(&mut filter);
            predicate = filter.into_conjuncts();
        }
        let fixed = fixed_columns(&predicate, &plan);
        plan = plan.filter(predicate);

        self.frame().aggregation = Some(Aggregation::default());
        self.frame().named_windows = (!select.windows.is_empty()).then(|| select.windows.clone().into());
        self.frame().windows = Some(Vec::new());
        let mut items = self.select_list(&select.items)?;
        let windows = self.frame().windows.take();
        if select.group_by.is_some() || select.having.is_some() || !order_by.is_empty() {
            self.frame().aliases = items.iter().map(|item| (item.output.name.clone(), item.expr.clone())).collect();
        }
        self.frame().scope.takes_first = true;
        if let Some(group_by) = &select.group_by {
            self.group_by(group_by, &items)?;
        }
        self.frame().scope.takes_first = false;
        let mut having = match &select.having {
            Some(having) => self.having(having)?.into_conjuncts(),
            None => Vec::new(),
        };
        self.frame().windows = windows;
        let aggregation = self.frame().aggregation.as_ref();
        let is_one_row =
            select.group_by.is_none() && aggregation.is_some_and(|aggregation| !aggregation.only_any_values());
        self.frame().scope.takes_first = is_one_row || select.group_by.is_some();
        let mut order = self.order_by(order_by, &items)?;
        self.frame().scope.takes_first = false;
        if is_one_row {
            // It may be ordered by what its rows had before.
            order.clear();
        }
        let mut windows = self.frame().windows.take().unwrap_or_default();
        let is_of_windows =
            |term: &Expr| term.columns().iter().any(|id| windows.iter().any(|(window, _)| *window == id));
        let grouped = self.frame().aggregation.as_ref().is_some_and(|aggregation| !aggregation.is_empty())
            || select.group_by.is_some();
        if grouped && having.iter().any(is_of_windows) {
            let text = "You cannot use the alias of an expression containing a window function in this context.'";
            return Err(SqlError::general(text));
        }
        let in_list = |item: &Item| item.expr.has_subquery();
        let is_sorted = !order_by.is_empty() && !select.options.distinct;
        if windows.is_empty() && select.having.is_none() && !is_sorted && !items.iter().any(in_list) {
            self.keep_defaults(items.iter().map(|item| (item.output.id, &item.expr)));
        }
        if grouped {
            plan = self.grouped(plan, select, &mut items, &mut having, &mut order, &mut windows, &fixed)?;
        }
        // Of rows that are no groups HAVING takes some when their windows are known, as in the reference.
        let late = if grouped { Vec::new() } else { std::mem::take(&mut having) };
        plan = plan.filter(having);
        if !windows.is_empty() {
            plan = Plan::Window(Box::new(Window { input: plan, calls: windows }));
        }
        plan = plan.filter(late);
        self.finish(plan, items, order, select.options.distinct)
    }

    /// The groups of the rows, with all that is made of them: the list, HAVING, the order and the windows.
    fn grouped(
        &mut self,
        plan: Plan,
        select: &ast::Select,
        items: &mut [Item],
        having: &mut [Expr],
        order: &mut [Ordering],
        windows: &mut [(ColumnId, WindowCall)],
        fixed: &ColumnSet,
    ) -> Result<Plan> {
        if !windows.is_empty() && !self.names.context().session.variables.borrow().is_beyond_dolt() {
            let text = "window functions over groups are not part of Dolt's dialect";
            return Err(SqlError::new(1140, text).with_hint(Some(crate::hint::BEYOND_DOLT.to_owned())));
        }
        let rollup = select.group_by.as_ref().is_some_and(|group_by| group_by.with_rollup);
        if rollup && let Some(aggregation) = &mut self.frame().aggregation {
            aggregation.groups.iter_mut().for_each(|(_, expr)| expr.ty.nullable = true);
        }
        let are_rows =
            select.group_by.is_none() && self.frame().aggregation.as_ref().is_some_and(Aggregation::only_any_values);
        // Rows that are no groups are ordered by whatever they have.
        let checked = if are_rows { &mut [] } else { &mut *order };
        self.over_groups(items, having, checked, windows, fixed)?;
        let aggregation = self.frame().aggregation.take().unwrap_or_default();
        match rollup {
            true => self.rollup(plan, aggregation),
            false if !aggregation.groupings.is_empty() => Err(super::rollup::no_rollup()),
            // The reference groups for ANY_VALUE only where something else makes it group.
            false if are_rows => Ok(self.ungrouped(plan, aggregation, order)),
            false => {
                let Aggregation { groups, calls, .. } = aggregation;
                Ok(Plan::Aggregate(Box::new(Aggregate { input: plan, groups, calls, in_order: false })))
            }
        }
    }

    /// Rows of which ANY_VALUE takes each one's value, with the columns that the order asks for.
    fn ungrouped(&self, plan: Plan, aggregation: Aggregation, order: &[Ordering]) -> Plan {
        let values = aggregation.calls.into_iter();
        let mut given: Vec<(ColumnId, Expr)> =
            values.filter_map(|(id, call)| Some((id, call.args.into_iter().next()?))).collect();
        for ordering in order {
            for id in ordering.expr.columns().iter() {
                if !given.iter().any(|(known, _)| *known == id) {
                    given.push((id, Expr::column(id, self.types[id as usize].clone())));
                }
            }
        }
        plan.project(given)
    }

    /// Projects, removes duplicates, sorts, and drops columns that only the order needed.
    fn finish(
        &mut self,
        plan: Plan,
        items: Vec<Item>,
        order: Vec<Ordering>,
        distinct: bool,
    ) -> Result<(Plan, Vec<Output>)> {
        let of_item = |Item { expr, output, .. }: Item| ((output.id, expr), output);
        let (mut columns, outputs): (Vec<(ColumnId, Expr)>, Vec<Output>) = items.into_iter().map(of_item).unzip();
        let shown = columns.len();
        let mut keys = Vec::new();
        for Ordering { expr, descending, item } in order {
            // An order by something that is in the list uses the list's column.
            // A distance that is not called by a name is for a vector index to find.
            let is_own = matches!(&expr.kind, ExprKind::Call(call) if call.function.is(Traits::SQUARED_DISTANCE));
            let item = item.or_else(|| columns[..shown].iter().position(|(_, known)| !is_own && known.is_same(&expr)));
            let ty = expr.ty.clone();
            let id = match item {
                Some(item) => columns[item].0,
                None if self.orders_nothing(&expr) => continue,
                None => {
                    let id = self.column(ty.clone());
                    columns.push((id, expr));
                    id
                }
            };
            keys.push(SortKey { expr: Expr::column(id, ty), descending });
        }
        let hidden = columns.len() > shown;
        let mut plan = plan.project(columns);
        if distinct && !hidden {
            plan = Plan::Distinct(Box::new(plan));
        }
        if !keys.is_empty() {
            plan = Plan::Sort(Box::new(plan), keys);
        }
        if hidden {
            plan = plan.project(outputs.iter().map(|output| (output.id, output.expr())).collect());
            if distinct {
                // The first of equal rows stays, where the order has put it.
                plan = Plan::Distinct(Box::new(plan));
            }
        }
        Ok((plan, outputs))
    }

    /// Whether an expression has the same value for all rows; one that cannot be computed has none, and fails with the first row.
    fn orders_nothing(&self, expr: &Expr) -> bool {
        let context = self.names.context();
        let warnings = context.session.warning_count();
        let has_value = expr.is_constant() && !expr.lacks_weights() && expr.eval_constant(context).is_ok();
        context.session.truncate_warnings(warnings);
        has_value
    }

    fn select_list(&mut self, items: &[ast::SelectItem]) -> Result<Vec<Item>> {
        let sql = self.sql.clone();
        let mut bound = Vec::with_capacity(items.len());
        for item in items {
            if bound.len().max(items.len()) > COLUMNS_MAX {
                return Err(SqlError::too_many_columns());
            }
            match item {
                ast::SelectItem::Star { database, table, span } => {
                    // Taken so that its columns can be read while the frame gets new ones.
                    let scope = std::mem::take(&mut self.frame().scope);
                    let starred = self.star(&scope, database.as_ref(), table.as_ref());
                    self.frame().scope = scope;
                    bound.extend(starred.map_err(|error| error.at(*span))?);
                }
                ast::SelectItem::Expr { expr, alias, span: _ } => {
                    let mut value = self.expr(expr)?;
                    let typed = expr.span.text(&sql);
                    let name = match (alias, &expr.kind) {
                        (Some(alias), _) => &*alias.text,
                        (None, _) if typed.starts_with('(') => typed,
                        (None, ast::ExprKind::Column(name)) => &*name.name.text,
                        (None, ast::ExprKind::Literal(ast::Literal::Text(_))) => &*literal_name(typed),
                        (None, ast::ExprKind::UserVariable(name)) => &*format!("@{}", name.text),
                        (None, ast::ExprKind::SystemVariable(variable)) => match typed.strip_suffix(&*variable.name) {
                            Some(scope) => &*format!("{scope}{}", variable.name.to_ascii_lowercase()),
                            None => typed,
                        },
                        (None, _) => typed,
                    };
                    let mut output = self.output_of(&value, name);
                    // There a column has its own name, however it is written: clients look for TABLE_NAME.
                    if alias.is_none() && *output.database == *"information_schema" {
                        output.name = output.original.clone();
                    }
                    if let Some(shown) = self.shown_type(&value) {
                        output.computed = Some(std::mem::replace(&mut output.ty, shown));
                    }
                    self.declare(output.id, &value);
                    // What is computed again in its place has to be the same.
                    if alias.is_some() && !value.is_volatile() && queries_repeat(&mut value) {
                        self.frame().aliases.push((output.name.clone(), value.clone()));
                    }
                    bound.push(Item { expr: value, output, written: Some(expr.span) });
                }
            }
        }
        Ok(bound)
    }

    /// The items of `*` or `table.*`.
    fn star(&mut self, scope: &Scope, database: Option<&ast::Ident>, table: Option<&ast::Ident>) -> Result<Vec<Item>> {
        if scope.relations.is_empty() {
            return Err(SqlError::general("No tables used"));
        }
        let columns = scope.star(database, table)?.into_iter();
        let item = |column: &ScopeColumn| {
            let id = self.column(column.expr.ty.clone());
            self.declare(id, &column.expr);
            Item { expr: column.expr.clone(), output: scope.output(column, id, &column.name), written: None }
        };
        Ok(columns.map(item).collect())
    }

    /// A fresh output column; where the expression is a column of a table, the metadata names it.
    fn output_of(&mut self, expr: &Expr, name: &str) -> Output {
        let id = self.column(expr.ty.clone());
        let scope = &self.frame().scope;
        // What USING made of two columns has no table: the one that it is made of has.
        let column = expr.as_column().and_then(|read| {
            let same = scope.columns.iter().filter(|column| column.expr.as_column() == Some(read));
            same.min_by_key(|column| scope.relations[column.relation].database.is_empty())
        });
        match column {
            // COLLATE gives a column another type.
            Some(column) => Output { ty: expr.ty.clone(), computed: None, ..scope.output(column, id, name) },
            None => Output::new(id, name, expr.ty.clone()),
        }
    }

    /// As what a call of an aggregate function, or a column that holds its answers, is shown, if not as what it is.
    fn shown_type(&mut self, expr: &Expr) -> Option<ExprType> {
        if let ExprKind::Subquery(subquery) = &expr.kind {
            return subquery.shown.clone();
        }
        let mut column = expr.as_column()?;
        let frame = self.frame();
        let mut groups = frame.aggregation.iter().flat_map(|aggregation| &aggregation.groups);
        if let Some((_, grouped)) = groups.find(|(id, _)| *id == column) {
            column = grouped.as_column()?;
        }
        if let Some(read) = frame.scope.columns.iter().find(|read| read.expr.as_column() == Some(column)) {
            return read.shown.clone();
        }
        let calls = frame.aggregation.iter().flat_map(|aggregation| &aggregation.calls);
        let windows = frame.windows.iter().flatten();
        let call =
            calls.map(|(id, call)| (*id, call)).chain(windows.filter_map(|(id, window)| match &window.function {
                WindowFunction::Aggregate(call) => Some((*id, call)),
                _ => None,
            }));
        let (_, call) = call.into_iter().find(|(id, _)| *id == column)?;
        if call.function.is_extreme() {
            // Of answers that are shown otherwise one is shown so, too.
            let of = call.args.first()?.as_column();
            return frame.scope.columns.iter().find(|read| read.expr.as_column() == of)?.shown.clone();
        }
        call.function.shown_type(call)
    }

    fn group_by(&mut self, group_by: &ast::GroupBy, items: &[Item]) -> Result<()> {
        for item in &group_by.items {
            let expr = match &item.expr.kind {
                expr if is_no_ordinal(expr) => {
                    return Err(SqlError::general("expected positive integer order by literal").at(item.span));
                }
                ast::ExprKind::Literal(ast::Literal::Integer(n)) => {
                    let at = usize::try_from(*n).ok().and_then(|n| n.checked_sub(1));
                    let found = at.and_then(|at| items.get(at));
                    let unknown = || SqlError::general(format!("column ordinal out of range: {n}"));
                    found.ok_or_else(unknown).map_err(|error| error.at(item.span))?.expr.clone()
                }
                ast::ExprKind::Literal(ast::Literal::Text(_) | ast::Literal::Decimal(_) | ast::Literal::Float(_))
                    if !self.names.context().session.variables.borrow().is_beyond_dolt() =>
                {
                    return Err(SqlError::general("expected integer order by literal").at(item.span));
                }
                ast::ExprKind::Parameter(parameter) => return Err(no_place(parameter).at(item.span)),
                // A column wins over an alias.
                ast::ExprKind::Column(name) if name.table.is_none() => match self.frame().scope.find(name)? {
                    Some(column) => column.expr.clone(),
                    None => match self.alias(&name.name) {
                        Some(expr) => expr,
                        None => self.expr(&item.expr)?,
                    },
                },
                _ => {
                    let text = item.expr.span.text(&self.sql);
                    let is_written_so = |of: &&Item| of.written.is_some_and(|span| span.text(&self.sql) == text);
                    // A subquery of the list that is written out again is the same one.
                    match items.iter().find(is_written_so) {
                        Some(of) => of.expr.clone(),
                        None => self.expr(&item.expr)?,
                    }
                }
            };
            if self.reads_aggregate(&expr) {
                return Err(SqlError::general("Can't group on an aggregate").at(item.span));
            }
            let id = self.column(expr.ty.clone());
            self.add_group(id, expr);
        }
        Ok(())
    }

    fn add_group(&mut self, id: ColumnId, expr: Expr) {
        if let Some(aggregation) = &mut self.frame().aggregation
            && !aggregation.groups.iter().any(|(_, known)| known.is_same(&expr))
        {
            aggregation.groups.push((id, expr));
        }
    }

    fn reads_aggregate(&mut self, expr: &Expr) -> bool {
        let columns = expr.columns();
        let aggregation = self.frame().aggregation.as_ref();
        aggregation.is_some_and(|aggregation| aggregation.calls.iter().any(|(id, _)| columns.contains(id)))
    }

    pub(super) fn alias(&mut self, name: &ast::Ident) -> Option<Expr> {
        self.frame().aliases.iter().find(|(alias, _)| name.is(alias)).map(|(_, expr)| expr.clone())
    }

    /// HAVING sees aliases of the select list beside the columns of FROM.
    /// An alias wins over a column that is no group.
    fn having(&mut self, having: &ast::Expr) -> Result<Expr> {
        let scope = self.frame().scope.clone();
        let frame = self.frame();
        let aggregation = frame.aggregation.as_ref();
        let groups = aggregation.map_or(&[][..], |aggregation| &aggregation.groups);
        let is_group = |column: &Expr| groups.iter().any(|(_, group)| group.is_same(column));
        let is_one_group = groups.is_empty() && aggregation.is_some_and(|aggregation| !aggregation.is_empty());
        if !is_one_group {
            for column in &mut frame.scope.columns {
                let hides = |(name, expr): &(Rc<str>, Expr)| {
                    name.eq_ignore_ascii_case(&column.name) && !expr.is_same(&column.expr)
                };
                column.merged |= frame.aliases.iter().any(hides) && !is_group(&column.expr);
            }
        }
        let bound = self.with_aliases(|binder| binder.expr(having));
        self.frame().scope = scope;
        bound
    }

    /// Runs `bind` with the aliases visible as columns wherever FROM has no column of that name.
    pub(super) fn with_aliases<T>(&mut self, bind: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let scope = self.frame().scope.clone();
        let aliases = self.frame().aliases.clone();
        self.frame().scope.add_aliases(&aliases);
        let bound = bind(self);
        self.frame().scope = scope;
        bound
    }

    /// Rewrites everything behind the grouping over the grouped rows.
    fn over_groups(
        &mut self,
        items: &mut [Item],
        having: &mut [Expr],
        order: &mut [Ordering],
        windows: &mut [(ColumnId, WindowCall)],
        fixed: &ColumnSet,
    ) -> Result<()> {
        if let Some(aggregation) = &mut self.frame().aggregation {
            aggregation.windows = windows.iter().map(|(id, _)| *id).collect();
        }
        let variables = &self.names.context().session.variables;
        let (strict, beyond_dolt) = {
            let variables = variables.borrow();
            (variables.has_sql_mode("ONLY_FULL_GROUP_BY"), variables.is_beyond_dolt())
        };
        if strict && !beyond_dolt {
            for (number, item) in items.iter().enumerate() {
                self.only_groups(&item.expr, fixed, number)?;
            }
            for (number, ordering) in order.iter().filter(|ordering| ordering.item.is_none()).enumerate() {
                self.only_groups(&ordering.expr, fixed, number)?;
            }
        }
        for (number, item) in items.iter_mut().enumerate() {
            self.group_expr(&mut item.expr, fixed, Some(number), strict)?;
        }
        for expr in having {
            self.group_expr(expr, fixed, None, strict)?;
        }
        for ordering in order.iter_mut().filter(|ordering| ordering.item.is_none()) {
            self.group_expr(&mut ordering.expr, fixed, None, strict)?;
        }
        let mut result = Ok(());
        for (_, call) in windows {
            call.exprs_mut(&mut |expr| {
                if result.is_ok() {
                    result = self.group_expr(expr, fixed, None, strict);
                }
            });
        }
        result
    }

    fn order_by(&mut self, order_by: &[ast::OrderItem], items: &[Item]) -> Result<Vec<Ordering>> {
        let mut order = Vec::new();
        for item in order_by {
            let descending = item.is_descending();
            let position = match &item.expr.kind {
                ast::ExprKind::Literal(ast::Literal::Integer(n)) => {
                    let at = usize::try_from(*n).ok().and_then(|n| n.checked_sub(1)).filter(|at| *at < items.len());
                    let unknown = || SqlError::column_not_found(&n.to_string());
                    Some(at.ok_or_else(unknown).map_err(|error| error.at(item.span))?)
                }
                ast::ExprKind::Parameter(parameter) => return Err(no_place(parameter).at(item.span)),
                // An alias wins over a column.
                ast::ExprKind::Column(name) if name.table.is_none() => {
                    let mut named = (0..items.len()).filter(|&at| name.name.is(&items[at].output.name));
                    let first = named.next();
                    if first.is_some_and(|first| named.any(|other| !items[first].expr.is_same(&items[other].expr))) {
                        let text = format!("Column '{}' in order clause is ambiguous", name.name.text);
                        return Err(SqlError::general(text).at(item.span));
                    }
                    first
                }
                _ => None,
            };
            let expr = match position {
                Some(at) => items[at].expr.clone(),
                None => self.with_aliases(|binder| binder.expr(&item.expr))?,
            };
            order.push(Ordering { expr, descending, item: position });
        }
        Ok(order)
    }
}

/// The name of a column that is a string literal: the text between its quotes, escapes as typed. Strings in
/// several pieces and with introducers keep their whole text, as in Dolt.
fn literal_name(typed: &str) -> Cow<'_, str> {
    let quoted = typed.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
    let inside = quoted.and_then(|quote| Some((quote, typed.strip_prefix(quote)?.strip_suffix(quote)?)));
    let Some((quote, inside)) = inside else { return Cow::Borrowed(typed) };
    let mut rest = inside.chars();
    while let Some(c) = rest.next() {
        let is_bare = c == quote && rest.next() != Some(quote);
        if is_bare {
            return Cow::Borrowed(typed);
        }
        if c == '\\' {
            rest.next();
        }
    }
    if !inside.contains(quote) {
        return Cow::Borrowed(inside);
    }
    Cow::Owned(inside.replace(&[quote; 2].iter().collect::<String>(), &quote.to_string()))
}

/// The error of a parameter that is a whole item of GROUP BY or ORDER BY, where its value would group or order nothing.
fn no_place(parameter: &ast::Parameter) -> SqlError {
    let name = match parameter {
        ast::Parameter::Position(from_zero) => format!("v{}", from_zero + 1),
        ast::Parameter::Named(name) => name.to_string(),
    };
    let hint = "a parameter is a value: columns to group or order by have to be written into the statement";
    SqlError::general(format!("bind variable not provided: '{name}'")).with_hint(Some(hint.to_owned()))
}

/// A number that is no position in a list: nought, or one below it.
fn is_no_ordinal(expr: &ast::ExprKind) -> bool {
    match expr {
        ast::ExprKind::Literal(ast::Literal::Integer(0)) => true,
        ast::ExprKind::Unary { operator: ast::UnaryOperator::Minus, operand } => {
            matches!(operand.kind, ast::ExprKind::Literal(ast::Literal::Integer(_)))
        }
        _ => false,
    }
}
