//! Concatenation of batches.

use std::rc::Rc;

use crate::batch::Batch;
use crate::vector::{Bitmap, Buffer, Data, Vector, View, Views};

/// All rows of `batches`, one after the other; `columns` is the number of columns, for no batches at all.
pub fn concat(batches: &[Batch], columns: usize) -> Batch {
    if let [one] = batches {
        return one.clone();
    }
    let rows = batches.iter().map(|batch| batch.rows).sum();
    let columns = (0..columns)
        .map(|column| {
            let parts: Vec<&Vector> = batches.iter().map(|batch| &*batch.columns[column]).collect();
            Rc::new(concat_vectors(&parts, rows))
        })
        .collect();
    Batch::new(rows, columns)
}

macro_rules! concat_typed {
    ($parts:expr, $rows:expr, $variant:ident, $zero:expr) => {{
        let mut all = Vec::with_capacity($rows);
        for part in $parts {
            match &part.data {
                Data::$variant(values) => all.extend_from_slice(values),
                other => all.resize(all.len() + len_of_nulls(other), $zero),
            }
        }
        Data::$variant(all)
    }};
}

fn len_of_nulls(data: &Data) -> usize {
    match data {
        Data::Null(rows) => *rows,
        _ => 0,
    }
}

fn concat_vectors(parts: &[&Vector], rows: usize) -> Vector {
    let mut typed = parts.iter().filter(|part| !matches!(part.data, Data::Null(_)));
    let Some(first) = typed.next() else { return Vector::nulls(rows) };
    let kind = std::mem::discriminant(&first.data);
    if !typed.all(|part| std::mem::discriminant(&part.data) == kind) {
        let values = parts.iter().flat_map(|part| (0..part.len()).map(|row| part.value(row).into_owned())).collect();
        return Vector::new(Data::Values(values));
    }
    let data = match &first.data {
        Data::Null(_) => Data::Null(rows),
        Data::Int(_) => concat_typed!(parts, rows, Int, 0),
        Data::UInt(_) => concat_typed!(parts, rows, UInt, 0),
        Data::Float(_) => concat_typed!(parts, rows, Float, 0.0),
        Data::Double(_) => concat_typed!(parts, rows, Double, 0.0),
        Data::Decimal(_) => concat_typed!(parts, rows, Decimal, value::Decimal::ZERO),
        Data::Date(_) => concat_typed!(parts, rows, Date, value::Date::ZERO),
        Data::DateTime(_) => concat_typed!(parts, rows, DateTime, value::DateTime::ZERO),
        Data::Time(_) => concat_typed!(parts, rows, Time, value::Time::ZERO),
        Data::Text(_) => Data::Text(concat_views(parts, rows)),
        Data::Bytes(_) => Data::Bytes(concat_views(parts, rows)),
        Data::Values(_) => {
            let mut all = Vec::with_capacity(rows);
            for part in parts {
                all.extend((0..part.len()).map(|row| part.value(row).into_owned()));
            }
            return Vector::new(Data::Values(all));
        }
    };
    if parts.iter().all(|part| part.validity.is_none() && !matches!(part.data, Data::Null(_))) {
        return Vector::new(data);
    }
    let mut validity = Bitmap::with_capacity(rows);
    for part in parts {
        (0..part.len()).for_each(|row| validity.push(!part.is_null(row)));
    }
    Vector::with_validity(data, validity)
}

/// Copies the text: a result of many batches must not pin every node that it came from.
fn concat_views(parts: &[&Vector], rows: usize) -> Views {
    let bytes = parts.iter().map(|part| match &part.data {
        Data::Text(views) | Data::Bytes(views) => views.value_bytes(),
        _ => 0,
    });
    let mut owned = Vec::with_capacity(bytes.sum());
    let mut places = Vec::with_capacity(rows);
    for part in parts {
        match &part.data {
            Data::Text(views) | Data::Bytes(views) => {
                for row in 0..views.len() {
                    let value = views.get(row);
                    // One buffer holds 4 GiB at most; linear memory is no larger.
                    places.push(View { buffer: 0, start: owned.len() as u32, len: value.len() as u32 });
                    owned.extend_from_slice(value);
                }
            }
            other => places.resize(places.len() + len_of_nulls(other), View::default()),
        }
    }
    let mut all = Views::with_capacity(rows);
    all.add_buffer(Buffer::Owned(Rc::new(owned)));
    places.into_iter().for_each(|view| all.push_view(view));
    all
}
