CREATE TABLE t (id INT PRIMARY KEY);
-- writes
INSERT INTO dolt_ignore VALUES ('tmp_%', true), ('tmp_kept', false);
INSERT INTO dolt_docs VALUES ('README.md', '# hello');
INSERT INTO dolt_query_catalog VALUES ('id1', 1, 'name', 'SELECT 1', 'desc');
UPDATE dolt_ignore SET ignored = 0;
DELETE FROM dolt_docs WHERE doc_name = 'nothing';
REPLACE INTO dolt_docs VALUES ('README.md', '# hello again');
