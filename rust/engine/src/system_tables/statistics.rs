//! `dolt_statistics` and `information_schema.column_statistics`: what ANALYZE TABLE has counted.

use value::{Date, DateTime, Json, SqlType, Value, convert};

use super::information_schema::source::{Asked, Row, Source};
use super::relation::at::At;
use super::relation::computed::{Computed, column, required, text};
use crate::engine::{Bucket, IndexStatistics};
use crate::error::Result;
use crate::system_tables::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::table("dolt_statistics", table)];

/// `mcv1` to `mcv4`.
const FREQUENT_SHOWN: usize = 4;

/// `dolt_statistics`: a row for each bucket, of tables that there are.
pub fn table(at: At) -> Computed {
    let text = |name| required(text(name));
    let count = |name| required(column(name, SqlType::BIGINT));
    let mut columns: Vec<_> = ["database_name", "table_name", "index_name"].map(text).into();
    columns.extend(["row_count", "distinct_count", "null_count"].map(count));
    columns.extend(["columns", "types", "upper_bound"].map(text));
    columns.push(count("upper_bound_cnt"));
    columns.push(required(column("created_at", SqlType::DateTime { decimals: 0 })));
    columns.extend(["mcv1", "mcv2", "mcv3", "mcv4", "mcv_counts"].map(text));
    Computed::new(at.database(), "dolt_statistics", columns, move |_, _, _| {
        let mut rows = Vec::new();
        let branch = at.branch()?.unwrap_or_default();
        for listed in at.place.listed(&at.root)? {
            let Some(known) = at.place.attached.statistics.of(&branch, &listed.name) else { continue };
            for index in known.indexes.iter() {
                for bucket in &index.buckets {
                    rows.push(row(&at.place.attached.name, &listed.name, index, bucket));
                }
            }
        }
        Ok(Box::new(rows.into_iter().map(Ok)))
    })
}

fn row(database: &str, table: &str, index: &IndexStatistics, bucket: &Bucket) -> Vec<Value<'static>> {
    let mut row = Vec::with_capacity(16);
    for name in [database, &table.to_lowercase(), &index.index] {
        row.push(Value::text(name.to_owned()));
    }
    for count in [bucket.rows, bucket.distinct, bucket.nulls] {
        row.push(Value::Int(count.cast_signed()));
    }
    for text in [index.columns.join(","), types(index).join(","), key_text(&bucket.bound.0, &index.types)] {
        row.push(Value::text(text));
    }
    row.push(Value::Int(bucket.bound.1.cast_signed()));
    row.push(Date::new(1, 1, 1).map_or(Value::Null, |date| Value::DateTime(DateTime::from(date))));
    let mut counts = Vec::new();
    for at in 0..FREQUENT_SHOWN {
        let frequent = bucket.frequent.get(at);
        row.push(Value::text(frequent.map_or_else(String::new, |(key, _)| key_text(key, &index.types))));
        counts.extend(frequent.map(|(_, rows)| rows.to_string()));
    }
    row.push(Value::text(counts.join(",")));
    row
}

fn types(index: &IndexStatistics) -> Vec<String> {
    index.types.iter().map(SqlType::shown_without_collation).collect()
}

/// A key as text: NULL is the type's zero, and text that is none is empty.
fn key_text(key: &[Value<'_>], types: &[SqlType]) -> String {
    let mut texts = Vec::new();
    for (value, kind) in key.iter().zip(types) {
        let day = |day: &str| format!("{day} +0000 UTC");
        texts.push(match value {
            Value::Null => match kind {
                _ if kind.is_text() || kind.is_binary() => String::new(),
                SqlType::Decimal { scale: scale @ 1.., .. } => format!("0.{}", "0".repeat(usize::from(*scale))),
                SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => day("-0001-11-30 00:00:00"),
                SqlType::Time => "00:00:00".to_owned(),
                _ => "0".to_owned(),
            },
            Value::Date(date) => day(&format!("{date} 00:00:00")),
            Value::DateTime(_) => day(&convert::to_string(value).unwrap_or_default()),
            Value::Enum(member) => member.index.to_string(),
            Value::Set(members) => members.bits.to_string(),
            Value::Bit(bits) => bits.to_string(),
            value => {
                String::from_utf8(convert::to_text(value, kind).unwrap_or_default().into_owned()).unwrap_or_default()
            }
        });
    }
    texts.join(",")
}

/// `information_schema.column_statistics`: a row for each index.
pub fn of_columns(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "SCHEMA_NAME", &mut |stored, rows| {
        let branch = stored.place.branch().unwrap_or_default();
        let Some(known) = stored.place.attached.statistics.of(branch, &stored.name) else { return Ok(()) };
        for index in known.indexes.iter() {
            let mut row = Row::new();
            for name in [stored.database, &stored.name, &index.columns.join(",")] {
                row.push(Value::text(name.to_owned()));
            }
            let qualifier = format!("{}.{}.{}", stored.place.attached.name, stored.name.to_lowercase(), index.index);
            row.push(Value::json(histogram(index, qualifier)));
            rows.push(row);
        }
        Ok(())
    })
}

fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().collect())
}

/// The names, and the count of all rows as that of NULLs, are those of native Dolt.
fn histogram(index: &IndexStatistics, qualifier: String) -> Json {
    let strings = |texts: &[String]| Json::Array(texts.iter().map(|text| Json::string(&**text)).collect());
    let (mut rows, mut distinct) = (0, 0);
    let mut buckets = Vec::new();
    for bucket in &index.buckets {
        rows += bucket.rows;
        distinct += bucket.distinct;
        buckets.push(bucket_document(bucket));
    }
    let statistic = object(vec![
        ("row_count", Json::UInt(rows)),
        ("null_count", Json::UInt(rows)),
        ("distinct_count", Json::UInt(distinct)),
        ("avg_size", Json::UInt(0)),
        ("created_at", Json::string("0001-01-01 00:00:00.000000")),
        ("qualifier", Json::string(qualifier)),
        ("columns", strings(&index.columns)),
        ("types:", strings(&types(index))),
        ("buckets", Json::Array(buckets)),
    ]);
    object(vec![("statistic", statistic)])
}

fn bucket_document(bucket: &Bucket) -> Json {
    let key = |key: &[Value<'_>]| {
        let mut values = Vec::new();
        for value in key {
            values.push(match value {
                Value::Time(time) => Json::Time(*time),
                value => Json::from_scalar(value).unwrap_or(Json::Null),
            });
        }
        Json::Array(values)
    };
    let (mut frequent, mut counts) = (Vec::new(), Vec::new());
    for (values, rows) in &bucket.frequent {
        frequent.push(key(values));
        counts.push(Json::UInt(*rows));
    }
    object(vec![
        ("row_count", Json::UInt(bucket.rows)),
        ("distinct_count", Json::UInt(bucket.distinct)),
        ("null_count", Json::UInt(bucket.nulls)),
        ("bound_count", Json::UInt(bucket.bound.1)),
        ("upper_bound", key(&bucket.bound.0)),
        ("mcvs", Json::Array(frequent)),
        ("mcv_counts", Json::Array(counts)),
    ])
}
