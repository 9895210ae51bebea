// One member: sessions, connected accounts, the apps that act for them, and the calls made for them.

import { Link, useParams } from '@tanstack/react-router';
import type { Member } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../api.ts';
import { linkClass } from '../components/button.tsx';
import { CallTable } from '../components/call-table.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { Facts } from '../components/facts.tsx';
import { NoAccess } from '../components/no-access.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { ErrorState } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { useDailyCalls } from '../daily-calls.ts';
import { useAccess } from '../session.ts';
import { MemberConnections, MemberGrants } from './member-connections.tsx';
import { RevokeSessionsButton } from './member-sessions.tsx';
import { NotFound } from './not-found.tsx';

export function MemberPage() {
  const { memberId = '' } = useParams({ strict: false });
  if (useAccess().can('admin')) return <MemberDetails memberId={memberId} />;
  return (
    <>
      <PageHeader title="Member" above={<ListLink />} />
      <NoAccess what="members" needs="admin" />
    </>
  );
}

function ListLink() {
  return (
    <Link to="/projects/$projectId/members" params={{ projectId: useProjectId() }} className={linkClass}>
      Members
    </Link>
  );
}

function MemberDetails({ memberId }: { memberId: string }) {
  const query = useProjectQuery(['members', 'one', memberId], (toolgate) => toolgate.members.get(memberId));
  const { data: member, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (error && !member)
    return (
      <>
        <PageHeader title="Member" above={<ListLink />} />
        <ErrorState error={error} retry={() => void query.refetch()} />
      </>
    );
  if (!member) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={member.external_id}
        above={<ListLink />}
        description={<CopyableCode text={member.id} label="Copy member id" />}
        actions={<RevokeSessionsButton member={member} />}
      />
      <div className="grid grid-cols-1 gap-8">
        <MemberFacts member={member} />
        <CallTable filters={{ member_id: member.id }} empty="No tool was called for this member." />
        <MemberConnections memberId={member.id} />
        <MemberGrants memberId={member.id} />
      </div>
    </>
  );
}

function MemberFacts({ member }: { member: Member }) {
  const { calls } = useDailyCalls('member')(member.id);
  return (
    <Facts
      facts={[
        ['Live sessions', member.active_sessions],
        ['Calls, 7 days', calls],
        ['First seen', <Time key="first" value={member.created_at} />],
        ['Last seen', <Time key="last" value={member.last_seen_at} />],
      ]}
    />
  );
}
