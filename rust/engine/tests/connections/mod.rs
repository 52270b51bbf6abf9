//! Tests of connections: sessions, prepared statements, stored programs, dropped databases.

pub mod dropped_databases_leave_nothing;
pub mod procedures_answer_as_native_dolt;
pub mod sessions_begin_anew;
pub mod sessions_equal_native_dolt;
pub mod statements_of_a_session;
pub mod stored_programs_run;
