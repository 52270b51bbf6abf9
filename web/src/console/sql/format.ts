/** Lays a statement out: keywords in capitals, a clause on each line where one line is too short. Text only. */
import { lexemesOf, splitStatements } from './lexer.ts';
import { RESERVED_WORDS } from './names.ts';

/** A statement that fits into so many letters stays on one line. */
const LINE_LETTERS = 80;
const INDENT = '  ';

interface Leaf {
  readonly kind: 'word' | 'text' | 'comment' | 'line_comment';
  readonly text: string;
  /** There was space, or a comment, before it. */
  readonly isApart: boolean;
}

interface Group {
  readonly kind: 'group';
  readonly children: readonly Node[];
  readonly isApart: boolean;
}

type Node = Leaf | Group;

/** Clauses of a query, each of which may begin a line. Longer ones come first. */
const CLAUSES: readonly (readonly string[])[] = [
  ['ON', 'DUPLICATE', 'KEY', 'UPDATE'],
  ['NATURAL', 'LEFT', 'JOIN'],
  ['NATURAL', 'RIGHT', 'JOIN'],
  ['LEFT', 'OUTER', 'JOIN'],
  ['RIGHT', 'OUTER', 'JOIN'],
  ['FULL', 'OUTER', 'JOIN'],
  ['INSERT', 'IGNORE', 'INTO'],
  ['NATURAL', 'JOIN'],
  ['LEFT', 'JOIN'],
  ['RIGHT', 'JOIN'],
  ['INNER', 'JOIN'],
  ['CROSS', 'JOIN'],
  ['FULL', 'JOIN'],
  ['GROUP', 'BY'],
  ['ORDER', 'BY'],
  ['UNION', 'ALL'],
  ['UNION', 'DISTINCT'],
  ['INSERT', 'INTO'],
  ['REPLACE', 'INTO'],
  ['DELETE', 'FROM'],
  ['SELECT', 'DISTINCT'],
  ['WITH', 'RECURSIVE'],
  ['STRAIGHT_JOIN'],
  ['SELECT'],
  ['FROM'],
  ['WHERE'],
  ['HAVING'],
  ['LIMIT'],
  ['UNION'],
  ['INTERSECT'],
  ['EXCEPT'],
  ['WINDOW'],
  ['VALUES'],
  ['SET'],
  ['JOIN'],
  ['WITH'],
];
/** Clauses that are conditions: they break before AND and OR, others after commas. */
const CONDITIONS = /^(WHERE|HAVING|.*JOIN)$/;
/** Statements that are no queries and no lists of things keep their lines. */
const LAID_OUT: ReadonlySet<string> = new Set(
  `SELECT WITH INSERT REPLACE UPDATE DELETE VALUES EXPLAIN TABLE CREATE`.split(/\s+/),
);
const MADE: ReadonlySet<string> = new Set(`TABLE VIEW`.split(/\s+/));
/** Words that nobody calls a column, beside those that nobody may. */
const MORE_WORDS = new Set(
  `auto_increment bigint binary blob char character decimal double duplicate float int integer longblob longtext mediumint
  mediumtext numeric real smallint tinyint varbinary varchar`.split(/\s+/),
);
const OPERATORS = /^(<=>|<=|>=|<>|!=|:=|=|<|>|\|\||&&)$/;
/** Words that stand before a parenthesis without being a function. */
const NO_FUNCTIONS: ReadonlySet<string> = new Set(
  `IN AND OR NOT AS ON FROM WHERE SELECT JOIN UNION ALL EXISTS OVER USING BY HAVING WHEN THEN ELSE CASE INTO KEY INDEX CHECK REFERENCES BETWEEN LIKE IS INTERSECT EXCEPT DISTINCT LIMIT SET ANY SOME XOR DIV MOD TABLE LATERAL WITH`.split(
    /\s+/,
  ),
);

/** Every statement of a script, laid out; what stands between them stays. */
export function formatScript(script: string): string {
  let formatted = '';
  let before = '';
  let at = 0;
  for (const { from, to } of splitStatements(script)) {
    const between = script.slice(at, from);
    const text = formatStatement(script.slice(from, to));
    // Two on a line become two lines, with room around what takes several.
    const isTall = text.includes('\n') || before.includes('\n');
    formatted += /^;[ \t]*$/.test(between) ? `;\n${isTall ? '\n' : ''}` : between;
    formatted += text;
    before = text;
    at = to;
  }
  return formatted + script.slice(at);
}

