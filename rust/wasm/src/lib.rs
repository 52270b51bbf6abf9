//! The only crate that knows JavaScript.
//!
//! What may fault a page in is a raw export with numbers ([`exports`]): only those can be wrapped in
//! `WebAssembly.promising`, so that a read over the network suspends the stack. Their arguments and answers lie in two
//! buffers of linear memory ([`buffers`]). The rest goes through wasm-bindgen ([`glue`]).
//! `web/src/host/wasm/wasm_engine.ts` is the other side of all of it.

mod analysis;
mod attach;
mod buffers;
mod complete;
mod exports;
mod failure;
mod files;
mod glue;
mod host;
mod instance;
mod layout;
mod local_file;
mod memory;
mod params;
mod regex;
mod rows;
mod scratch;
#[cfg(test)]
mod typescript;
mod world;

#[cfg(target_family = "wasm")]
#[global_allocator]
pub(crate) static ALLOCATOR: region::SmallBlocks = region::SmallBlocks::new();
