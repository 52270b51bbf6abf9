/** The file that is imported, and what its beginning says of it. */

import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  AS_SCRIPT_SAYS,
  areObjectsApart,
  type FileHead,
  headOf,
  likelyEncoding,
  textIn,
  whyUnreadable,
} from '../../transfer/file_head.ts';
import { databaseNameIn, formatOf, type ImportFormat } from '../../transfer/formats.ts';
import { messageOf } from '../../ui/message_of.ts';

export interface ImportFile {
  readonly file: Signal<File | undefined>;
  /** Undefined until it is read. */
  readonly head: Signal<FileHead | undefined>;
  readonly format: Signal<ImportFormat>;
  readonly encoding: Signal<string>;
  /** Another file takes its place. */
  readonly take: (file: File) => void;
}

interface Told {
  /** A dump says of which one it is. */
  readonly ofDatabase: (name: string, fileName: string) => void;
  readonly unreadable: (problem: string) => void;
}

export function useImportFile(first: File | undefined, told: Told): ImportFile {
  const file = useSignal<File | undefined>(first);
  const head = useSignal<FileHead | undefined>(undefined);
  const format = useSignal<ImportFormat>(formatOf(first?.name ?? '') ?? 'csv');
  const encoding = useSignal('utf-8');
  useEffect(() => {
    const input = file.value;
    if (input === undefined) return;
    void headOf(input).then(
      found => {
        if (file.peek() !== input) return;
        head.value = found;
        if (format.peek() === 'json' && areObjectsApart(found)) format.value = 'jsonl';
        encoding.value = likelyEncoding(found, format.peek());
        const database = format.peek() === 'sql' ? databaseNameIn(textIn(found, encoding.peek())) : undefined;
        if (database !== undefined) told.ofDatabase(database, input.name);
      },
      async (error: unknown) => {
        const problem = await problemOf(input, error);
        if (file.peek() === input) told.unreadable(problem);
      },
    );
  }, [file.value]);
  useEffect(() => {
    // Only a script says it itself.
    const isScript = format.value === 'sql';
    if (head.peek() !== undefined && isScript !== (encoding.peek() === AS_SCRIPT_SAYS)) {
      encoding.value = likelyEncoding(head.peek() as FileHead, format.peek());
    }
  }, [format.value]);
  const take = (chosen: File) => {
    file.value = chosen;
    head.value = undefined;
    format.value = formatOf(chosen.name) ?? format.peek();
  };
  return { file, head, format, encoding, take };
}

export async function problemOf(input: File, error: unknown): Promise<string> {
  return (await whyUnreadable(input)) ?? messageOf(error);
}
