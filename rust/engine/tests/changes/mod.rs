//! Tests of changes: INSERT, UPDATE, DELETE, LOAD DATA, imports, definitions, scripts.

pub mod files_are_loaded;
pub mod schemas_equal_native_dolt;
pub mod scripts_equal_their_statements;
pub mod texts_become_rows;
pub mod upgrade_scripts_go_on;
pub mod views_take_changes;
pub mod writes_equal_native_dolt;
