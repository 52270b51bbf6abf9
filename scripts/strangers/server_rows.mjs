// Rows for the tables of `server_schema.sql`, the same at each run.

/** @param {number} seed */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Texts that dumps have to quote, escape or encode. */
const TEXTS = [
  '',
  ' ',
  'plain',
  "it's",
  'say "hi"',
  'back\\slash',
  'C:\\new\\table',
  'line\nfeed',
  'carriage\r\nreturn',
  'tab\there',
  'nul\0byte',
  '\x1a',
  '; -- no comment',
  '/* nor this */',
  '# nor this',
  '`ticks`',
  "');DROP TABLE x;--",
  'NULL',
  '\\N',
  '%_',
  '50 %',
  'Zürich',
  'José Müller',
  'straße',
  '0x41',
  "b'1'",
  'a,b;c\td',
  '  blanks  ',
  '<b>&amp;</b>',
  '{{x}}',
  '$1',
  '\\',
  "\\'",
  "''",
  '"',
  '\n',
];
const WIDE = [...TEXTS, '漢字', '😀 emoji 👩‍👩‍👧', 'Ελληνικά', 'שלום', '\u2028', 'e\u0301', 'Ω≈ç√', '\ufeffmark'];

/** @param {string} text */
const quoted = text =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SQL writes them otherwise.
  `'${text.replace(/[\\'\0\n\r\x1a]/g, one => ({ '\\': '\\\\', "'": "\\'", '\0': '\\0', '\n': '\\n', '\r': '\\r', '\x1a': '\\Z' })[one] ?? one)}'`;

/** @param {string} table @param {readonly (readonly string[])[]} rows @param {string} [columns] */
const insert = (table, rows, columns = '') =>
  `INSERT INTO ${table}${columns} VALUES ${rows.map(row => `(${row.join(',')})`).join(',\n')};\n`;

