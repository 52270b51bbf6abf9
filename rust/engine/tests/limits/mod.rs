//! Tests of limits: bounded calls that yield, bounded memory and stack, damaged files.

pub mod calls_are_bounded;
pub mod cascades_give_turns;
pub mod collections_let_others_work;
pub mod counts_of_changes_give_turns;
pub mod damaged_chunks_are_errors;
pub mod definitions_give_turns;
pub mod long_texts_give_turns;
pub mod long_transactions_take_bounded_memory;
pub mod merges_give_turns;
pub mod mutated_databases_answer_or_fail;
pub mod statements_nest_within_the_stack;
pub mod verifications_let_others_work;
