// The tab "Calls": the calls of one tool. The page "Logs" has all of them, with more filters.

import { Link } from '@tanstack/react-router';
import type { CustomTool, ToolCall } from '@toolgate/sdk';
import { Activity } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../api.ts';
import { Badge, StatusBadge } from '../components/badge.tsx';
import { linkClass } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { FilterBar, SelectFilter } from '../components/filter-bar.tsx';
import { EmptyState } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { useFilters } from '../search.ts';

const LIVE_MS = 5_000;
const outcomes = ['succeeded', 'failed'].map((value) => ({ value, label: value }));
const tests = [
  { value: 'false', label: 'real calls' },
  { value: 'true', label: 'tests' },
];
const FILTERS = ['outcome', 'is_test'];

export function ToolCallsTab({ tool }: { tool: CustomTool }) {
  const { values } = useFilters();
  const projectId = useProjectId();
  const { cursor, outcome, is_test } = values;
  const query = useProjectQuery(
    ['tool-calls', 'tool', tool.id, cursor, outcome, is_test],
    (api) =>
      api.toolCalls.list({
        tool_id: tool.id,
        limit: 50,
        cursor,
        outcome: outcome as 'succeeded' | 'failed' | undefined,
        is_test: is_test === undefined ? undefined : is_test === 'true',
      }),
    cursor ? {} : { refetchInterval: LIVE_MS },
  );
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar names={FILTERS}>
          <SelectFilter name="outcome" label="Outcome" options={outcomes} />
          <SelectFilter name="is_test" label="Kind" options={tests} />
        </FilterBar>
        <Link
          to="/projects/$projectId/logs"
          params={{ projectId }}
          search={{ tool_id: tool.id }}
          className={`${linkClass} leading-8`}
        >
          Open in Logs
        </Link>
      </div>
      <DataTable
        label="Calls"
        query={query}
        columns={callColumns}
        rowKey={({ id }) => id}
        empty={<NoCalls isFiltered={FILTERS.some((name) => values[name])} />}
      />
    </>
  );
}

const callColumns: Column<ToolCall>[] = [
  { header: 'Outcome', cell: (call) => <OutcomeCell call={call} /> },
  {
    header: 'Caller',
    from: 'sm',
    width: 'w-56',
    cell: (call) => <code className="text-muted text-xs">{callerOf(call)}</code>,
  },
  {
    header: 'Error',
    from: 'md',
    width: 'w-56',
    cell: ({ error_code }) => <code className="text-danger text-xs">{error_code}</code>,
  },
  { header: 'Version', from: 'lg', width: 'w-20', align: 'right', cell: ({ tool_version }) => tool_version },
  { header: 'Duration', from: 'sm', width: 'w-24', align: 'right', cell: ({ duration_ms }) => `${duration_ms} ms` },
  { header: 'When', width: 'w-32', align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

function OutcomeCell({ call }: { call: ToolCall }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusBadge status={call.outcome} />
      {call.is_test && <Badge>test</Badge>}
    </span>
  );
}

const callerOf = ({ member_id, api_key_id, account_id }: ToolCall) => member_id ?? api_key_id ?? account_id ?? '';

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No call matches">Change the filters.</EmptyState>;
  return (
    <EmptyState icon={<Activity />} title="Not called yet">
      Run it under “Try it”, or connect a model: its calls appear here as they happen.
    </EmptyState>
  );
}
