//! Random patterns match what `fancy-regex` says, groups included: in the simulation, in the backtracker with its memo and without.

use regexp::{Budget, Error, Flags, NONE, Regex, Wanted};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn atom(&mut self, depth: usize, irregular: bool) -> String {
        match self.below(if depth > 2 {
            4
        } else if irregular {
            10
        } else {
            6
        }) {
            0 | 1 => self.pick(&["a", "b", "c", "é"]).into(),
            2 => self.pick(&["[ab]", "[^a]", "[b-é]", "[^0-9]"]).into(),
            3 => self.pick(&[".", "ab", "(a)"]).into(),
            4 => format!("({})", self.alternatives(depth + 1, irregular)),
            5 => format!("(?:{})", self.alternatives(depth + 1, irregular)),
            6 => format!("(?={})a", self.alternatives(depth + 1, irregular)),
            7 => format!("(?!{})b", self.alternatives(depth + 1, irregular)),
            8 => format!("(?<={})c", self.pick(&["a", "b|c", "ab"])),
            _ => format!("(?>{})", self.alternatives(depth + 1, irregular)),
        }
    }

    fn sequence(&mut self, depth: usize, irregular: bool) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(3) {
            let atom = self.atom(depth, irregular);
            let quantifier = self.pick(&["", "", "*", "+", "?", "*?", "+?", "{2}", "{1,3}"]);
            text += &format!("(?:{atom}){quantifier}");
        }
        text + self.pick(&["a", "b", "c"])
    }

    fn alternatives(&mut self, depth: usize, irregular: bool) -> String {
        let first = self.sequence(depth, irregular);
        if self.below(3) == 0 { format!("{first}|{}", self.sequence(depth, irregular)) } else { first }
    }
}

#[test]
fn matches_and_groups_are_the_same() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut found = 0;
    for round in 0..3000 {
        let irregular = round % 2 == 1;
        let pattern = random.alternatives(0, irregular);
        let Ok(oracle) = fancy_regex::Regex::new(&pattern) else { continue };
        let ours = Regex::new(&pattern, Flags::default()).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
        // Long texts are searched by the simulation. The oracle backtracks over them where patterns are irregular.
        let padding = if round % 3 == 0 && !irregular { "-".repeat(20_000) } else { String::new() };
        let letters: String = (0..random.below(14)).map(|_| random.pick(&["a", "a", "b", "b", "c", "é"])).collect();
        let text = padding + &letters;
        let Ok(expected) = oracle.captures(&text) else { continue };
        let expected = expected.map(|captures| {
            captures.iter().map(|group| group.map(|group| (group.start(), group.end()))).collect::<Vec<_>>()
        });
        let mut budget = Budget::new(50_000_000, 8_000_000);
        let slots = match ours.find(&text, 0, Wanted::Groups, &mut budget) {
            Ok(slots) => slots,
            // Look-around at each of many positions.
            Err(Error::Timeout) if irregular => continue,
            Err(error) => panic!("{pattern}: {error:?}"),
        };
        let actual = slots.map(|slots| {
            let group = |pair: &[u32]| (pair[1] != NONE).then_some((pair[0] as usize, pair[1] as usize));
            slots.chunks_exact(2).map(group).collect::<Vec<_>>()
        });
        assert_eq!(actual, expected, "{pattern} in {letters:?}");
        budget.steps = 50_000_000;
        let exists = ours.find(&text, 0, Wanted::Existence, &mut budget).expect("an answer").is_some();
        assert_eq!(exists, expected.is_some(), "{pattern} in {letters:?}");
        found += usize::from(exists);
    }
    assert!(found > 500, "{found}");
}
