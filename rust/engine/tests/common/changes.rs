//! Tables with everything that rows can have to do with each other, and statements that change rows of them.

pub const TABLES: [&str; 4] = [
    "CREATE TABLE parent (id INT PRIMARY KEY, code VARCHAR(20) COLLATE utf8mb4_0900_ai_ci UNIQUE, n INT, KEY (n))",
    "CREATE TABLE child (id INT AUTO_INCREMENT PRIMARY KEY, p INT, note TEXT, KEY (p),
        CONSTRAINT fk FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE)",
    "CREATE TABLE strict_child (id INT PRIMARY KEY, p INT, KEY (p), CONSTRAINT fk2 FOREIGN KEY (p) REFERENCES parent (id))",
    "CREATE TABLE bag (a INT, b INT, KEY (b))",
];

/// Changes by keys: texts, and how many parameters they take.
pub const CHANGES: [(&str, usize); 12] = [
    ("INSERT INTO parent VALUES (?, concat('c', ?), ?)", 3),
    ("INSERT INTO parent VALUES (?, 'x', 1), (?, 'X', 2)", 2),
    ("INSERT IGNORE INTO parent VALUES (?, concat('C', ?), 0)", 2),
    ("REPLACE INTO parent VALUES (?, concat('c', ?), 7)", 2),
    ("INSERT INTO parent VALUES (?, concat('c', ?), 1) ON DUPLICATE KEY UPDATE n = n + 10", 2),
    ("UPDATE parent SET n = n + 1 WHERE id = ?", 1),
    ("UPDATE parent SET id = ? WHERE id = ?", 2),
    ("DELETE FROM parent WHERE id = ?", 1),
    ("INSERT INTO child (p, note) VALUES (?, repeat('long ', ?))", 2),
    ("INSERT INTO strict_child VALUES (?, ?)", 2),
    ("DELETE FROM strict_child WHERE id = ?", 1),
    ("INSERT INTO bag VALUES (?, 1), (?, 2)", 2),
];

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// A change and its parameters; `None` for one that moves a counter, which its engine alone knows when it was moved in vain.
pub fn any_change(random: &mut Random) -> Option<(usize, Vec<i64>)> {
    let at = random.below(CHANGES.len() as u64) as usize;
    let (sql, params) = CHANGES[at];
    if sql.starts_with("INSERT INTO child") {
        return None;
    }
    Some((at, (0..params).map(|_| random.below(60) as i64).collect()))
}
