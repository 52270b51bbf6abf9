//! Tests of queries: expressions, functions, joins, groups, indexes and the optimizer give the right answers.

pub mod answers_equal_native_dolt;
pub mod cases_run_in_varve;
pub mod columns_count_as_values_do;
pub mod dates_are_read_as_mysql_reads_them;
pub mod documents_keep_whole_numbers;
pub mod equal_rows_come_in_batches;
pub mod expressions_answer_as_native_dolt;
pub mod fixtures_equal_their_oracle;
pub mod functions_never_panic;
pub mod functions_page_lists_every_function;
pub mod groups_roll_up;
pub mod indexes_keep_answers;
pub mod joins_look_up_many_rows;
pub mod large_statements_spill;
pub mod lookups_answer_as_cursors_do;
pub mod plans_outlive_changes;
pub mod regular_expressions_end;
pub mod rows_of_subqueries_are_compared;
pub mod rows_without_partners_stay_out;
pub mod rules_keep_answers;
pub mod values_meet_alike;
pub mod windows_count_distinct_values;
