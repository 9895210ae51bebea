// One call: its stages, its request trace, its arguments and result if they were recorded, and everything that is known.

import { Link } from '@tanstack/react-router';
import { type ToolCallDetails, ToolgateError } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { linkClass } from '../../ui/button.tsx';
import { Waterfall } from '../../ui/charts/waterfall.tsx';
import { cn } from '../../ui/class-names.ts';
import { CopyableCode } from '../../ui/copy.tsx';
import { Drawer } from '../../ui/dialogs/drawer.tsx';
import { Facts } from '../../ui/facts.tsx';
import { RedactedJson } from '../../ui/redacted-json.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { useCallNames } from './names.ts';
import { CallOutcome } from './outcome.tsx';
import { CallPolicy } from './policy.tsx';
import { RequestTraceView } from './request-trace.tsx';

/** A call is in the log at most 2 seconds after its response; the link to one that was just made is faster. */
const LATE_ATTEMPTS = 6;
const LATE_AFTER_MS = 500;
const isLate = (failures: number, error: Error) =>
  failures < LATE_ATTEMPTS && error instanceof ToolgateError && error.status === 404;

export function CallDrawer({ callId, onClose }: { callId: string | undefined; onClose: () => void }) {
  const query = useProjectQuery(['tool-calls', 'one', callId], (api) => api.toolCalls.get(callId ?? ''), {
    enabled: callId !== undefined,
    retry: isLate,
    retryDelay: LATE_AFTER_MS,
  });
  const call = query.data?.id === callId ? query.data : undefined;
  return (
    <Drawer
      open={callId !== undefined}
      onClose={onClose}
      title={call ? `Call of ${call.tool_name}` : 'Call'}
      description={
        <span className="flex flex-wrap items-center gap-x-3">
          <CopyableCode text={callId ?? ''} label="Copy call id" />
          {call && <span className="text-xs">{exactTime(call.created_at)}</span>}
        </span>
      }
    >
      {query.error && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {call ? <CallDetails call={call} /> : !query.error && <Skeleton className="h-64 w-full" />}
    </Drawer>
  );
}

function CallDetails({ call }: { call: ToolCallDetails }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <CallFacts call={call} />
      <Section title={`Stages, ${call.duration_ms.toLocaleString('en')} ms`}>
        <Waterfall call={call} />
      </Section>
      <CallPolicy call={call} />
      <Section title="Request trace">
        <RequestTraceView requestId={call.request_id} />
      </Section>
      <Payloads call={call} />
    </div>
  );
}

function CallFacts({ call }: { call: ToolCallDetails }) {
  const { caller } = useCallNames();
  const facts: [string, ReactNode][] = [
    ['Outcome', <CallOutcome key="outcome" call={call} />],
    ['Status', call.status],
    [
      'Error',
      call.error_code ? (
        <code key="error" className={cn('text-xs', !call.is_waiting && 'text-danger')}>
          {call.error_code}
        </code>
      ) : (
        '–'
      ),
    ],
    ['Status from your API', call.upstream_status ?? '–'],
    ['When', <Time key="when" value={call.created_at} />],
    ['Tool', <ToolLink key="tool" call={call} />],
    ['Caller', caller(call)],
    ['Member', call.member_id ? <CopyableCode key="member" text={call.member_id} label="Copy member id" /> : '–'],
    ['Transport', call.transport === 'mcp' ? `MCP ${call.protocol_version ?? ''}` : 'REST'],
    ['Found by', call.via === 'search' ? 'Search' : '–'],
    ['Client', call.client_name ?? '–'],
    ['Sent', `${call.request_bytes.toLocaleString('en')} bytes`],
    ['Received', `${call.response_bytes.toLocaleString('en')} bytes`],
    ['Result', tokensOf(call)],
    ['Test', call.is_test ? 'Yes' : 'No'],
    ['Request id', <CopyableCode key="request" text={call.request_id} label="Copy request id" />],
  ];
  return <Facts facts={facts} />;
}

/** What the caller got, and of how much, if the tool shapes its responses. */
function tokensOf({ result_tokens, shaped_tokens }: ToolCallDetails): string {
  if (result_tokens === null || shaped_tokens === null) return '–';
  const all = `${result_tokens.toLocaleString('en')} tokens`;
  return result_tokens === shaped_tokens ? all : `${shaped_tokens.toLocaleString('en')} of ${all}`;
}

function ToolLink({ call: { tool_id, tool_name, tool_version } }: { call: ToolCallDetails }) {
  const projectId = useProjectId();
  return (
    <Link to="/projects/$projectId/custom-tools/$toolId" params={{ projectId, toolId: tool_id }} className={linkClass}>
      {tool_name} v{tool_version}
    </Link>
  );
}

function Payloads({ call }: { call: ToolCallDetails }) {
  const isAllowed = useAccess().can('admin');
  const projectId = useProjectId();
  if (call.arguments === undefined && call.result === undefined) {
    return (
      <Section title="Arguments and result">
        <p className="text-muted">
          {call.not_recorded_reason === 'daily_limit' ? (
            <>
              Not recorded: the project reached its daily limit for payloads.{' '}
              <Link to="/projects/$projectId/settings" params={{ projectId }} hash="payloads" className={linkClass}>
                Settings
              </Link>{' '}
              show when recording resumes.
            </>
          ) : isAllowed ? (
            <>
              They were not recorded.{' '}
              <Link to="/projects/$projectId/settings" params={{ projectId }} className={linkClass}>
                Recording is a project setting
              </Link>{' '}
              and is off by default.
            </>
          ) : (
            'If they were recorded, people with the permission “admin” can read them.'
          )}
        </p>
      </Section>
    );
  }
  return (
    <>
      <Section title="Arguments">
        <RedactedJson value={call.arguments ?? null} label="arguments" />
      </Section>
      <Section title="Result">
        <RedactedJson value={call.result ?? null} label="result" />
      </Section>
    </>
  );
}
