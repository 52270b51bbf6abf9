//! Tests of the dialect: what Dolt and MySQL read, what is refused, what errors say.

pub mod errors_say_what_helps;
pub mod nothing_is_done_in_silence;
pub mod nothing_is_lost_where_native_dolt_loses_it;
pub mod refused_as_in_dolt;
pub mod what_dolt_refuses_is_a_switch;