/** A statement without its semicolon. What is none of those that are known, or does not hold together, comes back as it was. */
export function formatStatement(sql: string): string {
  const nodes = nodesOf(sql);
  if (nodes === undefined || !isKnown(nodes)) return sql;
  return laidOut(nodes, 0);
}

function isKnown(nodes: readonly Node[]): boolean {
  const words = nodes.filter(({ kind }) => kind !== 'comment' && kind !== 'line_comment');
  if (words[0]?.kind === 'group') return true;
  if (!LAID_OUT.has(wordOf(words[0]))) return false;
  // Programs have statements within: their lines are their author's.
  return wordOf(words[0]) !== 'CREATE' || words.slice(1, 5).some(node => MADE.has(wordOf(node)));
}

/** Words, and what stands in parentheses; undefined when those do not match, and where a comment is code for some versions. */
function nodesOf(sql: string): readonly Node[] | undefined {
  const open: { children: Node[]; isApart: boolean }[] = [{ children: [], isApart: false }];
  let end = 0;
  let before = '';
  for (const { kind, text, from, to } of lexemesOf(sql)) {
    if (kind === 'bad' || kind === 'version_mark') return undefined;
    const { children } = open.at(-1) as { children: Node[] };
    const isApart = from > end || /\s$/.test(before);
    if (text === '(') open.push({ children: [], isApart });
    else if (text === ')') {
      const group = open.pop();
      if (group === undefined || open.length === 0) return undefined;
      open.at(-1)?.children.push({ kind: 'group', children: group.children, isApart: group.isApart });
    } else if (kind === 'line_comment') children.push({ kind, text: text.trimEnd(), isApart });
    else if (kind === 'comment') children.push({ kind, text, isApart });
    else if ((kind === 'word' || kind === 'reserved') && !/[.:]$/.test(before) && isKeyword(text.toLowerCase()))
      children.push({ kind: 'word', text: text.toUpperCase(), isApart });
    else children.push({ kind: 'text', text, isApart });
    before = text;
    end = to;
  }
  return open.length === 1 ? open[0]?.children : undefined;
}

function isKeyword(word: string): boolean {
  return RESERVED_WORDS.has(word) || MORE_WORDS.has(word);
}

function wordOf(node: Node | undefined): string {
  return node === undefined || node.kind === 'group' ? '' : node.text.toUpperCase();
}

/** On one line; undefined when a comment ends its line. */
function flat(nodes: readonly Node[]): string | undefined {
  let line = '';
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'line_comment' || (node.kind === 'comment' && node.text.includes('\n'))) return undefined;
    const inner = node.kind === 'group' ? flat(node.children) : node.text;
    if (inner === undefined) return undefined;
    line += (isSpaced(nodes[index - 1], node) ? ' ' : '') + (node.kind === 'group' ? `(${inner})` : inner);
  }
  return line;
}

/** Between names and operators that were written together none comes in, but for comparisons and after commas. */
function isSpaced(before: Node | undefined, node: Node): boolean {
  if (before === undefined) return false;
  const [left, right] = [wordOf(before), wordOf(node)];
  if (right === ',' || right === ';' || right === '.' || left === '.') return false;
  if (left === ',' || OPERATORS.test(left) || OPERATORS.test(right)) return true;
  if (node.kind === 'group' && left === 'VALUES') return node.isApart;
  if (node.kind === 'group')
    return before.kind === 'group' || NO_FUNCTIONS.has(left) || (node.isApart && !isCall(before));
  return node.isApart || before.kind === 'word' || node.kind === 'word' || before.kind === 'group';
}

/** `COUNT (*)` calls as `COUNT(*)` does; after other names a parenthesis is a list. */
function isCall(before: Node): boolean {
  return before.kind === 'word' && !NO_FUNCTIONS.has(wordOf(before));
}

interface Clause {
  readonly head: readonly Node[];
  readonly body: readonly Node[];
}

function clausesOf(nodes: readonly Node[]): readonly Clause[] {
  const clauses: { head: Node[]; body: Node[] }[] = [];
  for (let at = 0; at < nodes.length; ) {
    const rest = nodes.slice(at);
    const found = CLAUSES.find(words => words.every((word, index) => isWord(rest[index], word)));
    if (found !== undefined && !isOtherwise(found[0] as string, nodes, at)) {
      clauses.push({ head: [...rest.slice(0, found.length)], body: [] });
      at += found.length;
    } else {
      const last = clauses.at(-1) ?? { head: [], body: [] };
      if (clauses.length === 0) clauses.push(last);
      last.body.push(nodes[at] as Node);
      at += 1;
    }
  }
  return clauses;
}

