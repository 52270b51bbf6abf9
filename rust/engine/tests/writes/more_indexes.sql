CREATE TABLE sp (id INT PRIMARY KEY, g POINT NOT NULL SRID 0, n INT, SPATIAL KEY (g), KEY (n));
CREATE TABLE keys_of_types (d DATE, e ENUM('x', 'y', 'z'), b VARBINARY(8), n DECIMAL(6, 2), v INT, PRIMARY KEY (e, d, b), KEY (n, d), UNIQUE KEY (v, b));
CREATE TABLE long_unique (id INT PRIMARY KEY, t TEXT, b BLOB, UNIQUE KEY (t(10)), KEY (b(3)));
CREATE TABLE counted (a INT, id INT AUTO_INCREMENT, t TIMESTAMP(6) NOT NULL DEFAULT '2020-01-01 00:00:00', j JSON, PRIMARY KEY (a, id), KEY (id));
-- writes
INSERT INTO sp VALUES (1, POINT(1, 1), 1), (2, POINT(-5, 7.5), 2), (3, POINT(1, 1), 3);
UPDATE sp SET g = POINT(100, 100) WHERE id = 3;
DELETE FROM sp WHERE id = 1;
INSERT INTO keys_of_types VALUES ('2024-01-01', 'z', x'00', 1.5, 1), ('2023-01-01', 'x', x'ff00', -1.5, NULL);
INSERT INTO keys_of_types VALUES ('2024-01-01', 'z', x'00', 1.5, 1);
UPDATE keys_of_types SET e = 'y', n = n * 2;
INSERT INTO long_unique VALUES (1, REPEAT('a', 5000), REPEAT('b', 5000)), (2, 'abc', 'abc');
INSERT INTO long_unique VALUES (3, REPEAT('a', 12), 'x');
INSERT INTO counted (a, j) VALUES (1, '[1]'), (2, '{}'), (1, NULL);
REPLACE INTO counted (a, id) VALUES (1, 1);
