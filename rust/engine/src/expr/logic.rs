//! AND and OR over batches, three-valued.

use std::rc::Rc;

use super::evaluated::Evaluated;
use super::{Context, Expr};
use crate::batch::Batch;
use crate::error::Result;
use crate::plan::ColumnSet;
use crate::vector::{Bitmap, Data, Vector};
use value::{Value, truth};

/// AND.
pub fn conjunction(terms: &[Expr], batch: &Batch, context: &Context) -> Result<Evaluated> {
    junction(terms, false, batch, context)
}

/// OR.
pub fn disjunction(terms: &[Expr], batch: &Batch, context: &Context) -> Result<Evaluated> {
    junction(terms, true, batch, context)
}

/// `decides` is the value that settles a row: false for AND, true for OR. Later terms see only rows that are open, so an
/// error that an earlier term guards against never happens.
fn junction(terms: &[Expr], decides: bool, batch: &Batch, context: &Context) -> Result<Evaluated> {
    let mut open: Vec<u32> = (0..batch.rows as u32).collect();
    let mut rest = batch.clone();
    let mut answers = vec![i64::from(!decides); batch.rows];
    let mut known = Bitmap::filled(batch.rows, true);
    let mut read = None;
    for (n, term) in terms.iter().enumerate() {
        if open.is_empty() && batch.rows > 0 {
            break;
        }
        context.part_done(n, terms.len())?;
        let evaluated = term.evaluate(&rest, context)?;
        if let (Evaluated::Constant(value), true) = (&evaluated, open.len() == batch.rows) {
            match truth(value) {
                Some(truth) if truth == decides => return Ok(Evaluated::Constant(Value::boolean(decides))),
                Some(_) => continue,
                None if terms.len() == 1 => return Ok(Evaluated::Constant(Value::Null)),
                None => {}
            }
        }
        // Results of comparisons are read in place.
        let numbers = match &evaluated {
            Evaluated::Rows(vector) => match &vector.data {
                Data::Int(numbers) => Some((numbers, &vector.validity)),
                _ => None,
            },
            Evaluated::Constant(_) => None,
        };
        let truth_at = |i: usize| match numbers {
            Some((numbers, validity)) => {
                validity.as_ref().is_none_or(|validity| validity.get(i)).then(|| numbers[i] != 0)
            }
            None => truth(&evaluated.value(i)),
        };
        let mut kept = Vec::with_capacity(open.len());
        for (i, &row) in open.iter().enumerate() {
            match truth_at(i) {
                Some(truth) if truth == decides => {
                    answers[row as usize] = i64::from(decides);
                    known.set(row as usize, true);
                }
                Some(_) => kept.push(i as u32),
                None => {
                    known.set(row as usize, false);
                    kept.push(i as u32);
                }
            }
        }
        let later = terms.get(n + 1..).unwrap_or_default();
        if kept.len() < open.len() && !later.is_empty() {
            if read.is_none() || later.len() < FEW_TERMS {
                read = Some(read_by(later));
            }
            rest = gather_for(read.as_ref(), &rest, &kept);
            open = kept.iter().map(|&i| open[i as usize]).collect();
        }
    }
    Ok(Evaluated::Rows(Rc::new(Vector::with_validity(Data::Int(answers), known))))
}

/// What more terms than this read is looked at once.
const FEW_TERMS: usize = 8;

fn read_by(terms: &[Expr]) -> ColumnSet {
    let mut read = ColumnSet::default();
    terms.iter().for_each(|term| term.collect_columns(&mut read));
    read
}

/// Some rows of the columns that are `read`; the others are NULL.
fn gather_for(read: Option<&ColumnSet>, batch: &Batch, rows: &[u32]) -> Batch {
    let nulls = Rc::new(Vector::nulls(rows.len()));
    let is_read = |position| read.is_none_or(|read| read.contains(&position));
    let columns = (0..).zip(&batch.columns).map(|(position, column)| match is_read(position) {
        true => Rc::new(column.gather(rows)),
        false => nulls.clone(),
    });
    Batch { rows: rows.len(), columns: columns.collect() }
}
