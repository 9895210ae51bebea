// The tool calls of one member or integration, by pages, with a link to the log with the same filter.

import { Link } from '@tanstack/react-router';
import type { ToolCall } from '@toolgate/sdk';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { useFilters } from '../../ui/search.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { CallOutcome } from './outcome.tsx';

const columns: Column<ToolCall>[] = [
  {
    header: 'Tool',
    cell: ({ tool_name, created_at }) => (
      <>
        <code className="text-xs">{tool_name}</code>
        <div className="truncate text-faint text-xs sm:hidden">
          <Time value={created_at} />
        </div>
      </>
    ),
  },
  { header: 'Outcome', width: 'w-32', cell: (call) => <CallOutcome call={call} /> },
  {
    header: 'Error',
    from: 'md',
    width: 'w-56',
    cell: ({ error_code }) => <code className="text-muted text-xs">{error_code}</code>,
  },
  { header: 'Transport', from: 'lg', width: 'w-24', cell: ({ transport }) => (transport === 'mcp' ? 'MCP' : 'REST') },
  {
    header: 'Duration',
    from: 'sm',
    width: 'w-28',
    align: 'right',
    cell: ({ duration_ms }) => `${Math.round(duration_ms)} ms`,
  },
  { header: 'When', from: 'sm', width: 'w-36', align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

type Props = { filters: { member_id?: string; integration_id?: string }; empty: string };

export function CallTable({ filters, empty }: Props) {
  const { cursor } = useFilters().values;
  const projectId = useProjectId();
  const query = useProjectQuery(['tool-calls', filters, cursor], (toolgate) =>
    toolgate.toolCalls.list({ ...filters, limit: 20, cursor }),
  );
  return (
    <Section
      title="Calls"
      aside={
        <Link to="/projects/$projectId/logs" params={{ projectId }} search={filters} className={linkClass}>
          Open in the log
        </Link>
      }
    >
      <DataTable
        label="Calls"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        expected={3}
        empty={
          <EmptyState compact title="No calls yet">
            {empty}
          </EmptyState>
        }
      />
    </Section>
  );
}
