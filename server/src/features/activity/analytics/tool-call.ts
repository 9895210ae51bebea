// A tool call, from its row in the call log.

import type { ToolCallEntry } from '@toolgate/contract/analytics/tool-call.ts';
import type { Row } from '../../../database/tables.ts';

/** The columns of a shown call. */
export const callColumns = [
  'id',
  'project_id',
  'tool_id',
  'tool_name',
  'tool_version',
  'api_key_id',
  'session_id',
  'member_id',
  'integration_id',
  'account_id',
  'transport',
  'client_name',
  'protocol_version',
  'via',
  'is_waiting',
  'status',
  'error_code',
  'upstream_status',
  'request_bytes',
  'response_bytes',
  'result_tokens',
  'shaped_tokens',
  'policy',
  'duration_ms',
  'waiting_ms',
  'queue_ms',
  'connect_ms',
  'upstream_ms',
  'poll_count',
  'task_ms',
  'request_id',
  'created_at',
] as const satisfies (keyof Row<'tool_calls'>)[];

export type CallRow = Pick<Row<'tool_calls'>, (typeof callColumns)[number]>;

export function showCall({ id, policy, queue_ms, connect_ms, upstream_ms, ...row }: CallRow): ToolCallEntry {
  const isSent = queue_ms !== null && connect_ms !== null && upstream_ms !== null;
  return {
    id,
    object: 'tool_call',
    ...row,
    policy: policy ?? [],
    is_test: row.account_id !== null,
    outcome: row.error_code === null ? 'succeeded' : 'failed',
    stages: isSent ? { queue_ms, connect_ms, upstream_ms } : null,
  };
}
