import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { focusedElement } from './focus.ts';
import { Icon, type IconName } from './icons.tsx';

export interface MenuEntry {
  readonly label: string;
  readonly hint?: string;
  readonly icon?: IconName;
  readonly isChecked?: boolean;
  /** Each is checked by itself, instead of one of them. */
  readonly isToggle?: boolean;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

export interface MenuGroup {
  readonly heading?: string;
  readonly entries: readonly MenuEntry[];
}

interface MenuButtonProps {
  readonly class: string;
  /** What a screen reader and the tooltip say. */
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly align?: 'start' | 'end';
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** A button that opens a menu below it. The menu is a native popover: Escape and a press elsewhere close it. */
export function MenuButton(props: MenuButtonProps): JSX.Element {
  const { label, groups, align = 'start', isDisabled = false } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const element = menu.current;
    if (element === null) return;
    const onToggle = (event: ToggleEvent) => {
      setOpen(event.newState === 'open');
    };
    element.addEventListener('toggle', onToggle);
    return () => element.removeEventListener('toggle', onToggle);
  }, []);

  // The entries are there from now on.
  useLayoutEffect(() => {
    if (isOpen && menu.current !== null && button.current !== null)
      place(menu.current, button.current.getBoundingClientRect(), align);
  }, [isOpen]);

  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.class}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={isDisabled}
        // The browser knows whether it is open; its events tell that only later.
        popovertarget={id}
      >
        {props.children}
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={event => onMenuKey(event, menu.current)}
      >
        {isOpen && groups.map((group, index) => renderGroup(group, index, () => menu.current?.hidePopover()))}
      </div>
    </>
  );
}

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps {
  readonly label: string;
  /** Where it opens, in the page's coordinates; undefined while it is closed. */
  readonly at: MenuPoint | undefined;
  readonly groups: readonly MenuGroup[];
  readonly onClose: () => void;
}

/**
 * A menu at a point, for the second mouse button. It closes by itself: where that button opens menus as it goes down, a browser takes
 * its going up for a press elsewhere, and closes what closes by such a press.
 */
export function ContextMenu({ label, at, groups, onClose }: ContextMenuProps): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const latest = useRef(onClose);
  latest.current = onClose;

  const close = () => {
    const element = menu.current;
    if (element?.matches(':popover-open')) {
      if (element.contains(document.activeElement) && before.current instanceof HTMLElement) before.current.focus();
      element.hidePopover();
    }
    latest.current();
  };

  useLayoutEffect(() => {
    const element = menu.current;
    if (at === undefined || element === null) return;
    before.current = focusedElement();
    element.showPopover();
    place(element, new DOMRect(at.x, at.y, 0, 0), 'start');
    const onPress = (event: PointerEvent) => {
      if (!(event.target instanceof Node && element.contains(event.target))) close();
    };
    window.addEventListener('pointerdown', onPress, { capture: true });
    window.addEventListener('blur', close);
    return () => {
      window.removeEventListener('pointerdown', onPress, { capture: true });
      window.removeEventListener('blur', close);
      if (element.matches(':popover-open')) element.hidePopover();
    };
  }, [at]);

  return (
    <div
      ref={menu}
      class="menu"
      popover="manual"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key !== 'Escape' && event.key !== 'Tab') return onMenuKey(event, menu.current);
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      {at !== undefined && groups.map((group, index) => renderGroup(group, index, close))}
    </div>
  );
}

function renderGroup(group: MenuGroup, index: number, close: () => void): JSX.Element {
  return (
    <div key={index}>
      {index > 0 && <div class="menu-line" />}
      {group.heading !== undefined && <div class="menu-heading">{group.heading}</div>}
      {group.entries.map((entry, at) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role is one that is checked wherever aria-checked is set.
        <button
          key={`${at} ${entry.label}`}
          type="button"
          class="menu-item"
          role={roleOf(entry)}
          aria-checked={entry.isChecked}
          disabled={entry.isDisabled}
          tabIndex={-1}
          onClick={() => {
            close();
            entry.onSelect();
          }}
        >
          {entry.isChecked !== undefined ? (
            <Icon name="check" class={entry.isChecked ? '' : 'invisible'} />
          ) : (
            entry.icon !== undefined && <Icon name={entry.icon} />
          )}
          <span class="truncate">{entry.label}</span>
          {entry.hint !== undefined && <span class="hint">{entry.hint}</span>}
        </button>
      ))}
    </div>
  );
}

function roleOf({ isChecked, isToggle }: MenuEntry): 'menuitem' | 'menuitemradio' | 'menuitemcheckbox' {
  if (isChecked === undefined) return 'menuitem';
  return isToggle ? 'menuitemcheckbox' : 'menuitemradio';
}

/** Puts a menu whose entries are there below its anchor, or above where there is no room, and goes into it. */
function place(menu: HTMLElement, anchor: DOMRect, align: 'start' | 'end'): void {
  const { width, height } = menu.getBoundingClientRect();
  const left = align === 'start' ? anchor.left : anchor.right - width;
  const below = anchor.bottom + 4;
  const over = below + height - (innerHeight - 8);
  // At a point a long menu moves up as far as it must; a button stays in sight.
  const top = over <= 0 ? below : anchor.height === 0 ? below - over : Math.max(8, anchor.top - height - 4);
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${top}px`;
  focusEntry(menu, 0);
}

function entriesOf(menu: HTMLElement): HTMLElement[] {
  return Array.from(menu.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)'));
}

function focusEntry(menu: HTMLElement, index: number): void {
  const entries = entriesOf(menu);
  const checked = entries.find(entry => entry.getAttribute('aria-checked') === 'true');
  (index === 0 && checked !== undefined ? checked : entries.at(index))?.focus();
}

function onMenuKey(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (menu === null) return;
  const entries = entriesOf(menu);
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    entries.at((at + step + entries.length) % entries.length)?.focus();
    event.preventDefault();
  } else if (event.key === 'Home' || event.key === 'End') {
    entries.at(event.key === 'Home' ? 0 : -1)?.focus();
    event.preventDefault();
  }
}
