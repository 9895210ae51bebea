// /people: who is in the organization, with which role, and who is invited.

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Account, AccountRole, Invitation } from '@toolgate/sdk';
import { Plus, RefreshCw, Trash2, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { queryClient, toolgate } from '../api.ts';
import { Badge, StatusBadge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { ExportMenu } from '../components/export-menu.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { NoAccess } from '../components/no-access.tsx';
import { PageHeader, Section, stackClass } from '../components/page-header.tsx';
import { useCreateShortcut } from '../components/shortcuts.tsx';
import { EmptyState } from '../components/states.tsx';
import { PageTabs } from '../components/tabs.tsx';
import { Time } from '../components/time.tsx';
import type { CsvColumn } from '../download.ts';
import { useListPart } from '../lists.ts';
import { useUrlDialog } from '../search.ts';
import { accountQuery, useAccess, useAccount } from '../session.ts';
import { showError, showToast } from '../toasts.ts';
import { InvitationLinkDialog, InviteDialog, roles } from './people-dialogs.tsx';
import { ActivitySection, OrganizationSection } from './people-organization.tsx';

const peopleKey = ['organization', 'accounts'];
const invitationsKey = ['organization', 'invitations'];

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
    cell: ({ role }) => <Badge tone={role === 'owner' ? 'accent' : 'neutral'}>{role}</Badge>,
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

function NameCell({ person: { id, name, email } }: { person: Account }) {
  const isMe = useAccount()?.id === id;
  return (
    <>
      <div className="truncate font-medium">
        <bdi>{name}</bdi> {isMe && <span className="font-normal text-faint">(you)</span>}
      </div>
      <div className="truncate text-faint text-xs">{email}</div>
    </>
  );
}

function PersonActions({ person }: { person: Account }) {
  const [isRemoving, setRemoving] = useState(false);
  const me = useAccount();
  const isMe = me?.id === person.id;
  const navigate = useNavigate();
  const change = useMutation({
    mutationFn: (role: AccountRole) => toolgate.organization.accounts.update(person.id, { role }),
    onSuccess: async ({ role }) => {
      const before = person.role;
      showToast({ title: `${person.name} is ${role}`, undo: () => change.mutate(before) });
      if (isMe) await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: peopleKey });
    },
    onError: showError,
  });
  const isProtected = person.role === 'owner' && me?.role !== 'owner';
  const reason = isProtected ? { disabledReason: 'Only an owner can change an owner.' } : {};
  return (
    <>
      <ActionsMenu>
        {roles
          .filter(({ value }) => value !== person.role)
          .map(({ value, label }) => (
            <MenuItem
              key={value}
              needs="admin"
              onClick={() => change.mutate(value)}
              {...(value === 'owner' && me?.role !== 'owner'
                ? { disabledReason: 'Only an owner can make owners.' }
                : reason)}
            >
              Make {label.toLowerCase()}
            </MenuItem>
          ))}
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
          await toolgate.organization.accounts.delete(person.id);
          if (isMe) await navigate({ to: '/sign-in', search: { reason: 'signed-out' } });
          else await queryClient.invalidateQueries({ queryKey: peopleKey });
        }}
      >
        Their sessions end at once. Keys and tools that they created stay.
      </ConfirmDialog>
    </>
  );
}

function Invitations({ onLink }: { onLink: (link: string) => void }) {
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
    { header: 'Email', cell: ({ email }) => <span title={email}>{email}</span> },
    { header: 'Role', width: 'w-26 sm:w-32', cell: ({ role }) => <Badge>{role}</Badge> },
    { header: 'Status', from: 'sm', width: 'w-32', cell: ({ status }) => <StatusBadge status={status} /> },
    { header: 'Expires', from: 'md', width: 'w-36', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      width: 'w-14',
      align: 'right',
      cell: ({ id }) => <InvitationActions id={id} onLink={onLink} />,
    },
  ];
}

function InvitationActions({ id, onLink }: { id: string; onLink: (link: string) => void }) {
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsKey });
  const resend = useMutation({
    // The link is not the result: the mutation would keep it as long as the row is there.
    mutationFn: async () => onLink((await toolgate.organization.invitations.resend(id)).link),
    onSuccess: refresh,
    onError: showError,
  });
  const remove = useMutation({
    mutationFn: () => toolgate.organization.invitations.delete(id),
    onSuccess: () => {
      showToast({ title: 'The invitation is deleted', description: 'Its link does not work any more.' });
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
