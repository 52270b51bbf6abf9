//! COUNT.

use std::rc::Rc;

use value::{SqlType, Value};

use super::{Accumulator, Aggregate, Role};
use crate::error::Result;
use crate::expr::{Context, ExprType};
use crate::functions::{Entry, Traits};
use crate::vector::{Data, Vector};

pub(super) const ENTRIES: &[Entry<Aggregate>] = &[Entry::aggregate(
    "count",
    (1, usize::MAX),
    |_| ExprType::new(SqlType::BIGINT, false),
    |_| Box::new(Count::default()),
)
.known_as(Role::Count)
.with(Traits::FREE_OF_ORDER)
.common()
.about("* or x or DISTINCT x, …", "The number of rows, or of values that are not NULL")];

/// Rows in which no argument is NULL; all rows for COUNT(*), which has no argument.
#[derive(Default)]
struct Count(Vec<i64>);

fn has_no_null(vector: &Vector) -> bool {
    match &vector.data {
        Data::Null(rows) => *rows == 0,
        Data::Values(_) => false,
        _ => vector.validity.is_none(),
    }
}

impl Accumulator for Count {
    fn resize(&mut self, groups: usize) {
        self.0.resize(groups, 0);
    }

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        if args.iter().all(|arg| has_no_null(arg)) {
            match &mut self.0[..] {
                [only] => *only += groups.len() as i64,
                counts => groups.iter().for_each(|&group| counts[group as usize] += 1),
            }
            return Ok(());
        }
        for (row, &group) in groups.iter().enumerate() {
            self.0[group as usize] += i64::from(!args.iter().any(|arg| arg.is_null(row)));
        }
        Ok(())
    }

    fn value(&mut self, group: usize, _: &Context) -> Result<Value<'static>> {
        Ok(Value::Int(self.0[group]))
    }
}
