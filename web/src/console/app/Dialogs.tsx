import type { JSX } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { BranchesDialog } from './BranchesDialog.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { closeDialog, type DialogRequest } from './dialogs.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { KeepDialog } from './KeepDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { NewDatabaseDialog } from './NewDatabaseDialog.tsx';
import { NewBranchDialog, NewTagDialog, RenameBranchDialog } from './NewRefDialogs.tsx';
import { RebaseDialog } from './RebaseDialog.tsx';
import { ReviewEditsDialog } from './ReviewEditsDialog.tsx';
import { RowHistoryDialog } from './RowHistoryDialog.tsx';
import { SaveQueryDialog } from './SaveQueryDialog.tsx';
import { StashDialog } from './StashDialog.tsx';

function titleOf(request: DialogRequest): string {
  switch (request.kind) {
    case 'new-database':
      return 'New database';
    case 'keep':
      return 'Keep a copy in this browser';
    case 'import':
      return 'Import';
    case 'export':
      return 'Export';
    case 'new-branch':
      return 'New branch';
    case 'rename-branch':
      return `Rename ${request.branch}`;
    case 'new-tag':
      return 'New tag';
    case 'branches':
      return 'Branches and tags';
    case 'merge':
      return 'Merge';
    case 'stash':
      return 'Stash all changes';
    case 'rebase':
      return 'Rebase';
    case 'review-edits':
      return 'Review the edits';
    case 'save-query':
      return 'Save the query';
    case 'row-history':
      return `History of a row of ${request.table}`;
    case 'confirm':
      return request.title;
  }
}

/** The dialogs in which something is made or changed. Loaded when the first of them is opened. */
export function Dialogs({ request }: { readonly request: DialogRequest }): JSX.Element {
  return (
    <Dialog key={request.kind} title={titleOf(request)} onClose={closeDialog}>
      <Body request={request} />
    </Dialog>
  );
}

function Body({ request }: { readonly request: DialogRequest }): JSX.Element {
  switch (request.kind) {
    case 'new-database':
      return <NewDatabaseDialog />;
    case 'keep':
      return <KeepDialog />;
    case 'import':
      return <ImportDialog files={request.files} />;
    case 'export':
      return <ExportDialog />;
    case 'new-branch':
      return <NewBranchDialog from={request.from} />;
    case 'rename-branch':
      return <RenameBranchDialog branch={request.branch} />;
    case 'new-tag':
      return <NewTagDialog at={request.at} />;
    case 'branches':
      return <BranchesDialog />;
    case 'merge':
      return <MergeDialog branch={request.branch} />;
    case 'stash':
      return <StashDialog />;
    case 'rebase':
      return <RebaseDialog onto={request.onto} />;
    case 'review-edits':
      return <ReviewEditsDialog run={request.run} tab={request.tab} />;
    case 'save-query':
      return <SaveQueryDialog tab={request.tab} />;
    case 'row-history':
      return <RowHistoryDialog table={request.table} rowKey={request.key} />;
    case 'confirm':
      return <ConfirmDialog request={request} />;
  }
}
