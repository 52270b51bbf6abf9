import type { MenuGroup } from '../ui/menu.tsx';
import type { CommitActions } from './CommitDetail.tsx';
import type { Commit } from './log.ts';

/** What can be done with a commit, as the menu of its line has it. */
export function commitMenu(commit: Commit, actions: CommitActions): readonly MenuGroup[] {
  const { onBranch, onTag, moreOf } = actions;
  return [
    {
      entries: [
        {
          label: 'Compare with its parent',
          icon: 'compare',
          isDisabled: commit.parents.length === 0,
          onSelect: () => actions.onCompare(commit),
        },
        { label: 'Copy the hash', icon: 'copy', onSelect: () => actions.onCopy(commit.hash) },
        { label: 'Copy a link', icon: 'link', onSelect: () => actions.onCopyLink(commit) },
      ],
    },
    ...(onBranch !== undefined && onTag !== undefined
      ? [
          {
            entries: [
              { label: 'New branch here', icon: 'branch' as const, onSelect: () => onBranch(commit) },
              { label: 'New tag here', icon: 'tag' as const, onSelect: () => onTag(commit) },
            ],
          },
        ]
      : []),
    ...(moreOf?.(commit) ?? []),
  ];
}
