// One API key: its facts, its use, and what was done to it.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ApiKey, AuditEntry, NewApiKey } from '@toolgate/sdk';
import { useState } from 'react';
import { useProjectId, useProjectQuery } from '../api.ts';
import { StatusBadge } from '../components/badge.tsx';
import { linkClass } from '../components/button.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Facts } from '../components/facts.tsx';
import { cardClass, PageHeader, Section } from '../components/page-header.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { PermissionBadges } from '../components/permissions.tsx';
import { EmptyState, ErrorState } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { TimeChart } from '../components/time-chart.tsx';
import { useDailyCalls } from '../daily-calls.ts';
import { useAccess } from '../session.ts';
import { ApiKeyActions } from './api-key-actions.tsx';
import { NewKeyDialog } from './api-key-dialogs.tsx';
import { ExpiryTime, useKeyNames } from './api-key-facts.tsx';
import { KeyCode } from './api-keys.tsx';
import { NotFound } from './not-found.tsx';

export function ApiKeyPage() {
  const { apiKeyId = '' } = useParams({ strict: false });
  const [created, setCreated] = useState<NewApiKey | null>(null);
  const projectId = useProjectId();
  const navigate = useNavigate();
  const query = useProjectQuery(['api-keys', 'one', apiKeyId], (toolgate) => toolgate.apiKeys.get(apiKeyId));
  const { data: key, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (error) return <ErrorState error={error} retry={() => void query.refetch()} />;
  if (!key) return <PageSkeleton />;
  const list = { to: '/projects/$projectId/api-keys', params: { projectId } } as const;
  return (
    <>
      <PageHeader
        title={key.name}
        above={
          <Link {...list} className={linkClass}>
            API keys
          </Link>
        }
        description={<CopyableCode text={key.id} label="Copy key id" />}
        actions={<ApiKeyActions apiKey={key} onCreated={setCreated} onDeleted={() => void navigate(list)} />}
      />
      <div className="grid grid-cols-1 gap-8">
        <KeyFacts apiKey={key} />
        <KeyUsage apiKey={key} />
        <KeyAudit apiKeyId={key.id} />
      </div>
      <NewKeyDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const names = useKeyNames();
  return (
    <Facts
      facts={[
        ['Status', <StatusBadge key="status" status={apiKey.status} />],
        ['Key', <KeyCode key="key" apiKey={apiKey} />],
        ['Permissions', <PermissionBadges key="permissions" permissions={apiKey.permissions} />],
        ['Source', names.source(apiKey)],
        ['Created', <Time key="created" value={apiKey.created_at} />],
        ['Created by', names.creator(apiKey)],
        ['Last used', <Time key="used" value={apiKey.last_used_at} />],
        ['Expires', <ExpiryTime key="expires" apiKey={apiKey} />],
      ]}
    />
  );
}

function KeyUsage({ apiKey: { id } }: { apiKey: ApiKey }) {
  const { calls, days } = useDailyCalls('api_key')(id);
  const projectId = useProjectId();
  const today = new Date().toISOString().slice(0, 10);
  const starts = days.map((_, index) =>
    new Date(Date.parse(today) - (days.length - 1 - index) * 86_400_000).toISOString(),
  );
  return (
    <Section
      title={`${calls} tool calls in 7 days`}
      aside={
        <Link to="/projects/$projectId/logs" params={{ projectId }} search={{ api_key_id: id }} className={linkClass}>
          Show the calls
        </Link>
      }
    >
      <div className={`${cardClass} p-4`}>
        <TimeChart
          label="Tool calls per day"
          kind="bars"
          height={160}
          starts={starts}
          formatStart={(iso) => iso.slice(5, 10)}
          series={[{ name: 'Calls', values: days, tone: 'accent' }]}
        />
      </div>
    </Section>
  );
}

const auditColumns: Column<AuditEntry>[] = [
  { header: 'Action', cell: ({ action }) => <code className="text-xs">{action}</code> },
  { header: 'By', from: 'sm', width: 'w-56', cell: ({ actor }) => actorName(actor) },
  { header: 'Address', from: 'md', width: 'w-40', cell: ({ ip }) => ip ?? '' },
  { header: 'When', width: 'w-36', cell: ({ created_at }) => <Time value={created_at} /> },
];

function actorName(actor: AuditEntry['actor']): string {
  const { id, kind } = actor as { id?: string | null; kind?: string };
  return id ?? kind ?? '';
}

function KeyAudit({ apiKeyId }: { apiKeyId: string }) {
  const isAllowed = useAccess().can('admin');
  const query = useProjectQuery(
    ['audit-log', apiKeyId],
    (toolgate) => toolgate.auditLog.list({ target: apiKeyId, limit: 20 }),
    { enabled: isAllowed },
  );
  if (!isAllowed) return null;
  return (
    <Section title="Audit log">
      <DataTable
        label="Audit log"
        expected={2}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        columns={auditColumns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="Nothing was recorded" />}
      />
    </Section>
  );
}
