// What can be done with the tools that are selected in the list: enable, disable or delete all of them, or confirm their hints, in one request.

import type { bulkActions } from '@toolgate/contract/custom-tools/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import { BadgeCheck, Power, PowerOff, Trash2, X } from 'lucide-react';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { invalidateProject, slowProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import type { Selected } from '../../ui/lists/selection.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { showError, showToast } from '../../ui/toasts.ts';
import { count } from '../../ui/words.ts';

type Action = (typeof bulkActions)[number];
type Tools = Selected<CustomTool>;
type BulkProps = { selected: Tools; onSelect: Dispatch<SetStateAction<Tools>> };

const MOST_NAMED = 10;

export function BulkActions({ selected, onSelect }: BulkProps) {
  const [isDeleting, setDeleting] = useState(false);
  const run = useBulk(onSelect);
  const change = useProjectChange<Action>({
    change: (_, action) => run(action, selected),
    invalidates: [],
  });
  if (selected.size === 0) return null;
  return (
    <section
      aria-label="Selected tools"
      className="sticky bottom-4 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised p-2 shadow-pop"
    >
      <span role="status" className="px-1 font-medium">
        {selected.size.toLocaleString('en')} selected
      </span>
      <Button size="sm" needs="write" busy={change.isPending} onClick={() => change.mutate('enable')}>
        <Power /> Enable
      </Button>
      <Button size="sm" needs="write" busy={change.isPending} onClick={() => change.mutate('disable')}>
        <PowerOff /> Disable
      </Button>
      <Button size="sm" needs="write" busy={change.isPending} onClick={() => change.mutate('confirm_hints')}>
        <BadgeCheck /> Confirm hints
      </Button>
      <Button size="sm" needs="admin" busy={change.isPending} onClick={() => setDeleting(true)}>
        <Trash2 /> Delete
      </Button>
      <Button size="sm" look="ghost" onClick={() => onSelect(new Map())}>
        <X /> Clear selection
      </Button>
      <DeleteDialog selected={selected} open={isDeleting} onOpenChange={setDeleting} run={run} />
    </section>
  );
}

type Run = (action: Action, tools: Tools) => Promise<void>;

/** What is gone is no longer selected. The message names the tools that were not there any more. */
function useBulk(onSelect: BulkProps['onSelect']): Run {
  const projectId = useProjectId();
  return async function run(action, tools) {
    // Thousands of tools take longer than other requests.
    const { results } = await slowProjectApi(projectId).customTools.bulk({ ids: [...tools.keys()], action });
    const statuses = new Map(results.map(({ id, status }) => [id, status]));
    const withStatus = (status: string) => new Map([...tools].filter(([id]) => statuses.get(id) === status));
    const done = withStatus(outcomes[action]);
    const missing = withStatus('not_found');
    const isGone = (id: string) => missing.has(id) || (action === 'delete' && done.has(id));
    onSelect((current) => new Map([...current].filter(([id]) => !isGone(id))));
    showToast({
      title: `${count(done.size, 'tool')} ${outcomes[action]}`,
      ...(missing.size > 0 && { failure: `Not found, perhaps deleted by someone else: ${namesOf(missing)}` }),
      ...((action === 'enable' || action === 'disable') &&
        done.size > 0 && { undo: () => void run(opposite[action], done).catch(showError) }),
    });
    await invalidateProject(projectId, ['custom-tools']);
  };
}

const outcomes = { enable: 'enabled', disable: 'disabled', confirm_hints: 'confirmed', delete: 'deleted' } as const;
const opposite = { enable: 'disable', disable: 'enable' } as const;

function namesOf(tools: Tools): string {
  const names = [...tools.values()].map(({ name }) => name);
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
}

type DeleteProps = { selected: Tools; open: boolean; onOpenChange: (open: boolean) => void; run: Run };

function DeleteDialog({ selected, open, onOpenChange, run }: DeleteProps) {
  const [first] = selected.values();
  const isOne = selected.size === 1;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isOne ? `Delete the tool “${first?.name}”?` : `Delete ${count(selected.size, 'tool')}?`}
      name={isOne ? (first?.name ?? '') : String(selected.size)}
      {...(!isOne && { named: 'number of tools' })}
      action="Delete"
      onConfirm={() => run('delete', selected)}
    >
      <p className="break-words text-ink">{namesOf(selected)}</p>
      <p className="mt-2">
        Models can no longer call them, and their versions and secrets are deleted. Their calls stay in the log. This
        cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
