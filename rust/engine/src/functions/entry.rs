//! What an entry of the table of functions says: the one place that names a function and what is particular about it.

use value::{Collation, Value};

use super::declared::DeclaredBy;
use crate::error::Result;
use crate::expr::{Context, Expr, ExprType};

/// A function that SQL may call, with its documentation. The documentation stays out of the `.wasm`: nothing there reads it.
#[derive(Clone, Copy)]
pub struct Entry<F> {
    pub function: F,
    /// Other names of the same function.
    pub aliases: &'static [&'static str],
    /// Its arguments, as a person reads them: `text, position[, length]`.
    pub arguments: &'static str,
    /// What it gives, in one phrase.
    pub help: &'static str,
    /// How its answer is another than native Dolt's.
    pub adapted: Option<&'static str>,
    /// Whether an editor proposes it before others.
    pub is_common: bool,
}

/// The functions of one subject: a heading of `docs/functions.md`.
#[derive(Clone, Copy)]
pub struct Family<F: 'static> {
    pub heading: &'static str,
    pub entries: &'static [Entry<F>],
}

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

/// What the binder makes of a call. All forms but `Call` have rules of their own, which are in `bind/call.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Call,
    Char,
    Coalesce,
    Grouping,
    If,
    IfNull,
    JsonType,
    JsonValue,
    Modulo,
    /// DATE_ADD and DATE_SUB, which take an interval.
    Shift,
    /// ADDDATE and SUBDATE, which also take days.
    AddDays,
    SubtractDays,
}

/// What a function reads of its first argument, where that is a column whose values may be large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    All,
    /// The parts of a document at paths: at most `most` arguments from `first`.
    Paths {
        first: u8,
        most: u8,
    },
    /// The parts of a document that the second argument has, or those at the paths behind it.
    Candidate,
    /// The length in bytes.
    Length,
    /// As many characters as the second argument says.
    Left,
    /// The characters from the second argument on, as many as the third says.
    Middle,
}

/// Yes-or-no properties of a function, as a set of bits.
#[derive(Clone, Copy)]
pub struct Traits(u32);

impl Traits {
    pub(super) const NONE: Traits = Traits(0);
    /// Emitted by the binder, not callable by name.
    pub const INTERNAL: Traits = Traits(1);
    /// Known to the reference, which refuses it.
    pub const REFUSED: Traits = Traits(1 << 1);
    /// Arguments after the least ones come two by two.
    pub const IN_PAIRS: Traits = Traits(1 << 2);
    /// Gives the first argument that is not NULL: the arguments after it are never computed.
    pub const FIRST_VALUE: Traits = Traits(1 << 3);
    /// Gives one of its arguments.
    pub const GIVES_ARGUMENT: Traits = Traits(1 << 4);
    /// Takes its arguments for text.
    pub const READS_TEXT: Traits = Traits(1 << 5);
    /// Takes its arguments for text where their common type is one.
    pub const READS_COMMON_TEXT: Traits = Traits(1 << 6);
    /// Takes its arguments for parts of documents.
    pub const OF_DOCUMENTS: Traits = Traits(1 << 7);
    /// Looks at the names of a database.
    pub const READS_CATALOG: Traits = Traits(1 << 8);
    /// Refuses truth values, as in the reference.
    pub const TAKES_NO_TRUTH: Traits = Traits(1 << 9);
    /// Gives a date whose text has no time of day.
    pub const GIVES_DAY: Traits = Traits(1 << 10);
    /// Gives a moment, also as text.
    pub const GIVES_MOMENT: Traits = Traits(1 << 11);
    /// Copies the bytes of its arguments at most once.
    pub const COPIES_ONCE: Traits = Traits(1 << 12);
    /// The distance that vector indexes know.
    pub const SQUARED_DISTANCE: Traits = Traits(1 << 13);
    /// CHECK constraints refuse it, as in native Dolt.
    pub const NOT_IN_CHECKS: Traits = Traits(1 << 14);
    /// CHECK constraints refuse it when it has no argument.
    pub const CALLED_ALONE_NOT_IN_CHECKS: Traits = Traits(1 << 15);
    /// Declared to give NULL only where an argument may be NULL.
    pub const NULL_AS_ARGUMENTS: Traits = Traits(1 << 16);

    /// Gives the year of a moment.
    pub const GIVES_YEAR: Traits = Traits(1 << 20);
    /// Of an aggregate: the answer does not depend on the order of rows.
    pub const FREE_OF_ORDER: Traits = Traits(1 << 17);
    /// Of an aggregate: not a window function.
    pub const NOT_OVER_WINDOWS: Traits = Traits(1 << 18);
    /// Of an aggregate: a window that names no frame is the whole partition, also with an order.
    pub const WHOLE_FRAME: Traits = Traits(1 << 19);

    pub(super) const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    pub(super) const fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }
}

