//! ENUM and SET: the members a column declares, and values that point into them.

use std::rc::Rc;

use crate::collation::Collation;

/// The members of an ENUM column.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct EnumType {
    /// In order of declaration; the first has index 1.
    pub members: Vec<String>,
    pub collation: Collation,
}

/// The members of a SET column, at most 64.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct SetType {
    /// In order of declaration; the first is bit 0.
    pub members: Vec<String>,
    pub collation: Collation,
}

/// A member of an ENUM: index 0 is the empty string, an invalid value.
#[derive(Debug, Clone)]
pub struct EnumValue {
    pub index: u16,
    pub kind: Rc<EnumType>,
}

/// A choice of members of a SET: bit i is member i.
#[derive(Debug, Clone)]
pub struct SetValue {
    pub bits: u64,
    pub kind: Rc<SetType>,
}

impl EnumType {
    /// The text of member `index`, counted from 1; index 0 is `''`.
    pub fn member(&self, index: u16) -> Option<&str> {
        match index {
            0 => Some(""),
            _ => self.members.get(usize::from(index) - 1).map(String::as_str),
        }
    }

    /// The index of the member that equals `text` under the column's collation, counted from 1.
    pub fn find(&self, text: &str) -> Option<u16> {
        let at = find_member(&self.members, self.collation, text)?;
        u16::try_from(at + 1).ok()
    }
}

impl EnumType {
    /// The index a text means: of the equal member, or the number it is if no member equals it.
    pub fn index_of(&self, text: &str) -> Option<u16> {
        self.find(text).or_else(|| text.parse().ok().and_then(|number: i64| self.valid_index(number)))
    }

    /// The number as an index, if it is one; 0 is not.
    pub fn valid_index(&self, number: i64) -> Option<u16> {
        let index = u16::try_from(number).ok()?;
        (index != 0 && usize::from(index) <= self.members.len()).then_some(index)
    }
}

impl EnumValue {
    pub fn text(&self) -> &str {
        self.kind.member(self.index).unwrap_or("")
    }
}

impl SetType {
    /// The mask of all declared members.
    pub fn all_bits(&self) -> u64 {
        match self.members.len() {
            0 => 0,
            count if count >= 64 => u64::MAX,
            count => (1 << count) - 1,
        }
    }

    /// The bit mask of a comma-separated list of members; a number is the mask of one member. `Err` names the
    /// first that is none. Spaces behind a name do not count.
    pub fn parse<'a>(&self, list: &'a str) -> Result<u64, &'a str> {
        let mut bits = 0;
        for name in list.split(',').filter(|name| !name.is_empty()) {
            bits |= self.bit(name).ok_or(name)?;
        }
        if list.contains(',') && list.split(',').any(str::is_empty) {
            // An empty name is the empty member where there is one, and nothing otherwise.
            bits |= self.bit("").unwrap_or(0);
        }
        Ok(bits)
    }

    fn bit(&self, name: &str) -> Option<u64> {
        if let Some(at) = find_member(&self.members, self.collation, name.trim_end_matches(' ')) {
            return (at < 64).then(|| 1 << at);
        }
        let number: u64 = name.parse().ok()?;
        (number == 0 || (number.is_power_of_two() && number & self.all_bits() != 0)).then_some(number)
    }

    /// The members of `bits`, comma-separated, in order of declaration.
    pub fn text(&self, bits: u64) -> String {
        let mut text = String::new();
        for (at, member) in self.members.iter().take(64).enumerate() {
            if bits & (1 << at) != 0 {
                if !text.is_empty() {
                    text.push(',');
                }
                text.push_str(member);
            }
        }
        text
    }
}

impl SetValue {
    pub fn text(&self) -> String {
        self.kind.text(self.bits)
    }
}

fn find_member(members: &[String], collation: Collation, text: &str) -> Option<usize> {
    members.iter().position(|member| member == text).or_else(|| {
        let equal = |member: &String| collation.compare(member.as_bytes(), text.as_bytes()).is_eq();
        members.iter().position(equal)
    })
}
