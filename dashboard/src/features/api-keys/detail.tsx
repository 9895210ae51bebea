// One API key: its facts, its use, and what was done to it.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ApiKey, AuditEntry, NewApiKey } from '@toolgate/sdk';
import { type ReactNode, useState } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { inlineLinkClass, linkClass } from '../../ui/button.tsx';
import { ChartWithTable } from '../../ui/charts/chart-with-table.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { count } from '../../ui/words.ts';
import { useDailyCalls } from '../analytics/daily-calls.ts';
import { type ActorNames, useActorNames } from '../audit/actors.ts';
import { PreviewLink } from '../tool-access/links.tsx';
import { ToolsetLinks } from '../tool-access/summary.tsx';
import { ApiKeyActions } from './actions.tsx';
import { NewKeyDialog } from './dialogs.tsx';
import { ExpiryTime, isUnused, KeyCode, useKeyNames } from './facts.tsx';
import { PermissionBadges } from './permissions.tsx';

const DAY_MS = 86_400_000;

export function ApiKeyPage() {
  const { apiKeyId } = useParams({ from: '/signed-in/projects/$projectId/api-keys/$apiKeyId' });
  const isAllowed = useAccess().can('manage_keys');
  const query = useProjectQuery(['api-keys', 'one', apiKeyId], (toolgate) => toolgate.apiKeys.get(apiKeyId), {
    enabled: isAllowed,
  });
  const { data: key, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (key) return <KeyDetails apiKey={key} />;
  if (isAllowed && !error) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="API key" above={<ListLink />} />
      {isAllowed ? (
        <ErrorState error={error} retry={() => query.refetch()} />
      ) : (
        <NoAccess what="API keys" needs="manage_keys" />
      )}
    </>
  );
}

function ListLink() {
  return (
    <Link to="/projects/$projectId/api-keys" params={{ projectId: useProjectId() }} className={linkClass}>
      API keys
    </Link>
  );
}

function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const canReadAudit = useAccess().can('admin');
  const projectId = useProjectId();
  const navigate = useNavigate();
  const showList = () => navigate({ to: '/projects/$projectId/api-keys', params: { projectId } });
  return (
    <>
      <PageHeader
        title={apiKey.name}
        above={<ListLink />}
        description={<CopyableCode text={apiKey.id} label="Copy key id" />}
        actions={
          <>
            <PreviewLink caller={{ api_key_id: apiKey.id }} />
            <ApiKeyActions apiKey={apiKey} onCreated={setCreated} onDeleted={showList} />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-8">
        <KeyFacts apiKey={apiKey} />
        <KeyUsage apiKey={apiKey} />
        {canReadAudit && <KeyAudit apiKeyId={apiKey.id} />}
      </div>
      <NewKeyDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const names = useKeyNames();
  const { rotated_to } = apiKey;
  const facts: [string, ReactNode][] = [
    ['Status', <StatusBadge key="status" status={apiKey.status} />],
    ['Key', <KeyCode key="key" apiKey={apiKey} />],
    ['Permissions', <PermissionBadges key="permissions" permissions={apiKey.permissions} />],
    ['Tools', <ToolsetLinks key="tools" toolsetIds={apiKey.toolset_ids} />],
    ['Source', names.source(apiKey)],
    ['Created', <Time key="created" value={apiKey.created_at} />],
    ['Created by', names.creator(apiKey)],
    ['Last used', <LastUse key="used" apiKey={apiKey} />],
    ['Expires', <ExpiryTime key="expires" apiKey={apiKey} />],
  ];
  if (rotated_to) facts.push(['Replaced by', <Successor key="successor" apiKeyId={rotated_to} />]);
  return <Facts facts={facts} />;
}

function LastUse({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <Time value={apiKey.last_used_at} />
      {isUnused(apiKey) && <span className="text-warning text-xs"> · Unused: revoke it?</span>}
    </>
  );
}

/** The key that a rotation made. */
function Successor({ apiKeyId }: { apiKeyId: string }) {
  const projectId = useProjectId();
  return (
    <Link to="/projects/$projectId/api-keys/$apiKeyId" params={{ projectId, apiKeyId }} className={inlineLinkClass}>
      <code className="text-xs">{apiKeyId}</code>
    </Link>
  );
}

function KeyUsage({ apiKey: { id } }: { apiKey: ApiKey }) {
  const { calls, days } = useDailyCalls('api_key')(id);
  const projectId = useProjectId();
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const starts = days.map((_, index) => new Date(today - (days.length - 1 - index) * DAY_MS).toISOString());
  const log = (search: { from?: string; to?: string }) =>
    ({ to: '/projects/$projectId/logs', params: { projectId }, search: { api_key_id: id, ...search } }) as const;
  const day = (iso: string) => iso.slice(0, 10);
  return (
    <ChartWithTable
      title={`${count(calls, 'tool call')} in 7 days`}
      kind="bars"
      height={180}
      nothing="No calls in 7 days"
      starts={starts}
      formatStart={(iso) => iso.slice(5, 10)}
      series={[{ name: 'Calls', values: days, tone: 'accent' }]}
      startCell={(start) => (
        <Link
          {...log({ from: start, to: new Date(Date.parse(start) + DAY_MS).toISOString() })}
          title="Show these calls"
          className="text-accent hover:underline"
        >
          {day(start)}
        </Link>
      )}
      aside={
        <Link {...log({})} className={linkClass}>
          Open in the log
        </Link>
      }
    />
  );
}

const auditColumns = (actors: ActorNames): Column<AuditEntry>[] => [
  { header: 'Action', cell: ({ action }) => <code className="text-xs">{action}</code> },
  { header: 'By', from: 'sm', width: 'w-56', cell: ({ actor }) => actors.name(actor) },
  { header: 'IP address', from: 'md', width: 'w-40', cell: ({ ip }) => ip ?? '' },
  { header: 'When', width: 'w-36', cell: ({ created_at }) => <Time value={created_at} /> },
];

function KeyAudit({ apiKeyId }: { apiKeyId: string }) {
  const projectId = useProjectId();
  const actors = useActorNames();
  const query = useProjectQuery(['audit-log', apiKeyId], (toolgate) =>
    toolgate.auditLog.list({ target: apiKeyId, limit: 20 }),
  );
  return (
    <Section
      title="Audit log"
      aside={
        <Link
          to="/projects/$projectId/audit-log"
          params={{ projectId }}
          search={{ target: apiKeyId }}
          className={linkClass}
        >
          Show the changes
        </Link>
      }
    >
      <DataTable
        label="Audit log"
        expected={2}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        columns={auditColumns(actors)}
        rowKey={({ id }) => id}
        empty={<EmptyState compact title="No changes recorded" />}
      />
    </Section>
  );
}