/// A scalar function.
#[derive(Clone, Copy)]
pub struct Function {
    /// Lower case.
    pub name: &'static str,
    /// Least and most arguments.
    pub arity: (usize, usize),
    pub nulls: Nulls,
    pub stability: Stability,
    pub form: Form,
    pub reads: Reads,
    pub(super) traits: Traits,
    /// The type of the answer from the types of the arguments.
    pub result: fn(&[ExprType]) -> ExprType,
    /// The type of the answer where literals among the arguments decide it.
    pub typed_by: Option<fn(&[Expr]) -> ExprType>,
    /// The type that a column made of a call is declared with, where it is another than that of the answer.
    pub declared: Option<DeclaredBy>,
    pub eval: fn(&Arguments<'_>) -> Result<Value<'static>>,
}

impl Function {
    pub fn is(&self, of: Traits) -> bool {
        self.traits.has(of)
    }

    /// Whether a statement may call it by its name.
    pub fn is_callable(&self) -> bool {
        !self.is(Traits::INTERNAL.and(Traits::REFUSED))
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
        if self.is(Traits::COPIES_ONCE) { 1 } else { 4 }
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

impl<F: Copy> Entry<F> {
    pub(super) const fn of(function: F) -> Entry<F> {
        Entry { function, aliases: &[], arguments: "", help: "", adapted: None, is_common: false }
    }

    pub(super) const fn about(self, arguments: &'static str, help: &'static str) -> Entry<F> {
        Entry { arguments, help, ..self }
    }

    pub(super) const fn also(self, aliases: &'static [&'static str]) -> Entry<F> {
        Entry { aliases, ..self }
    }

    pub(super) const fn adapted(self, how: &'static str) -> Entry<F> {
        Entry { adapted: Some(how), ..self }
    }

    pub(super) const fn common(self) -> Entry<F> {
        Entry { is_common: true, ..self }
    }
}

impl Entry<Function> {
    /// A function that any NULL makes NULL and whose answer depends on nothing but its arguments.
    pub(super) const fn new(
        name: &'static str,
        arity: (usize, usize),
        result: fn(&[ExprType]) -> ExprType,
        eval: fn(&Arguments<'_>) -> Result<Value<'static>>,
    ) -> Entry<Function> {
        Entry::of(Function {
            name,
            arity,
            nulls: Nulls::Propagate,
            stability: Stability::Immutable,
            form: Form::Call,
            reads: Reads::All,
            traits: Traits::NONE,
            result,
            typed_by: None,
            declared: None,
            eval,
        })
    }

    /// One that takes its arguments for text.
    pub(super) const fn of_text(
        name: &'static str,
        arity: (usize, usize),
        result: fn(&[ExprType]) -> ExprType,
        eval: fn(&Arguments<'_>) -> Result<Value<'static>>,
    ) -> Entry<Function> {
        Entry::new(name, arity, result, eval).with(Traits::READS_TEXT)
    }

    /// One whose calls the binder makes something else of.
    pub(super) const fn rewritten(name: &'static str, arity: (usize, usize), form: Form) -> Entry<Function> {
        Entry::new(name, arity, |_| ExprType::null(), |_| Ok(Value::Null)).bound_as(form)
    }

    /// One that the reference knows and refuses.
    pub(super) const fn refused(name: &'static str, arity: (usize, usize)) -> Entry<Function> {
        Entry::rewritten(name, arity, Form::Call).with(Traits::REFUSED)
    }

    pub(super) const fn with(self, traits: Traits) -> Entry<Function> {
        let traits = self.function.traits.and(traits);
        Entry { function: Function { traits, ..self.function }, ..self }
    }

    pub(super) const fn internal(self) -> Entry<Function> {
        self.with(Traits::INTERNAL)
    }

    pub(super) const fn in_pairs(self) -> Entry<Function> {
        self.with(Traits::IN_PAIRS)
    }

    pub(super) const fn first_value(self) -> Entry<Function> {
        self.with(Traits::FIRST_VALUE)
    }

    pub(super) const fn not_in_checks(self) -> Entry<Function> {
        self.with(Traits::NOT_IN_CHECKS)
    }

    pub(super) const fn null_as_arguments(self) -> Entry<Function> {
        self.with(Traits::NULL_AS_ARGUMENTS)
    }

    pub(super) const fn handling_nulls(self) -> Entry<Function> {
        Entry { function: Function { nulls: Nulls::Handle, ..self.function }, ..self }
    }

    /// The same for one statement.
    pub(super) const fn stable(self) -> Entry<Function> {
        Entry { function: Function { stability: Stability::Statement, ..self.function }, ..self }
    }

    pub(super) const fn volatile(self) -> Entry<Function> {
        Entry { function: Function { stability: Stability::Volatile, ..self.function }, ..self }
    }

    pub(super) const fn typed_by(self, typed_by: fn(&[Expr]) -> ExprType) -> Entry<Function> {
        Entry { function: Function { typed_by: Some(typed_by), ..self.function }, ..self }
    }

    pub(super) const fn declared(self, declared: DeclaredBy) -> Entry<Function> {
        Entry { function: Function { declared: Some(declared), ..self.function }, ..self }
    }

    pub(super) const fn bound_as(self, form: Form) -> Entry<Function> {
        Entry { function: Function { form, ..self.function }, ..self }
    }

    pub(super) const fn reading(self, reads: Reads) -> Entry<Function> {
        Entry { function: Function { reads, ..self.function }, ..self }
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
