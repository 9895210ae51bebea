// /people: who is in the organization, with which role, and who is invited.

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { roles } from '@toolgate/contract/roles.ts';
import type { Account, AccountRole } from '@toolgate/sdk';
import { Plus, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery, useAccess, useAccount } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useCreateShortcut } from '../../ui/create-shortcut.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { useListPart } from '../../ui/lists/whole-list.ts';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useUrlDialog } from '../../ui/search.ts';
import { stackClass } from '../../ui/section.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.ts';
import { showRefusal, withReauthentication } from '../account/reauthentication.ts';
import { InvitationLinkDialog, InviteDialog } from './dialogs.tsx';
import { Invitations } from './invitations.tsx';
import { ActivitySection, OrganizationSection } from './organization.tsx';

const peopleKey = ['organization', 'accounts'];

export function PeoplePage() {
  const account = useAccount();
  const [isInviting, setInviting] = useUrlDialog('create');
  const [link, setLink] = useState<string | null>(null);
  const part = useListPart();
  const isAdmin = useAccess().can('admin');
  const people = useQuery({
    queryKey: [...peopleKey, part.key],
    queryFn: () => part.read((page) => toolgate.organization.accounts.list(page)),
    placeholderData: keepPreviousData,
  });
  useCreateShortcut(() => isAdmin && setInviting(true));
  return (
    <>
      <PageHeader
        title="People"
        description={account && `Who works on the projects of ${account.organization.name}.`}
        actions={
          <>
            <ExportMenu
              name="people"
              columns={peopleCsv}
              rows={() => toolgate.organization.accounts.list({ limit: 100 })}
            />
            <Button look="solid" needs="admin" onClick={() => setInviting(true)}>
              <Plus /> Invite
            </Button>
          </>
        }
      />
      <PageTabs
        label="People and organization"
        tabs={[
          {
            id: 'team',
            label: 'Team',
            content: (
              <div className={stackClass}>
                <DataTable
                  label="People"
                  query={people}
                  columns={columns}
                  rowKey={({ id }) => id}
                  expected={3}
                  empty={null}
                />
                <Invitations onLink={setLink} />
              </div>
            ),
          },
          {
            id: 'organization',
            label: 'Organization',
            content: (
              <div className={stackClass}>
                <OrganizationSection />
                <ActivitySection people={people.data?.data ?? []} />
              </div>
            ),
          },
        ]}
      />
      <InviteDialog open={isInviting && isAdmin} onOpenChange={setInviting} onLink={setLink} />
      <InvitationLinkDialog link={link} onClose={() => setLink(null)} />
    </>
  );
}

const columns: Column<Account>[] = [
  { header: 'Name', sort: ['name', ({ name }) => name], cell: (person) => <NameCell person={person} /> },
  {
    header: 'Role',
    width: 'w-26 sm:w-32',
    sort: ['role', ({ role }) => role],
    cell: (person) => <RoleCell person={person} />,
  },
  {
    header: 'Two-factor',
    from: 'md',
    width: 'w-32',
    cell: ({ has_totp }) => (has_totp ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>),
  },
  {
    header: 'Last seen',
    from: 'sm',
    width: 'w-36',
    sort: ['last_seen_at', ({ last_seen_at }) => last_seen_at],
    cell: ({ last_seen_at }) => <Time value={last_seen_at} />,
  },
  {
    header: 'Actions',
    hideHeader: true,
    width: 'w-14',
    align: 'right',
    cell: (person) => <PersonActions person={person} />,
  },
];

const peopleCsv: CsvColumn<Account>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['email', ({ email }) => email],
  ['role', ({ role }) => role],
  ['has_totp', ({ has_totp }) => has_totp],
  ['created_at', ({ created_at }) => created_at],
  ['last_seen_at', ({ last_seen_at }) => last_seen_at],
];

/** Owners and admins approve without being asked to. */
function RoleCell({ person: { role, can_approve } }: { person: Account }) {
  const isNamed = can_approve && role !== 'owner' && role !== 'admin';
  return (
    <>
      <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{role}</Badge>
      {isNamed && <div className="truncate text-faint text-xs">approves calls</div>}
    </>
  );
}

function NameCell({ person: { id, name, email } }: { person: Account }) {
  const isMe = useAccount()?.id === id;
  return (
    <>
      <div className="truncate font-medium">
        <Name text={name} /> {isMe && <span className="font-normal text-faint">(you)</span>}
      </div>
      <div className="truncate text-faint text-xs">
        <Name text={email} />
      </div>
    </>
  );
}

function PersonActions({ person }: { person: Account }) {
  const [isRemoving, setRemoving] = useState(false);
  const me = useAccount();
  const isMe = me?.id === person.id;
  const navigate = useNavigate();
  const change = useMutation({
    mutationFn: (fields: { role: AccountRole } | { can_approve: boolean }) =>
      withReauthentication(() => toolgate.organization.accounts.update(person.id, fields)),
    onSuccess: async ({ role, can_approve }, fields) => {
      const isRole = 'role' in fields;
      const before = isRole ? { role: person.role } : { can_approve: person.can_approve };
      const approves = can_approve ? 'may approve calls' : 'no longer approves calls';
      showToast({
        title: isRole ? `${person.name} is ${role}` : `${person.name} ${approves}`,
        undo: () => change.mutate(before),
      });
      if (isMe) await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: peopleKey });
    },
    onError: showRefusal,
  });
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
            {person.can_approve ? 'Do not let approve calls' : 'Let approve calls'}
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
        Their sessions end immediately. Keys and tools that they created stay.
      </ConfirmDialog>
    </>
  );
}
