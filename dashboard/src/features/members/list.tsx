// The members of a project: the people for whom tools were called.

import { Link } from '@tanstack/react-router';
import type { Member } from '@toolgate/sdk';
import { Users } from 'lucide-react';
import { useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { ButtonLink, inlineLinkClass } from '../../ui/button.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { cn } from '../../ui/class-names.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter } from '../../ui/lists/filter-bar.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { count } from '../../ui/words.ts';
import { useDailyCalls } from '../analytics/daily-calls.ts';
import { sessionSnippets } from '../onboarding/snippets.ts';
import { MemberActions } from './actions.tsx';

const PAGE_SIZE = 25;

export function MembersPage() {
  const isAllowed = useAccess().can('admin');
  return (
    <>
      <PageHeader
        title="Members"
        description="Your users, on whose behalf models call tools. The first session with a new id creates the member."
        actions={
          <>
            <ExportMembers />
            <ButtonLink to="/people">
              <Users /> Your team
            </ButtonLink>
          </>
        }
      />
      {isAllowed ? <MemberTable /> : <NoAccess what="members" needs="admin" />}
    </>
  );
}

function ExportMembers() {
  const { search, external_id } = useFilters().values;
  const api = useProjectApi();
  return (
    <ExportMenu
      name="members"
      needs="admin"
      columns={memberCsv}
      rows={() => api.members.list({ limit: 100, search, external_id })}
    />
  );
}

function MemberTable() {
  const { values } = useFilters();
  const { search, external_id, cursor } = values;
  const query = useProjectQuery(['members', search, external_id, cursor], (toolgate) =>
    toolgate.members.list({ limit: PAGE_SIZE, search, external_id, cursor }),
  );
  const columns = useColumns();
  return (
    <>
      <FilterBar names={['search', 'external_id']}>
        <SearchFilter name="search" label="Search by the start of an external id" className="sm:w-80" />
      </FilterBar>
      <DataTable
        label="Members"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          search || external_id ? (
            <EmptyState title="No member matches">The search matches the start of the external id.</EmptyState>
          ) : (
            <NoMembers />
          )
        }
      />
    </>
  );
}

function NoMembers() {
  const projectId = useProjectId();
  const session = sessionSnippets({ origin: usePublicUrl(), projectId, key: 'INTEGRATION_API_KEY' }).at(-1);
  return (
    <>
      <EmptyState
        icon={<Users />}
        title="No members yet"
        action={
          <ButtonLink look="solid" to="/projects/$projectId/integrations" params={{ projectId }}>
            Create a session with an integration
          </ButtonLink>
        }
      >
        Your backend creates a member when it exchanges its first{' '}
        <Link to="/projects/$projectId/assertion-keys" params={{ projectId }} className={inlineLinkClass}>
          assertion
        </Link>{' '}
        for a person, or when somebody signs in by{' '}
        <Link to="/projects/$projectId/oauth" params={{ projectId }} className={inlineLinkClass}>
          OAuth
        </Link>
        .
      </EmptyState>
      <ApiExample code={session?.code ?? ''} tag="members" />
    </>
  );
}

function useColumns(): Column<Member>[] {
  const calls = useDailyCalls('member');
  return [
    { header: 'External id', cell: (member) => <IdCell member={member} /> },
    {
      header: 'Live sessions',
      from: 'sm',
      width: 'w-28',
      cell: ({ active_sessions }) => (
        <span className={cn(active_sessions === 0 && 'text-faint')}>{active_sessions}</span>
      ),
    },
    {
      header: 'Calls, 7 days',
      from: 'md',
      width: 'w-30',
      cell: ({ id }) => <Sparkline values={calls(id).days} label={`${count(calls(id).calls, 'call')} in 7 days`} />,
    },
    {
      header: 'First seen',
      from: 'lg',
      width: 'w-32',
      isNewestFirst: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    { header: 'Last seen', width: 'w-32', cell: ({ last_seen_at }) => <Time value={last_seen_at} /> },
    actionsColumn((member) => <MemberActions member={member} />),
  ];
}

function IdCell({ member: { id, external_id } }: { member: Member }) {
  const projectId = useProjectId();
  return (
    <>
      <div className="flex items-center gap-0.5">
        <Link
          to="/projects/$projectId/members/$memberId"
          params={{ projectId, memberId: id }}
          className="truncate font-medium hover:underline"
        >
          <Name text={external_id} />
        </Link>
        <CopyIcon text={external_id} label="Copy external id" />
      </div>
      <div className="truncate text-faint text-xs">{id}</div>
    </>
  );
}

const memberCsv: CsvColumn<Member>[] = [
  ['id', ({ id }) => id],
  ['external_id', ({ external_id }) => external_id],
  ['created_at', ({ created_at }) => created_at],
  ['last_seen_at', ({ last_seen_at }) => last_seen_at],
];
