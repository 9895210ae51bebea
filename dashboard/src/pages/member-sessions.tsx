// The live sessions of a member: their number, and ending them.

import type { Member } from '@toolgate/sdk';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId, useProjectQuery } from '../api.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { ActionsMenu, MenuItem } from '../components/menu.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { showToast } from '../toasts.ts';

export const useMember = (memberId: string) =>
  useProjectQuery(['members', 'one', memberId], (toolgate) => toolgate.members.get(memberId));

/** The list of the API does not have the number, and a page of it has few rows. */
export function LiveSessions({ memberId }: { memberId: string }) {
  const { data, error } = useMember(memberId);
  if (error) return <span className="text-faint">unknown</span>;
  if (!data) return <Skeleton className="w-6" />;
  return data.active_sessions === 0 ? <span className="text-faint">0</span> : data.active_sessions;
}

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
