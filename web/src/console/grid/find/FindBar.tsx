import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { wholeNumber } from '../../ui/figures.ts';
import { IconButton } from '../../ui/icon_button.tsx';
import type { Search } from './search.ts';
import { type FindProgress, type FindSource, useFinding } from './use_finding.ts';

interface FindProps extends FindSource {
  readonly search: Search;
  /** Looks for the text where the rows come from; absent where all of them are here. */
  readonly onAll: ((text: string) => void) | undefined;
}

/** Finds a text in the rows of a grid, all that were fetched: marks its places and goes from one to the next. */
export function FindBar({ search, onAll, ...source }: FindProps): JSX.Element {
  const { text } = search;
  const { progress, look, go } = useFinding(source, text);
  const field = useRef<HTMLInputElement>(null);
  // At once: what is typed right after the key belongs into the field.
  useLayoutEffect(() => {
    if (!search.takeWish()) return;
    field.current?.focus();
    field.current?.select();
  }, [search.wishes.value]);

  const close = () => {
    search.close();
    source.grid.peek()?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'F3') go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const found = progress.value;
  const isNone = found === undefined || found.places === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element of that kind in every browser.
    <div class="find-bar" role="search" aria-label="Find in results" onKeyDown={onKeyDown}>
      <input
        ref={field}
        class="field"
        placeholder="Find in results"
        aria-label="Find in results"
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        onInput={event => look(event.currentTarget.value)}
      />
      <span class="muted figures find-count" role="status">
        {found === undefined ? '' : inWords(found)}
      </span>
      <IconButton
        icon="chevronDown"
        label="Previous match"
        keys="Shift+Enter"
        isUp
        isDisabled={isNone}
        onPress={() => go(-1)}
      />
      <IconButton icon="chevronDown" label="Next match" keys="Enter" isDisabled={isNone} onPress={() => go(1)} />
      {onAll !== undefined && text.value.trim() !== '' && (
        <button
          type="button"
          class="button quiet small"
          title="Search all rows of the table with a query"
          onClick={() => onAll(text.peek())}
        >
          Search all rows
        </button>
      )}
      <IconButton icon="close" label="Close the search" keys="Escape" onPress={close} />
    </div>
  );
}

/** `3 of 17`. */
function inWords({ places, at, isDone, isClipped }: FindProgress): string {
  if (places === 0) return isDone ? 'Not found' : '…';
  const all = `${wholeNumber(places)}${isClipped ? ' or more' : isDone ? '' : '…'}`;
  return at < 0 ? all : `${wholeNumber(at + 1)} of ${all}`;
}
