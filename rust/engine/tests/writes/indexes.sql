CREATE TABLE i (id INT PRIMARY KEY, a INT, b VARCHAR(30), c VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, d TEXT, KEY (a), UNIQUE KEY (b), KEY (c, a), KEY (d(4)), UNIQUE KEY (a, c));
CREATE TABLE u (id INT PRIMARY KEY, e ENUM('x', 'y', 'z'), s SET('p', 'q', 'r'), d DECIMAL(8, 2), KEY (e), KEY (s, d), UNIQUE KEY (d, e));
-- writes
INSERT INTO i VALUES (1, 1, 'one', 'Eins', 'a text'), (2, 2, 'two', 'zwei', 'another'), (3, NULL, NULL, NULL, NULL);
INSERT INTO i VALUES (4, 4, 'one', 'vier', NULL);
INSERT INTO i VALUES (4, NULL, NULL, NULL, NULL);
UPDATE i SET a = a * 10;
UPDATE i SET b = 'two' WHERE id = 1;
UPDATE i SET c = 'EINS' WHERE id = 1;
UPDATE i SET d = REPEAT('long ', 1000) WHERE id = 2;
REPLACE INTO i VALUES (5, 10, 'two', 'eins', 'both');
DELETE FROM i WHERE a > 5;
INSERT INTO u VALUES (1, 'x', 'p,q', 1.5), (2, 'z', '', 1.5), (3, NULL, NULL, NULL);
INSERT INTO u VALUES (4, 'x', 'r', 1.50);
UPDATE u SET e = 'y', s = 'r,p';
