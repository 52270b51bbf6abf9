-- Years, bits and numbers are equal as numbers, also where a join or IN finds them by a hash.
CREATE TABLE a (id INT PRIMARY KEY, y YEAR, b BIT(16));
CREATE TABLE n (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f BOOLEAN);
INSERT INTO a VALUES (1, 2000, 2000), (2, 2001, 1), (3, 2002, 0), (4, NULL, NULL);
INSERT INTO n VALUES (1, 2000, 2001, 1), (2, 2001, 2000, 0), (3, 5, 5, NULL);
SELECT a.id, n.id FROM a JOIN n ON a.y = n.i ORDER BY 1, 2;
SELECT a.id, n.id FROM a JOIN n ON a.y = n.u ORDER BY 1, 2;
SELECT a.id, n.id FROM a JOIN n ON a.b = n.i ORDER BY 1, 2;
SELECT a.id, n.id FROM a JOIN n ON n.f = a.b ORDER BY 1, 2;
SELECT id FROM a WHERE y IN (SELECT i FROM n) ORDER BY id;
SELECT id FROM a WHERE b IN (SELECT i FROM n) ORDER BY id;
SELECT id FROM n WHERE i NOT IN (SELECT y FROM a WHERE y IS NOT NULL) ORDER BY id;
SELECT COUNT(*) FROM (SELECT y FROM a UNION SELECT i FROM n) AS u;
