// The call log of the project, the requests that were refused, and the trace of a request by its id.

import { Link } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useFilters } from '../../ui/search.ts';
import { cardClass, Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PageTabs } from '../../ui/tabs.tsx';
import { callFilterNames, LogFilters } from './filters.tsx';
import { CallLogControls, CallLogTable, useCallLog } from './list.tsx';
import { RefusedRequests } from './refused-requests.tsx';
import { RequestTraceView } from './request-trace.tsx';

export function LogsPage() {
  const { values } = useFilters();
  return (
    <>
      <PageHeader
        title="Logs"
        description="Every tool call over REST and MCP, live: who called, the outcome, and where the time went. Times are local; hover for UTC."
      />
      {values.request_id && <TraceOf requestId={values.request_id} />}
      <PageTabs
        label="Logs"
        tabs={[
          { id: 'calls', label: 'Calls', content: <Calls /> },
          { id: 'refused', label: 'Refused requests', content: <RefusedRequests /> },
        ]}
      />
    </>
  );
}

function Calls() {
  const { values } = useFilters();
  const log = useCallLog();
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6">
        <LogFilters />
        <div className="mb-3 flex gap-2">
          <CallLogControls log={log} name="logs" />
        </div>
      </div>
      <CallLogTable
        log={log}
        label="Logs"
        empty={<NoCalls isFiltered={callFilterNames.some((name) => values[name])} />}
      />
    </>
  );
}

/** A request that is not a call, such as a refused one, has a trace too. */
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
  const projectId = useProjectId();
  if (isFiltered)
    return (
      <EmptyState title="No call matches">
        Change the filters, or wait: matching calls appear as they happen.
      </EmptyState>
    );
  return (
    <EmptyState icon={<Activity />} title="No calls yet">
      Calls appear here within two seconds of their response.{' '}
      <Link to="/projects/$projectId" params={{ projectId }} className={inlineLinkClass}>
        Connect a model
      </Link>
      , or run{' '}
      <Link to="/projects/$projectId/custom-tools" params={{ projectId }} className={inlineLinkClass}>
        one of your tools
      </Link>
      .
    </EmptyState>
  );
}