/** The statements, in the order in which a server takes them. @param {number} [scale] */
export function serverRows(scale = 200) {
  const next = numbersFrom(7);
  /** @template T @param {readonly T[]} all @returns {T} */
  const oneOf = all => /** @type {T} */ (all[Math.floor(next() * all.length)]);
  const whole = (/** @type {number} */ most) => Math.floor(next() * most);
  const orNull = (/** @type {string} */ text) => (next() < 0.15 ? 'NULL' : text);
  const hex = (/** @type {number} */ bytes) => {
    const digits = Array.from({ length: bytes }, () => whole(256).toString(16).padStart(2, '0')).join('');
    return digits === '' ? "''" : `x'${digits}'`;
  };
  const count = Array.from({ length: scale }, (_, index) => index);
  const sql = ['SET NAMES utf8mb4; SET foreign_key_checks = 0; USE strangers;\n'];
  const parents = count.map(i => [
    `${i + 1}`,
    quoted(`${i} ${oneOf(WIDE)}`.slice(0, 40)),
    orNull(`${whole(1e6) - 5e5}`),
    i < 3 ? 'NULL' : `${1 + whole(i)}`,
  ]);
  sql.push(insert('`z parents`', parents));
  const children = count.flatMap(i =>
    [0, 1].map(part => [
      `${i * 2 + part + 1}`,
      `${1 + whole(scale)}`,
      (next() * 1e6).toFixed(4),
      `'20${10 + whole(20)}-0${1 + whole(9)}-1${whole(10)} 0${whole(10)}:15:${10 + whole(50)}.${String(whole(1e6)).padStart(6, '0')}'`,
      orNull(`'20${10 + whole(20)}-1${whole(3)}-0${1 + whole(9)} 11:22:33'`),
      orNull(quoted(`token ${i}`)),
    ]),
  );
  sql.push(insert('a_children', children, ' (id, parent, amount, made, seen, token)'));
  sql.push(
    'UPDATE a_children SET amount = amount + 1, made = made WHERE id % 9 = 0; DELETE FROM a_children WHERE id % 31 = 0;\n',
  );
  const kinds = count.map(i => [
    `${i - 3}`,
    orNull(`${whole(256) - 128}`),
    `${whole(2)}`,
    orNull(`${whole(65536)}`),
    orNull(`${whole(1 << 24) - (1 << 23)}`),
    oneOf(['18446744073709551615', '0', '9007199254740993', 'NULL']),
    orNull(`${whole(1e6)}`),
    oneOf(['1.5', '-0.1', '3.40282e38', '1e-30', '16777217', 'NULL']),
    oneOf(['0.1', '1.7976931348623157e308', '5e-324', '-1234567.891', '123456789012345680', 'NULL']),
    oneOf([
      '12345678901234567890123456789012345.123456789012345678901234567891',
      '-0.000000000000000000000000000001',
      '0',
      'NULL',
    ]),
    orNull(`${whole(2048)}`),
    oneOf(["b'0'", "b'1'"]),
    oneOf(["'a'", "'b''c'", "'d,e'", "'ü'", "''", 'NULL']),
    oneOf(["''", "'x'", "'x,y z'", "'x,y z,ß'", 'NULL']),
    oneOf(["'1000-01-01'", "'9999-12-31'", "'2024-02-29'", 'NULL']),
    oneOf(["'-838:59:59'", "'838:59:58.999999'", "'00:00:00.000001'", "'-00:00:01.5'", 'NULL']),
    oneOf(["'2024-01-01 00:00:00.123'", "'1000-01-01 00:00:00'", 'NULL']),
    oneOf(["'1970-01-01 00:00:01.000001'", "'2038-01-19 03:14:07'", "'2024-03-31 02:30:00.5'", 'NULL']),
    oneOf(['1901', '2155', '0', '2024', 'NULL']),
    orNull(quoted(oneOf(WIDE).slice(0, 10))),
    orNull(quoted(oneOf(WIDE))),
    orNull(hex(4)),
    orNull(hex(whole(40))),
    orNull(quoted(oneOf(WIDE))),
    orNull(quoted(oneOf(WIDE))),
    orNull(quoted(oneOf(WIDE).repeat(i % 50 === 0 ? 2000 : 1))),
    orNull(hex(whole(20))),
    orNull(hex(whole(300))),
    orNull(hex(i % 40 === 0 ? 9000 : 3)),
    orNull(
      quoted(
        JSON.stringify(
          oneOf([{ a: 1, b: [1.5, null, oneOf(WIDE)] }, [], 'text', 12345678901234, { ü: { deep: [{}] } }]),
        ),
      ),
    ),
  ]);
  sql.push(insert('kinds', kinds));
  sql.push(
    insert(
      'latin',
      count.map(i => [
        `${i + 1}`,
        orNull(quoted(`${i} ${oneOf(TEXTS)} é€`)),
        orNull(quoted(oneOf(TEXTS))),
        orNull("'abc'"),
      ]),
    ),
  );
  sql.push(
    insert(
      '`wide characters`',
      count.map(i => [`${i}`, orNull(quoted(oneOf(WIDE))), orNull(quoted(oneOf(WIDE))), orNull(quoted(oneOf(WIDE)))]),
    ),
  );
  const point = () => `${whole(360) - 180}.${whole(100)} ${whole(180) - 90}`;
  sql.push(
    insert(
      'places',
      count.map(i => [
        `${i}`,
        `ST_GeomFromText('POINT(${point()})'${i % 3 === 0 ? ', 4326' : ''})`,
        orNull(`ST_GeomFromText('LINESTRING(${point()},${point()})')`),
        orNull(`ST_GeomFromText('POLYGON((0 0,0 ${i + 1},${i + 1} ${i + 1},0 0),(1 1,1 2,2 2,1 1))')`),
        orNull(`ST_GeomFromText('MULTIPOINT(${point()},${point()})')`),
        orNull(`ST_GeomFromText('GEOMETRYCOLLECTION(POINT(${point()}),LINESTRING(1 1,2 2))')`),
      ]),
    ),
  );
  sql.push(
    insert(
      'articles',
      count.map(i => [`${i + 1}`, quoted(oneOf(WIDE)), quoted(`${oneOf(WIDE)} ${oneOf(WIDE)}`)]),
    ),
  );
  sql.push(
    insert(
      'ranges',
      count.map(i => [`${i}`, `'${1990 + whole(40)}-05-0${1 + whole(9)}'`, orNull(quoted('v'))]),
    ),
  );
  sql.push(
    insert(
      'hashes',
      count.map(i => [`${i * 3}`, orNull(quoted('v'))]),
    ),
  );
  sql.push(
    insert(
      'lists',
      count.map(i => [`${i}`, `${1 + whole(3)}`]),
    ),
  );
  sql.push(
    insert(
      '`keyless`',
      count.map(i => [orNull(`${i % 7}`), orNull(quoted(oneOf(['x', 'y', ''])))]),
    ),
  );
  sql.push(
    insert(
      'two_keys',
      count.map(i => [quoted(`${i} ${oneOf(TEXTS)}`.slice(0, 20)), `${i % 5}`, orNull(`${next() * 1e10}`)]),
    ),
  );
  sql.push(
    insert(
      'old_engine',
      count.map(i => [`${i}`, quoted(oneOf(TEXTS).slice(0, 10))]),
    ),
  );
  sql.push(
    insert(
      'aria_engine',
      count.map(i => [`${i}`, quoted(oneOf(TEXTS).slice(0, 10))]),
    ),
  );
  sql.push(
    'SELECT NEXT VALUE FOR numbers;\n',
    'USE `other ones`;\n',
    insert(
      't',
      count.map(i => [`${i}`, quoted(`é${i} ${oneOf(TEXTS)}`.slice(0, 30))]),
    ),
  );
  return sql.join('');
}
