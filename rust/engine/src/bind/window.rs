//! Functions with OVER.
//!
//! Their calls are collected while the select list and ORDER BY are bound; each becomes a column that a Window operator
//! computes behind the grouping.

use parse::ast;

use super::Binder;
use super::expr::{arithmetic, single_unit};
use crate::error::{Result, SqlError};
use crate::expr::{ArithmeticOp, Expr, ExprKind, ExprType, SortKey};
use crate::functions::{self, Traits, WindowArguments};
use crate::plan::{Frame, FrameBound, FrameUnit, WindowCall, WindowFunction};

/// A window with the ones that it extends put into it.
#[derive(Default)]
struct Specification<'a> {
    partition: Vec<&'a ast::Expr>,
    order: Vec<&'a ast::OrderItem>,
    frame: Option<&'a ast::Frame>,
}

/// `OVER (w1)`, `w1 AS (w2)` …: more than this is a circle.
const BASES_MAX: usize = 32;

impl Binder<'_> {
    pub(super) fn window_call(
        &mut self,
        name: &str,
        call: &ast::FunctionCall,
        over: &ast::Over,
        span: ast::Span,
    ) -> Result<Expr> {
        if self.frame().windows.is_none() {
            let text = format!("You cannot use the window function '{name}' in this context.'");
            return Err(SqlError::general(text).at(span));
        }
        // Window functions do not nest.
        let windows = self.frame().windows.take();
        let bound = self.bind_window(name, call, over, span);
        self.frame().windows = windows;
        let bound = bound?;
        let ty = bound.ty.clone();
        let id = self.column(ty.clone());
        if let Some(windows) = &mut self.frame().windows {
            windows.push((id, bound));
        }
        Ok(Expr::column(id, ty))
    }

    fn bind_window(
        &mut self,
        name: &str,
        call: &ast::FunctionCall,
        over: &ast::Over,
        span: ast::Span,
    ) -> Result<WindowCall> {
        let (function, ty) = self.window_function(name, call, span)?;
        let named = self.frame().named_windows.clone().unwrap_or_default();
        let mut specification = Specification::default();
        match over {
            ast::Over::Name(name) => {
                if let Some(window) = find(&named, name) {
                    extend(&mut specification, window, &named, 0)?;
                }
            }
            ast::Over::Window(window) => extend(&mut specification, window, &named, 0)?,
        }
        let mut partition = Vec::new();
        for expr in specification.partition {
            partition.push(self.expr(expr)?);
        }
        let mut order = Vec::new();
        for item in specification.order {
            order.push(SortKey { expr: self.expr(&item.expr)?, descending: item.is_descending() });
        }
        let frame = match specification.frame {
            Some(frame) => {
                check_ends(frame, &self.sql)?;
                match &function {
                    WindowFunction::Aggregate(_) | WindowFunction::FirstValue(_) | WindowFunction::LastValue(_) => {
                        self.frame_of(frame, &order)?
                    }
                    // The others look at their partition, whatever the frame.
                    _ => default_frame(&function, false),
                }
            }
            // An order that a named window brings does not count, as in the reference.
            None => {
                let ordered = matches!(over, ast::Over::Window(window) if !window.order_by.is_empty());
                default_frame(&function, ordered)
            }
        };
        Ok(WindowCall { function, partition, order, frame, ty })
    }

    fn window_function(
        &mut self,
        name: &str,
        call: &ast::FunctionCall,
        span: ast::Span,
    ) -> Result<(WindowFunction, ExprType)> {
        if let Some(aggregate) = functions::aggregate(name) {
            if !call.order_by.is_empty() || aggregate.is(Traits::NOT_OVER_WINDOWS) {
                return Err(SqlError::unsupported("this aggregate as a window function").at(span));
            }
            let bound = self.aggregate_arguments(aggregate, call, span)?;
            let ty = bound.ty.clone();
            return Ok((WindowFunction::Aggregate(bound), ty));
        }
        let Some(function) = functions::window(name) else {
            return Err(SqlError::general(format!("function: '{name}' not found")).at(span));
        };
        let args = self.exprs(&call.arguments)?;
        let (least, most) = function.arity;
        if args.len() < least || args.len() > most {
            let text = format!("function '{name}' expected {least} arguments, {} received", args.len());
            return Err(SqlError::general(text).at(span));
        }
        let mut args = args.into_iter();
        let value = args.next().unwrap_or_else(Expr::null);
        let offset = args.next().unwrap_or_else(|| Expr::integer(1));
        if !matches!(offset.kind, ExprKind::Literal(_) | ExprKind::Param(_)) {
            let found = call.arguments.get(1).map_or("", |offset| offset.span.text(&self.sql));
            return Err(SqlError::general(format!("offset must be a non-negative integer; found: {found}")).at(span));
        }
        let default = args.next();
        // The default in place of a missing number may be text.
        let is_number = |arg: &Expr| arg.ty.sql.is_number() || arg.ty.sql == value::SqlType::Null;
        let ty = match &default {
            Some(default) if is_number(&value) && !is_number(default) => ExprType::text(),
            _ => ExprType { nullable: true, ..value.ty.clone() },
        };
        let value = super::expr::cast_to(value, &ty);
        let default = default.map(|default| super::expr::cast_to(default, &ty));
        Ok(((function.make)(WindowArguments { value, offset, default }), (function.result)(&ty)))
    }

    fn frame_of(&mut self, frame: &ast::Frame, order: &[SortKey]) -> Result<Frame> {
        let unit = match frame.unit {
            ast::FrameUnit::Rows => FrameUnit::Rows,
            ast::FrameUnit::Range => FrameUnit::Range,
            ast::FrameUnit::Groups => return Err(SqlError::unsupported("a frame of GROUPS").at(frame.span)),
        };
        let start = self.frame_bound(&frame.start, unit, order, frame.span)?;
        let end = match &frame.end {
            Some(end) => self.frame_bound(end, unit, order, frame.span)?,
            None => FrameBound::CurrentRow,
        };
        Ok(Frame { unit, start, end })
    }

    /// In a frame of RANGE a distance becomes the furthest key, an expression over the row: `key - distance`.
    fn frame_bound(
        &mut self,
        bound: &ast::FrameBound,
        unit: FrameUnit,
        order: &[SortKey],
        span: ast::Span,
    ) -> Result<FrameBound> {
        let (distance, following) = match bound {
            ast::FrameBound::UnboundedPreceding => return Ok(FrameBound::UnboundedPreceding),
            ast::FrameBound::UnboundedFollowing => return Ok(FrameBound::UnboundedFollowing),
            ast::FrameBound::CurrentRow => return Ok(FrameBound::CurrentRow),
            ast::FrameBound::Preceding(distance) => (distance, false),
            ast::FrameBound::Following(distance) => (distance, true),
        };
        let is_written =
            matches!(distance.kind, ast::ExprKind::Literal(ast::Literal::Integer(_)) | ast::ExprKind::Interval { .. });
        if !is_written {
            let text =
                format!("syntax error at position {} near '{}'", distance.span.end + 1, distance.span.text(&self.sql));
            return Err(SqlError::general(text).at(distance.span));
        }
        let limit = match (unit, order) {
            (FrameUnit::Rows, _) => self.expr(distance)?,
            (FrameUnit::Range, [key]) => {
                // In a descending order, too: as in the reference.
                let grows = following;
                match &distance.kind {
                    ast::ExprKind::Interval { value, unit } => {
                        let args = vec![key.expr.clone(), self.expr(value)?, single_unit(*unit, distance.span)?];
                        self.call(if grows { "date_add" } else { "date_sub" }, args)?
                    }
                    _ => {
                        let op = if grows { ArithmeticOp::Add } else { ArithmeticOp::Subtract };
                        arithmetic(op, key.expr.clone(), self.expr(distance)?)
                    }
                }
            }
            (FrameUnit::Range, _) => {
                let text = format!("a range's order by must be one expression; found: {}", order.len());
                return Err(SqlError::general(text).at(span));
            }
        };
        Ok(if following { FrameBound::Following(limit) } else { FrameBound::Preceding(limit) })
    }
}

