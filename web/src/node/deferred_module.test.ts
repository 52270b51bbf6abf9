import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { Deferred } from '../host/wasm/deferred.ts';
import { scratchDirectory, withEngine } from '../testing/built_engine.ts';
import { open } from './index.ts';

const directory = scratchDirectory();
const instantiate = vi.spyOn(Deferred.prototype, 'instantiate');

function fixture(name: string, inside: string): string {
  const archive = join(import.meta.dirname, `../../../fixtures/databases/${name}.tar.gz`);
  execFileSync('tar', ['-xzf', archive, '-C', directory]);
  return join(directory, inside);
}

withEngine('views are read without the deferred module', async () => {
  await using database = await open(fixture('e_types', 'types'));
  const { rows: views } = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.views WHERE table_schema = DATABASE()',
  );
  expect(views.length).toBeGreaterThan(0);
  for (const { name } of views) await database.query(`SELECT * FROM \`${name}\``);
  expect(instantiate).not.toHaveBeenCalled();
});

withEngine('queries, changes, transactions and histories run without the deferred module', async () => {
  await using database = await open(fixture('a_journal', 'journal'));
  const { rows: tables } = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  expect(tables.length).toBeGreaterThan(1);
  for (const { name } of tables) {
    await database.query(`SELECT *, COUNT(*) OVER () FROM \`${name}\` AS t ORDER BY 1 DESC LIMIT 5`);
    await database.query(`SHOW CREATE TABLE \`${name}\``);
  }
  const name = 'books';
  for (const sql of [
    "SET NAMES utf8mb4, @x = JSON_OBJECT('a', 1.5)",
    'START TRANSACTION',
    `DELETE FROM \`${name}\` LIMIT 2`,
    'SAVEPOINT s',
    `DELETE FROM \`${name}\` LIMIT 2`,
    'ROLLBACK TO s',
    'COMMIT',
    'SHOW TABLES',
    'SHOW VARIABLES LIKE "auto%"',
    'USE information_schema',
    `USE \`${database.name}\``,
    'SELECT * FROM dolt_log JOIN dolt_branches ON hash = commit_hash',
    'SELECT * FROM dolt_status',
    `SELECT COUNT(*) FROM dolt_diff_${name}`,
    `WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT GROUP_CONCAT(i) FROM n`,
  ])
    await database.query(sql);
  expect(instantiate).not.toHaveBeenCalled();

  await database.query('CREATE TABLE made (id INT PRIMARY KEY)');
  await database.query("CALL dolt_commit('-Am', 'Make a table')");
  expect(instantiate).toHaveBeenCalledOnce();
});

withEngine('an instance takes the deferred module once for all its databases', async () => {
  await using database = await open({ empty: 'places' });
  await database.query('CREATE TABLE t (id INT PRIMARY KEY, p POINT)');
  await database.query('INSERT INTO t VALUES (1, ST_GeomFromText("POINT(1 2)"))');
  const { rows } = await database.query('SELECT ST_AsText(p) AS p FROM t');
  expect(rows).toEqual([{ p: 'POINT(1 2)' }]);
  expect(instantiate).toHaveBeenCalledOnce();
});
