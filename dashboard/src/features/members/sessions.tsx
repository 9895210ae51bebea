// Ending the live sessions of a member.

import type { Member } from '@toolgate/sdk';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.ts';

export function MemberActions({ member }: { member: Member }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<LogOut />} danger needs="admin" onClick={() => setOpen(true)}>
          Revoke sessions
        </MenuItem>
      </ActionsMenu>
      <RevokeSessionsDialog member={member} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

export function RevokeSessionsButton({ member }: { member: Member }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs="admin" onClick={() => setOpen(true)}>
        <LogOut /> Revoke sessions
      </Button>
      <RevokeSessionsDialog member={member} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

type DialogProps = { member: Member; open: boolean; onOpenChange: (open: boolean) => void };

function RevokeSessionsDialog({ member: { id, external_id }, open, onOpenChange }: DialogProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke the sessions of “${external_id}”?`}
      name={external_id}
      action="Revoke sessions"
      onConfirm={async () => {
        await api.members.revokeSessions(id);
        showToast({ title: `The sessions of “${external_id}” are revoked` });
        await invalidateProject(projectId, ['members']);
      }}
    >
      All session tokens of this member are refused from now on. The member stays, and gets a new session with the next
      assertion or sign-in.
    </ConfirmDialog>
  );
}
