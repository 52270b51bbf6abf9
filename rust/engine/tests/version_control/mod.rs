//! Tests of version control: branches, commits, merges, histories, remotes, revisions.

pub mod checkout_moves_changes;
pub mod commits_follow_their_parents;
pub mod deleted_branches_can_be_left;
pub mod histories_equal_native_dolt;
pub mod histories_grow_as_in_native_dolt;
pub mod ignored_tables_stay_unstaged;
pub mod merges_equal_native_dolt;
pub mod merges_lose_nothing;
pub mod messages_are_kept_as_written;
pub mod names_mean_tables_of_other_branches;
pub mod procedures_that_need_a_server_say_so;
pub mod remotes_are_pushed_and_pulled;
pub mod remotes_are_those_of_native_dolt;
pub mod roots_have_names;
pub mod the_reflog_is_that_of_native_dolt;
pub mod verifying_keeps_foreign_keys;
pub mod version_control_answers_as_recorded;
pub mod views_are_found_at_revisions;
