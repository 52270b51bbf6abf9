//! What the engine needs of the world: clock, randomness, time zones.

use crate::host;

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
}
