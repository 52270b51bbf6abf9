-- A schema with what servers have and dumps must carry; `dumps.mjs` loads it into a MariaDB server and fills its tables.
CREATE DATABASE strangers CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE strangers;

CREATE TABLE `z parents` (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  `na``me` VARCHAR(40) NOT NULL DEFAULT 'it''s "new"' COMMENT 'a name; with ''quotes'', `ticks` and a \\ backslash',
  `select` INT DEFAULT NULL,
  boss INT UNSIGNED DEFAULT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY `the name` (`na``me`),
  KEY boss (boss),
  CONSTRAINT `own boss` FOREIGN KEY (boss) REFERENCES `z parents` (id) ON DELETE SET NULL ON UPDATE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=1000 COMMENT='parents; "all" of them';

CREATE TABLE a_children (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent INT UNSIGNED NOT NULL,
  amount DECIMAL(12,4) NOT NULL DEFAULT 0.0000,
  twice DECIMAL(13,4) GENERATED ALWAYS AS (amount * 2) VIRTUAL,
  label VARCHAR(60) GENERATED ALWAYS AS (CONCAT('#', parent, ':', amount)) STORED,
  made DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  seen TIMESTAMP NULL DEFAULT NULL,
  token CHAR(36) DEFAULT (UUID()),
  CONSTRAINT positive CHECK (amount >= 0),
  KEY by_label (label(10)),
  CONSTRAINT child_of FOREIGN KEY (parent) REFERENCES `z parents` (id) ON DELETE CASCADE
);

CREATE TABLE kinds (
  id INT PRIMARY KEY,
  tiny TINYINT, flag TINYINT(1) NOT NULL DEFAULT 1, small SMALLINT UNSIGNED, medium MEDIUMINT, big BIGINT UNSIGNED,
  filled INT(6) UNSIGNED ZEROFILL,
  single FLOAT, twofold DOUBLE, exact DECIMAL(65,30),
  bits BIT(11), bit_1 BIT(1) DEFAULT b'1',
  e ENUM('a','b''c','d,e','ü','') DEFAULT 'b''c',
  s SET('x','y z','ß') DEFAULT 'x,ß',
  d DATE, t TIME(6), dt DATETIME(3), ts TIMESTAMP(6) NULL DEFAULT NULL, y YEAR,
  c CHAR(10), vc VARCHAR(200), bin BINARY(4), vbin VARBINARY(300),
  tt TINYTEXT, mt MEDIUMTEXT, lt LONGTEXT, tb TINYBLOB, b BLOB, lb LONGBLOB,
  j JSON
);

CREATE TABLE latin (
  id INT NOT NULL AUTO_INCREMENT, name VARCHAR(50) CHARACTER SET latin1 COLLATE latin1_swedish_ci, note TEXT, code CHAR(3) CHARACTER SET ascii,
  PRIMARY KEY (id), UNIQUE KEY name (name), KEY note_part (note(12))
) DEFAULT CHARSET=latin1;

CREATE TABLE `wide characters` (id INT PRIMARY KEY, `Größe` VARCHAR(60), emoji VARCHAR(60) COLLATE utf8mb4_unicode_ci, wide VARCHAR(40) CHARACTER SET utf16)
  DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE places (
  id INT PRIMARY KEY, spot POINT NOT NULL, way LINESTRING, area POLYGON, any_shape GEOMETRY, parts GEOMETRYCOLLECTION, SPATIAL KEY spot (spot)
);

CREATE TABLE articles (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, title VARCHAR(100), body TEXT, FULLTEXT KEY words (title, body)) ENGINE=InnoDB;

CREATE TABLE ranges (id INT NOT NULL, day DATE NOT NULL, v VARCHAR(20), PRIMARY KEY (id, day))
  PARTITION BY RANGE (YEAR(day)) (PARTITION p0 VALUES LESS THAN (2000), PARTITION p1 VALUES LESS THAN (2020), PARTITION rest VALUES LESS THAN MAXVALUE);
CREATE TABLE hashes (id INT NOT NULL PRIMARY KEY, v VARCHAR(20)) PARTITION BY HASH (id) PARTITIONS 4;
CREATE TABLE lists (id INT NOT NULL, region INT NOT NULL) PARTITION BY LIST (region) (PARTITION west VALUES IN (1, 2), PARTITION east VALUES IN (3, NULL));

CREATE TABLE `keyless` (a INT, b VARCHAR(10));
CREATE TABLE empty_one (id INT PRIMARY KEY);
CREATE TABLE two_keys (a VARCHAR(20) NOT NULL, b INT NOT NULL, c DOUBLE, PRIMARY KEY (b, a), KEY desc_key (c DESC, a));
CREATE TABLE log (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, what VARCHAR(100), at_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE old_engine (id INT PRIMARY KEY, v VARCHAR(10)) ENGINE=MyISAM ROW_FORMAT=FIXED CHECKSUM=1 MAX_ROWS=100;
CREATE TABLE aria_engine (id INT PRIMARY KEY, v VARCHAR(10)) ENGINE=Aria PAGE_CHECKSUM=1 TRANSACTIONAL=1;
CREATE SEQUENCE numbers START WITH 5 INCREMENT BY 2;

DELIMITER //
CREATE FUNCTION gross(net DECIMAL(12,4), rate DOUBLE) RETURNS DECIMAL(12,4) DETERMINISTIC COMMENT 'with tax; "gross"'
BEGIN
  DECLARE sum DECIMAL(12,4) DEFAULT net;
  IF rate > 0 THEN SET sum = net * (1 + rate); END IF;
  RETURN sum;
END//
CREATE PROCEDURE count_children(IN who INT UNSIGNED, OUT n INT)
  READS SQL DATA
BEGIN
  -- a comment; with a semicolon
  SELECT COUNT(*) INTO n FROM a_children WHERE parent = who; /* another; one */
END//
CREATE PROCEDURE many_ways(INOUT n INT)
BEGIN
  DECLARE done INT DEFAULT 0;
  DECLARE v VARCHAR(20);
  DECLARE each_one CURSOR FOR SELECT b FROM `keyless`;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
  OPEN each_one;
  ways: LOOP
    FETCH each_one INTO v;
    IF done THEN LEAVE ways; END IF;
    CASE WHEN v = 'x' THEN SET n = n + 1; ELSE SET n = n + 2; END CASE;
  END LOOP;
  CLOSE each_one;
  WHILE n > 100 DO SET n = n - 7; END WHILE;
END//
CREATE TRIGGER children_in BEFORE INSERT ON a_children FOR EACH ROW SET NEW.amount = ROUND(NEW.amount, 2)//
CREATE TRIGGER children_after AFTER UPDATE ON a_children FOR EACH ROW
BEGIN
  IF NEW.amount <> OLD.amount THEN
    INSERT INTO log (what) VALUES (CONCAT('amount of ', NEW.id, ': "', OLD.amount, '" -> ', NEW.amount));
  END IF;
END//
CREATE TRIGGER children_gone AFTER DELETE ON a_children FOR EACH ROW INSERT INTO log (what) VALUES (CONCAT('gone; ', OLD.id))//
CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01 03:00:00' ON COMPLETION PRESERVE DISABLE COMMENT 'it''s night'
  DO DELETE FROM log WHERE at_time < NOW() - INTERVAL 30 DAY//
DELIMITER ;

CREATE VIEW b_over AS SELECT p.id, p.`na``me` AS name, COUNT(c.id) AS children, SUM(c.amount) AS total FROM `z parents` p LEFT JOIN a_children c ON c.parent = p.id GROUP BY p.id, p.`na``me`;
CREATE VIEW a_over_view AS SELECT name, total FROM b_over WHERE children > 0 ORDER BY name;
CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW changeable AS SELECT id, `na``me` FROM `z parents` WHERE id < 1100 WITH CASCADED CHECK OPTION;
CREATE VIEW over_function AS SELECT id, gross(amount, 0.19) AS gross FROM a_children;
CREATE VIEW `of latin` AS SELECT name, 'Zürich' AS city, _latin1'caf\xe9' AS place FROM latin;
CREATE VIEW with_window AS SELECT id, parent, ROW_NUMBER() OVER (PARTITION BY parent ORDER BY id) AS place FROM a_children;
CREATE VIEW with_cte AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n;

CREATE DATABASE `other ones` CHARACTER SET latin1;
USE `other ones`;
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(30));
CREATE VIEW v AS SELECT t.id, c.amount FROM t JOIN strangers.a_children c ON c.id = t.id;
