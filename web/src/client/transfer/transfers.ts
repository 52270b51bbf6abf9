/** All that moves data in and out: one part of a page, which `on_demand.ts` loads. */
export { copyFiles, zipFiles } from './export/database_files.ts';
export { browserSink } from './export/directory_sink.ts';
export { dumpSql } from './export/dump.ts';
export { exportRows } from './export/rows_text.ts';
export { importRows } from './import_rows.ts';
export { importSql } from './script/import_sql.ts';
export { planRows } from './table/plan_rows.ts';
