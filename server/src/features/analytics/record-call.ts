// One row for each call of a tool. Nobody waits for it: rows are written in batches, behind the calls.

import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Batch } from '../../database/write-behind.ts';
import type { ApiError } from '../../errors.ts';
import { type CallRow, insertCalls } from './store.ts';

const calls: Batch<CallRow> = { name: 'tool_calls', write: insertCalls };

export type CallOutcome = {
  call_id: string;
  tool: { id: string; version: number };
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
  app.behind.add(calls, {
    id: call_id,
    project_id: caller.project.id,
    tool_id: tool.id,
    tool_version: tool.version,
    integration_id: caller.integration_id,
    key_id: caller.kind === 'api_key' ? caller.key_id : null,
    session_id: caller.kind === 'member' ? caller.session_id : null,
    member_id: caller.kind === 'member' ? caller.member_id : null,
    status: refusal?.status ?? 200,
    error_code: refusal?.code ?? null,
    upstream_status: answer?.status ?? null,
    duration_ms: Math.round(duration_ms),
    request_bytes: call.argument_bytes,
    response_bytes: answer?.body.length ?? 0,
    request_id: call.request_id,
    created_at: new Date(app.now()).toISOString(),
  });
}
