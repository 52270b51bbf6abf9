//! `dolt_statistics` and `information_schema.column_statistics`: what ANALYZE TABLE has counted.

use value::{Date, DateTime, Json, SqlType, Value, convert, number_text};

use super::at::At;
use super::computed::{Computed, column, required, text};
use super::information_schema::{Asked, Row, Source};
use crate::engine::{Bucket, IndexStatistics};
use crate::error::Result;

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
        if let Some(branch) = at.branch()? {
            for listed in at.place.listed(&at.root)? {
                for index in
                    at.place.attached.statistics.of(&branch, &listed.name).iter().flat_map(|known| known.iter())
                {
                    let row = |bucket| row(&at.place.attached.name, &listed.name, index, bucket);
                    rows.extend(index.buckets.iter().map(row));
                }
            }
        }
        Ok(Box::new(rows.into_iter().map(Ok)))
    })
}

fn row(database: &str, table: &str, index: &IndexStatistics, bucket: &Bucket) -> Vec<Value<'static>> {
    let count = |count: u64| Value::Int(count.cast_signed());
    let mut row: Vec<Value<'static>> =
        [database, &table.to_lowercase(), &index.index].map(|name| Value::text(name.to_owned())).into();
    row.extend([bucket.rows, bucket.distinct, bucket.nulls].map(count));
    row.push(Value::text(index.columns.join(",")));
    row.push(Value::text(types(index).join(",")));
    row.push(Value::text(key_text(&bucket.bound.0, &index.types)));
    row.push(count(bucket.bound.1));
    row.push(Date::new(1, 1, 1).map_or(Value::Null, |date| Value::DateTime(DateTime::from(date))));
    let frequent = |at: usize| bucket.frequent.get(at).map_or_else(String::new, |(key, _)| key_text(key, &index.types));
    row.extend((0..FREQUENT_SHOWN).map(|at| Value::text(frequent(at))));
    let counts: Vec<String> = bucket.frequent.iter().map(|(_, rows)| rows.to_string()).collect();
    row.push(Value::text(counts.join(",")));
    row
}

fn types(index: &IndexStatistics) -> Vec<String> {
    index.types.iter().map(SqlType::shown_without_collation).collect()
}

/// A key as text: NULL is the type's zero, and text that is none is empty.
fn key_text(key: &[Value<'_>], types: &[SqlType]) -> String {
    let texts = key.iter().zip(types).map(|(value, kind)| match value {
        Value::Null => match kind {
            _ if kind.is_text() || kind.is_binary() => String::new(),
            SqlType::Decimal { scale, .. } => format!("{:.*}", usize::from(*scale), 0.0),
            SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => {
                "-0001-11-30 00:00:00 +0000 UTC".to_owned()
            }
            SqlType::Time => "00:00:00".to_owned(),
            _ => "0".to_owned(),
        },
        Value::Double(number) => number_text::double_text(*number),
        Value::Float(number) => number_text::float_text(*number),
        Value::Date(date) => format!("{date} 00:00:00 +0000 UTC"),
        Value::DateTime(_) => format!("{} +0000 UTC", convert::to_string(value).unwrap_or_default()),
        Value::Enum(member) => member.index.to_string(),
        Value::Set(members) => members.bits.to_string(),
        Value::Time(time) => time.text(6),
        value => convert::to_string(value).unwrap_or_default().into_owned(),
    });
    texts.collect::<Vec<_>>().join(",")
}

/// `information_schema.column_statistics`: a row for each index.
pub fn of_columns(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "SCHEMA_NAME", &mut |stored, rows| {
        let Some(branch) = stored.place.branch() else { return Ok(()) };
        let known = stored.place.attached.statistics.of(branch, &stored.name);
        for index in known.iter().flat_map(|known| known.iter()) {
            let mut row: Row = [stored.database, &*stored.name, &index.columns.join(",")]
                .map(|name| Value::text(name.to_owned()))
                .into();
            let qualifier = format!("{}.{}.{}", stored.place.attached.name, stored.name.to_lowercase(), index.index);
            row.push(Value::Json(histogram(index, qualifier).into()));
            rows.push(row);
        }
        Ok(())
    })
}

/// The names, and that of NULLs all rows are told, are those of native Dolt.
fn histogram(index: &IndexStatistics, qualifier: String) -> Json {
    let sum = |count: fn(&Bucket) -> u64| Json::UInt(index.buckets.iter().map(count).sum());
    let strings = |texts: &[String]| Json::Array(texts.iter().map(|text| Json::string(&**text)).collect());
    let statistic = [
        ("row_count", sum(|bucket| bucket.rows)),
        ("null_count", sum(|bucket| bucket.rows)),
        ("distinct_count", sum(|bucket| bucket.distinct)),
        ("avg_size", Json::UInt(0)),
        ("created_at", Json::string("0001-01-01 00:00:00.000000")),
        ("qualifier", Json::string(qualifier)),
        ("columns", strings(&index.columns)),
        ("types:", strings(&types(index))),
        ("buckets", Json::Array(index.buckets.iter().map(bucket_document).collect())),
    ];
    Json::Object([("statistic", Json::Object(statistic.into_iter().collect()))].into_iter().collect())
}

fn bucket_document(bucket: &Bucket) -> Json {
    let document = |value: &Value<'_>| match value {
        Value::Time(time) => Json::Time(*time),
        value => Json::from_scalar(value).unwrap_or(Json::Null),
    };
    let key = |key: &[Value<'_>]| Json::Array(key.iter().map(document).collect());
    let members = [
        ("row_count", Json::UInt(bucket.rows)),
        ("distinct_count", Json::UInt(bucket.distinct)),
        ("null_count", Json::UInt(bucket.nulls)),
        ("bound_count", Json::UInt(bucket.bound.1)),
        ("upper_bound", key(&bucket.bound.0)),
        ("mcvs", Json::Array(bucket.frequent.iter().map(|(values, _)| key(values)).collect())),
        ("mcv_counts", Json::Array(bucket.frequent.iter().map(|(_, rows)| Json::UInt(*rows)).collect())),
    ];
    Json::Object(members.into_iter().collect())
}
