// The requests that were refused: with a credential of the project, but before or instead of a call, such as a 401 or 429.

import { Link } from '@tanstack/react-router';
import type { RequestTrace } from '@toolgate/sdk';
import { ShieldX } from 'lucide-react';
import { useProjectApi, useProjectQuery } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { type Column, coverRow, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { ClockTime } from './columns.tsx';
import { useCallNames } from './names.ts';

const REFRESH_MS = 10_000;
const filterNames = ['status', 'code', 'api_key_id'] as const;
const statuses = ['400', '401', '403', '404', '409', '413', '422', '429', '500', '503'].map((value) => ({
  value,
  label: value,
}));

const readFilters = ({ status, code, api_key_id }: Search) => ({
  status: status === undefined ? undefined : Number(status),
  code,
  api_key_id,
});

export function RefusedRequests() {
  const { values } = useFilters();
  const filters = readFilters(values);
  const query = useProjectQuery(
    ['requests', filters, values.cursor],
    (toolgate) => toolgate.requests.list({ ...filters, limit: 50, cursor: values.cursor }),
    { refetchInterval: REFRESH_MS },
  );
  const { keys, caller } = useCallNames();
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6">
        <FilterBar names={filterNames}>
          <SelectFilter name="status" label="Status" options={statuses} />
          <SearchFilter name="code" label="Error code" className="sm:w-52" />
          <SelectFilter name="api_key_id" label="API key" options={keys} />
        </FilterBar>
        <ExportRefused />
      </div>
      <DataTable
        label="Refused requests"
        expected={8}
        query={query}
        columns={columns(values, caller)}
        rowKey={({ request_id }) => request_id}
        empty={
          <EmptyState icon={<ShieldX />} title="No request was refused">
            Refused requests of the last 24 hours appear here, with the reason and a fix, if they used a credential of
            this project. Failed calls are under Calls.
          </EmptyState>
        }
      />
    </>
  );
}

function ExportRefused() {
  const api = useProjectApi();
  const filters = readFilters(useFilters().values);
  return (
    <ExportMenu name="refused-requests" columns={csv} rows={() => api.requests.list({ ...filters, limit: 100 })} />
  );
}

const failedStep = ({ steps }: RequestTrace) => steps.find(({ outcome }) => outcome === 'failed');

const columns = (values: Search, caller: ReturnType<typeof useCallNames>['caller']): Column<RequestTrace>[] => [
  {
    header: 'Time',
    isNewestFirst: true,
    width: 'w-28 sm:w-32',
    cell: ({ created_at }) => <ClockTime value={created_at} />,
  },
  {
    header: 'Status',
    width: 'w-20',
    cell: ({ status }) => <Badge tone={status >= 500 || status === 429 ? 'danger' : 'warning'}>{status}</Badge>,
  },
  {
    header: 'Request',
    cell: (trace) => (
      <>
        <Link
          to="."
          search={{ ...values, request_id: trace.request_id }}
          className={cn(coverRow, 'block truncate font-medium text-xs hover:underline')}
        >
          <code>
            {trace.method} {trace.route}
          </code>
        </Link>
        <code className="block truncate text-danger text-xs">{trace.code}</code>
      </>
    ),
  },
  {
    header: 'What to do',
    from: 'lg',
    width: 'w-80',
    cell: (trace) => (
      <span className="line-clamp-2 whitespace-normal text-muted text-xs">{failedStep(trace)?.remedy}</span>
    ),
  },
  {
    header: 'Caller',
    from: 'md',
    width: 'w-40',
    cell: (trace) => <span className="truncate">{callerOf(trace, caller)}</span>,
  },
];

function callerOf({ caller }: RequestTrace, nameOf: ReturnType<typeof useCallNames>['caller']): string {
  if (caller.kind === 'root') return 'Root key';
  return caller.kind === 'account' ? 'A person' : nameOf(caller);
}

const csv: CsvColumn<RequestTrace>[] = [
  ['request_id', ({ request_id }) => request_id],
  ['created_at', ({ created_at }) => created_at],
  ['method', ({ method }) => method],
  ['route', ({ route }) => route],
  ['status', ({ status }) => status],
  ['code', ({ code }) => code],
  ['reason', (trace) => failedStep(trace)?.reason],
  ['caller_kind', ({ caller }) => caller.kind],
  ['api_key_id', ({ caller }) => caller.api_key_id],
  ['member_id', ({ caller }) => caller.member_id],
];
