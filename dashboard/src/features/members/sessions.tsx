// Ending the live sessions of a member.

import type { Member } from '@toolgate/sdk';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';

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
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke the sessions of “${external_id}”?`}
      name={external_id}
      action="Revoke sessions"
      change={(toolgate) => toolgate.members.revokeSessions(id)}
      done={`The sessions of “${external_id}” are revoked`}
      invalidates={['members']}
    >
      All session tokens of this member are refused from now on. The member stays, and gets a new session with the next
      assertion or sign-in.
    </ChangeDialog>
  );
}
