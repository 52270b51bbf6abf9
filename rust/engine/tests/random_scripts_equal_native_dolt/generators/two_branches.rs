//! Questions about two branches, `main` and `b1`, that several generators ask.

use crate::common::generate::Random;

/// So many questions there are.
pub const QUESTIONS: usize = 15;

/// Two commits to compare.
pub fn pair(random: &mut Random) -> &'static str {
    random.pick::<&str>(&["'HEAD~1', 'HEAD'", "'main', 'b1'", "'b1', 'main'", "'HEAD', 'WORKING'", "'main~2', 'main'"])
}

/// One of them, about a table; any number behind the last asks for its rows.
pub fn question(number: usize, table: &str, pair: &str) -> String {
    match number {
        // What is not committed changed now.
        0 if pair.contains("WORKING") => format!("select diff_type from dolt_diff({pair}, '{table}')"),
        0 => format!("select * from dolt_diff({pair}, '{table}')"),
        1 => format!("select * from dolt_diff_stat({pair})"),
        2 => format!("select * from dolt_diff_summary({pair})"),
        3 => format!("select * from dolt_patch({pair})"),
        4 => format!("select * from dolt_schema_diff({pair})"),
        5 => format!("select * from dolt_history_{table}"),
        6 => format!("select * from dolt_diff_{table}"),
        7 => format!("select * from dolt_blame_{table}"),
        8 => "select commit_hash, message, parents from dolt_log('--parents')".into(),
        9 => format!("select * from {table} as of 'HEAD~1'"),
        10 => format!("show create table {table} as of 'b1'"),
        11 => "select * from dolt_preview_merge_conflicts_summary('main', 'b1')".into(),
        12 => format!("select * from dolt_preview_merge_conflicts('main', 'b1', '{table}')"),
        13 => "select * from dolt_column_diff".into(),
        _ => format!("select * from {table}"),
    }
}
