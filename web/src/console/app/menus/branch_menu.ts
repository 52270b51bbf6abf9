import type { Place } from '../../schema/model.ts';
import type { MenuEntry, MenuGroup } from '../../ui/menu.tsx';
import { copyPlain, selectBranch } from '../actions.ts';
import { currentConnection } from '../database/connection.ts';
import { dialog } from '../dialogs.ts';
import { compare } from '../versions/compare/compare_state.ts';

/** What can be done with a branch of the tree. What changes others is of the selected database. */
export function branchMenu(place: Place): readonly MenuGroup[] {
  const { branch: name, database } = place;
  const connection = currentConnection();
  const current = connection?.catalog.place.peek();
  const isHere = current?.database === database;
  const isCurrent = isHere && current.branch === name;
  const canWrite = connection?.database.storage.readOnly === false;
  const other = isHere && !isCurrent && current.branch !== '' ? current.branch : undefined;
  const look: MenuEntry[] = [
    ...(isCurrent
      ? []
      : [{ label: 'Switch to it', icon: 'branch' as const, onSelect: () => void selectBranch(place) }]),
    ...(other === undefined
      ? []
      : [{ label: `Compare with ${other}`, icon: 'compare' as const, onSelect: () => compare(other, name) }]),
    { label: 'Copy the name', icon: 'copy', onSelect: () => void copyPlain(name, 'Copied the name') },
  ];
  if (!isHere || !canWrite) return [{ entries: look }];
  const branch: MenuEntry[] = [
    { label: 'New branch from it', icon: 'plus', onSelect: () => (dialog.value = { kind: 'new-branch', from: name }) },
    ...(other === undefined
      ? []
      : [
          {
            label: `Merge into ${other}`,
            icon: 'merge' as const,
            onSelect: () => (dialog.value = { kind: 'merge', branch: name }),
          },
          {
            label: `Rebase ${other} onto it`,
            icon: 'rebase' as const,
            onSelect: () => (dialog.value = { kind: 'rebase', onto: name }),
          },
        ]),
  ];
  const itself: MenuEntry[] = [
    { label: 'Rename', icon: 'pencil', onSelect: () => (dialog.value = { kind: 'rename-branch', branch: name }) },
    { label: 'Delete', icon: 'trash', isDisabled: isCurrent, onSelect: () => void remove(name) },
  ];
  return [{ entries: look }, { entries: branch }, { entries: itself }];
}

async function remove(name: string): Promise<void> {
  const { deleteBranch } = await import('../versions/branches/branch_actions.ts');
  await deleteBranch(name);
}
