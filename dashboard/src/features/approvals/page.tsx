// The calls that wait for a person, live, and those that were decided.

import { Link } from '@tanstack/react-router';
import { type ApprovalStatus, approvalStatuses } from '@toolgate/contract/approvals/rules.ts';
import type { Approval } from '@toolgate/sdk';
import { CircleCheckBig, History } from 'lucide-react';
import { useProjectApi, useProjectQuery } from '../../api/client.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { type Column, coverRow, DataTable } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { Name } from '../../ui/name.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { ApprovalDrawer } from './drawer.tsx';
import { useAskerName } from './names.ts';
import { INBOX_EVERY_MS } from './queries.ts';

export function ApprovalsPage() {
  const api = useProjectApi();
  const { values, set } = useFilters();
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Calls waiting for a person. An approval covers one call, by the same caller with the same arguments."
        actions={<ExportMenu name="approvals" columns={approvalCsv} rows={() => api.approvals.list({ limit: 100 })} />}
      />
      <PageTabs
        label="Approvals"
        tabs={[
          { id: 'waiting', label: 'Waiting', content: <Waiting /> },
          { id: 'history', label: 'History', content: <Decided /> },
        ]}
      />
      <ApprovalDrawer
        approvalId={values.approval}
        onClose={() => set({ approval: undefined, cursor: values.cursor })}
      />
    </>
  );
}

function Waiting() {
  const { cursor } = useFilters().values;
  const query = useProjectQuery(
    ['approvals', 'pending', cursor],
    (api) => api.approvals.list({ status: 'pending', limit: 20, cursor }),
    { refetchInterval: INBOX_EVERY_MS },
  );
  const columns = useColumns('expires_at');
  return (
    <DataTable
      label="Approvals"
      query={query}
      columns={columns}
      rowKey={({ id }) => id}
      expected={3}
      empty={
        <EmptyState icon={<CircleCheckBig />} title="No calls are waiting">
          Calls that need an approval appear here. To require approvals, open a tool and choose who confirms its calls
          under “Confirmation”.
        </EmptyState>
      }
    />
  );
}

/** The API filters by one status; pending ones are in the other tab. */
const decidedStatuses = approvalStatuses.filter((status) => status !== 'pending');

function Decided() {
  const { cursor, status } = useFilters().values;
  const chosen = decidedStatuses.find((known) => known === status);
  const query = useProjectQuery(['approvals', 'history', chosen, cursor], (api) =>
    api.approvals.list({ ...(chosen ? { status: chosen } : {}), limit: 20, cursor }),
  );
  const columns = useColumns('decided_at');
  return (
    <>
      <FilterBar names={['status']}>
        <SelectFilter
          name="status"
          label="Status"
          options={decidedStatuses.map((value) => ({ value, label: statusTexts[value] }))}
        />
      </FilterBar>
      <DataTable
        label="History"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<History />} title="No approvals yet">
            Approvals are kept for 30 days.
          </EmptyState>
        }
      />
    </>
  );
}

const statusTexts: Record<ApprovalStatus, string> = {
  pending: 'Pending',
  approved: 'Approved, not used yet',
  declined: 'Declined',
  expired: 'Expired',
  used: 'Approved and used',
  cancelled: 'Cancelled',
};

const timeTexts = { expires_at: 'Expires', decided_at: 'Decided' };

function useColumns(time: keyof typeof timeTexts): Column<Approval>[] {
  const askerOf = useAskerName();
  return [
    { header: 'Tool', cell: (approval) => <ToolCell approval={approval} asker={askerOf(approval)} /> },
    { header: 'Requested by', from: 'sm', width: 'w-48', cell: (approval) => <Name text={askerOf(approval)} /> },
    { header: 'Client', from: 'lg', width: 'w-40', cell: ({ client_name }) => client_name ?? '–' },
    { header: 'Status', width: 'w-28', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      header: 'Requested',
      from: 'md',
      width: 'w-32',
      isNewestFirst: true,
      cell: ({ requested_at }) => <Time value={requested_at} />,
    },
    {
      header: timeTexts[time],
      from: 'lg',
      width: 'w-32',
      cell: (approval) => <Time value={approval[time]} empty="–" />,
    },
  ];
}

/** The link covers the row. Narrow screens have no column for who asked. */
function ToolCell({ approval, asker }: { approval: Approval; asker: string }) {
  const { values } = useFilters();
  return (
    <>
      <Link
        to="."
        search={{ ...values, approval: approval.id }}
        replace
        state
        className={cn(coverRow, 'block truncate font-medium text-xs hover:underline')}
      >
        <code>{approval.tool_name}</code>
      </Link>
      <span className="block truncate text-faint text-xs sm:hidden">
        <Name text={asker} />
      </span>
    </>
  );
}

const approvalCsv: CsvColumn<Approval>[] = [
  ['id', ({ id }) => id],
  ['tool_id', ({ tool_id }) => tool_id],
  ['tool_name', ({ tool_name }) => tool_name],
  ['tool_version', ({ tool_version }) => tool_version],
  ['status', ({ status }) => status],
  ['by', ({ by }) => by],
  ['api_key_id', ({ api_key_id }) => api_key_id],
  ['member_id', ({ member_id }) => member_id],
  ['account_id', ({ account_id }) => account_id],
  ['client_name', ({ client_name }) => client_name],
  ['requested_at', ({ requested_at }) => requested_at],
  ['expires_at', ({ expires_at }) => expires_at],
  ['decided_at', ({ decided_at }) => decided_at],
  ['decided_by', ({ decided_by }) => decided_by],
  ['decided_via', ({ decided_via }) => decided_via],
  ['reason', ({ reason }) => reason],
];
