// One call that waits for a person: what would be sent, who asks, what the tool did before, and the decision.

import { Link } from '@tanstack/react-router';
import type { Approval, ToolCall } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { inlineLinkClass, linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Drawer } from '../../ui/dialogs/drawer.tsx';
import { Facts } from '../../ui/facts.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { CallOutcome } from '../calls/outcome.tsx';
import { Decision } from './decision.tsx';
import { useAskerName } from './names.ts';
import { INBOX_EVERY_MS } from './queries.ts';

export function ApprovalDrawer({ approvalId, onClose }: { approvalId: string | undefined; onClose: () => void }) {
  const query = useProjectQuery(['approvals', 'one', approvalId], (api) => api.approvals.get(approvalId ?? ''), {
    enabled: approvalId !== undefined,
    // Somebody else may decide meanwhile.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? INBOX_EVERY_MS : false),
  });
  const approval = query.data?.id === approvalId ? query.data : undefined;
  return (
    <Drawer
      open={approvalId !== undefined}
      onClose={onClose}
      title={approval ? `Call of ${approval.tool_name}` : 'Approval'}
      description={<CopyableCode text={approvalId ?? ''} label="Copy approval id" />}
    >
      {query.error && !approval && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {approval ? <Details approval={approval} /> : !query.error && <Skeleton className="h-64 w-full" />}
    </Drawer>
  );
}

function Details({ approval }: { approval: Approval }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ApprovalFacts approval={approval} />
      <Section title="Arguments">
        <Arguments approval={approval} />
      </Section>
      {approval.status === 'pending' && <Decision key={approval.id} approval={approval} />}
      <CallsBefore toolId={approval.tool_id} />
    </div>
  );
}

function ApprovalFacts({ approval }: { approval: Approval }) {
  const projectId = useProjectId();
  const askerOf = useAskerName();
  const { tool_id, tool_name, tool_version, member_id } = approval;
  const facts: [string, ReactNode][] = [
    ['Status', <StatusBadge key="status" status={approval.status} />],
    [
      'Tool',
      <Link
        key="tool"
        to="/projects/$projectId/custom-tools/$toolId"
        params={{ projectId, toolId: tool_id }}
        className={linkClass}
      >
        {tool_name} v{tool_version}
      </Link>,
    ],
    [
      'Requested by',
      member_id === null ? (
        askerOf(approval)
      ) : (
        <Link
          key="asker"
          to="/projects/$projectId/members/$memberId"
          params={{ projectId, memberId: member_id }}
          className={linkClass}
        >
          {member_id}
        </Link>
      ),
    ],
    ['Client', approval.client_name ?? '–'],
    ['Requested', <Time key="asked" value={approval.requested_at} />],
    ['Expires', <Time key="expires" value={approval.expires_at} />],
    ['Decided', <Time key="decided" value={approval.decided_at} empty="–" />],
    ['Decided by', approval.decided_by ?? '–'],
    ...(approval.reason === null ? [] : [['Reason', approval.reason] as [string, ReactNode]]),
  ];
  return <Facts facts={facts} wide />;
}

/** As JSON, so that a text cannot look like another argument. */
function Arguments({ approval }: { approval: Approval }) {
  if (approval.arguments === null)
    return <p className="text-muted">Only people who can approve this call see its arguments.</p>;
  const entries = Object.entries(approval.arguments);
  if (entries.length === 0) return <p className="text-muted">The call has no arguments.</p>;
  return (
    <dl className={`${cardClass} divide-y divide-line`}>
      {entries.map(([name, value]) => (
        <div key={name} className="grid gap-1 px-4 py-2.5 sm:grid-cols-[12rem_1fr] sm:gap-4">
          <dt className="break-words text-muted">
            <Name text={name} />
          </dt>
          <dd className="min-w-0 whitespace-pre-wrap break-words font-mono text-xs leading-5">
            <Name text={JSON.stringify(value, null, 2)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const callColumns: Column<ToolCall>[] = [
  { header: 'When', cell: ({ created_at }) => <Time value={created_at} /> },
  { header: 'Outcome', width: 'w-32', cell: (call) => <CallOutcome call={call} /> },
  {
    header: 'Error',
    from: 'sm',
    width: 'w-60',
    cell: ({ error_code }) => <code className="text-muted text-xs">{error_code}</code>,
  },
];

function CallsBefore({ toolId }: { toolId: string }) {
  const projectId = useProjectId();
  const query = useProjectQuery(['tool-calls', 'before', toolId], async (api) => {
    const { data } = await api.toolCalls.list({ tool_id: toolId, is_waiting: false, limit: 5 });
    return { data };
  });
  return (
    <Section
      title="Earlier calls of this tool"
      aside={
        <Link
          to="/projects/$projectId/logs"
          params={{ projectId }}
          search={{ tool_id: toolId }}
          className={inlineLinkClass}
        >
          Open in the log
        </Link>
      }
    >
      <DataTable
        label="Earlier calls of this tool"
        query={query}
        columns={callColumns}
        rowKey={({ id }) => id}
        expected={2}
        empty={
          <EmptyState compact title="No calls yet">
            This would be the tool's first call in the log.
          </EmptyState>
        }
      />
    </Section>
  );
}
