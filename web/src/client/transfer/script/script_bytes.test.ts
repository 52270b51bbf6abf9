/** The charset that a script names is the one that its bytes are read in. */
import { expect, test } from 'vitest';
import { scriptPieces } from '../text/encodings.ts';
import { ScriptCharset, scriptEncodingOf } from './script_charset.ts';

/** Each character is the byte of its number. */
const raw = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0));

async function recoded(bytes: Uint8Array, pieceBytes: number, encoding?: string, spellsBytes = false): Promise<string> {
  async function* slices(): AsyncIterableIterator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.slice(at, at + pieceBytes);
  }
  const out: number[] = [];
  for await (const { bytes: piece } of scriptPieces(slices(), { encoding, spellsBytes })) out.push(...piece);
  return String.fromCharCode(...out);
}

/** In pieces of any length the same. */
async function utf8Of(script: string, encoding?: string, spellsBytes = false): Promise<string> {
  const whole = await recoded(raw(script), 1 << 20, encoding, spellsBytes);
  for (const pieceBytes of [1, 7, 300])
    expect(await recoded(raw(script), pieceBytes, encoding, spellsBytes)).toBe(whole);
  return whole;
}

const utf8 = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

test.each([
  ['SET NAMES latin1', 'windows-1252'],
  ["set names 'latin2' collate 'latin2_general_ci'", 'iso-8859-2'],
  ['/*!40101 SET NAMES cp1251 */', 'windows-1251'],
  ['SET CHARACTER SET sjis', 'shift_jis'],
  ['SET CHARSET gbk', 'gbk'],
  ['SET character_set_client = big5', 'big5'],
  ['SET @@session.character_set_client := euckr', 'euc-kr'],
  ["SET SESSION character_set_client = 'ujis'", 'euc-jp'],
  ["SET sql_mode='ANSI,NO_BACKSLASH_ESCAPES', time_zone='+00:00', NAMES koi8r", 'koi8-r'],
  ["SET @cs = 'greek', character_set_client = @cs", 'iso-8859-7'],
  ['SET NAMES cp850', undefined],
  ['SET NAMES DEFAULT', 'utf-8'],
  ['SET GLOBAL character_set_client = latin1', 'utf-8'],
  ["SET @a = 'SET NAMES latin1'", 'utf-8'],
  ["SELECT 'names latin1'", 'utf-8'],
])('%s', (statement, encoding) => {
  const charset = new ScriptCharset();
  charset.take(statement);
  expect(charset.encoding).toBe(encoding);
});

test('a dump of mysqldump is read in the charset of each statement', async () => {
  const script = (text: (character: string) => string, other: (character: string) => string) =>
    `-- Host: caf\xe9
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES latin1 */;
/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE t (a text COMMENT '${other('€')}');
/*!40101 SET character_set_client = @saved_cs_client */;
INSERT INTO t VALUES ('Jos${text('é')} M${text('ü')}ller; SET NAMES utf8;'),("it''s\\" Z${text('ü')}rich");
DELIMITER ;;
/*!50003 SET character_set_client = cp1251 */ ;;
CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END ;;
DELIMITER ;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
INSERT INTO t VALUES ('${other('€')}');
`;
  expect(await utf8Of(script(character => character, utf8))).toBe(script(utf8, utf8));
});

test('second bytes that look like ASCII end no text', async () => {
  // 表 is 0x95 0x5C in Shift JIS: a backslash as its second byte.
  const bytes = "SET NAMES sjis; INSERT INTO `\x95\x5c` VALUES ('\x95\x5c','\x83\x5c'';'); SELECT 1";
  expect(await utf8Of(bytes)).toBe(
    `SET NAMES sjis; INSERT INTO \`${utf8('表')}\` VALUES ('${utf8('表')}','${utf8('ソ')}'';'); SELECT 1`,
  );
  expect(await utf8Of("SET NAMES gbk; SELECT '\x81\x5c'")).toBe(`SET NAMES gbk; SELECT '${utf8('乗')}'`);
});

test('bytes of binary values stay what they are', async () => {
  // In UTF-8 the engine reads them as they stand.
  const inUtf8 = "INSERT INTO t VALUES (1, _binary '\xff\\0\\'', '\xe9')";
  expect(await utf8Of(inUtf8)).toBe(inUtf8);
  const spelt = await utf8Of("INSERT INTO t VALUES (1, _binary '\xff\\0\\'''\\%', 'x')", undefined, true);
  expect(spelt).toBe("INSERT INTO t VALUES (1, _binary x'ff0027275c25', 'x')");
  const inLatin1 = await utf8Of(
    "SET NAMES latin1; INSERT INTO t VALUES (_binary '\xe9\\n', '\xe9', _binary \"\x95\x5c\x5c\")",
  );
  expect(inLatin1).toBe(`SET NAMES latin1; INSERT INTO t VALUES (_binary x'e90a', '${utf8('é')}', _binary x'955c')`);
});

