// Above the list of tools: confirms the hints of every tool that the list shows, on all of its pages.

import type { CustomTool } from '@toolgate/sdk';
import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, slowProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { showToast } from '../../ui/toasts.ts';
import { count } from '../../ui/words.ts';

export type ToolFilters = {
  search?: string | undefined;
  is_enabled?: boolean | undefined;
  tag?: string | undefined;
};

type Props = { tools: CustomTool[]; filters: ToolFilters };

/** Always there, so that nothing moves when the tools arrive. */
export function ConfirmAllHints({ tools, filters }: Props) {
  const [isOpen, setOpen] = useState(false);
  const confirmAll = useConfirmAll(filters);
  const derived = tools.filter(({ derived_annotations }) => derived_annotations.length > 0).length;
  const which = requestsOf(filters).length === 1 ? 'all tools that match the filters' : 'all tools of the project';
  return (
    <>
      <Button
        look="ghost"
        needs="write"
        className="sm:ml-auto"
        disabledReason={derived === 0 ? 'No tool on this page has hints to confirm.' : undefined}
        onClick={() => setOpen(true)}
      >
        <BadgeCheck /> Confirm all hints
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Confirm the hints of ${which}?`}
        action="Confirm"
        onConfirm={confirmAll}
      >
        <p>
          {count(derived, 'tool')} on this page {derived === 1 ? 'has' : 'have'} hints that are derived from the method:
          GET is read-only, PUT and DELETE are destructive and idempotent, POST and PATCH are destructive. Directories
          of MCP servers require hints that a person set.
        </p>
        <p className="mt-2">
          Derived hints are saved as models see them now. Hints that a person set stay. Each changed tool gets a new
          version.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** The API wants a filter: without one, the enabled tools and then the others. */
function requestsOf(filters: ToolFilters): ToolFilters[] {
  const isEmpty = Object.values(filters).every((value) => value === undefined);
  return isEmpty ? [{ is_enabled: true }, { is_enabled: false }] : [filters];
}

function useConfirmAll(filters: ToolFilters): () => Promise<void> {
  const projectId = useProjectId();
  return async () => {
    let confirmed = 0;
    for (const filter of requestsOf(filters)) {
      const { changed } = await slowProjectApi(projectId).customTools.bulk({ filter, action: 'confirm_hints' });
      confirmed += changed;
    }
    showToast({ title: `${count(confirmed, 'tool')} confirmed` });
    await invalidateProject(projectId, ['custom-tools']);
  };
}
