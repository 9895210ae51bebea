// The columns of the call log, on the screen and in its export.

import { Link } from '@tanstack/react-router';
import type { ToolCall } from '@toolgate/sdk';
import { Badge } from '../../ui/badge.tsx';
import { StageBar } from '../../ui/charts/waterfall.tsx';
import { cn } from '../../ui/class-names.ts';
import { type Column, coverRow } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { Name } from '../../ui/name.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { useFilters } from '../../ui/search.ts';
import { exactTime, localTime } from '../../ui/time.tsx';
import { useCallNames } from './names.ts';
import { CallOutcome } from './outcome.tsx';

/** `longest`: the duration that fills the column of the waterfall. `isOneTool`: its name is not repeated in every row. */
export function useCallColumns(longest: number, isOneTool: boolean): Column<ToolCall>[] {
  const { caller } = useCallNames();
  const isNarrow = useIsNarrow();
  return [
    {
      header: 'Time',
      isNewestFirst: true,
      width: 'w-28 sm:w-32',
      cell: (call) => <ClockTime value={call.created_at} />,
    },
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
  cell: (call) => <CallOutcome call={call} />,
};

/** Live rows are seconds apart: "just now" would say nothing. */
export function ClockTime({ value }: { value: string }) {
  const { time, date } = localTime(value);
  return (
    <time dateTime={value} title={exactTime(value)}>
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
      {call.error_code && (
        <code className={cn('block truncate text-xs', call.is_waiting ? 'text-muted' : 'text-danger')}>
          {call.error_code}
        </code>
      )}
      {isNarrow && !call.error_code && <span className="block text-success text-xs">{call.outcome}</span>}
    </>
  );
}

function Caller({ call: { transport, is_test, client_name, member_id }, name }: { call: ToolCall; name: string }) {
  return (
    <>
      <div className="flex items-center gap-1.5">
        <Name text={name} className="truncate" />
        <Badge>{transport === 'mcp' ? 'MCP' : 'REST'}</Badge>
        {is_test && <Badge tone="accent">test</Badge>}
      </div>
      <div className="truncate text-faint text-xs">
        <Name text={client_name ?? member_id ?? ''} />
      </div>
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
  ['is_waiting', ({ is_waiting }) => is_waiting],
  ['status', ({ status }) => status],
  ['error_code', ({ error_code }) => error_code],
  ['upstream_status', ({ upstream_status }) => upstream_status],
  ['duration_ms', ({ duration_ms }) => duration_ms],
  ['waiting_ms', ({ waiting_ms }) => waiting_ms],
  ['queue_ms', ({ stages }) => stages?.queue_ms],
  ['connect_ms', ({ stages }) => stages?.connect_ms],
  ['upstream_ms', ({ stages }) => stages?.upstream_ms],
  ['request_bytes', ({ request_bytes }) => request_bytes],
  ['response_bytes', ({ response_bytes }) => response_bytes],
  ['transport', ({ transport }) => transport],
  ['api_key_id', ({ api_key_id }) => api_key_id],
  ['member_id', ({ member_id }) => member_id],
  ['integration_id', ({ integration_id }) => integration_id],
  ['is_test', ({ is_test }) => is_test],
  ['request_id', ({ request_id }) => request_id],
];
