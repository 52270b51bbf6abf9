/** The import of a file: what the dialog asks for, and does. */
import { useSignal } from '@preact/signals';
import { useImportFile } from './import_file.ts';
import { useImportedRows } from './import_rows.ts';
import {
  type AskedImport,
  forgetFailure,
  type ImportOutcome,
  type ImportRun,
  useImportOutcome,
  useImportRun,
} from './import_run.ts';
import { useImportTarget } from './import_target.ts';

export interface Import extends AskedImport, ImportOutcome, ImportRun {
  readonly choose: (file: File) => void;
}

export function useImport(files: readonly File[]): Import {
  const outcome = useImportOutcome();
  const target = useImportTarget(files[0]?.name ?? '');
  const read = useImportFile(files[0], {
    ofDatabase: target.nameDatabase,
    unreadable: problem => {
      outcome.failure.value = problem;
    },
  });
  const rows = useImportedRows(read, target);
  const asked = { ...read, ...target, ...rows, goesOn: useSignal(false) };
  const choose = (chosen: File) => {
    target.follow(chosen.name, read.file.peek()?.name ?? '');
    read.take(chosen);
    forgetFailure(outcome);
  };
  return { ...asked, ...outcome, ...useImportRun(asked, outcome), choose };
}
