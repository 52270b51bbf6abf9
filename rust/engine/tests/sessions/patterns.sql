-- A pattern that ends in its escape character is NULL, whatever it is asked of (where it has no wildcards native Dolt's WHERE takes it for equality).
SELECT 'a\\' LIKE 'a\\', 'a' LIKE 'a\\', 'b' NOT LIKE 'a\\', 'abc' LIKE 'ab!' ESCAPE '!', 'xy\\' LIKE '%\\';
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20), b VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, p VARCHAR(20), KEY (a));
INSERT INTO t VALUES (1, 'a\\', 'Été', 'a\\'), (2, 'quickly', 'Quickly', 'quick%'), (3, 'not so quick', 'NOT SO QUICK', '%qu_ck'), (4, NULL, NULL, '%'), (5, '', '', NULL);
SELECT id, a LIKE p, a NOT LIKE p, b LIKE p FROM t ORDER BY id;
SELECT id FROM t WHERE a LIKE 'quick%' OR b LIKE 'quick%' ORDER BY id;
SELECT id FROM t WHERE b LIKE '%QU_CK%' ORDER BY id;
SELECT id FROM t WHERE b LIKE '_t_' ORDER BY id;
SELECT id FROM t WHERE b LIKE 'ete' ORDER BY id;
SELECT id FROM t WHERE a NOT LIKE '%quick%' ORDER BY id;
SELECT id FROM t WHERE a LIKE '%k%l%' ORDER BY id;
SELECT id FROM t WHERE a LIKE '' ORDER BY id;
