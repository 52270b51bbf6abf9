import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { wholeNumber } from '../../ui/figures.ts';

type Seen = { readonly width: number; readonly height: number } | 'damaged' | undefined;

/** A picture as large as there is room, and how large it is. */
export function ImageView({ bytes, type }: { readonly bytes: Uint8Array; readonly type: string }): JSX.Element {
  const [url, setUrl] = useState<string | undefined>(undefined);
  const [seen, setSeen] = useState<Seen>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes.slice()], { type }));
    setUrl(made);
    setSeen(undefined);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  const format = type.slice('image/'.length).toUpperCase();
  if (seen === 'damaged') return <p class="picture-facts">Looks like {format}, but cannot be displayed</p>;
  return (
    <figure class="picture">
      {url !== undefined && (
        <img
          src={url}
          alt={`${format} of this value`}
          onLoad={({ currentTarget }) =>
            setSeen({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setSeen('damaged')}
        />
      )}
      <figcaption class="picture-facts">
        {format}
        {seen !== undefined && `, ${wholeNumber(seen.width)} × ${wholeNumber(seen.height)} pixels`}
      </figcaption>
    </figure>
  );
}
