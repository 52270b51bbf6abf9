// A report as Markdown: the largest tables of a database, and what changed in it since a commit, branch or tag.
//
// node examples/report.mjs [SOURCE] [REF]: SOURCE is a path or URL (default: the sample), REF the revision to compare with.
import { fileURLToPath } from 'node:url';
import { open } from 'varve';

const sample = fileURLToPath(new URL('../web/public/sample/seed_bank', import.meta.url));
const [source = sample, ref = 'HEAD~5'] = process.argv.slice(2);

const database = await open(source, { readOnly: true });
try {
  console.log(`# Report: ${database.name}\n`);

  const { rows: tables } = await database.query("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'");
  const counts = [];
  for (const table of tables.map(row => Object.values(row)[0])) {
    const { rows } = await database.query(`SELECT COUNT(*) AS n FROM ${quoted(table)}`);
    counts.push({ table, rows: Number(rows[0].n) });
  }
  counts.sort((one, other) => other.rows - one.rows);
  console.log('| table | rows |\n| --- | ---: |');
  for (const { table, rows } of counts) console.log(`| ${table} | ${rows} |`);

  console.log(`\n## Changes since ${ref}\n`);
  const { rows: changed } = await database.query('SELECT table_name FROM dolt_diff_stat(?, ?) ORDER BY table_name', [
    ref,
    'HEAD',
  ]);
  for (const { table_name: table } of changed) {
    const kinds = { added: 0, removed: 0, modified: 0 };
    for await (const { kind } of database.diff(ref, 'HEAD', { table })) kinds[kind] += 1;
    console.log(`- ${table}: ${kinds.added} added, ${kinds.removed} removed, ${kinds.modified} modified`);
  }

  console.log('\n## Latest commits\n');
  for await (const { hash, date, author, message } of database.log({ limit: 5 })) {
    console.log(`- ${hash.slice(0, 8)} ${date.slice(0, 10)} ${author}: ${message.split('\n')[0]}`);
  }
} finally {
  await database.close();
}

function quoted(name) {
  return `\`${name.replaceAll('`', '``')}\``;
}
