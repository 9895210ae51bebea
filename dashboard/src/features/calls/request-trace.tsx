// How far one request came: every step, and for the one that refused it the reason and what to do.

import { type RequestTrace, ToolgateError } from '@toolgate/sdk';
import { Check, Minus, X } from 'lucide-react';
import { useProjectQuery } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { duration } from '../../ui/words.ts';

type Step = RequestTrace['steps'][number];

const names: Record<Step['step'], string> = {
  credential: 'Credential',
  rate_limit: 'Rate limit',
  permission: 'Permission',
  body: 'Body',
  tool: 'Tool',
  toolset: 'Toolset',
  member: 'Member',
  arguments: 'Arguments',
  confirmation: 'Confirmation by a person',
  limit: 'Limit',
  policy: 'Policy',
  address: 'IP address of your API',
  upstream: 'Response of your API',
  answer: 'Response to the caller',
};

const outcomes = {
  passed: { icon: <Check />, text: 'passed', look: 'bg-success-soft text-success' },
  failed: { icon: <X />, text: 'failed', look: 'bg-danger-soft text-danger' },
  not_reached: { icon: <Minus />, text: 'not reached', look: 'bg-sunken text-faint' },
};

/** A trace is kept at most 2 seconds after the response. */
const LATE_ATTEMPTS = 6;
const LATE_AFTER_MS = 500;
const isMissing = (error: unknown) => error instanceof ToolgateError && error.status === 404;

type Props = {
  requestId: string;
  /** The request was just made, and is waited for. */
  isNew?: boolean;
  /** What the customer's API returned, if the page knows it; otherwise it is taken from the trace. */
  upstreamBody?: string | null;
};

/** Traces are kept for a day, so a missing one is not an error. */
export function RequestTraceView({ requestId, isNew = false, upstreamBody = null }: Props) {
  const { data, error } = useProjectQuery(
    ['requests', requestId],
    (toolgate) => toolgate.requests.get(requestId),
    isNew
      ? { retry: (failures, failure) => failures < LATE_ATTEMPTS && isMissing(failure), retryDelay: LATE_AFTER_MS }
      : {},
  );
  if (isMissing(error)) {
    return (
      <p className="text-muted">
        There is no trace of this request. Traces of tool calls and refused requests are kept for 24 hours.
      </p>
    );
  }
  if (error) return <ErrorAlert error={error} />;
  if (!data) return <Skeleton className="h-40 w-full" />;
  const body = upstreamBody ?? data.upstream_body;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={data.code === null ? 'success' : 'danger'}>{data.status}</Badge>
        {data.code && <code className="break-all text-danger text-xs">{data.code}</code>}
        <code className="break-all text-muted text-xs">
          {data.method} {data.route}
        </code>
        <span className="text-faint text-xs">
          <Time value={data.created_at} />
        </span>
      </p>
      <ol aria-label="Steps" className="grid">
        {data.steps.map((step) => (
          <StepRow key={step.step} step={step} body={step.step === 'upstream' ? body : null} />
        ))}
      </ol>
    </div>
  );
}

function StepRow({ step: given, body }: { step: Step; body: string | null }) {
  const { step, outcome, duration_ms, reason, remedy } = given;
  const { icon, text, look } = outcomes[outcome];
  return (
    <li className="relative flex gap-3 pb-3 not-last:before:absolute not-last:before:top-5 not-last:before:bottom-0 not-last:before:left-2.5 not-last:before:w-px not-last:before:bg-line last:pb-0">
      <span aria-hidden className={cn('grid size-5 shrink-0 place-items-center rounded-full [&_svg]:size-3', look)}>
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <span className={cn(outcome === 'not_reached' && 'text-faint', outcome === 'failed' && 'font-medium')}>
            {names[step]}
          </span>
          <span className={outcome === 'failed' ? 'text-danger text-xs' : 'text-faint text-xs'}>{text}</span>
          {duration_ms !== null && (
            <span className="ml-auto text-muted text-xs tabular-nums">{duration(duration_ms)}</span>
          )}
        </p>
        {reason && (
          <div className="mt-1.5 rounded-md border border-danger/30 bg-danger-soft px-3 py-2">
            <code className="break-all text-danger text-xs">{reason}</code>
            {remedy && <p className="mt-0.5 break-words">{remedy}</p>}
          </div>
        )}
        {body !== null && outcome === 'failed' && (
          <div className="mt-1.5">
            <CodeBlock code={body || '(empty)'} label="Response of your API" />
          </div>
        )}
      </div>
    </li>
  );
}
