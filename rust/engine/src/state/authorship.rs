//! Author and time of commits (docs/format/database.md, section 3.1).

use std::rc::Rc;

use vcs::{Commit, CommitMeta, Identity};

use super::SessionState;
use crate::error::{Result, SqlError};

/// The identities and dates of a commit that is to be made.
#[derive(Debug, Clone)]
pub struct Authorship {
    pub author: Identity,
    pub committer: Identity,
    pub author_millis: i64,
    pub committer_millis: i64,
    /// The session's variables name a committer other than the author, so `--author` does not speak for both.
    committer_is_set: bool,
    /// `@@dolt_committer_date` says it, so `--date` does not.
    committer_date_is_set: bool,
    /// The time was given.
    date_is_set: bool,
}

/// A parent that seems to be from so short a time ahead was made just now.
const JUST_NOW_MILLIS: i64 = 1000;

impl Authorship {
    /// What the session's variables say, else the user of the connection and the clock.
    pub fn of(session: &SessionState) -> Result<Authorship> {
        let text = |name: &str| session.variables.borrow().text(name);
        let identity = |kind: &str| {
            let or = |text: String, default: &str| if text.is_empty() { default.into() } else { text.into_boxed_str() };
            let name = text(&format!("dolt_{kind}_name"));
            let email = text(&format!("dolt_{kind}_email"));
            let is_set = !name.is_empty() || !email.is_empty();
            (Identity { name: or(name, "root"), email: or(email, "root@localhost") }, is_set)
        };
        let (author, _) = identity("author");
        let (committer, is_set) = identity("committer");
        let date =
            |name: &str| Some(text(name)).filter(|text| !text.is_empty()).map(|text| parse_date(&text)).transpose();
        let (author_date, committer_date) = (date("dolt_author_date")?, date("dolt_committer_date")?);
        let now = session.host.now_microseconds().div_euclid(1000);
        Ok(Authorship {
            committer_is_set: is_set && committer != author,
            author,
            committer,
            author_millis: author_date.unwrap_or(now),
            committer_millis: committer_date.unwrap_or(now),
            committer_date_is_set: committer_date.is_some(),
            date_is_set: author_date.is_some() || committer_date.is_some(),
        })
    }

    /// `--author 'Name <mail>'`: the committer too, unless the session names another one.
    pub fn set_author(&mut self, text: &str) -> Result<()> {
        let author = parse_author(text)?;
        if !self.committer_is_set {
            self.committer = author.clone();
        }
        self.author = author;
        Ok(())
    }

    /// `--date`: the committer's too, unless the session has one for it.
    pub fn set_date(&mut self, text: &str) -> Result<()> {
        self.author_millis = parse_date(text)?;
        self.date_is_set = true;
        if !self.committer_date_is_set {
            self.committer_millis = self.author_millis;
        }
        Ok(())
    }

    /// What a commit says of itself. By the clock it is later than its parents, even in the millisecond in which those were
    /// made: histories are sorted by dates.
    pub fn meta(&self, message: &str, parents: &[Rc<Commit>]) -> CommitMeta {
        let latest = parents.iter().map(|parent| parent.meta.committer_millis).max();
        let is_just_now = |latest: &i64| (0..JUST_NOW_MILLIS).contains(&(latest - self.committer_millis));
        let after = latest.filter(|latest| !self.date_is_set && is_just_now(latest)).map(|latest| latest + 1);
        CommitMeta {
            author: self.author.clone(),
            committer: self.committer.clone(),
            author_millis: after.filter(|_| self.author_millis == self.committer_millis).unwrap_or(self.author_millis),
            committer_millis: after.unwrap_or(self.committer_millis),
            description: message.into(),
            signature: None,
        }
    }
}

/// `Name <mail>`.
pub fn parse_author(text: &str) -> Result<Identity> {
    if text.is_empty() {
        return Err(SqlError::general("Option 'author' requires a value"));
    }
    let wrong = || SqlError::general("Author not formatted correctly. Use 'Name <author@example.com>' format");
    let (name, mail) = text.rsplit_once(" <").ok_or_else(wrong)?;
    if name.is_empty() || mail.is_empty() {
        return Err(wrong());
    }
    let email: Box<str> = mail.replace('>', "").into();
    if email.is_empty() {
        return Err(SqlError::general("Aborting commit due to empty author email. Is your config set?"));
    }
    Ok(Identity { name: name.into(), email })
}

/// A date in one of the forms that Dolt takes, as milliseconds since 1970 UTC.
pub fn parse_date(text: &str) -> Result<i64> {
    let wrong = || SqlError::general(format!("error: '{text}' is not in a supported format."));
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let separator = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| "-/.".contains(*c)).ok_or_else(wrong)?;
    let parts: Vec<&str> = date.split(separator).collect();
    let [year, month, day] = parts[..] else { return Err(wrong()) };
    let number = |text: &str, digits: usize| -> Result<u32> {
        let fits = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| fits).ok_or_else(wrong)
    };
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let date =
        value::Date::new(year as u16, month as u8, day as u8).filter(|_| month > 0 && day > 0).ok_or_else(wrong)?;
    let (clock, offset) = match time {
        None => ("00:00:00", 0),
        Some(time) => match time.find(['Z', '+', '-']) {
            None => (time, 0),
            Some(at) => (&time[..at], zone_seconds(&time[at..]).ok_or_else(wrong)?),
        },
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let parts: Vec<&str> = clock.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return Err(wrong()) };
    let (hours, minutes, seconds) = (number(hours, 2)?, number(minutes, 2)?, number(seconds, 2)?);
    if hours > 23 || minutes > 59 || seconds > 59 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let millis: i64 = format!("{fraction:0<3}")[..3].parse().map_err(|_| wrong())?;
    let seconds = i64::from(hours * 3600 + minutes * 60 + seconds) - offset;
    Ok(days_since_1970(date.year().into(), date.month().into(), date.day().into()) * 86_400_000
        + seconds * 1000
        + millis)
}

/// `Z` or `+hh:mm` as seconds east of UTC.
fn zone_seconds(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, rest) = zone.split_at(1);
    let (hours, minutes) = rest.split_once(':')?;
    let number = |text: &str| text.parse::<i64>().ok().filter(|_| text.len() == 2);
    let seconds = number(hours)? * 3600 + number(minutes)? * 60;
    Some(if sign == "-" { -seconds } else { seconds })
}

/// Days of the proleptic Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_all_forms() {
        for (text, millis) in [
            ("1970-01-01", 0),
            ("2024-01-01T00:00:00", 1_704_067_200_000),
            ("2024/02/29T12:30:15Z", 1_709_209_815_000),
            ("2024.01.01T00:00:00.25+01:00", 1_704_063_600_250),
            ("1969-12-31T23:59:59-00:30", 1_799_000),
        ] {
            assert_eq!(parse_date(text).unwrap(), millis, "{text}");
        }
        for text in ["", "2024-1-1", "2024-01-01 00:00:00", "2024-13-01", "2024-01-01T25:00:00", "x"] {
            assert!(parse_date(text).is_err(), "{text}");
        }
    }

    #[test]
    fn authors_have_a_name_and_a_mail() {
        assert_eq!(parse_author("A B <a@b.c>").unwrap(), Identity { name: "A B".into(), email: "a@b.c".into() });
        assert!(parse_author("nobody").is_err());
    }
}
