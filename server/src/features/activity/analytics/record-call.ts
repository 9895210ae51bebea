// Records a tool call: a row of the call log, and an event if a webhook subscribes to it. Both are written in batches, so that
// no call waits for a write.

import type { Transport, Via } from '@toolgate/contract/analytics/rules.ts';
import type { PolicyEntry } from '@toolgate/contract/hooks/rules.ts';
import { toolCallEvents } from '@toolgate/contract/tool-calls/events.ts';
import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import type { Batch } from '../../../database/batch-writer.ts';
import { isQuestion } from '../../../errors/call-failure.ts';
import type { ApiError } from '../../../errors/errors.ts';
import type { Stages } from '../../../outbound/messages.ts';
import { bufferIfSubscribed } from '../events/buffer-event.ts';
import { recorderOf } from '../events/record.ts';
import { failureOf } from './failed-step.ts';
import { recordPayload } from './payload.ts';
import { insertCalls, type NewCall } from './store.ts';

const { newEvent } = recorderOf(toolCallEvents);

const NO_FAILURE = { failed_step: null, reason: null, remedy: null };

const calls: Batch<NewCall> = { name: 'tool_calls', write: insertCalls };

/** The part of a call that is recorded. */
type RecordedCall = {
  request_id: string;
  arguments: unknown;
  argument_bytes: number;
  via?: Via;
  transport: { name: Transport; client_name: string | null; protocol_version: string | null };
};

/** `body`: what may be recorded of it; undefined: nothing. */
export type RecordedResponse = { status: number; bytes: number; body: Buffer | undefined };

export type CallOutcome = {
  call_id: string;
  tool: { id: string; name: string; version: number };
  /** The response of the customer's API, if there was one. */
  response: RecordedResponse | undefined;
  /** What the caller got; undefined if the call failed. */
  result: { result_tokens: number; shaped_tokens: number } | undefined;
  /** Null: no request was sent. */
  stages: Stages | null;
  /** What the hooks decided; null: none was asked. */
  policy: PolicyEntry[] | null;
  refusal: ApiError | undefined;
  duration_ms: number;
  /** How long the person took whose yes was used; null: nobody was asked. */
  waiting_ms: number | null;
  /** For a call that went on as a task. */
  task?: { poll_count: number; task_ms: number };
};

export function recordCall(
  app: App,
  caller: ToolCaller,
  call: RecordedCall,
  { call_id, tool, response, result, stages, policy, refusal, duration_ms, waiting_ms, task }: CallOutcome,
): { duration_ms: number; is_logged: boolean } {
  const is_waiting = refusal !== undefined && isQuestion(refusal);
  const row: NewCall = {
    id: call_id,
    project_id: caller.project.id,
    tool_id: tool.id,
    tool_name: tool.name,
    tool_version: tool.version,
    integration_id: caller.integration_id,
    api_key_id: caller.api_key_id,
    session_id: 'session_id' in caller ? caller.session_id : null,
    member_id: memberOf(caller)?.member_id ?? null,
    account_id: caller.kind === 'test' ? caller.account_id : null,
    transport: call.transport.name,
    client_name: call.transport.client_name,
    protocol_version: call.transport.protocol_version,
    via: call.via ?? null,
    is_waiting,
    status: refusal?.status ?? 200,
    error_code: refusal?.code ?? null,
    ...(refusal ? failureOf(refusal) : NO_FAILURE),
    upstream_status: response?.status ?? null,
    duration_ms,
    waiting_ms,
    queue_ms: stages?.queue_ms ?? null,
    connect_ms: stages?.connect_ms ?? null,
    upstream_ms: stages?.upstream_ms ?? null,
    request_bytes: call.argument_bytes,
    response_bytes: response?.bytes ?? 0,
    result_tokens: result?.result_tokens ?? null,
    shaped_tokens: result?.shaped_tokens ?? null,
    policy,
    poll_count: task?.poll_count ?? null,
    task_ms: task?.task_ms ?? null,
    request_id: call.request_id,
    created_at: app.now(),
  };
  app.batch_writer.add(calls, row);
  const { transport, error_code } = row;
  app.metrics.calls.record({ transport, error_code, is_waiting, duration_ms, waiting_ms, stages });
  if (caller.project.settings.record_payloads) {
    const { member_id, created_at } = row;
    const said = { arguments: call.arguments, body: response?.body };
    recordPayload(app, caller.project, { call_id, member_id, ...said, created_at });
  }
  // Who is to decide learns it from `approval.requested`.
  if (!is_waiting) bufferCallEvent(app, refusal ? 'tool_call.failed' : 'tool_call.succeeded', row, tool.name);
  return { duration_ms, is_logged: refusal !== undefined && logFailure(app, row, refusal) };
}

/**
 * One line for each failed call. The reason is for the operator; the caller only learns that the API was not reached. An outage
 * of this service (503) and an internal error are logged where the response is written. Returns whether it was logged.
 */
function logFailure(app: App, row: NewCall, refusal: ApiError): boolean {
  const { code, status, message, cause } = refusal;
  if (status < 500 || status === 503 || code === 'INTERNAL_ERROR') return false;
  const { project_id, tool_id, request_id, error_code, upstream_status } = row;
  const fields = { project_id, tool_id, request_id, error_code, upstream_status };
  if (cause instanceof Error) app.log.error({ ...fields, err: cause }, 'a tool call failed');
  else app.log.warn({ ...fields, reason: typeof cause === 'string' ? cause : message }, 'a tool call failed');
  return true;
}

function bufferCallEvent(
  app: App,
  type: 'tool_call.failed' | 'tool_call.succeeded',
  row: NewCall,
  tool_name: string,
): void {
  bufferIfSubscribed(app, row.project_id, type, () => {
    const {
      id,
      tool_id,
      upstream_status: status,
      error_code,
      duration_ms,
      api_key_id,
      integration_id,
      member_id,
      account_id,
    } = row;
    const caller_ids = { api_key_id, integration_id, member_id, is_test: account_id !== null };
    const data = { id, tool_id, tool_name, status, error_code, duration_ms, ...caller_ids };
    return newEvent(app, row.project_id, type, data);
  });
}
