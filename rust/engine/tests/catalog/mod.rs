//! Tests of the catalog: system tables, information_schema, listings.

pub mod catalogs_are_read_by_tools;
pub mod listings_have_the_columns_of_native_dolt;
pub mod names_of_system_columns_are_free;
pub mod system_tables_equal_their_oracle;
