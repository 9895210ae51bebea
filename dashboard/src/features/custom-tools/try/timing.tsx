// What the log knows of a call that was just made: the time of each stage, and the steps of its request.

import { useQuery } from '@tanstack/react-query';
import { type ToolCall, ToolgateError } from '@toolgate/sdk';
import { projectApi, useProjectId } from '../../../api/client.ts';
import { Waterfall } from '../../../ui/charts/waterfall.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { RequestTraceView } from '../../calls/request-trace.tsx';
import type { Run } from './state.ts';

/** A call is in the log at most 2 seconds after its response. */
const ATTEMPTS = 8;
const AGAIN_AFTER_MS = 500;

export type CallRecord = {
  callId: string | null;
  requestId: string | null;
  /** Undefined while it is looked up, null if the call has no trace. */
  call: ToolCall | null | undefined;
};

export function useCallRecord({ result, error, number }: Run): CallRecord {
  const projectId = useProjectId();
  const api = projectApi(projectId);
  const requestId = error instanceof ToolgateError ? error.requestId : null;
  const { data, isError, isFetching } = useQuery({
    queryKey: ['projects', projectId, 'tool-calls', 'tried', result?.call_id ?? requestId, number],
    queryFn: async () => {
      if (result) return api.toolCalls.get(result.call_id);
      const found = await api.toolCalls.list({ request_id: requestId ?? '', limit: 1 });
      // Thrown, so that it is asked again: the log is a moment behind.
      if (!found.data[0]) throw new Error('not in the log yet');
      return found.data[0];
    },
    enabled: result !== null || requestId !== null,
    retry: ATTEMPTS,
    retryDelay: AGAIN_AFTER_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    callId: result?.call_id ?? data?.id ?? null,
    requestId: requestId ?? data?.request_id ?? null,
    call: isError || !isFetching ? (data ?? null) : data,
  };
}

export function Timing({ record: { call } }: { record: CallRecord }) {
  if (call === undefined) return <Skeleton className="h-40 w-full" />;
  if (call === null)
    return <p className="text-muted">The call is not in the log: it was refused before the tool was called.</p>;
  return <Waterfall call={call} />;
}

export function Trace({ record: { requestId, call }, body }: { record: CallRecord; body: string | null }) {
  if (requestId !== null) return <RequestTraceView requestId={requestId} upstreamBody={body} isNew />;
  if (call === undefined) return <Skeleton className="h-40 w-full" />;
  return <p className="text-muted">There is no trace of this request.</p>;
}
