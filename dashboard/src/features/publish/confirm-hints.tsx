// Confirms the hints of all enabled tools, from the rule that asks for it.

import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, slowProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { showToast } from '../../ui/toasts.ts';
import { count } from '../../ui/words.ts';

export function ConfirmHints() {
  const [isOpen, setOpen] = useState(false);
  const projectId = useProjectId();
  const confirm = async () => {
    // Thousands of tools take longer than other requests.
    const { changed } = await slowProjectApi(projectId).customTools.bulk({
      filter: { is_enabled: true },
      action: 'confirm_hints',
    });
    showToast({ title: `${count(changed, 'tool')} confirmed` });
    await invalidateProject(projectId, ['custom-tools', 'directory-report']);
  };
  return (
    <>
      <Button size="sm" needs="write" onClick={() => setOpen(true)}>
        <BadgeCheck /> Confirm hints
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Confirm the hints of all enabled tools?"
        action="Confirm"
        onConfirm={confirm}
      >
        <p>
          Hints that no person set are derived from the method: GET is read-only, PUT and DELETE are destructive and
          idempotent, POST and PATCH are destructive. Reviewers compare the hints with what a tool does, so first check
          tools whose method is misleading, such as a search that uses POST.
        </p>
        <p className="mt-2">Each changed tool gets a new version. Hints that a person set stay.</p>
      </ConfirmDialog>
    </>
  );
}
