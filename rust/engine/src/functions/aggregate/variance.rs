//! STDDEV and VARIANCE in their forms, by Welford's running mean: one pass, no cancellation.
//!
//! The answer is a double, but where nothing is counted on with it, it is shown in the argument's type, as in the reference:
//! that of whole numbers is a whole number.

use std::rc::Rc;

use value::{SqlType, Value};

use super::{Accumulator, Aggregate, double, number_of};
use crate::error::Result;
use crate::expr::{AggregateCall, ArithmeticOp, Context, Expr, ExprKind, ExprType};
use crate::vector::Vector;

macro_rules! functions {
    ($($name:literal => $form:expr;)*) => {
        pub(super) static FUNCTIONS: &[Aggregate] = &[$(
            Aggregate { name: $name, arity: (1, 1), result: double, accumulator: |_| Box::new(Variance::new($form)) },
        )*];
    };
}

functions! {
    "std" => Form { sample: false, root: true };
    "stddev" => Form { sample: false, root: true };
    "stddev_pop" => Form { sample: false, root: true };
    "stddev_samp" => Form { sample: true, root: true };
    "var_pop" => Form { sample: false, root: false };
    "var_samp" => Form { sample: true, root: false };
    "variance" => Form { sample: false, root: false };
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
pub(crate) fn shown_type(call: &AggregateCall) -> Option<ExprType> {
    let arg = call.args.first()?;
    let shown = match &arg.ty.sql {
        SqlType::Decimal { .. } if has_more_digits(arg) => return None,
        // A square may have more digits than a DECIMAL.
        SqlType::Decimal { precision, scale }
            if call.function.name.starts_with("var") && precision - scale > value::DECIMAL_PRECISION_MAX / 2 =>
        {
            return None;
        }
        SqlType::Decimal { scale, .. } => SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, scale: *scale },
        of @ (SqlType::Integer(_) | SqlType::Float) => of.clone(),
        _ => return None,
    };
    let is_variance = FUNCTIONS.iter().any(|function| function.name == call.function.name);
    is_variance.then(|| ExprType::new(shown, true))
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
