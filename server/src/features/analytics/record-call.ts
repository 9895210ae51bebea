// One row for each call of a tool. Nobody waits for it: rows are written in batches, behind the calls.

import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Batch } from '../../database/write-behind.ts';
import type { ApiError } from '../../errors.ts';
import { noteEvent } from '../events/note.ts';
import { type CallRow, insertCalls } from './store.ts';

const calls: Batch<CallRow> = { name: 'tool_calls', write: insertCalls };

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
  const project_id = caller.project.id;
  const shared = {
    id: call_id,
    tool_id: tool.id,
    integration_id: caller.integration_id,
    member_id: caller.kind === 'member' ? caller.member_id : null,
    error_code: refusal?.code ?? null,
    duration_ms: Math.round(duration_ms),
  };
  const key_id = caller.kind === 'api_key' ? caller.key_id : null;
  app.behind.add(calls, {
    ...shared,
    project_id,
    tool_version: tool.version,
    key_id,
    session_id: caller.kind === 'member' ? caller.session_id : null,
    status: refusal?.status ?? 200,
    upstream_status: answer?.status ?? null,
    request_bytes: call.argument_bytes,
    response_bytes: answer?.body.length ?? 0,
    request_id: call.request_id,
    created_at: new Date(app.now()).toISOString(),
  });
  const told = { ...shared, tool_name: tool.name, status: answer?.status ?? null, api_key_id: key_id };
  noteEvent(app, project_id, refusal ? 'tool_call.failed' : 'tool_call.succeeded', told);
}
