// The calls of a project or of one tool: live, filtered by the URL, each with its details in a drawer.

import type { ReactNode } from 'react';
import { useProjectApi, useProjectQuery } from '../../api/client.ts';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { joinRows, usePause } from '../../ui/lists/live.ts';
import { LiveControl } from '../../ui/lists/live-control.tsx';
import { type Search, useFilters } from '../../ui/search.ts';
import { ErrorAlert } from '../../ui/states.tsx';
import { callCsv, useCallColumns } from './columns.tsx';
import { CallDrawer } from './drawer.tsx';
import { readCallFilters } from './filters.tsx';
import { useCallStream } from './stream.ts';

type CallLog = ReturnType<typeof useCallLog>;

/** `toolId`: only the calls of this tool, whatever the URL says. */
export function useCallLog(toolId?: string) {
  const { values } = useFilters();
  const { cursor } = values;
  const { filters, times, key } = readCallFilters(toolId === undefined ? values : { ...values, tool_id: toolId });
  const query = useProjectQuery(['tool-calls', key, cursor], (toolgate) =>
    toolgate.toolCalls.list({ ...filters, ...times, limit: 50, cursor }),
  );
  const offReason = query.error && !query.data ? 'The calls could not be read.' : whyNotLive(values);
  // The placeholder is the list of other filters: a stream must not begin with its newest call.
  const isOn = offReason === undefined && query.data !== undefined && !query.isPlaceholderData;
  const stream = useCallStream(filters, { isOn, after: query.data?.data[0]?.id });
  const all = query.data && joinRows(offReason === undefined ? stream.calls : [], query.data.data);
  return { query, stream, offReason, pause: usePause(all, key), filters, times };
}

function whyNotLive({ cursor, to }: Search): string | undefined {
  if (cursor !== undefined) return 'This is an older page. The first page is live.';
  return to === undefined ? undefined : "The selected period has an end, so new calls don't appear.";
}

/** The pause and the export. */
export function CallLogControls({ log: { pause, offReason, filters, times }, name }: { log: CallLog; name: string }) {
  const api = useProjectApi();
  return (
    <>
      <LiveControl pause={pause} offReason={offReason} size="md" />
      <ExportMenu name={name} columns={callCsv} rows={() => api.toolCalls.list({ ...filters, ...times, limit: 100 })} />
    </>
  );
}

type TableProps = { log: CallLog; label: string; isOneTool?: boolean; empty: ReactNode };

export function CallLogTable({ log: { query, stream, pause }, label, isOneTool = false, empty }: TableProps) {
  const { values, set } = useFilters();
  const longest = Math.max(1, ...(pause.rows ?? []).map(({ duration_ms }) => duration_ms));
  return (
    <>
      {stream.error !== null && <ErrorAlert error={stream.error} className="mb-3" />}
      <DataTable
        label={label}
        expected={12}
        query={{ ...query, data: pause.rows && { data: pause.rows, nextCursor: query.data?.nextCursor ?? null } }}
        columns={useCallColumns(longest, isOneTool)}
        rowKey={({ id }) => id}
        empty={empty}
      />
      <CallDrawer callId={values.call} onClose={() => set({ call: undefined, cursor: values.cursor })} />
    </>
  );
}
