// The invitations that were not accepted yet.

import { useMutation, useQuery } from '@tanstack/react-query';
import type { Invitation } from '@toolgate/sdk';
import { RefreshCw, Trash2 } from 'lucide-react';
import { queryClient, toolgate } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.ts';
import { showRefusal, withReauthentication } from '../account/reauthentication.ts';

const invitationsKey = ['organization', 'invitations'];

export function Invitations({ onLink }: { onLink: (link: string) => void }) {
  const isAllowed = useAccess().can('admin');
  const query = useQuery({
    queryKey: invitationsKey,
    queryFn: () => toolgate.organization.invitations.list({ limit: 100 }),
    enabled: isAllowed,
  });
  return (
    <Section title="Invitations">
      {isAllowed ? (
        <DataTable
          label="Invitations"
          query={{ ...query, data: query.data && { data: query.data.data } }}
          columns={invitationColumns(onLink)}
          rowKey={({ id }) => id}
          expected={1}
          empty={<EmptyState title="Nobody is invited">An invitation is a link that works for seven days.</EmptyState>}
        />
      ) : (
        <NoAccess what="invitations" needs="admin" />
      )}
    </Section>
  );
}

function invitationColumns(onLink: (link: string) => void): Column<Invitation>[] {
  return [
    { header: 'Email', cell: ({ email }) => <Name text={email} /> },
    { header: 'Role', width: 'w-26 sm:w-32', cell: ({ role }) => <Badge>{role}</Badge> },
    { header: 'Status', from: 'sm', width: 'w-32', cell: ({ status }) => <StatusBadge status={status} /> },
    { header: 'Expires', from: 'md', width: 'w-36', cell: ({ expires_at }) => <Time value={expires_at} /> },
    actionsColumn(({ id }) => <InvitationActions id={id} onLink={onLink} />),
  ];
}

function InvitationActions({ id, onLink }: { id: string; onLink: (link: string) => void }) {
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsKey });
  const resend = useMutation({
    // The link is not the result: the mutation would keep it as long as the row is there.
    mutationFn: async () =>
      onLink((await withReauthentication(() => toolgate.organization.invitations.resend(id))).link),
    onSuccess: refresh,
    onError: showRefusal,
  });
  const remove = useMutation({
    mutationFn: () => toolgate.organization.invitations.delete(id),
    onSuccess: () => {
      showToast({ title: 'Invitation deleted', description: 'Its link stops working.' });
      return refresh();
    },
    onError: showError,
  });
  return (
    <ActionsMenu>
      <MenuItem icon={<RefreshCw />} needs="admin" onClick={() => resend.mutate()}>
        New link
      </MenuItem>
      <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => remove.mutate()}>
        Delete
      </MenuItem>
    </ActionsMenu>
  );
}
