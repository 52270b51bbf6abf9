// The rows of the benches, by number, the same in Node (which gives them to native Dolt) and in the page (to SQLite).

/** Rows of `sbtest1`, as sysbench makes them. */
export const SBTEST_ROWS = 100_000;

/** Rows of `wide`, 24 columns of every common type: Dolt's own table for scans. */
export const WIDE_ROWS = 5_040;

/** A well-mixed 32-bit number for any number. @param {number} seed */
export function mix(seed) {
  let mixed = (seed + 0x9e3779b9) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** @param {number} seed @param {number} groups of eleven digits */
function digits(seed, groups) {
  const words = [];
  for (let group = 0; group < groups; group += 1) {
    const high = mix(seed * 31 + group * 2) % 100_000;
    const low = mix(seed * 31 + group * 2 + 1) % 1_000_000;
    words.push(String(high).padStart(5, '0') + String(low).padStart(6, '0'));
  }
  return words.join('-');
}

/** @param {number} id @returns {[number, number, string, string]} id, k, c, pad */
export function sbtestRow(id) {
  return [id, 1 + (mix(id) % SBTEST_ROWS), digits(id, 10), digits(id + 7_000_000, 5)];
}

/** @param {number} value @param {number} width */
const pad = (value, width) => String(value).padStart(width, '0');

/** @param {number} id @returns {(number | string)[]} in the order of WIDE_COLUMNS */
export function wideRow(id) {
  const draw = (/** @type {number} */ column) => mix(id * 64 + column);
  const date = `${1990 + (draw(15) % 40)}-${pad(1 + (draw(16) % 12), 2)}-${pad(1 + (draw(17) % 28), 2)}`;
  const clock = `${pad(draw(18) % 24, 2)}:${pad(draw(19) % 60, 2)}:${pad(draw(20) % 60, 2)}`;
  return [
    id,
    (draw(1) % 256) - 128,
    draw(2) % 256,
    (draw(3) % 65_536) - 32_768,
    draw(4) % 65_536,
    (draw(5) % 16_777_216) - 8_388_608,
    draw(6) % 16_777_216,
    draw(7) - 2_147_483_648,
    draw(8),
    draw(9) * 1024 - draw(10),
    draw(10) * 2048,
    draw(11) % 1_000_000_000,
    (draw(12) % 4096) / 16,
    draw(13) / 4096,
    draw(14) % 2,
    date,
    clock,
    `${date} ${clock}`,
    `${2001 + (draw(21) % 30)}-${date.slice(5)} ${clock}`,
    1950 + (draw(22) % 100),
    digits(id, 1),
    digits(id + 1, 2),
    ['small', 'medium', 'large'][draw(23) % 3] ?? '',
    ['red', 'green', 'red,green', 'blue'][draw(24) % 4] ?? '',
  ];
}

/** Name, MySQL type, SQLite type. */
export const WIDE_COLUMNS = [
  ['id', 'INT NOT NULL PRIMARY KEY', 'INTEGER PRIMARY KEY'],
  ['tiny_col', 'TINYINT', 'INTEGER'],
  ['unsigned_tiny_col', 'TINYINT UNSIGNED', 'INTEGER'],
  ['small_col', 'SMALLINT', 'INTEGER'],
  ['unsigned_small_col', 'SMALLINT UNSIGNED', 'INTEGER'],
  ['medium_col', 'MEDIUMINT', 'INTEGER'],
  ['unsigned_medium_col', 'MEDIUMINT UNSIGNED', 'INTEGER'],
  ['int_col', 'INT', 'INTEGER'],
  ['unsigned_int_col', 'INT UNSIGNED', 'INTEGER'],
  ['big_col', 'BIGINT', 'INTEGER'],
  ['unsigned_big_col', 'BIGINT UNSIGNED', 'INTEGER'],
  ['decimal_col', 'DECIMAL(10)', 'INTEGER'],
  ['float_col', 'FLOAT', 'REAL'],
  ['double_col', 'DOUBLE', 'REAL'],
  ['bit_col', 'BIT(1)', 'INTEGER'],
  ['date_col', 'DATE', 'TEXT'],
  ['time_col', 'TIME', 'TEXT'],
  ['datetime_col', 'DATETIME', 'TEXT'],
  ['timestamp_col', 'TIMESTAMP NULL', 'TEXT'],
  ['year_col', 'YEAR', 'INTEGER'],
  ['char_col', 'CHAR(12)', 'TEXT'],
  ['varchar_col', 'VARCHAR(32)', 'TEXT'],
  ['enum_col', "ENUM('small','medium','large')", 'TEXT'],
  ['set_col', "SET('red','green','blue')", 'TEXT'],
];

/** Rows of `orders`, the table of the analytical benches. */
export const ORDERS = 1_000_000;

/** Rows of `customers`, which orders are joined with. */
export const CUSTOMERS = 10_000;

/** @param {number} id @returns {number[]} id, customer, product (one of a thousand), amount (below a million), price */
export function order(id) {
  const draw = (/** @type {number} */ column) => mix(id * 8 + column);
  return [id, 1 + (draw(1) % CUSTOMERS), draw(2) % 1000, draw(3) % 1_000_000, draw(4) / 4096];
}

/** @param {number} id @returns {(number | string)[]} id, region (one of 25), name */
export function customer(id) {
  return [id, mix(id * 8 + 5) % 25, digits(id + 9_000_000, 1)];
}

/** Rows of `types`, whose columns are those of `wide` and some that are longer. */
export const TYPES_ROWS = 5_040;

/** @param {number} id @returns {(number | string)[]} in the order of TYPES_COLUMNS */
export function typesRow(id) {
  const text = digits(id + 3_000_000, 4);
  const number = mix(id * 64 + 40);
  const document = `{"id": ${id}, "tags": ["a", "b"], "value": ${number % 1000}}`;
  return [...wideRow(id), 1 + (number % TYPES_ROWS), text, text.slice(0, 20), text, text.slice(7), document];
}

export const TYPES_COLUMNS = [
  ...WIDE_COLUMNS,
  ['ref_col', 'INT NOT NULL', 'INTEGER'],
  ['text_col', 'TEXT', 'TEXT'],
  ['varbinary_col', 'VARBINARY(20)', 'TEXT'],
  ['mediumtext_col', 'MEDIUMTEXT', 'TEXT'],
  ['blob_col', 'BLOB', 'TEXT'],
  ['json_col', 'JSON', 'TEXT'],
];

/** A corpus of sentences and the links between their translations: what a remote database of moderate size looks like. */
export const SENTENCES = 300_000;
export const LINKS = 900_000;
const LANGUAGES = ['eng', 'deu', 'fra', 'jpn', 'rus', 'epo', 'tur', 'ita'];

/** @param {number} id */
export function sentenceRow(id) {
  let state = Math.imul(id, 2_654_435_761) >>> 0;
  const next = below => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return state % below;
  };
  const words = Array.from({ length: 14 + next(8) }, () => next(50_000).toString(36));
  return [id, LANGUAGES[next(LANGUAGES.length)], words.join(' ')];
}

/** Each sentence has three translations anywhere. @param {number} id */
export function linkRow(id) {
  const sentence = Math.ceil(id / 3);
  return [sentence, 1 + ((sentence * 7919 + (id % 3) * 104_729 + ((sentence * 31) % 977)) % SENTENCES)];
}
