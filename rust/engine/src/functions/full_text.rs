//! MATCH … AGAINST: how much a row's text says about the words that are searched for.
//!
//! The answer needs to know how common each word is. `match_statistics` counts that over all rows of the table, once a
//! statement, and `match_against` uses it for each row.

use std::rc::Rc;

use hashbrown::HashMap;
use value::{Collation, Json, SqlType, Value};

use super::aggregate::{Accumulator, Aggregate};
use super::argument::text_of;
use super::{Arguments, Entry, Function, Traits};
use crate::error::Result;
use crate::expr::{AggregateCall, Context, ExprType};
use crate::vector::Vector;

/// Shorter words are not indexed.
const WORD_BYTES_MIN: usize = 3;

pub(super) const ENTRIES: &[Entry<Function>] =
    // The words, the statistics, the columns.
    &[Entry::new("match_against", (3, usize::MAX), relevance_type, relevance)
            .handling_nulls()
            .internal()
            .about("words, statistics, column, …", "What `MATCH (column, …) AGAINST (words)` becomes")];

pub(super) const AGGREGATES: &[Entry<Aggregate>] = &[Entry::aggregate(
    "match_statistics",
    (2, usize::MAX),
    |_| ExprType::new(SqlType::Json, true),
    |call: &AggregateCall| {
        let collation = call.args.get(1).map_or(Collation::UTF8MB4_0900_BIN, |column| column.ty.collation());
        Box::new(Statistics { collation, wanted: None, rows: 0, counts: Vec::new() })
    },
)
.with(Traits::INTERNAL)
.about("words, column, …", "How many rows there are, and how many have each word")];

fn relevance_type(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Float, false)
}

/// The words of a text: letters, digits and `_`, with single apostrophes inside.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    // Two apostrophes in a row end a word.
    text.split(move |c: char| !is_part(c) && c != '\'')
        .flat_map(|word| word.split("''"))
        .map(|word| word.trim_matches('\''))
        .filter(|word| word.len() >= WORD_BYTES_MIN)
}

/// How often each different word stands in a text, by the keys of the collation, in the order of their first places.
fn counted(text: &str, collation: Collation) -> Vec<(Vec<u8>, u64)> {
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut counts: Vec<(Vec<u8>, u64)> = Vec::new();
    for word in words(text) {
        let mut key = Vec::new();
        collation.hash_key(word.as_bytes(), &mut key);
        match places.get(&key) {
            Some(&place) => counts[place].1 += 1,
            None => {
                places.insert(key.clone(), counts.len());
                counts.push((key, 1));
            }
        }
    }
    counts
}

/// The text of several columns as one.
fn document<'v>(values: impl Iterator<Item = Value<'v>>) -> Result<String> {
    let mut text = String::new();
    for value in values.filter(|value| !value.is_null()) {
        text.push_str(&text_of(&value)?);
        text.push(' ');
    }
    Ok(text)
}

/// Counts rows, and for each word that is searched for the rows that have it.
struct Statistics {
    collation: Collation,
    wanted: Option<Vec<Vec<u8>>>,
    rows: u64,
    counts: Vec<u64>,
}

impl Accumulator for Statistics {
    // One group: the whole table.
    fn resize(&mut self, _: usize) {}

    fn update(&mut self, groups: &[u32], args: &[Rc<Vector>], _: &Context) -> Result<()> {
        let [search, columns @ ..] = args else { return Ok(()) };
        if groups.is_empty() {
            return Ok(());
        }
        let wanted = match &self.wanted {
            Some(wanted) => wanted,
            None => {
                let search = document(std::iter::once(search.value(0)))?;
                let wanted = counted(&search, self.collation).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
                self.counts = vec![0; wanted.len()];
                self.wanted.insert(wanted)
            }
        };
        for row in 0..groups.len() {
            self.rows += 1;
            let text = document(columns.iter().map(|column| column.value(row)))?;
            for (key, _) in counted(&text, self.collation) {
                if let Some(at) = wanted.iter().position(|wanted| *wanted == key) {
                    self.counts[at] += 1;
                }
            }
        }
        Ok(())
    }

    /// `[rows, rows with the first word, …]`.
    fn value(&mut self, _: usize, _: &Context) -> Result<Value<'static>> {
        let numbers = std::iter::once(self.rows).chain(self.counts.iter().copied()).map(Json::UInt);
        Ok(Value::json(Json::Array(numbers.collect())))
    }
}

/// The sum over the words of what each says: more the more often it stands in the row, less the more rows have it.
fn relevance(a: &Arguments<'_>) -> Result<Value<'static>> {
    let collation = a.types.get(2).map_or(Collation::UTF8MB4_0900_BIN, ExprType::collation);
    let number = |json: &Json| match json {
        Json::UInt(number) => *number as f64,
        _ => 0.0,
    };
    let (Value::Json(statistics), false) = (a.get(1), a.is_null(0)) else { return Ok(Value::Float(0.0)) };
    let Json::Array(statistics) = &***statistics else { return Ok(Value::Float(0.0)) };
    let [rows, with_word @ ..] = &statistics[..] else { return Ok(Value::Float(0.0)) };
    let text = document((2..a.len()).map(|n| a.get(n).borrowed()))?;
    let in_row = counted(&text, collation);
    let different = in_row.len() as f64;
    let length = different / (1.0 + 0.115 * different);
    let mut sum = 0.0f32;
    for ((word, _), rows_with) in counted(&a.text(0)?, collation).iter().zip(with_word) {
        let Some((_, count)) = in_row.iter().find(|(key, _)| key == word) else { continue };
        let frequency = (*count as f64).ln() + 1.0;
        let rarity = (number(rows) / number(rows_with)).ln() + 1.0;
        sum += (frequency * length * rarity) as f32;
    }
    // As the reference: so that every match is true when it is rounded.
    Ok(Value::Float(if sum > 0.0 { sum + 0.5 } else { sum }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_digits_and_inner_apostrophes() {
        let text = "The cat's 'quoted' it's a b_c of 123, don''t naïve-é";
        let expected = ["The", "cat's", "quoted", "it's", "b_c", "123", "don", "naïve"];
        assert_eq!(words(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn words_are_counted_by_the_collation() {
        let counts = |collation| counted("Red red apple", collation).iter().map(|(_, n)| *n).collect::<Vec<_>>();
        assert_eq!(counts(Collation::UTF8MB4_0900_BIN), [1, 1, 1]);
        assert_eq!(counts(Collation::UTF8MB4_0900_AI_CI), [2, 1]);
    }
}
