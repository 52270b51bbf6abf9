//! Time zones: offsets such as `+05:30` by ourselves, names such as `Europe/Berlin` by the host.

use value::temporal::SECOND;
use value::{DateTime, Time};

use crate::expr::Context;

/// Minutes east of UTC that an offset goes at most: `-13:59` to `+14:00`.
const MINUTES_EAST_MAX: i64 = 14 * 60;
const MINUTES_WEST_MAX: i64 = 13 * 60 + 59;

/// `+05:30` in seconds.
fn offset(zone: &str) -> Option<i64> {
    let (sign, rest) = match zone.as_bytes().first()? {
        b'+' => (1, &zone[1..]),
        b'-' => (-1, &zone[1..]),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str| (1..=2).contains(&text.len()).then(|| text.parse::<u8>().ok()).flatten().map(i64::from);
    let minutes = sign * (number(hours)? * 60 + number(minutes).filter(|minutes| *minutes < 60)?);
    (-MINUTES_WEST_MAX..=MINUTES_EAST_MAX).contains(&minutes).then_some(minutes * 60)
}

/// Whether the session's `time_zone` may be this. Offsets may be larger than any clock's, as in the reference.
pub fn is_known(context: &Context, zone: &str) -> bool {
    let digits = |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_offset = zone.strip_prefix(['+', '-']).and_then(|rest| rest.split_once(':'));
    zone.is_empty()
        || zone.eq_ignore_ascii_case("SYSTEM")
        || is_offset.is_some_and(|(hours, minutes)| digits(hours) && digits(minutes))
        || offset_seconds(context, zone, 0).is_some()
}

/// Seconds east of UTC that a zone has at a moment; `None` for an unknown zone.
pub fn offset_seconds(context: &Context, zone: &str, utc_seconds: i64) -> Option<i64> {
    match zone {
        // The page's clock is UTC.
        "SYSTEM" | "UTC" | "GMT" => Some(0),
        zone => offset(zone).or_else(|| context.session.host.zone_offset_seconds(zone, utc_seconds).map(i64::from)),
    }
}

pub fn from_utc(context: &Context, zone: &str, moment: DateTime) -> Option<DateTime> {
    let seconds = offset_seconds(context, zone, moment.microseconds().div_euclid(SECOND))?;
    DateTime::from_microseconds(moment.microseconds() + seconds * SECOND)
}

/// A local moment in UTC. Where clocks were set back and a moment came twice, one of the two is taken.
pub fn to_utc(context: &Context, zone: &str, moment: DateTime) -> Option<DateTime> {
    let local = moment.microseconds().div_euclid(SECOND);
    let guess = offset_seconds(context, zone, local)?;
    let seconds = offset_seconds(context, zone, local - guess)?;
    DateTime::from_microseconds(moment.microseconds() - seconds * SECOND)
}

/// The session's `time_zone`.
pub fn of_session(context: &Context) -> String {
    context.session.variables.borrow().text("time_zone")
}

impl Context {
    /// A moment in the session's zone.
    pub fn local(&self, moment: DateTime) -> DateTime {
        from_utc(self, &of_session(self), moment).unwrap_or(moment)
    }

    /// When the statement began, in the session's zone.
    pub fn local_now(&self) -> DateTime {
        self.local(self.now())
    }

    /// A time as a moment of today, or of the days around it.
    pub fn today_at(&self, time: Time) -> Option<DateTime> {
        let now = self.local_now();
        DateTime::from_microseconds(now.microseconds() - now.since_midnight() + time.microseconds())
    }
}

#[cfg(test)]
mod tests {
    use super::offset;

    #[test]
    fn offsets_have_a_range() {
        assert_eq!(offset("+05:30"), Some(19_800));
        assert_eq!(offset("-13:59"), Some(-50_340));
        assert_eq!(offset("+14:00"), Some(50_400));
        assert_eq!(offset("+2:00"), Some(7_200));
        for wrong in ["", "+", "05:30", "+14:01", "-14:00", "+1:60", "+001:00", "+é:00", "+1:-1"] {
            assert_eq!(offset(wrong), None, "{wrong}");
        }
    }
}
