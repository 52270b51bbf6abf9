//! What every target of libFuzzer is: a format's reader, and its structure-aware mutations beside libFuzzer's own.

pub use fuzz_targets::{Format, mutate};
pub use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

/// A mutation of the structure for one input, one of its bytes for the next: what libFuzzer knows of coverage is of use to both.
pub fn mutate_either(format: Format, data: &mut [u8], length: usize, length_max: usize, seed: u32) -> usize {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, length, length_max);
    }
    let mut bytes = data[..length].to_vec();
    mutate(format, &mut bytes, seed.into(), length_max);
    bytes.truncate(length_max);
    data[..bytes.len()].copy_from_slice(&bytes);
    bytes.len()
}

/// The two functions that libFuzzer calls, for one format.
#[macro_export]
macro_rules! target {
    ($format:ident) => {
        $crate::fuzz_target!(|data: &[u8]| $crate::Format::$format.run(data));
        $crate::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate_either($crate::Format::$format, data, size, max_size, seed)
        });
    };
}
