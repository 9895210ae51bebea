// The latest calls and the latest errors of a project. Each row leads to the call in the log.

import { Link } from '@tanstack/react-router';
import type { ToolCall } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { type Column, coverRow, DataTable } from '../../ui/lists/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { CallOutcome } from '../calls/outcome.tsx';

const LIVE_MS = 5_000;
const SHOWN = 5;

const columns: Column<ToolCall>[] = [
  { header: 'Tool', cell: (call) => <ToolCell call={call} /> },
  { header: 'Outcome', width: 'w-32', cell: (call) => <CallOutcome call={call} /> },
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
  { header: 'When', from: 'sm', width: 'w-36', align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

function ToolCell({ call: { id, tool_name, created_at } }: { call: ToolCall }) {
  const projectId = useProjectId();
  return (
    <>
      <Link
        to="/projects/$projectId/logs"
        params={{ projectId }}
        search={{ call: id }}
        className={cn('font-mono text-xs', coverRow)}
      >
        {tool_name}
      </Link>
      <div className="truncate text-faint text-xs sm:hidden">
        <Time value={created_at} />
      </div>
    </>
  );
}

export function LiveCalls() {
  const query = useProjectQuery(['tool-calls', 'latest'], (toolgate) => toolgate.toolCalls.list({ limit: SHOWN }), {
    refetchInterval: LIVE_MS,
  });
  return (
    <Section title="Live calls" aside={<LogLink />}>
      <DataTable
        label="Live calls"
        columns={columns}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        rowKey={({ id }) => id}
        expected={SHOWN}
        empty={
          // As high as the rows that were expected.
          <div className="grid min-h-68 place-items-center">
            <EmptyState title="No calls yet">They appear here as they happen.</EmptyState>
          </div>
        }
      />
    </Section>
  );
}

export function LastErrors() {
  const query = useProjectQuery(
    ['tool-calls', 'failed'],
    (toolgate) => toolgate.toolCalls.list({ limit: SHOWN, outcome: 'failed', is_waiting: false }),
    { refetchInterval: LIVE_MS * 3 },
  );
  return (
    <Section title="Last errors" aside={<LogLink outcome="failed" />}>
      <DataTable
        label="Last errors"
        columns={columns}
        query={{ ...query, data: query.data && { data: query.data.data } }}
        rowKey={({ id }) => id}
        expected={1}
        empty={<p className="p-4 text-center text-muted">No call has failed.</p>}
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
