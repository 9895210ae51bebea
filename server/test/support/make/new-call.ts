// A row of the call log, for tests that need calls that were never made.

import { newId } from '../../../src/database/ids.ts';
import type { NewCall } from '../../../src/features/activity/analytics/store.ts';

export function newCall(project_id: string, fields: Partial<NewCall> = {}): NewCall {
  return {
    id: newId('call'),
    project_id,
    tool_id: 'tool_1',
    tool_name: 'get_order',
    tool_version: 3,
    integration_id: null,
    api_key_id: 'key_1',
    session_id: null,
    account_id: null,
    member_id: null,
    transport: 'rest',
    client_name: null,
    protocol_version: null,
    via: null,
    is_waiting: false,
    status: 200,
    error_code: null,
    failed_step: null,
    reason: null,
    remedy: null,
    upstream_status: 200,
    duration_ms: 12,
    waiting_ms: null,
    queue_ms: 1,
    connect_ms: 2,
    upstream_ms: 8,
    poll_count: null,
    task_ms: null,
    request_bytes: 120,
    response_bytes: 300,
    result_tokens: 75,
    shaped_tokens: 75,
    policy: null,
    request_id: 'req_1',
    created_at: Date.now(),
    ...fields,
  };
}
