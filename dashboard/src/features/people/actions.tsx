// What can be done about a person of the organization: another role, who approves calls, a break-glass owner, removal.

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { roles } from '@toolgate/contract/roles.ts';
import type { Account } from '@toolgate/sdk';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery, useAccount } from '../../api/session.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.ts';
import { showRefusal, withReauthentication } from '../account/reauthentication.ts';

export const peopleKey = ['organization', 'accounts'];

type Changed = Pick<Account, 'role'> | Pick<Account, 'can_approve'> | Pick<Account, 'is_break_glass'>;

/** What the person is now, in words. */
function describe(fields: Changed): string {
  if ('role' in fields) return `is ${fields.role}`;
  if ('can_approve' in fields) return fields.can_approve ? 'may approve calls' : 'no longer approves calls';
  return fields.is_break_glass ? 'is a break-glass owner' : 'is no longer a break-glass owner';
}

function before({ role, can_approve, is_break_glass }: Account, fields: Changed): Changed {
  if ('role' in fields) return { role };
  return 'can_approve' in fields ? { can_approve } : { is_break_glass };
}

function useChange(person: Account) {
  const isMe = useAccount()?.id === person.id;
  const change = useMutation({
    mutationFn: (fields: Changed) =>
      withReauthentication(() => toolgate.organization.accounts.update(person.id, fields)),
    onSuccess: async (_, fields) => {
      showToast({
        title: `${person.name} ${describe(fields)}`,
        undo: () => change.mutate(before(person, fields)),
      });
      if (isMe) await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: peopleKey });
    },
    onError: showRefusal,
  });
  return change;
}

export function PersonActions({ person }: { person: Account }) {
  const [isRemoving, setRemoving] = useState(false);
  const me = useAccount();
  const isMe = me?.id === person.id;
  const navigate = useNavigate();
  const change = useChange(person);
  const isProtected = person.role === 'owner' && me?.role !== 'owner';
  const reason = isProtected ? { disabledReason: 'Only an owner can change an owner.' } : {};
  return (
    <>
      <ActionsMenu>
        {roles
          .filter((role) => role !== person.role)
          .map((role) => (
            <MenuItem
              key={role}
              needs="admin"
              onClick={() => change.mutate({ role })}
              {...(role === 'owner' && me?.role !== 'owner'
                ? { disabledReason: 'Only an owner can make owners.' }
                : reason)}
            >
              Make {role}
            </MenuItem>
          ))}
        {person.role !== 'owner' && person.role !== 'admin' && (
          <MenuItem needs="admin" onClick={() => change.mutate({ can_approve: !person.can_approve })}>
            {person.can_approve ? 'Stop allowing approvals' : 'Allow approvals'}
          </MenuItem>
        )}
        {person.role === 'owner' && !person.has_sso && (
          <MenuItem
            {...(person.has_totp ? reason : { disabledReason: 'Requires two-factor sign-in.' })}
            onClick={() => change.mutate({ is_break_glass: !person.is_break_glass })}
          >
            {person.is_break_glass ? 'Not a break-glass owner' : 'Make break-glass owner'}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          icon={<UserMinus />}
          danger
          {...(isMe ? {} : { needs: 'admin' as const })}
          {...reason}
          onClick={() => setRemoving(true)}
        >
          {isMe ? 'Leave' : 'Remove'}
        </MenuItem>
      </ActionsMenu>
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={isMe ? 'Leave the organization?' : `Remove ${person.name}?`}
        name={person.name}
        action={isMe ? 'Leave' : 'Remove'}
        onConfirm={async () => {
          await withReauthentication(() => toolgate.organization.accounts.delete(person.id));
          if (isMe) await navigate({ to: '/sign-in', search: { reason: 'signed-out' } });
          else await queryClient.invalidateQueries({ queryKey: peopleKey });
        }}
      >
        They are signed out immediately. Keys and tools that they created stay.
      </ConfirmDialog>
    </>
  );
}
