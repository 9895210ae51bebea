// The columns of the tables for events: jobs, events, webhooks and their deliveries, the audit log.

import type { ColumnType, Generated } from 'kysely';

/** Set by the database when not given. */
type TimestampWithDefault = ColumnType<string, string | undefined, string>;
/** Read as a value, written as text. */
type NullableJson = ColumnType<unknown, string | null, never>;

export interface EventTables {
  jobs: {
    kind: string;
    subject: string;
    fairness_key: Generated<string>;
    concurrency_key: string;
    state: 'ready' | 'waiting' | 'claimed';
    run_at: string;
    fencing_token: Generated<number>;
    failures: Generated<number>;
  };
  events: {
    id: string;
    project_id: string;
    type: string;
    payload: string;
    created_at: string;
    is_test: Generated<boolean>;
  };
  webhooks: {
    id: string;
    project_id: string;
    url: string;
    events: string[];
    description: string | null;
    is_enabled: boolean;
    disabled_reason: 'gone' | 'failing' | null;
    secret: string;
    previous_secret: string | null;
    previous_secret_ends_at: string | null;
    headers: string | null;
    header_names: Generated<string[]>;
    failing_since: string | null;
    last_failed_at: string | null;
    created_by: string;
    created_at: TimestampWithDefault;
    updated_at: TimestampWithDefault;
  };
  deliveries: {
    id: string;
    project_id: string;
    webhook_id: string;
    event_id: string;
    event_type: string;
    status: 'pending' | 'succeeded' | 'failed';
    attempt_count: Generated<number>;
    step: Generated<number>;
    next_attempt_at: string | null;
    created_at: string;
    finished_at: string | null;
  };
  delivery_attempts: {
    delivery_id: string;
    number: number;
    project_id: string;
    started_at: string;
    duration_ms: number;
    request_headers: ColumnType<Record<string, string>, string, never>;
    status: number | null;
    error: string | null;
    response_headers: ColumnType<Record<string, string> | null, string | null, never>;
    response_body: string | null;
    truncated: boolean;
    next_attempt_at: string | null;
  };
  audit_chains: {
    organization_id: string;
    seq: number;
    hash: Buffer;
    anchor_seq: Generated<number>;
    anchor_hash: Generated<Buffer>;
    unkeyed_until: Generated<number>;
    bound: string | null;
    mac: Buffer | null;
  };
  audit_tallies: { organization_id: string; backend: number; entries: number; mac_sum: string };
  audit_entries: {
    id: string;
    organization_id: string;
    /** Null: about the organization or its people. */
    project_id: string | null;
    created_at: string;
    actor_kind: string;
    actor_id: string | null;
    action: string;
    target_id: string;
    ip: string | null;
    request_id: string | null;
    before: NullableJson;
    after: NullableJson;
    seq: number | null;
    hash: Buffer | null;
  };
}
