// The columns of the call log, whose two tables are partitioned by day (see day-partitions.ts), and of what is counted from it.

import type { ColumnType } from 'kysely';

export interface CallTables {
  tool_calls: {
    id: string;
    project_id: string;
    tool_id: string;
    tool_name: string;
    tool_version: number;
    integration_id: string | null;
    api_key_id: string | null;
    session_id: string | null;
    member_id: string | null;
    /** Of a person who tried the tool: the call is a test. */
    account_id: string | null;
    door: 'rest' | 'mcp';
    client_name: string | null;
    protocol_version: string | null;
    status: number;
    error_code: string | null;
    failed_step: string | null;
    reason: string | null;
    remedy: string | null;
    upstream_status: number | null;
    duration_ms: number;
    queue_ms: number | null;
    connect_ms: number | null;
    upstream_ms: number | null;
    request_bytes: number;
    response_bytes: number;
    request_id: string;
    created_at: string;
    /** Set by the database. */
    transaction_id: ColumnType<string, never, never>;
    oldest_transaction_id: ColumnType<string, never, never>;
  };
  call_rollups: {
    project_id: string;
    interval: 'minute' | 'hour' | 'day';
    dimension: string;
    start: string;
    group_id: string;
    calls: number;
    errors: number;
    /** bigint[], which pg returns as strings. */
    histogram: string[];
  };
  rate_limited_counts: {
    project_id: string;
    interval: 'minute' | 'hour' | 'day';
    start: string;
    process_id: string;
    count: number;
  };
  request_traces: {
    project_id: string;
    request_id: string;
    method: string;
    route: string;
    status: number;
    code: string;
    caller_kind: 'api_key' | 'member' | 'root' | 'account';
    account_id: string | null;
    api_key_id: string | null;
    session_id: string | null;
    member_id: string | null;
    integration_id: string | null;
    failed_step: string;
    reason: string;
    remedy: string;
    created_at: string;
  };
  tool_call_payloads: {
    call_id: string;
    project_id: string;
    arguments: string;
    result: string | null;
    created_at: string;
  };
}
