import { SQLDialect } from '@codemirror/lang-sql';
import { RESERVED_WORDS } from '../sql/names.ts';

/** Words that are not reserved but hardly ever names: a table `events` or a column `status` keeps the look of a name. */
const STATEMENT_WORDS = `begin commit rollback start transaction savepoint columns databases tables view offset full end
  truncate over rows preceding following unbounded duplicate prepare execute deallocate declare temporary if returns`;

const TYPES = `tinyint smallint mediumint int integer bigint decimal numeric float double real bit boolean bool date datetime
  timestamp time year char varchar binary varbinary tinyblob blob mediumblob longblob tinytext text mediumtext longtext enum
  json geometry point linestring polygon multipoint multilinestring multipolygon geometrycollection unsigned signed`;

/** Functions that few columns are called after. */
const FUNCTIONS = 'count sum avg min max group_concat coalesce ifnull concat row_number json_extract dolt_hashof';

/** MySQL as Dolt speaks it. The library's own MySQL takes `\'` for the end of a string and colours half of all names. */
export const doltDialect = SQLDialect.define({
  keywords: `${[...RESERVED_WORDS].join(' ')} ${STATEMENT_WORDS}`,
  types: TYPES,
  builtin: FUNCTIONS,
  backslashEscapes: true,
  charSetCasts: true,
  doubleQuotedStrings: true,
  unquotedBitLiterals: true,
  hashComments: true,
  spaceAfterDashes: true,
  caseInsensitiveIdentifiers: true,
  identifierQuotes: '`',
  operatorChars: '*+-%<>!=&|^~/',
  specialVar: '@?',
});
