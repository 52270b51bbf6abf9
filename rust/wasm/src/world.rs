//! Host services of the engine: clock, randomness, time zones, regular expressions.

use std::rc::Rc;

use engine::{LocalFile, Regex, RegexFailure, RegexFlags, Spill, Wish};

use crate::host;
use crate::layout::WishCode;
use crate::local_file::HostLocalFile;
use crate::memory;
use crate::regex::HostRegex;
use crate::scratch::HostScratch;

/// The host's, through imports.
pub(crate) struct World;

impl engine::Host for World {
    fn now_microseconds(&self) -> i64 {
        (host::now_milliseconds() * 1000.0) as i64
    }

    fn random(&self, bytes: &mut [u8]) {
        host::random(bytes);
    }

    fn zone_offset_seconds(&self, zone: &str, epoch_seconds: i64) -> Option<i32> {
        host::zone_offset_seconds(zone, epoch_seconds)
    }

    fn wish(&self) -> Wish {
        match WishCode::from_number(host::wish() as u32) {
            Some(WishCode::GoOn) => Wish::GoOn,
            Some(WishCode::Yield) => Wish::Yield,
            Some(WishCode::End) | None => Wish::End,
        }
    }

    fn memory_left(&self) -> usize {
        memory::bytes_left()
    }

    fn open_file(&self, name: &str) -> Option<Box<dyn LocalFile>> {
        HostLocalFile::open(name).map(|file| -> Box<dyn LocalFile> { Box::new(file) })
    }

    fn spill(&self) -> Option<Box<dyn Spill>> {
        HostScratch::open().map(|file| -> Box<dyn Spill> { Box::new(file) })
    }

    fn regex(&self, pattern: &str, flags: RegexFlags) -> Option<Result<Rc<dyn Regex>, RegexFailure>> {
        Some(HostRegex::compile(pattern, flags).map(|regex| -> Rc<dyn Regex> { Rc::new(regex) }))
    }
}
