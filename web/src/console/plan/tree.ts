/**
 * The text of EXPLAIN as a tree. Pure. Two forms are read.
 *
 * Varve prints an operator a line, and below it, indented, lines about it and its inputs:
 *
 *     Limit
 *       rows: 10
 *       Inner join, hash
 *         keys: o.person_id = p.id
 *         Scan orders o of 630 rows, 12 rows given, 0.34 ms
 *           where: o.total > 5
 *           columns: o.id, o.total
 *
 * and after ANALYZE how many rows each gave, and its time with that of its inputs.
 *
 * Dolt draws `├─`, `└─` and `│` before its lines:
 *
 *     Project
 *      ├─ columns: [people.id]
 *      └─ Filter
 *          ├─ people.age > 30
 *          └─ Table
 *              └─ name: people
 *
 * A line that is an operator (it begins with a capital and has a name only, or a name with brackets) is a node; any other
 * line is a property of the node above it.
 */

export interface PlanNode {
  readonly name: string;
  /** What is in brackets behind the name. */
  readonly detail: string;
  readonly properties: readonly string[];
  readonly inputs: readonly PlanNode[];
  /** What it did, where that was measured. */
  readonly measured?: Measured;
}

export interface Measured {
  readonly rows: number;
  /** Of the operator alone. */
  readonly ms: number;
  /** What its own time is of the whole. */
  readonly share: number;
}

interface Draft {
  readonly depth: number;
  readonly text: string;
  readonly children: Draft[];
}

const DRAWING = /^[\s│├└─]*/;
const OPERATOR = /^([A-Z][A-Za-z0-9]*)(?:\s*\((.*)\))?$/s;

/** Roots of the plan; empty when no line looks like a plan's. */
export function parsePlan(lines: readonly string[]): readonly PlanNode[] {
  const isDrawn = lines.some(line => /^[\s│]*[├└]/m.test(line));
  return readTree(lines).children.map(draft => (isDrawn ? toNode(draft) : toSentenceNode(draft, wholeTime(draft))));
}

function readTree(lines: readonly string[]): Draft {
  const root: Draft = { depth: -1, text: '', children: [] };
  const path: Draft[] = [root];
  for (const line of lines.flatMap(text => text.split('\n'))) {
    const depth = DRAWING.exec(line)?.[0].length ?? 0;
    const text = line.slice(depth).trim();
    if (text === '') continue;
    while ((path[path.length - 1] ?? root).depth >= depth) path.pop();
    const draft: Draft = { depth, text, children: [] };
    (path[path.length - 1] ?? root).children.push(draft);
    path.push(draft);
  }
  return root;
}

function isOperator(draft: Draft): boolean {
  return OPERATOR.test(draft.text);
}

function toNode(draft: Draft): PlanNode {
  const match = OPERATOR.exec(draft.text);
  return {
    name: match?.[1] ?? draft.text,
    detail: match?.[2] ?? '',
    properties: draft.children.filter(child => !isOperator(child)).map(flatten),
    inputs: draft.children.filter(isOperator).map(toNode),
  };
}

/** A property with lines below it (`keys` of a range, say) becomes one line. */
function flatten({ text, children }: Draft): string {
  return [text, ...children.map(flatten)].join(' ');
}

const SENTENCE = /^([A-Z]\w*(?: join)?)(?: (.*?))?(?:, (.*))?$/s;
/** What a line says that is about the operator above it. */
const ABOUT = /^[a-z]+: /;

const ROWS_GIVEN = /^(\d+) rows? given$/;
const TIME = /^([\d.]+) ms$/;

function actionsOf(text: string): readonly string[] {
  return (SENTENCE.exec(text)?.[3] ?? '').split(', ');
}

/** Of an operator and all below it; where it has no time of its own, of those below it. */
function wholeTime({ text, children }: Draft): number {
  const own = actionsOf(text).find(action => TIME.test(action));
  return own === undefined ? children.reduce((sum, child) => sum + wholeTime(child), 0) : Number.parseFloat(own);
}

function measuredOf(draft: Draft, planMs: number): Measured | undefined {
  const rows = actionsOf(draft.text).find(action => ROWS_GIVEN.test(action));
  if (rows === undefined) return undefined;
  const below = draft.children.reduce((sum, child) => sum + wholeTime(child), 0);
  // Times are rounded: what is left may be a hair below nothing.
  const ms = Math.max(0, Math.round((wholeTime(draft) - below) * 100) / 100);
  return { rows: Number.parseInt(rows, 10), ms, share: planMs === 0 ? 0 : Math.min(1, ms / planMs) };
}

/** An operator of Varve's: a name, what it works on and what it does, and lines about it. */
function toSentenceNode(draft: Draft, planMs: number): PlanNode {
  const { text, children } = draft;
  const [, name = text, object = '', actions = ''] = SENTENCE.exec(text) ?? [];
  const isScan = name === 'Scan';
  const [detail = '', ...facts] = isScan ? object.split(/ (?=(?:by|of) )/) : ['', object];
  const measured = measuredOf(draft, planMs);
  const others = actions.split(', ').filter(action => !ROWS_GIVEN.test(action) && !TIME.test(action));
  const isAbout = ({ text: line }: Draft) => ABOUT.test(line);
  const properties = [...facts, ...others, ...children.filter(isAbout).map(flatten)];
  return {
    name,
    detail,
    properties: properties.filter(property => property !== ''),
    inputs: children.filter(child => !isAbout(child)).map(child => toSentenceNode(child, planMs)),
    ...(measured !== undefined && { measured }),
  };
}
