/** Which program another dialect's script comes from, by the statements that it begins with. Pure. */

/** So much of a script is looked at. */
const DIALECT_HEAD_BYTES = 1 << 16;

interface Dialect {
  readonly name: string;
  /** Lines that its programs write, and MySQL's do not. */
  readonly marks: RegExp;
}

const DIALECTS: readonly Dialect[] = [
  { name: 'SQLite', marks: /^PRAGMA \w+|^BEGIN TRANSACTION;$|\bsqlite_sequence\b/im },
  {
    name: 'PostgreSQL',
    marks: /^-- PostgreSQL database dump|^SET statement_timeout =|^COPY .* FROM stdin;|\bpg_catalog\./im,
  },
  { name: 'SQL Server', marks: /^GO$|^USE \[|^SET (?:ANSI_NULLS|QUOTED_IDENTIFIER|IDENTITY_INSERT|NOCOUNT)\b/im },
  { name: 'Oracle', marks: /^SET DEFINE OFF;?$|^REM INSERTING\b|\bVARCHAR2\(/im },
];

/** What to do with a script that another program wrote; undefined for one that looks like MySQL's. */
export function foreignHint(head: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(head.subarray(0, DIALECT_HEAD_BYTES)).replaceAll('\r', '');
  const dialect = DIALECTS.find(({ marks }) => marks.test(text));
  if (dialect === undefined) return undefined;
  return `The script seems to be one of ${dialect.name}, and the dialect of MySQL is read here. Convert it, or export its tables as CSV and import these`;
}
