// The call log of the project, and the trace of a request by its id.

import { Link } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useProjectId } from '../api.ts';
import { inlineLinkClass } from '../components/button.tsx';
import { cardClass, PageHeader, Section } from '../components/page-header.tsx';
import { RequestTraceView } from '../components/request-trace.tsx';
import { EmptyState } from '../components/states.tsx';
import { useFilters } from '../search.ts';
import { CallLogControls, CallLogTable, useCallLog } from './call-log.tsx';
import { callFilterNames, LogFilters } from './log-filters.tsx';

export function LogsPage() {
  const { values } = useFilters();
  const log = useCallLog();
  return (
    <>
      <PageHeader
        title="Logs"
        description="Every call of a tool, over REST and MCP, as it happens: who called, how it ended and where the time went."
        actions={<CallLogControls log={log} name="logs" />}
      />
      <LogFilters />
      {values.request_id && <TraceOf requestId={values.request_id} />}
      <CallLogTable
        log={log}
        label="Logs"
        empty={<NoCalls isFiltered={callFilterNames.some((name) => values[name])} />}
      />
    </>
  );
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
  const projectId = useProjectId();
  if (isFiltered)
    return (
      <EmptyState title="No call matches">
        Change the filters, or wait: matching calls appear as they happen.
      </EmptyState>
    );
  return (
    <EmptyState icon={<Activity />} title="No calls yet">
      They appear here as they happen, at most two seconds after their answer.{' '}
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
