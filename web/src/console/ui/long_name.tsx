import type { JSX } from 'preact';

/** So many characters at the end are always shown … */
const END_CHARACTERS = 9;
/** … of names that have as many. */
const LONG_CHARACTERS = 24;

/** A name in one line. What has no room is left out before its end: names of one kind begin alike, and differ there. */
export function LongName({ text }: { readonly text: string }): JSX.Element {
  const characters = Array.from(text);
  if (characters.length < LONG_CHARACTERS) return <span class="truncate">{text}</span>;
  return (
    <span class="long-name">
      <span class="visually-hidden">{text}</span>
      <span class="truncate" aria-hidden="true">
        {characters.slice(0, -END_CHARACTERS).join('')}
      </span>
      <span aria-hidden="true">{characters.slice(-END_CHARACTERS).join('')}</span>
    </span>
  );
}
