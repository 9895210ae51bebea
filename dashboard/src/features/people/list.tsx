// /people: who is in the organization, with which role, and who is invited.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Account } from '@toolgate/sdk';
import { useState } from 'react';
import { toolgate } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { useCreateDialog } from '../../ui/create-button.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { useListPart } from '../../ui/lists/whole-list.ts';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { stackClass } from '../../ui/section.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { SingleSignOnTab } from '../single-sign-on/tab.tsx';
import { PersonActions, peopleKey } from './actions.tsx';
import { InvitationLinkDialog, InviteDialog } from './dialogs.tsx';
import { Invitations } from './invitations.tsx';
import { ActivitySection, OrganizationSection } from './organization.tsx';

export function PeoplePage() {
  const account = useAccount();
  const [link, setLink] = useState<string | null>(null);
  const part = useListPart();
  const people = useQuery({
    queryKey: [...peopleKey, part.key],
    queryFn: () => part.read((page) => toolgate.organization.accounts.list(page)),
    placeholderData: keepPreviousData,
  });
  const invite = useCreateDialog('admin');
  return (
    <>
      <PageHeader
        title="People"
        description={account && `The people who work on the projects of ${account.organization.name}.`}
        actions={
          <>
            <ExportMenu
              name="people"
              columns={peopleCsv}
              rows={() => toolgate.organization.accounts.list({ limit: 100 })}
            />
            {invite.button('Invite')}
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
          { id: 'single-sign-on', label: 'Single sign-on', content: <SingleSignOnTab /> },
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
      <InviteDialog {...invite.dialog} onLink={setLink} />
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
    cell: (person) => <FactorCell person={person} />,
  },
  {
    header: 'Last seen',
    from: 'sm',
    width: 'w-36',
    sort: ['last_seen_at', ({ last_seen_at }) => last_seen_at],
    cell: ({ last_seen_at }) => <Time value={last_seen_at} />,
  },
  actionsColumn((person) => <PersonActions person={person} />),
];

const peopleCsv: CsvColumn<Account>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['email', ({ email }) => email],
  ['role', ({ role }) => role],
  ['has_totp', ({ has_totp }) => has_totp],
  ['has_sso', ({ has_sso }) => has_sso],
  ['is_break_glass', ({ is_break_glass }) => is_break_glass],
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

/** The second factor of whoever signs in by single sign-on is the identity provider's. */
function FactorCell({ person: { has_totp, has_sso, is_break_glass } }: { person: Account }) {
  if (has_sso) return <Badge>Single sign-on</Badge>;
  return (
    <>
      {has_totp ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
      {is_break_glass && <div className="truncate text-faint text-xs">Break-glass</div>}
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
