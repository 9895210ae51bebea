// The columns of the call log, on the screen and in its export.

import { Link } from '@tanstack/react-router';
import type { ToolCall } from '@toolgate/sdk';
import { Badge, StatusBadge } from '../components/badge.tsx';
import { cn } from '../components/class-names.ts';
import { type Column, coverRow } from '../components/data-table.tsx';
import { useIsNarrow } from '../components/narrow.ts';
import { exactTime } from '../components/time.tsx';
import { StageBar } from '../components/waterfall.tsx';
import type { CsvColumn } from '../download.ts';
import { useFilters } from '../search.ts';
import { useCallNames } from './call-names.ts';

/** `longest`: the duration that fills the column of the waterfall. `isOneTool`: its name is not repeated in every row. */
export function useCallColumns(longest: number, isOneTool: boolean): Column<ToolCall>[] {
  const { caller } = useCallNames();
  const isNarrow = useIsNarrow();
  return [
    { header: 'Time (UTC)', isNewestFirst: true, width: 'w-28 sm:w-32', cell: (call) => <CallTime call={call} /> },
    ...(isNarrow ? [] : [outcomeColumn]),
    {
      header: isOneTool ? 'Call' : 'Tool',
      cell: (call) => <CallLink call={call} name={isOneTool ? call.id : call.tool_name} />,
    },
    { header: 'Caller', from: 'md', width: 'w-44', cell: (call) => <Caller call={call} name={caller(call)} /> },
    { header: 'Stages', from: 'lg', width: 'w-40', cell: (call) => <StageBar call={call} longest={longest} /> },
    {
      header: 'Duration',
      from: 'sm',
      width: 'w-24',
      align: 'right',
      cell: ({ duration_ms }) => `${duration_ms.toLocaleString('en')} ms`,
    },
  ];
}

const outcomeColumn: Column<ToolCall> = {
  header: 'Outcome',
  width: 'w-28',
  cell: ({ outcome }) => <StatusBadge status={outcome} />,
};

/** Live rows are seconds apart: "just now" would say nothing. */
function CallTime({ call: { created_at } }: { call: ToolCall }) {
  const [date, time] = exactTime(created_at).split(' ');
  return (
    <time dateTime={created_at} title={exactTime(created_at)}>
      <span className="tabular-nums">{time}</span>
      <span className="block text-faint text-xs">{date}</span>
    </time>
  );
}

/** The link covers the row. Narrow screens have no column for the outcome. */
function CallLink({ call, name }: { call: ToolCall; name: string }) {
  const { values } = useFilters();
  const isNarrow = useIsNarrow();
  return (
    <>
      <Link
        to="."
        search={{ ...values, call: call.id }}
        replace
        state
        className={cn(coverRow, 'block truncate font-medium text-xs hover:underline')}
      >
        <code>{name}</code>
      </Link>
      {call.error_code && <code className="block truncate text-danger text-xs">{call.error_code}</code>}
      {isNarrow && !call.error_code && <span className="block text-success text-xs">{call.outcome}</span>}
    </>
  );
}

function Caller({ call: { door, is_test, client_name, member_id }, name }: { call: ToolCall; name: string }) {
  return (
    <>
      <div className="flex items-center gap-1.5">
        <span className="truncate">{name}</span>
        <Badge>{door === 'mcp' ? 'MCP' : 'REST'}</Badge>
        {is_test && <Badge tone="accent">test</Badge>}
      </div>
      <div className="truncate text-faint text-xs">{client_name ?? member_id}</div>
    </>
  );
}

export const callCsv: CsvColumn<ToolCall>[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['tool_id', ({ tool_id }) => tool_id],
  ['tool_name', ({ tool_name }) => tool_name],
  ['tool_version', ({ tool_version }) => tool_version],
  ['outcome', ({ outcome }) => outcome],
  ['status', ({ status }) => status],
  ['error_code', ({ error_code }) => error_code],
  ['upstream_status', ({ upstream_status }) => upstream_status],
  ['duration_ms', ({ duration_ms }) => duration_ms],
  ['queue_ms', ({ stages }) => stages?.queue_ms],
  ['connect_ms', ({ stages }) => stages?.connect_ms],
  ['upstream_ms', ({ stages }) => stages?.upstream_ms],
  ['request_bytes', ({ request_bytes }) => request_bytes],
  ['response_bytes', ({ response_bytes }) => response_bytes],
  ['door', ({ door }) => door],
  ['api_key_id', ({ api_key_id }) => api_key_id],
  ['member_id', ({ member_id }) => member_id],
  ['integration_id', ({ integration_id }) => integration_id],
  ['is_test', ({ is_test }) => is_test],
  ['request_id', ({ request_id }) => request_id],
];
