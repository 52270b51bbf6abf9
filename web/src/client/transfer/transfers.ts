/** All that moves data in and out: one part of a page, which `on_demand.ts` loads. */
export { copyFiles, zipFiles } from './database_files.ts';
export { browserSink } from './directory_sink.ts';
export { dumpSql } from './dump.ts';
export { importRows } from './import_rows.ts';
export { importSql } from './import_sql.ts';
export { planRows } from './plan_rows.ts';
export { exportRows } from './rows_text.ts';