/// A frame that ends before it starts is an error of syntax.
fn check_ends(frame: &ast::Frame, sql: &str) -> Result<()> {
    use ast::FrameBound as B;
    let what = match (&frame.start, frame.end.as_ref().unwrap_or(&B::CurrentRow)) {
        (B::UnboundedFollowing, _) => "start cannot be UNBOUNDED FOLLOWING",
        (_, B::UnboundedPreceding) => "end cannot be UNBOUNDED PRECEDING",
        (B::CurrentRow, B::Preceding(_)) => "starting from current row cannot have preceding rows",
        (B::Following(_), B::CurrentRow) if frame.end.is_none() => {
            "starting from following row cannot end with current row"
        }
        (B::Following(_), B::CurrentRow | B::Preceding(_)) => "starting from following row cannot have preceding rows",
        _ => return Ok(()),
    };
    let last = frame.span.text(sql).rsplit(char::is_whitespace).next().unwrap_or_default().to_ascii_lowercase();
    let position = frame.span.end + 1;
    Err(SqlError::general(format!("frame {what} at position {position} near '{last}'")).at(frame.span))
}

/// The frame of a call that names none. Without an order it is the partition. With one the reference differs by function:
/// MAX and the bit operations see the whole partition, COUNT the rows up to the last that ties with this one, the others
/// the rows up to this one.
fn default_frame(function: &WindowFunction, ordered: bool) -> Frame {
    let aggregate = match function {
        WindowFunction::Aggregate(call) => Some(call.function),
        _ => None,
    };
    let is_whole = !ordered || aggregate.is_some_and(|function| function.is(Traits::WHOLE_FRAME));
    let (unit, end) = match aggregate {
        _ if is_whole => (FrameUnit::Rows, FrameBound::UnboundedFollowing),
        Some(function) if function.counts() => (FrameUnit::Range, FrameBound::CurrentRow),
        _ => (FrameUnit::Rows, FrameBound::CurrentRow),
    };
    Frame { unit, start: FrameBound::UnboundedPreceding, end }
}

/// A window by its name. As in the reference an undefined one is the window of all rows.
fn find<'a>(named: &'a [ast::NamedWindow], name: &ast::Ident) -> Option<&'a ast::WindowSpecification> {
    named.iter().find(|window| name.is(&window.name.text)).map(|window| &window.window)
}

/// Puts `window` and what it is based on into `into`.
fn extend<'a>(
    into: &mut Specification<'a>,
    window: &'a ast::WindowSpecification,
    named: &'a [ast::NamedWindow],
    depth: usize,
) -> Result<()> {
    if let Some(base) = &window.base {
        if depth > BASES_MAX {
            return Err(SqlError::general("there is a circularity in the window dependency graph").at(base.span));
        }
        if let Some(base) = find(named, base) {
            extend(into, base, named, depth + 1)?;
        }
    }
    if !window.partition_by.is_empty() {
        into.partition = window.partition_by.iter().collect();
    }
    if !window.order_by.is_empty() {
        into.order = window.order_by.iter().collect();
    }
    if window.frame.is_some() {
        into.frame = window.frame.as_ref();
    }
    Ok(())
}
