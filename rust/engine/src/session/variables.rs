//! System variables of a session.

use hashbrown::HashMap;
use value::Value;

/// Variables that somebody set; the defaults are in [`DEFAULTS`].
#[derive(Debug, Default)]
pub struct Variables {
    set: HashMap<Box<str>, Value<'static>>,
}

/// A variable's name, its default, and whether it may be set.
pub struct Definition {
    pub name: &'static str,
    pub default: Default,
    pub read_only: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum Default {
    Text(&'static str),
    Int(i64),
}

pub(crate) const SQL_MODE: &str = "NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES";

macro_rules! variables {
    ($($name:literal = $kind:ident($value:expr) $($flag:ident)?;)*) => {
        /// Sorted by name.
        pub static DEFAULTS: &[Definition] = &[$(
            Definition { name: $name, default: Default::$kind($value), read_only: variables!(@flag $($flag)?) },
        )*];
    };
    (@flag read_only) => { true };
    (@flag) => { false };
}

variables! {
    "auto_increment_increment" = Int(1);
    "auto_increment_offset" = Int(1);
    "autocommit" = Int(1);
    "character_set_client" = Text("utf8mb4");
    "character_set_connection" = Text("utf8mb4");
    "character_set_database" = Text("utf8mb4");
    "character_set_results" = Text("utf8mb4");
    "character_set_server" = Text("utf8mb4");
    "character_set_system" = Text("utf8mb3") read_only;
    "collation_connection" = Text("utf8mb4_0900_bin");
    "collation_database" = Text("utf8mb4_0900_bin");
    "collation_server" = Text("utf8mb4_0900_bin");
    "cte_max_recursion_depth" = Int(1000);
    "default_storage_engine" = Text("InnoDB");
    "div_precision_increment" = Int(4);
    "dolt_allow_commit_conflicts" = Int(0);
    "dolt_author_date" = Text("");
    "dolt_author_email" = Text("");
    "dolt_author_name" = Text("");
    "dolt_committer_date" = Text("");
    "dolt_committer_email" = Text("");
    "dolt_committer_name" = Text("");
    "dolt_dont_merge_json" = Int(0);
    "dolt_force_transaction_commit" = Int(0);
    "dolt_override_schema" = Text("");
    "dolt_show_branch_databases" = Int(0);
    "dolt_show_system_tables" = Int(0);
    "dolt_transaction_commit" = Int(0);
    "dolt_transaction_commit_message" = Text("");
    "event_scheduler" = Text("ON");
    "foreign_key_checks" = Int(1);
    "group_concat_max_len" = Int(1024);
    "interactive_timeout" = Int(28800);
    "local_infile" = Int(0);
    "lower_case_table_names" = Int(0) read_only;
    "max_allowed_packet" = Int(1_073_741_824);
    "max_execution_time" = Int(0);
    "net_write_timeout" = Int(1);
    "regexp_time_limit" = Int(32);
    "sql_auto_is_null" = Int(0);
    "sql_mode" = Text(SQL_MODE);
    "sql_safe_updates" = Int(0);
    "sql_select_limit" = Int(i64::MAX);
    "sql_warnings" = Int(1);
    "strict_mysql_compatibility" = Int(0);
    "system_time_zone" = Text("UTC") read_only;
    "time_zone" = Text("SYSTEM");
    "transaction_isolation" = Text("REPEATABLE-READ");
    "transaction_read_only" = Int(0);
    "tx_isolation" = Text("REPEATABLE-READ");
    "unique_checks" = Int(1);
    "version" = Text("8.0.31") read_only;
    "version_comment" = Text("Dolt") read_only;
    "wait_timeout" = Int(28800);
}

impl Default {
    pub fn value(self) -> Value<'static> {
        match self {
            Default::Text(text) => Value::text(text),
            Default::Int(number) => Value::Int(number),
        }
    }
}

pub fn definition(name: &str) -> Option<&'static Definition> {
    DEFAULTS.binary_search_by(|known| known.name.cmp(name)).ok().map(|at| &DEFAULTS[at])
}

impl Variables {
    /// The value of a variable; `None` for an unknown name. Names are lower case.
    pub fn get(&self, name: &str) -> Option<Value<'static>> {
        self.set.get(name).cloned().or_else(|| definition(name).map(|known| known.default.value()))
    }

    pub fn set(&mut self, name: &str, value: Value<'static>) {
        self.set.insert(name.into(), value);
    }

    pub fn text(&self, name: &str) -> String {
        match self.get(name) {
            Some(Value::Text(text)) => text.into_owned(),
            Some(Value::Int(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(Value::Int(number)) => number,
            Some(Value::UInt(number)) => number as i64,
            Some(Value::Text(text)) => text.parse().unwrap_or(0),
            _ => 0,
        }
    }

    pub fn has_sql_mode(&self, mode: &str) -> bool {
        self.text("sql_mode").split(',').any(|known| known.trim().eq_ignore_ascii_case(mode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(DEFAULTS.is_sorted_by_key(|known| known.name));
    }
}
