/** Defaults that SHOW CREATE TABLE writes in a way that no CREATE TABLE takes. Pure. */

/** The line of a column of members, or of years, up to a default in digits. */
const LINE =
  /^ *`(?:[^`]|``)+` (?:(?<kind>enum|set)\((?<members>(?:'(?:[^']|'')*',?)*)\)|year)[^'(\n]* DEFAULT '(?<digits>\d+)'(?!')/gm;
const LITERAL = /'((?:[^']|'')*)'/g;

/**
 * The definition of a table with ENUM and SET defaults by their members: Dolt writes their numbers, which it refuses, or takes for other
 * members. The year 0 is a number, for as a text it is 2000.
 */
export function withNamedDefaults(definition: string): string {
  return definition.replace(LINE, (line, ...rest) => {
    const { kind, members, digits = '' } = rest.at(-1) as Record<string, string | undefined>;
    const named = kind === undefined ? yearOf(digits) : memberOf(kind, members ?? '', digits);
    return named === undefined ? line : `${line.slice(0, -digits.length - 2)}${named}`;
  });
}

function yearOf(digits: string): string | undefined {
  return Number(digits) === 0 ? '0' : undefined;
}

/** A literal of the member with this number, or of those with these bits. */
function memberOf(kind: string, members: string, digits: string): string | undefined {
  const texts = Array.from(members.matchAll(LITERAL), ([, text = '']) => text);
  if (kind === 'set') {
    const bits = BigInt(digits);
    return `'${texts.filter((_, at) => (bits >> BigInt(at)) & 1n).join(',')}'`;
  }
  const text = texts[Number(digits) - 1];
  return text === undefined ? undefined : `'${text}'`;
}
