// The call log: live, filtered by the URL, with the details of a call in a drawer and the trace of a request by its id.

import { Activity } from 'lucide-react';
import { useProjectApi, useProjectQuery } from '../api.ts';
import { DataTable } from '../components/data-table.tsx';
import { ExportMenu } from '../components/export-menu.tsx';
import { LiveControl } from '../components/live-control.tsx';
import { cardClass, PageHeader, Section } from '../components/page-header.tsx';
import { RequestTraceView } from '../components/request-trace.tsx';
import { EmptyState, ErrorAlert } from '../components/states.tsx';
import { joinRows, useCallStream, usePause } from '../live.ts';
import { useFilters } from '../search.ts';
import { callCsv, useCallColumns } from './call-columns.tsx';
import { CallDrawer } from './call-drawer.tsx';
import { callFilterNames, LogFilters, readCallFilters } from './log-filters.tsx';

export function LogsPage() {
  const { values, set } = useFilters();
  const api = useProjectApi();
  const { filters, times, key } = readCallFilters(values);
  const query = useProjectQuery(['tool-calls', key, values.cursor], (toolgate) =>
    toolgate.toolCalls.list({ ...filters, ...times, limit: 50, cursor: values.cursor }),
  );
  const offReason = whyNotLive(values);
  // The placeholder is the list of other filters: a stream must not begin with its newest call.
  const isOn = offReason === undefined && query.data !== undefined && !query.isPlaceholderData;
  const stream = useCallStream(filters, { isOn, after: query.data?.data[0]?.id });
  const all = query.data && joinRows(offReason === undefined ? stream.calls : [], query.data.data);
  const pause = usePause(all, key);
  const longest = Math.max(1, ...(pause.rows ?? []).map(({ duration_ms }) => duration_ms));
  return (
    <>
      <PageHeader
        title="Logs"
        description="Every call of a tool, over REST and MCP, as it happens: who called, how it ended and where the time went."
        actions={
          <>
            <LiveControl pause={pause} offReason={offReason} size="md" />
            <ExportMenu
              name="logs"
              columns={callCsv}
              rows={() => api.toolCalls.list({ ...filters, ...times, limit: 100 })}
            />
          </>
        }
      />
      <LogFilters />
      {values.request_id && <TraceOf requestId={values.request_id} />}
      {stream.error !== null && <ErrorAlert error={stream.error} className="mb-3" />}
      <DataTable
        label="Logs"
        expected={12}
        query={{ ...query, data: pause.rows && { data: pause.rows, nextCursor: query.data?.nextCursor ?? null } }}
        columns={useCallColumns(longest)}
        rowKey={({ id }) => id}
        empty={<NoCalls isFiltered={callFilterNames.some((name) => values[name])} />}
      />
      <CallDrawer callId={values.call} onClose={() => set({ call: undefined, cursor: values.cursor })} />
    </>
  );
}

function whyNotLive({ cursor, to }: ReturnType<typeof useFilters>['values']): string | undefined {
  if (cursor !== undefined) return 'This is a page further back. The first page is live.';
  return to === undefined ? undefined : 'The chosen time has an end, so no new calls come.';
}

/** A request that is no call, such as a refused one, has a trace too. */
function TraceOf({ requestId }: { requestId: string }) {
  return (
    <Section title="Request trace" className="mb-6">
      <div className={`${cardClass} p-4`}>
        <RequestTraceView requestId={requestId} />
      </div>
    </Section>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No call matches">Change the filters, or wait: matching calls appear as they happen.</EmptyState>
  ) : (
    <EmptyState icon={<Activity />} title="No calls yet">
      They appear here as they happen, at most two seconds after their answer. Connect a model on the overview, or run a
      tool on its page.
    </EmptyState>
  );
}
