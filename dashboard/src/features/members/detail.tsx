// One member: sessions, connected accounts, the apps that act for them, and the calls made for them.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { Member } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useDailyCalls } from '../analytics/daily-calls.ts';
import { CallTable } from '../calls/table.tsx';
import { PreviewLink } from '../tool-access/links.tsx';
import { MemberButtons } from './actions.tsx';
import { MemberConnections, MemberGrants } from './connections.tsx';

export function MemberPage() {
  const { memberId } = useParams({ from: '/signed-in/projects/$projectId/members/$memberId' });
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
  const navigate = useNavigate();
  const projectId = useProjectId();
  const showList = () => navigate({ to: '/projects/$projectId/members', params: { projectId } });
  const query = useProjectQuery(['members', 'one', memberId], (toolgate) => toolgate.members.get(memberId));
  const { data: member, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (error && !member)
    return (
      <>
        <PageHeader title="Member" above={<ListLink />} />
        <ErrorState error={error} retry={() => query.refetch()} />
      </>
    );
  if (!member) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={member.external_id}
        above={<ListLink />}
        description={<CopyableCode text={member.id} label="Copy member id" />}
        actions={
          <>
            <PreviewLink caller={{ member_id: member.id }} />
            <MemberButtons member={member} onDeleted={showList} />
          </>
        }
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
