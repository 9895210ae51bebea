// What can be done with a member: end the live sessions, or delete the member.

import type { Member } from '@toolgate/sdk';
import { LogOut, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { DeleteMemberDialog } from './delete.tsx';

type Dialogs = 'revoke' | 'delete';

export function MemberActions({ member }: { member: Member }) {
  const dialogs = useRowDialogs<Dialogs>();
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<LogOut />} danger needs="admin" onClick={dialogs.opens('revoke')}>
          Revoke sessions
        </MenuItem>
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={dialogs.opens('delete')}>
          Delete member
        </MenuItem>
      </ActionsMenu>
      <RevokeSessionsDialog member={member} {...dialogs.of('revoke')} />
      <DeleteMemberDialog member={member} {...dialogs.of('delete')} />
    </>
  );
}

export function MemberButtons({ member, onDeleted }: { member: Member; onDeleted: () => Promise<void> }) {
  const dialogs = useRowDialogs<Dialogs>();
  return (
    <>
      <Button needs="admin" onClick={dialogs.opens('revoke')}>
        <LogOut /> Revoke sessions
      </Button>
      <Button needs="admin" onClick={dialogs.opens('delete')}>
        <Trash2 /> Delete member
      </Button>
      <RevokeSessionsDialog member={member} {...dialogs.of('revoke')} />
      <DeleteMemberDialog member={member} {...dialogs.of('delete')} onDone={onDeleted} />
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
      done={`Sessions of “${external_id}” revoked`}
      invalidates={['members']}
    >
      All session tokens of this member are refused immediately. The member stays, and gets a new session with the next
      assertion or sign-in.
    </ChangeDialog>
  );
}
