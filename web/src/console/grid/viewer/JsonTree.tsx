import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Icon } from '../../ui/icons.tsx';
import { membersOf, openDepth } from './json_members.ts';

/** Members shown of one object or array before "more" is asked for. */
const MEMBERS_STEP = 100;
/** A document deeper than this is cut here; the text form shows it whole. */
const DEPTH_MAX = 60;

interface NodeProps {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly depth: number;
  /** What is less deep is unfolded at first. */
  readonly openDepth: number;
}

/** A JSON document that folds. Values are text nodes, whatever they contain. */
export function JsonTree({ value }: { readonly value: unknown }): JSX.Element {
  const depth = useMemo(() => openDepth(value, MEMBERS_STEP), [value]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled document must be reachable by keyboard.
    <div class="json-tree" tabIndex={0}>
      <JsonNode name={undefined} value={value} depth={0} openDepth={depth} />
    </div>
  );
}

function JsonNode({ name, value, depth, openDepth }: NodeProps): JSX.Element {
  const [isOpen, setOpen] = useState(depth < openDepth);
  const [shown, setShown] = useState(MEMBERS_STEP);
  const members = membersOf(value);
  const label = name === undefined ? null : <span class="json-name">{name}: </span>;
  if (members === undefined || members.length === 0 || depth > DEPTH_MAX) {
    return (
      <div class="json-line">
        <span class="json-fold" />
        {label}
        <span class={`json-${leafKind(value)}`}>{leafText(value, members)}</span>
      </div>
    );
  }
  const isArray = Array.isArray(value);
  return (
    <div>
      <div class="json-line">
        <button
          type="button"
          class="json-fold"
          aria-expanded={isOpen}
          aria-label={isOpen ? 'Fold' : 'Unfold'}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
        </button>
        {label}
        <span class="json-mark">
          {isArray ? '[' : '{'}
          {!isOpen && '…'}
          {!isOpen && (isArray ? ']' : '}')}
        </span>
        <span class="json-count">{members.length}</span>
      </div>
      {isOpen && (
        <div class="json-members">
          {members.slice(0, shown).map(([key, member]) => (
            <JsonNode key={key} name={key} value={member} depth={depth + 1} openDepth={openDepth} />
          ))}
          {members.length > shown && (
            <button type="button" class="button small quiet" onClick={() => setShown(shown + MEMBERS_STEP)}>
              {members.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function leafKind(value: unknown): string {
  return value === null ? 'null' : typeof value === 'object' ? 'mark' : typeof value;
}

function leafText(value: unknown, members: readonly unknown[] | undefined): string {
  if (members === undefined) return JSON.stringify(value) ?? String(value);
  if (members.length === 0) return Array.isArray(value) ? '[]' : '{}';
  return Array.isArray(value) ? '[…]' : '{…}';
}
