//! The functions of SQL, found by name.
//!
//! One file per family; each has a table of [`Function`]s, and `lookup` searches them all. A scalar function sees the
//! values of one row; where that is too slow it has a vector form beside it.

pub mod aggregate;
mod argument;
mod control;
mod date_arithmetic;
mod date_time;
mod dolt;
mod encoding;
mod full_text;
mod hash;
mod information;
mod json;
mod locks;
mod number_text;
mod numeric;
mod regexp;
mod registry;
mod result;
pub mod spatial;
mod text;
mod uuid_network;
mod vector_distance;
pub mod zone;

use value::{Collation, Value};

use crate::error::Result;
use crate::expr::{Context, Expr, ExprType};

pub use aggregate::Aggregate;
pub(crate) use aggregate::shown_type;
pub(crate) use argument::converted;
pub use json::REFUSED;
pub use registry::{aggregate, aggregates, families, reads_text, scalar, scalars};
pub(crate) use vector_distance::numbers_of_vector;

/// How often a function may give another answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// Same arguments, same answer: folded at plan time.
    Immutable,
    /// Same for one statement: `NOW()`, `DATABASE()`.
    Statement,
    /// Another at each call: `RAND()`, `UUID()`, `SLEEP()`.
    Volatile,
}

/// What happens with NULL arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// Any NULL argument makes the answer NULL; the function never sees one.
    Propagate,
    /// The function decides.
    Handle,
}

/// A scalar function.
pub struct Function {
    /// Lower case; aliases have entries of their own.
    pub name: &'static str,
    /// Least and most arguments.
    pub arity: (usize, usize),
    /// Behind the least ones they come two by two.
    pub in_pairs: bool,
    pub nulls: Nulls,
    pub stability: Stability,
    /// The type of the answer from the types of the arguments.
    pub result: fn(&[ExprType]) -> ExprType,
    /// The type of the answer where literals among the arguments decide it.
    pub typed_by: Option<fn(&[Expr]) -> ExprType>,
    /// The first argument that is not NULL: the arguments behind it are never computed.
    pub is_first_value: bool,
    pub eval: fn(&Arguments<'_>) -> Result<Value<'static>>,
}

/// Whether the reference knows a function by this name and refuses it.
pub fn is_refused(name: &str) -> bool {
    REFUSED.iter().any(|(refused, _)| *refused == name)
}

/// Whether a function stands only for what is written otherwise: nobody calls it by its name.
pub fn is_inner(name: &str) -> bool {
    [
        "cast_decimal",
        "char_using",
        "convert_using",
        "match_against",
        "match_statistics",
        "minus_interval",
        "plus_interval",
    ]
    .contains(&name)
}

/// Whether a function looks at the names of a database.
pub fn is_about_names(function: &'static Function) -> bool {
    dolt::FUNCTIONS.iter().any(|known| std::ptr::eq(known, function))
}

impl Function {
    /// A function that any NULL makes NULL and whose answer depends on nothing but its arguments.
    const fn new(
        name: &'static str,
        arity: (usize, usize),
        result: fn(&[ExprType]) -> ExprType,
        eval: fn(&Arguments<'_>) -> Result<Value<'static>>,
    ) -> Function {
        Function {
            name,
            arity,
            in_pairs: false,
            nulls: Nulls::Propagate,
            stability: Stability::Immutable,
            result,
            typed_by: None,
            is_first_value: false,
            eval,
        }
    }

    const fn handling_nulls(self) -> Function {
        Function { nulls: Nulls::Handle, ..self }
    }

    const fn in_pairs(self) -> Function {
        Function { in_pairs: true, ..self }
    }

    const fn first_value(self) -> Function {
        Function { is_first_value: true, ..self }
    }

    /// The same for one statement.
    const fn stable(self) -> Function {
        Function { stability: Stability::Statement, ..self }
    }

    const fn typed_by(self, typed_by: fn(&[Expr]) -> ExprType) -> Function {
        Function { typed_by: Some(typed_by), ..self }
    }

    const fn volatile(self) -> Function {
        Function { stability: Stability::Volatile, ..self }
    }

    /// The type of a call with these arguments.
    pub fn type_of(&self, args: &[Expr]) -> ExprType {
        match self.typed_by {
            Some(typed_by) => typed_by(args),
            None => (self.result)(&args.iter().map(|arg| arg.ty.clone()).collect::<Vec<_>>()),
        }
    }

    /// How many times the bytes of its arguments it takes at most: for copies of them, and for the answer while its buffer grows.
    pub fn copies(&self) -> usize {
        match self.name {
            "concat" | "length" | "octet_length" | "char_length" | "character_length" => 1,
            _ => 4,
        }
    }

    pub fn is_deterministic(&self) -> bool {
        self.stability == Stability::Immutable
    }

    pub fn is_volatile(&self) -> bool {
        self.stability == Stability::Volatile
    }
}

impl core::fmt::Debug for Function {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// One call for one row.
pub struct Arguments<'a> {
    pub values: &'a [Value<'a>],
    pub types: &'a [ExprType],
    pub result: &'a ExprType,
    /// By what text arguments are compared.
    pub collation: Collation,
    pub context: &'a Context,
}

impl<'a> Arguments<'a> {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The n-th argument; NULL where it was left out.
    pub fn get(&self, n: usize) -> &Value<'a> {
        self.values.get(n).unwrap_or(&Value::Null)
    }

    pub fn is_null(&self, n: usize) -> bool {
        matches!(self.get(n), Value::Null)
    }
}
