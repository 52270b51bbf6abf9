/** All dialogs, by the kind of the request. */
import type { JSX } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { closeDialog, type DialogRequest } from './dialogs.ts';
import { CloneDialog } from './open/CloneDialog.tsx';
import { KeepDialog } from './open/KeepDialog.tsx';
import { NewDatabaseDialog } from './open/NewDatabaseDialog.tsx';
import { OfflineDialog } from './open/OfflineDialog.tsx';
import { TrustOriginDialog } from './open/TrustOriginDialog.tsx';
import { VerifyDialog } from './open/VerifyDialog.tsx';
import { ReviewEditsDialog } from './query/edit/ReviewEditsDialog.tsx';
import { RowHistoryDialog } from './query/row_history/RowHistoryDialog.tsx';
import { SaveQueryDialog } from './query/saved/SaveQueryDialog.tsx';
import { ExportDialog } from './transfer/ExportDialog.tsx';
import { ImportDialog } from './transfer/ImportDialog.tsx';
import { isTransferring } from './transfer/transferring.ts';
import { BranchesDialog } from './versions/branches/BranchesDialog.tsx';
import { MergeDialog } from './versions/branches/MergeDialog.tsx';
import { NewBranchDialog, NewTagDialog, RenameBranchDialog } from './versions/branches/NewRefDialogs.tsx';
import { RebaseDialog } from './versions/branches/RebaseDialog.tsx';
import { StashDialog } from './versions/changes/StashDialog.tsx';
import { RemotesDialog } from './versions/remotes/RemotesDialog.tsx';

function titleOf(request: DialogRequest): string {
  switch (request.kind) {
    case 'new-database':
      return 'New database';
    case 'clone':
      return 'Clone a remote';
    case 'keep':
      return 'Keep a copy in this browser';
    case 'verify':
      return 'Check the files';
    case 'offline':
      return 'Keep offline';
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
    case 'remotes':
      return 'Remotes';
    case 'merge':
      return 'Merge';
    case 'stash':
      return 'Stash all changes';
    case 'rebase':
      return 'Rebase';
    case 'review-edits':
      return 'Review edits';
    case 'save-query':
      return 'Save the query';
    case 'row-history':
      return `History of a row of ${request.table}`;
    case 'trust-origin':
      return `Open a database from ${new URL(request.url).host}?`;
    case 'confirm':
      return request.title;
  }
}

/** The dialogs in which something is made or changed. Loaded when the first of them is opened. */
export function Dialogs({ request }: { readonly request: DialogRequest }): JSX.Element {
  return (
    <Dialog key={request.kind} title={titleOf(request)} isHeld={isTransferring.value} onClose={closeDialog}>
      <Body request={request} />
    </Dialog>
  );
}

function Body({ request }: { readonly request: DialogRequest }): JSX.Element {
  switch (request.kind) {
    case 'new-database':
      return <NewDatabaseDialog />;
    case 'clone':
      return <CloneDialog />;
    case 'keep':
      return <KeepDialog />;
    case 'verify':
      return <VerifyDialog database={request.database} />;
    case 'offline':
      return <OfflineDialog />;
    case 'import':
      return <ImportDialog files={request.files} />;
    case 'export':
      return <ExportDialog table={request.table} />;
    case 'new-branch':
      return <NewBranchDialog {...request} />;
    case 'rename-branch':
      return <RenameBranchDialog branch={request.branch} />;
    case 'new-tag':
      return <NewTagDialog at={request.at} />;
    case 'branches':
      return <BranchesDialog />;
    case 'remotes':
      return <RemotesDialog />;
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
    case 'trust-origin':
      return <TrustOriginDialog request={request} />;
    case 'confirm':
      return <ConfirmDialog request={request} />;
  }
}
