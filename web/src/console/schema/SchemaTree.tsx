import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { counted } from '../ui/figures.ts';
import { Icon } from '../ui/icons.tsx';
import { LongName } from '../ui/long_name.tsx';
import { matched } from '../ui/media.ts';
import { ContextMenu, type MenuPoint } from '../ui/menu.tsx';
import type { TableNode } from './catalog.ts';
import { shortCount } from './model.ts';
import { type Line, type TreeProps, treeLines } from './tree_lines.tsx';

interface OpenMenu {
  readonly line: Line;
  readonly at: MenuPoint;
}

/** Databases, their branches, tables and views with row counts, and columns. */
export function SchemaTree({ catalog, unreadable, actions, filter }: TreeProps): JSX.Element {
  /** Nodes that differ from how they start: databases and the current branch open, the rest closed. */
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const focused = useSignal('');
  const menu = useSignal<OpenMenu | undefined>(undefined);
  const element = useRef<HTMLDivElement>(null);
  const seen = useSeen(element);
  const wantsFocus = useRef(false);

  const toggle = (id: string) => {
    const next = new Set(toggled.value);
    if (!next.delete(id)) next.add(id);
    toggled.value = next;
  };
  const isOpen = (id: string, initially: boolean) => toggled.value.has(id) !== initially;
  const lines = treeLines({ catalog, unreadable, actions, filter }, { isOpen, toggle });
  const focusedId = lines.some(line => line.id === focused.value) ? focused.value : (lines[0]?.id ?? '');

  // What was filtered begins at the top, however far down one was.
  useEffect(() => element.current?.scrollTo(0, 0), [filter]);

  const focusLine = (line: Line | undefined) => {
    if (line === undefined || line.id === focusedId) return;
    focused.value = line.id;
    wantsFocus.current = true;
  };
  // One that was out of sight is there from now on.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    element.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.closest('[role="menu"]') !== null) return;
    const at = lines.findIndex(line => line.id === focusedId);
    const line = lines[at];
    if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
        focusLine(lines[at + 1]);
        break;
      case 'ArrowUp':
        focusLine(lines[at - 1]);
        break;
      case 'Home':
        focusLine(lines[0]);
        break;
      case 'End':
        focusLine(lines.at(-1));
        break;
      case 'ArrowRight':
        if (line.isOpen === false) line.onToggle?.();
        else if (line.isOpen === true) focusLine(lines[at + 1]);
        break;
      case 'ArrowLeft':
        if (line.isOpen === true) line.onToggle?.();
        else focusLine(lines.slice(0, at).findLast(above => above.level < line.level));
        break;
      case 'Enter':
        (line.onOpen ?? line.onToggle)?.();
        break;
      case ' ':
        (line.onToggle ?? line.onOpen)?.();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <div ref={element} class="tree" role="tree" aria-label="Schema" tabIndex={-1} onKeyDown={onKeyDown}>
      <div class="tree-lines" role="none" style={{ height: `${lines.length * linePx()}px` }}>
        {lines.map((line, index) =>
          line.id !== focusedId && (index < seen.first || index >= seen.end) ? null : (
            <TreeLine
              key={line.id}
              line={line}
              top={index * linePx()}
              isFocused={line.id === focusedId}
              onFocus={() => {
                focused.value = line.id;
              }}
              onMenu={at => {
                menu.value = { line, at };
              }}
            />
          ),
        )}
      </div>
      <ContextMenu
        label={menu.value?.line.label ?? 'Table'}
        at={menu.value?.at}
        groups={menu.value?.line.menu?.() ?? []}
        onClose={() => {
          menu.value = undefined;
        }}
      />
    </div>
  );
}

/** As `tree.css` has it: what is pressed by a finger is larger. */
const isByFinger = matched('(hover: none)');
const linePx = (): number => (isByFinger.value ? 32 : 24);
/** Beyond what is seen, so that a quick turn of the wheel finds lines. */
const MORE_LINES = 30;
/** What is seen goes on in steps of so many lines: most movements draw nothing anew. */
const STEP_LINES = 10;

