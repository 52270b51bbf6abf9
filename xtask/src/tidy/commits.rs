//! Subjects of commits: what `git log --oneline` shows without breaking a line.

use std::process::Command;

use crate::files;

/// The last commit before the rule.
const BASE: &str = "c505239b1e";
const SUBJECT_CHARACTERS_MAX: usize = 72;

/// Commits whose subject is too long. None where the history is not there, as in a shallow clone.
pub fn short_subjects() -> Vec<String> {
    let range = format!("{BASE}..HEAD");
    let output =
        Command::new("git").args(["log", "--no-merges", "--format=%h %s", &range]).current_dir(files::root()).output();
    let Ok(output) = output else { return Vec::new() };
    if !output.status.success() {
        return Vec::new();
    }
    String::from_utf8_lossy(&output.stdout).lines().filter_map(offence).collect()
}

/// What is wrong with a line of a hash and a subject.
fn offence(line: &str) -> Option<String> {
    let (hash, subject) = line.split_once(' ')?;
    let length = subject.chars().count();
    (length > SUBJECT_CHARACTERS_MAX)
        .then(|| format!("{hash}: a subject of {length} characters, of {SUBJECT_CHARACTERS_MAX} at most: {subject}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_of_72_characters_pass() {
        assert_eq!(offence(&format!("abc {}", "é".repeat(72))), None);
        assert!(offence(&format!("abc {}", "é".repeat(73))).is_some_and(|text| text.starts_with("abc: ")));
    }
}
