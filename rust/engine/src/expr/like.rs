//! LIKE patterns, read once and matched often.

use value::Collation;

/// A pattern in pieces. Characters match when the collation holds them equal.
pub struct LikePattern {
    pieces: Vec<Piece>,
    collation: Collation,
}

enum Piece {
    Character(char),
    /// `_`
    One,
    /// `%`
    Any,
}

impl LikePattern {
    pub fn new(pattern: &str, escape: Option<char>, collation: Collation) -> LikePattern {
        let mut pieces = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            pieces.push(match character {
                c if Some(c) == escape => Piece::Character(characters.next().unwrap_or(c)),
                '%' => Piece::Any,
                '_' => Piece::One,
                c => Piece::Character(c),
            });
        }
        LikePattern { pieces, collation }
    }

    /// Whether the whole text matches. Takes time proportional to text and pattern: only the last `%` is ever retried.
    pub fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut at, mut piece) = (0, 0);
        let mut retry: Option<(usize, usize)> = None;
        while at < text.len() {
            match self.pieces.get(piece) {
                Some(Piece::Any) => {
                    retry = Some((at, piece + 1));
                    piece += 1;
                    continue;
                }
                Some(Piece::One) => {
                    (at, piece) = (at + 1, piece + 1);
                    continue;
                }
                Some(Piece::Character(c)) if self.is_equal(*c, text[at]) => {
                    (at, piece) = (at + 1, piece + 1);
                    continue;
                }
                _ => {}
            }
            let Some((from, behind)) = retry else { return false };
            retry = Some((from + 1, behind));
            (at, piece) = (from + 1, behind);
        }
        self.pieces[piece..].iter().all(|piece| matches!(piece, Piece::Any))
    }

    fn is_equal(&self, pattern: char, text: char) -> bool {
        if pattern == text {
            return true;
        }
        let (mut a, mut b) = ([0; 4], [0; 4]);
        let (a, b) = (pattern.encode_utf8(&mut a), text.encode_utf8(&mut b));
        self.collation.compare(a.as_bytes(), b.as_bytes()).is_eq()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_and_escapes() {
        let matches = |pattern: &str, text: &str| {
            LikePattern::new(pattern, Some('\\'), Collation::UTF8MB4_0900_BIN).matches(text)
        };
        assert!(matches("%", ""));
        assert!(matches("a%c", "abbbc") && !matches("a%c", "abbbcd"));
        assert!(matches("_b%", "abx") && !matches("_b%", "b"));
        assert!(matches("100\\%", "100%") && !matches("100\\%", "1000"));
        assert!(matches("%a%a%a%", "banana") && !matches("%a%a%a%a%", "banana"));
        assert!(!matches("A", "a"));
    }
}