interface Seen {
  readonly first: number;
  readonly end: number;
}

/** Which lines are drawn: of thousands of tables those that are seen, and some around them. */
function useSeen(element: { readonly current: HTMLElement | null }): Seen {
  const seen = useSignal<Seen>({ first: 0, end: 2 * MORE_LINES });
  useEffect(() => {
    const tree = element.current;
    if (tree === null) return;
    const look = () => {
      const top = Math.floor(tree.scrollTop / linePx() / STEP_LINES) * STEP_LINES;
      const first = Math.max(0, top - MORE_LINES);
      const end = top + STEP_LINES + Math.ceil(tree.clientHeight / linePx()) + MORE_LINES;
      const { first: from, end: to } = seen.peek();
      if (from !== first || to !== end) seen.value = { first, end };
    };
    // It looks at once, but not before the page is laid out anyway.
    const observer = new ResizeObserver(look);
    observer.observe(tree);
    tree.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      tree.removeEventListener('scroll', look);
    };
  }, []);
  return seen.value;
}

interface LineProps {
  readonly line: Line;
  readonly top: number;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly onMenu: (at: MenuPoint) => void;
}

function TreeLine({ line, top, isFocused, onFocus, onMenu }: LineProps): JSX.Element {
  const { level, icon, label, note, tone, onToggle, onOpen } = line;
  const isCurrent = tone === 'current';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys.
    <div
      class={`tree-line ${tone ?? ''}`}
      role="treeitem"
      data-line={line.id}
      aria-level={level + 1}
      aria-expanded={line.isOpen}
      aria-selected={isCurrent}
      tabIndex={isFocused ? 0 : -1}
      style={{ top: `${top}px`, paddingLeft: `${4 + level * 14 + (icon === undefined ? 6 : 0)}px` }}
      onFocus={onFocus}
      onClick={() => (onToggle ?? onOpen)?.()}
      onDblClick={() => onToggle !== undefined && onOpen?.()}
      onContextMenu={event => {
        if (line.menu === undefined) return;
        event.preventDefault();
        // By its key the menu has no place of its own.
        const box = event.currentTarget.getBoundingClientRect();
        onMenu(
          event.clientY > box.bottom || event.clientY < box.top
            ? { x: box.left + 24, y: box.bottom }
            : { x: event.clientX, y: event.clientY },
        );
      }}
    >
      <span class="tree-fold">
        {line.isOpen !== undefined && <Icon name={line.isOpen ? 'chevronDown' : 'chevronRight'} />}
      </span>
      {icon !== undefined && <Icon name={icon} class={isCurrent ? 'tree-icon is-current' : 'tree-icon'} />}
      <span class={isCurrent ? 'tree-label truncate is-current' : 'tree-label truncate'} title={label}>
        {tone === 'failed' ? label : <LongName text={label} />}
      </span>
      {line.marks}
      {note !== undefined && (
        <span class="tree-note figures truncate" title={line.noteTitle ?? note}>
          {note}
        </span>
      )}
      {line.count !== undefined && <RowCount count={line.count} />}
      {onOpen !== undefined && line.openLabel !== undefined && (
        <button
          type="button"
          class="tree-open"
          tabIndex={-1}
          aria-label={`${line.openLabel} ${label}`}
          title={line.openLabel}
          onClick={event => {
            event.stopPropagation();
            onOpen();
          }}
        >
          <Icon name="play" />
        </button>
      )}
    </div>
  );
}

function RowCount({ count }: { readonly count: TableNode['rowCount'] }): JSX.Element {
  const { value } = count;
  return (
    <span class="tree-note figures truncate" title={typeof value === 'number' ? counted(value, 'row') : ''}>
      {value === null ? '·' : value === undefined ? '' : shortCount(value)}
    </span>
  );
}
