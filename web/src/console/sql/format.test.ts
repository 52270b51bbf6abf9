import { expect, test } from 'vitest';
import { formatScript, formatStatement } from './format.ts';

test('a short statement is one line, with its words in capitals', () => {
  expect(formatStatement('select  a,b from t\nwhere x=1 and y>2')).toBe('SELECT a, b FROM t WHERE x = 1 AND y > 2');
  expect(formatStatement('select count(*), left (name,2), t.key, -1, a-1, a - 1 from `a b` t')).toBe(
    'SELECT count(*), LEFT(name, 2), t.key, -1, a-1, a - 1 FROM `a b` t',
  );
});

test('a longer one has a clause on each line, and lists below their clause where they are long', () => {
  const sql =
    "select s.name, s.common_name, count(*) as lots, sum(a.seeds) as seeds, max(a.collected) as last from accessions a join species s on s.id=a.species_id left join sites on sites.id = a.site_id where a.seeds between 1 and 100 and (s.family='Rosaceae' or s.family = 'Fabaceae') and a.collected>'1998-01-01' group by s.id order by lots desc limit 10";
  expect(formatStatement(sql)).toBe(`SELECT
  s.name,
  s.common_name,
  count(*) AS lots,
  sum(a.seeds) AS seeds,
  max(a.collected) AS last
FROM accessions a
JOIN species s ON s.id = a.species_id
LEFT JOIN sites ON sites.id = a.site_id
WHERE a.seeds BETWEEN 1 AND 100
  AND (s.family = 'Rosaceae' OR s.family = 'Fabaceae')
  AND a.collected > '1998-01-01'
GROUP BY s.id
ORDER BY lots DESC
LIMIT 10`);
});

test('subqueries and definitions are indented', () => {
  expect(
    formatStatement(
      'with old as (select id, code, collected from accessions where collected < 19990101 and seeds > 3) select * from old where id in (select accession_id from holdings where packets > 0 order by packets)',
    ),
  ).toBe(`WITH old AS (
  SELECT id, code, collected
  FROM accessions
  WHERE collected < 19990101 AND seeds > 3
)
SELECT *
FROM old
WHERE id IN (
  SELECT accession_id FROM holdings WHERE packets > 0 ORDER BY packets
)`);
  expect(
    formatStatement(
      'create table beds (id int primary key auto_increment, plant varchar(40) not null, site int, foreign key (site) references sites (id) on delete set null)',
    ),
  ).toBe(`CREATE TABLE beds (
  id INT PRIMARY KEY AUTO_INCREMENT,
  plant VARCHAR(40) NOT NULL,
  site INT,
  FOREIGN KEY (site) REFERENCES sites (id) ON DELETE SET NULL
)`);
});

test('changes of rows are laid out', () => {
  expect(
    formatStatement(
      "insert into beds (id, plant, site) values (1,'kale',2),(2,'leek',3) on duplicate key update plant=values(plant), site=values(site)",
    ),
  ).toBe(`INSERT INTO beds (id, plant, site)
VALUES (1, 'kale', 2), (2, 'leek', 3)
ON DUPLICATE KEY UPDATE plant = VALUES(plant), site = VALUES(site)`);
});

test('comments stay where they are, and a script keeps what stands between its statements', () => {
  expect(formatStatement('select a //not b\n from t')).toBe('SELECT a //not b\nFROM t');
  const script = '-- the first\nselect 1;\n\n# the second\nselect a, -- the key\n  b from t; -- end\n';
  expect(formatScript(script)).toBe(
    '-- the first\nSELECT 1;\n\n# the second\nSELECT\n  a, -- the key\n  b\nFROM t; -- end\n',
  );
});

test('statements on one line become lines of their own', () => {
  expect(formatScript('select 1; select 2;select 3;')).toBe('SELECT 1;\nSELECT 2;\nSELECT 3;');
});

test('programs, and what does not hold together, stay as they are', () => {
  for (const sql of [
    'create procedure p() begin select 1; select 2; end',
    'call dolt_commit("-am",  "x")',
    'select (1',
    'select 1)',
    'set  @a=1',
    'select  1 /*! + 2 */',
    "select  'open",
  ])
    expect(formatStatement(sql)).toBe(sql);
});

const STATEMENTS = [
  "select case when a=1 then 'x' else \"it's\" end, b'01', x'ff', @@version, @a:=1, 1.5e-3, a->>'$.b' from t where not exists(select 1) and a in (1,2)",
  'select `a``b`, count(distinct x), interval 1 day from t as of "HEAD~1" natural join u cross join v using (id) group by 1 with rollup having count(*)>1 for update',
  "insert into t set a=1, b='x;y' on duplicate key update a=a+1",
  "update t set a = 1, b = concat('a','b','c','dddddddddddddddddddddddddddddddddddddddddddddddddddd') where id = 3 order by id limit 1",
  'delete t from t join u on t.id=u.id where u.x is null',
  '(select 1) union all (select 2) order by 1',
  "select extract(year from d), trim(both ' ' from name), row_number() over (partition by a order by b rows between 1 preceding and current row) from t window w as (order by x)",
  'select a /* why */, b # end\n from t -- last',
  'create table t (a int default (1+2), b varchar(20) character set utf8mb4, check (a > 0 and b <> 3), key `k` (a, b))',
];

test('the words of a statement stay the same, and a second time nothing changes', () => {
  const bare = (sql: string) => sql.replace(/\s+/g, '').toLowerCase();
  for (const sql of STATEMENTS) {
    const once = formatStatement(sql);
    expect(bare(once)).toBe(bare(sql));
    expect(formatStatement(once)).toBe(once);
  }
});
