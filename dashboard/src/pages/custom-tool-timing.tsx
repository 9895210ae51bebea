// What the log knows of a call that was just made: the time of each stage, and the steps of its request.

import { useQuery } from '@tanstack/react-query';
import { type RequestTrace, type ToolCall, ToolgateError } from '@toolgate/sdk';
import { Check, Minus, X } from 'lucide-react';
import { projectApi, useProjectId } from '../api.ts';
import { cn } from '../components/class-names.ts';
import { Skeleton } from '../components/skeleton.tsx';
import type { Run } from './custom-tool-try-state.ts';

/** A call is in the log at most 2 seconds after its answer. */
const ATTEMPTS = 8;
const AGAIN_AFTER_MS = 500;

export type CallRecord = {
  callId: string | null;
  /** Undefined while it is looked up, null if there is none. */
  call: ToolCall | null | undefined;
  trace: RequestTrace | null | undefined;
};

export function useCallRecord({ result, error, number }: Run): CallRecord {
  const projectId = useProjectId();
  const api = projectApi(projectId);
  const requestId = error instanceof ToolgateError ? error.requestId : null;
  const call = useQuery({
    queryKey: ['projects', projectId, 'tool-calls', 'tried', result?.call_id ?? requestId, number],
    queryFn: async () => {
      if (result) return api.toolCalls.get(result.call_id);
      const { data } = await api.toolCalls.list({ request_id: requestId ?? '', limit: 1 });
      // Thrown, so that it is asked again: the log is a moment behind.
      if (!data[0]) throw new Error('not in the log yet');
      return data[0];
    },
    enabled: result !== null || requestId !== null,
    retry: ATTEMPTS,
    retryDelay: AGAIN_AFTER_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const tracedId = requestId ?? call.data?.request_id ?? null;
  const trace = useQuery({
    queryKey: ['projects', projectId, 'requests', tracedId],
    queryFn: () => api.requests.get(tracedId ?? ''),
    enabled: tracedId !== null,
    retry: ATTEMPTS,
    retryDelay: AGAIN_AFTER_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    callId: result?.call_id ?? call.data?.id ?? null,
    call: call.isError || !call.isFetching ? (call.data ?? null) : call.data,
    // Without an id of the request there is nothing to wait for, once it is known that the log has none either.
    trace: trace.isError || (tracedId === null && !call.isFetching) ? null : trace.data,
  };
}

const stageNames = [
  ['queue_ms', 'Waiting for a slot', 'bg-line-strong'],
  ['connect_ms', 'Connecting', 'bg-warning'],
  ['upstream_ms', 'Your API', 'bg-accent'],
] as const;

export function Timing({ run, record: { call } }: { run: Run; record: CallRecord }) {
  if (call === undefined) return <Waiting />;
  if (call === null)
    return <p className="text-muted">The call is not in the log: it was refused before the tool was called.</p>;
  const total = Math.max(call.duration_ms, 1);
  const { stages } = call;
  const known = stages ? stageNames.reduce((sum, [name]) => sum + stages[name], 0) : 0;
  const rows = [
    ...stageNames.map(([name, label, colour]) => ({ label, colour, ms: stages?.[name] ?? 0 })),
    { label: 'toolgate', colour: 'bg-success', ms: Math.max(0, call.duration_ms - known) },
  ];
  let start = 0;
  return (
    <table aria-label="Timing" className="w-full table-fixed text-xs">
      <colgroup>
        <col className="w-32" />
        <col />
        <col className="w-20" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">Stage</th>
          <th scope="col">Share</th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, colour, ms }) => {
          const left = (Math.min(start, total) / total) * 100;
          start += ms;
          return (
            <tr key={label} className="h-7">
              <th scope="row" className="truncate text-left font-normal text-muted">
                {label}
              </th>
              <td>
                <div className="relative h-2 rounded-full bg-sunken">
                  <div
                    className={cn('absolute inset-y-0 min-w-0.5 rounded-full', colour)}
                    style={{ left: `${Math.min(left, 99)}%`, width: `${Math.min((ms / total) * 100, 100 - left)}%` }}
                  />
                </div>
              </td>
              <td className="text-right tabular-nums">{ms} ms</td>
            </tr>
          );
        })}
        <tr className="h-8 font-medium">
          <th scope="row" className="text-left font-medium">
            Total
          </th>
          <td />
          <td className="text-right tabular-nums">{run.result?.duration_ms ?? call.duration_ms} ms</td>
        </tr>
      </tbody>
    </table>
  );
}

function Waiting() {
  return (
    <div className="grid gap-3 py-1">
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-full" />
      <Skeleton className="h-3 w-2/3" />
    </div>
  );
}

const stepLooks = {
  passed: { icon: <Check />, className: 'bg-success-soft text-success', word: 'passed' },
  failed: { icon: <X />, className: 'bg-danger-soft text-danger', word: 'failed' },
  not_reached: { icon: <Minus />, className: 'bg-sunken text-faint', word: 'not reached' },
};

const stepNames: Record<string, string> = {
  credential: 'Who calls',
  rate_limit: 'Requests of the hour',
  permission: 'Permission',
  body: 'Body of the request',
  tool: 'Tool is there and enabled',
  member: 'Member',
  arguments: 'Arguments match the schema',
  address: 'Address is allowed',
  upstream: 'Your API answers',
  answer: 'Answer',
};

export function Trace({ record: { trace } }: { record: CallRecord }) {
  if (trace === undefined) return <Waiting />;
  if (trace === null) return <p className="text-muted">There is no trace of this request.</p>;
  return (
    <ol aria-label="Request trace" className="grid gap-2.5">
      {trace.steps.map(({ step, outcome, duration_ms, reason, remedy }) => {
        const { icon, className, word } = stepLooks[outcome];
        return (
          <li key={step} className="flex min-w-0 gap-2.5">
            <span
              aria-hidden
              className={cn('grid size-5 shrink-0 place-items-center rounded-full [&_svg]:size-3', className)}
            >
              {icon}
            </span>
            <span className="min-w-0 flex-1">
              <span className={cn('flex justify-between gap-3', outcome === 'not_reached' && 'text-faint')}>
                <span>
                  {stepNames[step] ?? step} <span className="sr-only">{word}</span>
                </span>
                {duration_ms !== null && (
                  <span className="text-faint text-xs tabular-nums">{Math.round(duration_ms)} ms</span>
                )}
              </span>
              {reason && <code className="block break-words text-danger text-xs">{reason}</code>}
              {remedy && <span className="block break-words text-xs">{remedy}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
