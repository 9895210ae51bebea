// One row for each call of a tool, and an event where somebody hears it. Nobody waits for them: they are written in
// batches, behind the calls.

import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Batch } from '../../database/batch-writer.ts';
import type { ApiError } from '../../errors.ts';
import { bufferEvent } from '../events/buffer-event.ts';
import { isSubscribedCached } from '../webhooks/subscriptions.ts';
import { callText, insertCalls, type NewCall } from './store.ts';

const calls: Batch<string> = { name: 'tool_calls', write: insertCalls };

export type CallOutcome = {
  call_id: string;
  tool: { id: string; name: string; version: number };
  /** Of the customer's API, when it answered. */
  answer: { status: number; body: Buffer } | undefined;
  refusal: ApiError | undefined;
  duration_ms: number;
};

export function recordCall(
  app: App,
  caller: ToolCaller,
  call: { request_id: string; argument_bytes: number },
  { call_id, tool, answer, refusal, duration_ms }: CallOutcome,
): void {
  const member = caller.kind === 'member' ? caller : null;
  const row: NewCall = {
    id: call_id,
    project_id: caller.project.id,
    tool_id: tool.id,
    tool_version: tool.version,
    integration_id: caller.integration_id,
    key_id: caller.kind === 'api_key' ? caller.api_key_id : null,
    session_id: member?.session_id ?? null,
    member_id: member?.member_id ?? null,
    status: refusal?.status ?? 200,
    error_code: refusal?.code ?? null,
    upstream_status: answer?.status ?? null,
    duration_ms,
    request_bytes: call.argument_bytes,
    response_bytes: answer?.body.length ?? 0,
    request_id: call.request_id,
    created_at: app.now(),
  };
  app.batch_writer.add(calls, callText(row));
  if (refusal?.cause instanceof Error) logReason(app, row, refusal.cause);
  const type = refusal ? 'tool_call.failed' : 'tool_call.succeeded';
  if (isSubscribedCached(app, row.project_id, type) !== false) tell(app, type, row, tool.name);
}

/** Why a customer's API was not reached: for the operator alone. The caller is told no more than that it was not. */
function logReason(app: App, { project_id, tool_id, request_id, error_code }: NewCall, { message }: Error): void {
  app.log.warn({ project_id, tool_id, request_id, error_code, reason: message }, 'a tool call did not get through');
}

function tell(app: App, type: 'tool_call.failed' | 'tool_call.succeeded', row: NewCall, tool_name: string): void {
  const { id, tool_id, integration_id, member_id, error_code, duration_ms, upstream_status, key_id } = row;
  bufferEvent(app, row.project_id, type, {
    id,
    tool_id,
    tool_name,
    status: upstream_status,
    error_code,
    duration_ms,
    integration_id,
    member_id,
    api_key_id: key_id,
  });
}
