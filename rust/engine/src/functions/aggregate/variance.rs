//! STDDEV and VARIANCE in their forms, by Welford's running mean: one pass, no cancellation.
//!
//! The answer is a double, but where nothing is counted on with it, it is shown in the argument's type, as in the reference:
//! that of whole numbers is a whole number.

use std::rc::Rc;

use value::{SqlType, Value};

use super::{Accumulator, Aggregate, double, number_of};
use crate::error::Result;
use crate::expr::{AggregateCall, ArithmeticOp, Context, Expr, ExprKind, ExprType};
use crate::functions::{Entry, Traits};
use crate::vector::Vector;

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[
    entry("std", |_| Box::new(Variance::new(Form { sample: false, root: true })))
        .also(&["stddev", "stddev_pop"])
        .about("x", "The standard deviation of the population"),
    entry("stddev_samp", |_| Box::new(Variance::new(Form { sample: true, root: true })))
        .about("x", "The standard deviation of a sample"),
    entry("var_pop", |_| Box::new(Variance::new(Form { sample: false, root: false })))
        .shown(shown_square)
        .also(&["variance"])
        .about("x", "The variance of the population"),
    entry("var_samp", |_| Box::new(Variance::new(Form { sample: true, root: false })))
        .shown(shown_square)
        .about("x", "The variance of a sample"),
];

const fn entry(name: &'static str, accumulator: fn(&AggregateCall) -> Box<dyn Accumulator>) -> Entry<Aggregate> {
    Entry::aggregate(name, (1, 1), double, accumulator).with(Traits::FREE_OF_ORDER).shown(shown)
}

#[derive(Clone, Copy)]
struct Form {
    /// Divides by one less than the number of rows.
    sample: bool,
    root: bool,
}

#[derive(Clone, Copy, Default)]
struct State {
    rows: u64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

struct Variance {
    form: Form,
    states: Vec<State>,
}

impl Variance {
    fn new(form: Form) -> Variance {
        Variance { form, states: Vec::new() }
    }
}

/// Whether a number has digits that a column of DECIMAL does not say: of a quotient, of two DECIMALs, and where it is written down.
fn has_more_digits(expr: &Expr) -> bool {
    let is_decimal = |expr: &Expr| matches!(expr.ty.sql, SqlType::Decimal { .. });
    match &expr.kind {
        ExprKind::Literal(Value::Decimal(_)) => true,
        ExprKind::Arithmetic(ArithmeticOp::Divide | ArithmeticOp::InnerDivide | ArithmeticOp::Modulo, _) => true,
        ExprKind::Arithmetic(_, operands) if operands.iter().all(is_decimal) => true,
        ExprKind::Cast(..) => false,
        _ => {
            let mut found = false;
            expr.children(|child| found = found || has_more_digits(child));
            found
        }
    }
}

/// As what a select list shows the answer of a call, where that is no double. A variance has more digits than its numbers.
fn shown(call: &AggregateCall) -> Option<ExprType> {
    let arg = call.args.first()?;
    let sql = match &arg.ty.sql {
        SqlType::Decimal { .. } if has_more_digits(arg) => return None,
        SqlType::Decimal { scale, .. } => SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, scale: *scale },
        of @ (SqlType::Integer(_) | SqlType::Float) => of.clone(),
        _ => return None,
    };
    Some(ExprType::new(sql, true))
}

/// The same for a square, which may have more digits than a DECIMAL.
fn shown_square(call: &AggregateCall) -> Option<ExprType> {
    match call.args.first()?.ty.sql {
        SqlType::Decimal { precision, scale } if precision - scale > value::DECIMAL_PRECISION_MAX / 2 => None,
        _ => shown(call),
    }
}

impl Accumulator for Variance {
    fn resize(&mut self, groups: usize) {
        self.states.resize(groups, State::default());
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], context: &Context) -> Result<()> {
        let [values, ..] = args else { return Ok(()) };
        for (row, &group) in groups.iter().enumerate() {
            if values.is_null(row) {
                continue;
            }
            let value = number_of(&values.value(row), context);
            let state = &mut self.states[group as usize];
            state.rows += 1;
            let mean = state.mean + (value - state.mean) / state.rows as f64;
            state.squares += (value - state.mean) * (value - mean);
            state.mean = mean;
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        let State { rows, squares, .. } = self.states[group];
        let divisor = if self.form.sample { rows.saturating_sub(1) } else { rows };
        if divisor == 0 {
            return Ok(Value::Null);
        }
        let variance = squares / divisor as f64;
        Ok(Value::Double(if self.form.root { variance.sqrt() } else { variance }))
    }
}
