// /projects/{id}: the first steps until they are done, how the project is doing, and its latest calls.

import { Link } from '@tanstack/react-router';
import type { ToolCall } from '@toolgate/sdk';
import { useEffect } from 'react';
import { useProjectId, useProjectQuery } from '../api.ts';
import { StatusBadge } from '../components/badge.tsx';
import { linkClass } from '../components/button.tsx';
import { Snippets } from '../components/code-block.tsx';
import { CopyableCode } from '../components/copy.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { FirstSteps } from '../components/first-steps.tsx';
import { cardClass, PageHeader, Section } from '../components/page-header.tsx';
import { LoadSampleShop } from '../components/sample-shop.tsx';
import { Stat, StatStrip } from '../components/stat.tsx';
import { EmptyState } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { rememberProject } from '../recent-projects.ts';
import { mcpSnippets } from '../snippets.ts';

const LIVE_MS = 5_000;

export function OverviewPage() {
  const projectId = useProjectId();
  useEffect(() => rememberProject(projectId), [projectId]);
  return (
    <>
      <PageHeader title="Overview" description={<CopyableCode text={projectId} label="Copy project id" />} />
      <div className="grid grid-cols-1 gap-8">
        <FirstSteps />
        <Health />
        <LatestCalls />
        <LastErrors />
        <Section title="Connect a model" id="connect" className="scroll-mt-16">
          <div className={`${cardClass} p-4`}>
            <Snippets
              label="Connect a model"
              snippets={mcpSnippets({ origin: window.location.origin, projectId, key: 'YOUR_API_KEY' })}
            />
          </div>
        </Section>
      </div>
    </>
  );
}

function Health() {
  const analytics = useProjectQuery(['analytics', 'day'], (toolgate) => toolgate.analytics.get(), {
    refetchInterval: 60_000,
  });
  const projectId = useProjectId();
  const usage = useProjectQuery(['usage'], (toolgate) => toolgate.projects.usage.get(projectId));
  const totals = analytics.data?.totals;
  const success = totals && totals.calls > 0 ? `${((1 - totals.errors / totals.calls) * 100).toFixed(1)} %` : '–';
  const used = usage.data;
  return (
    <Section title="Last 24 hours">
      <StatStrip>
        <Stat
          name="Calls"
          value={totals?.calls.toLocaleString('en')}
          before={analytics.data?.previous.calls}
          now={totals?.calls}
        />
        <Stat name="Success" value={totals && success} />
        <Stat
          name="p95 duration"
          value={totals && (totals.p95_ms === null ? '–' : `${Math.round(totals.p95_ms)} ms`)}
        />
        <Stat
          name="Requests this hour"
          value={used && `${used.used.toLocaleString('en')} of ${used.limit.toLocaleString('en')}`}
          {...(used && { share: used.used / used.limit })}
        />
      </StatStrip>
    </Section>
  );
}

const callColumns: Column<ToolCall>[] = [
  { header: 'Tool', cell: ({ tool_name }) => <code className="text-xs">{tool_name}</code> },
  { header: 'Outcome', width: 'w-32', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  {
    header: 'Error',
    from: 'md',
    width: 'w-56',
    cell: ({ error_code }) => <code className="text-muted text-xs">{error_code}</code>,
  },
  {
    header: 'Duration',
    from: 'sm',
    width: 'w-28',
    align: 'right',
    cell: ({ duration_ms }) => `${Math.round(duration_ms)} ms`,
  },
  { header: 'When', width: 'w-36', align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

function LatestCalls() {
  const query = useProjectQuery(['tool-calls', 'latest'], (toolgate) => toolgate.toolCalls.list({ limit: 6 }), {
    refetchInterval: LIVE_MS,
  });
  return (
    <Section title="Live calls" aside={<LogLink />}>
      <DataTable
        label="Live calls"
        columns={callColumns}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        rowKey={({ id }) => id}
        empty={<NoCalls />}
      />
    </Section>
  );
}

/** A project without tools can have some at once. */
function NoCalls() {
  const tools = useProjectQuery(['custom-tools', 'steps'], (toolgate) => toolgate.customTools.list({ limit: 1 })).data;
  if (tools?.data.length !== 0) return <EmptyState title="No calls yet">They appear here as they happen.</EmptyState>;
  return (
    <EmptyState title="No calls yet" action={<LoadSampleShop />}>
      They appear here as they happen. To see some now, load a sample shop and try its tools.
    </EmptyState>
  );
}

function LastErrors() {
  const query = useProjectQuery(
    ['tool-calls', 'failed'],
    (toolgate) => toolgate.toolCalls.list({ limit: 5, outcome: 'failed' }),
    { refetchInterval: LIVE_MS * 3 },
  );
  // Nothing failed: then there is nothing to say.
  if (query.data?.data.length === 0 || !query.data) return null;
  return (
    <Section title="Last errors" aside={<LogLink outcome="failed" />}>
      <DataTable
        label="Last errors"
        columns={callColumns}
        query={{ ...query, data: { data: query.data.data } }}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Section>
  );
}

function LogLink({ outcome }: { outcome?: string }) {
  const projectId = useProjectId();
  return (
    <Link to="/projects/$projectId/logs" params={{ projectId }} search={{ outcome }} className={linkClass}>
      {outcome ? 'All errors' : 'All calls'}
    </Link>
  );
}