/** The words of clauses mean other things as well: `a = VALUES(a)`, CHARACTER SET, WITH ROLLUP. */
function isOtherwise(word: string, nodes: readonly Node[], at: number): boolean {
  const before = wordOf(nodes[at - 1]);
  if (word === 'VALUES') return /^(=|,|UPDATE)$/.test(before);
  if (word === 'SET') return ['CHARACTER', 'CHAR', 'DELETE', 'UPDATE'].includes(before);
  return word === 'WITH' && at > 0 && !/^(AS|EXPLAIN|TREE)$/.test(before) && nodes[at - 1]?.kind !== 'group';
}

function isWord(node: Node | undefined, word: string): boolean {
  return node !== undefined && (node.kind === 'word' || node.kind === 'text') && node.text.toUpperCase() === word;
}

function laidOut(nodes: readonly Node[], depth: number): string {
  const line = flat(nodes);
  if (line !== undefined && depth * INDENT.length + line.length <= LINE_LETTERS) return line;
  const lines = clausesOf(nodes).map(clause => laidOutClause(clause, depth));
  return lines.filter(text => text !== '').join(`\n${INDENT.repeat(depth)}`);
}

function laidOutClause({ head, body }: Clause, depth: number): string {
  const whole = flat([...head, ...body]);
  if (whole !== undefined && depth * INDENT.length + whole.length <= LINE_LETTERS) return whole;
  const name = flat(head) ?? '';
  const isCondition = CONDITIONS.test(name);
  const parts = isCondition ? conditionsOf(body) : listOf(body);
  if (parts.length < 2) return joined([...head, ...body], depth);
  const below = `\n${INDENT.repeat(depth + 1)}`;
  const texts = parts.map(part => joined(part, depth + 1));
  if (name === '') return texts.join(below);
  return isCondition ? `${name} ${texts.join(below)}` : `${name}${below}${texts.join(below)}`;
}

/** On one line but for what is in parentheses and too long for it, and what a comment ends. */
function joined(nodes: readonly Node[], depth: number): string {
  const line = flat(nodes);
  if (line !== undefined && depth * INDENT.length + line.length <= LINE_LETTERS) return line;
  let text = '';
  let isEnded = false;
  for (const [index, node] of nodes.entries()) {
    if (isEnded) text += `\n${INDENT.repeat(depth + 1)}`;
    else if (isSpaced(nodes[index - 1], node) || (node.kind === 'line_comment' && text !== '')) text += ' ';
    text += node.kind === 'group' ? laidOutGroup(node, depth) : node.text;
    isEnded = node.kind === 'line_comment';
  }
  return text;
}

function laidOutGroup({ children }: Group, depth: number): string {
  const line = flat(children);
  const isQuery = /^(SELECT|WITH|VALUES)$/.test(wordOf(children[0]));
  if (line !== undefined && line.length <= (isQuery ? LINE_LETTERS / 2 : LINE_LETTERS - INDENT.length * (depth + 1)))
    return `(${line})`;
  const below = `\n${INDENT.repeat(depth + 1)}`;
  const inner = isQuery
    ? laidOut(children, depth + 1)
    : listOf(children)
        .map(part => joined(part, depth + 1))
        .join(below);
  const last = children.at(-1);
  // A comment must not take the parenthesis with it, which stands on a line of its own.
  return `(${below}${inner}${last === undefined ? '' : `\n${INDENT.repeat(depth)}`})`;
}

/** What stands between commas, each with its comma, and with a comment behind that. */
function listOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]];
  for (const [index, node] of nodes.entries()) {
    parts.at(-1)?.push(node);
    const isEnd = wordOf(node) === ',' && nodes[index + 1]?.kind !== 'line_comment';
    const isAfterEnd = node.kind === 'line_comment' && wordOf(nodes[index - 1]) === ',';
    if ((isEnd || isAfterEnd) && index < nodes.length - 1) parts.push([]);
  }
  return parts;
}

/** What stands between AND and OR, each with the word before it. */
function conditionsOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]];
  let isBetween = false;
  for (const node of nodes) {
    const word = wordOf(node);
    if (word === 'BETWEEN') isBetween = true;
    else if (word === 'AND' && isBetween) isBetween = false;
    else if (word === 'AND' || word === 'OR' || word === 'XOR') parts.push([]);
    parts.at(-1)?.push(node);
  }
  return parts;
}
