//! Procedures that exchange data with remotes: fetch, pull, push, clone, backup, lazy clones.

pub mod backup;
pub mod clone;
pub mod complete;
pub mod exchange;
pub mod fetch;
pub mod prefetch;
pub mod pull;
pub mod push;
pub mod remotes;
pub mod upstream;