test('a name that ends like an introducer is none', async () => {
  const script =
    "SET NAMES latin1; INSERT INTO t SELECT a_binary '\xe9', 5_binary '\xe9', x.a1_binary'\xe9', 1 _binary '\xe9'";
  const é = utf8('é');
  expect(await utf8Of(script)).toBe(
    `SET NAMES latin1; INSERT INTO t SELECT a_binary '${é}', 5_binary '${é}', x.a1_binary'${é}', 1 _binary x'e9'`,
  );
  const replaced = script.replace('SELECT', 'VALUES (1) + ');
  expect(await utf8Of(replaced)).toContain(`a_binary '${é}', 5_binary '${é}', x.a1_binary'${é}', 1 _binary x'e9'`);
});

test('bytes of binary columns stay what they are in any charset, where the script makes their tables', async () => {
  const script = (blob: (text: string) => string, é: string) => `SET NAMES latin1;
CREATE TABLE \`db\`.\`t\` (\`id\` int NOT NULL DEFAULT '1,2', \`a(\` enum('x','y, blob'), \`b\` longblob, c varbinary(9), v varchar(9), PRIMARY KEY (\`id\`), KEY \`b\` (\`b\`(3)), CONSTRAINT \`c\` CHECK ((id > 0)));
INSERT INTO \`t\` VALUES (1,'x',${blob('\xe9\\0')},${blob('\xff')},'caf${é}'),(2,'y',NULL,UPPER('${é}'),'');
REPLACE INTO t (v, B) VALUES ('${é}', ${blob('\xe9')});
INSERT INTO elsewhere VALUES ('${é}');
`;
  const digits = (text: string): string =>
    Array.from(text, character => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  const quoted = script(text => `'${text}'`, '\xe9');
  expect(await utf8Of(quoted)).toBe(script(text => `x'${digits(text.replace('\\0', '\0'))}'`, utf8('é')));
});

test.each([
  ['CREATE TABLE a (b int);\n\nCREATE TABLE `Z\xfcrich` (a int);', 'Line 3: the byte 0xFC at offset 40'],
  ["CREATE TABLE t (a int COMMENT 'caf\xe9');", 'Line 1: the byte 0xE9 at offset 34'],
  ["SET NAMES sjis;\nINSERT INTO t VALUES ('\x80');", 'Line 2: the byte 0x80 at offset 39'],
  ["SET NAMES cp850;\nINSERT INTO t VALUES ('\x81');", 'Line 2: the byte 0x81 at offset 40'],
  ["SET NAMES ascii;\nINSERT INTO t VALUES ('\xe9');", 'Line 2: the byte 0xE9'],
])('what is no text in its charset is refused with its place: %j', async (script, message) => {
  await expect(recoded(raw(script), 1 << 20)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining(message),
  });
  await expect(recoded(raw(script), 3)).rejects.toThrow(message);
});

test('an encoding that is named, or a mark, is stronger than what the statements say', async () => {
  const script = "SET NAMES latin1; INSERT INTO t VALUES ('\xe4\xbd\xa0')";
  expect(await utf8Of(script, 'utf-8')).toBe(script);
  expect(await utf8Of(`\xef\xbb\xbf${script}`)).toBe(script);
  expect(await utf8Of("SET NAMES utf8; SELECT '\xe9'", 'windows-1252')).toBe(`SET NAMES utf8; SELECT '${utf8('é')}'`);
});

test('the beginning of a script says the encoding of its first text', () => {
  expect(scriptEncodingOf(raw("/*!40101 SET NAMES latin1 */;\nINSERT INTO t VALUES ('\xe9');SET NAMES utf8;"))).toBe(
    'windows-1252',
  );
  expect(scriptEncodingOf(raw("SET NAMES latin1;\nset character_set_client=utf8mb4;\nSELECT '\xc3\xa9'"))).toBe(
    'utf-8',
  );
  expect(scriptEncodingOf(raw('SELECT 1'))).toBe('utf-8');
});

test('lines of the mysql client begin no text and end where they end', async () => {
  const script = `source a'b.sql\nSET NAMES latin1;\nuse it's\nSELECT 1\\G\nSELECT '\xe9';\nSET NAMES utf8\\g\n\\d //\nSELECT '${utf8('é')};'//\n`;
  expect(await utf8Of(script)).toBe(script.replace('\xe9', utf8('é')));
});
