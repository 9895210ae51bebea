// How long rows are kept. The call log and its rollups are partitioned (features/activity/analytics), and the audit log is deleted
// from the beginning of each chain (features/activity/audit/retention.ts): they have jobs of their own.

import { type RawBuilder, sql } from 'kysely';
import { RESPONSE_RETENTION_MS } from './api/stored-response.ts';
import type { App } from './app.ts';
import { deleteBatch } from './database/delete-batch.ts';
import type { Tables } from './database/tables.ts';
import { TRACE_RETENTION_MS } from './features/activity/analytics/read-trace.ts';
import { FAILURE_RETENTION_MS } from './features/identity/accounts/sign-in-waits.ts';
import { REFRESH_LIFETIME_MS } from './features/members/member-sessions/create-granted.ts';
import { EXPIRED_RETENTION_MS } from './features/members/member-sessions/resume.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Counts older than an hour have no effect; a minute more for clocks that differ. */
const COUNT_RETENTION_MS = HOUR_MS + 60_000;

type Retention = { table: keyof Tables; is_old(app: App): RawBuilder<unknown> };

/** Rows whose time in the column is at least this long ago. */
const keep = (table: keyof Tables, column: string, kept_ms: number | ((app: App) => number) = 0): Retention => ({
  table,
  is_old: (app) => {
    const ago = new Date(app.now() - (typeof kept_ms === 'number' ? kept_ms : kept_ms(app))).toISOString();
    return sql`${sql.ref(column)} <= ${ago}::timestamptz`;
  },
});

const keepWhere = (table: keyof Tables, is_old: (app: App) => RawBuilder<unknown>): Retention => ({ table, is_old });

export const retention: Retention[] = [
  keep('idempotency_keys', 'expires_at'),
  keep('idempotency_bytes', 'hour', RESPONSE_RETENTION_MS + 2 * HOUR_MS),
  // Until then an expired token is refused as expired, not as unknown.
  keep('member_sessions', 'expires_at', EXPIRED_RETENTION_MS),
  keep('used_assertion_ids', 'expires_at', EXPIRED_RETENTION_MS),
  keep('client_sessions', 'expires_at', EXPIRED_RETENTION_MS),
  keep('used_jwt_ids', 'expires_at', EXPIRED_RETENTION_MS),
  keep('oauth_requests', 'expires_at'),
  keep('oauth_dynamic_clients', 'expires_at'),
  keep('oauth_approvals', 'expires_at'),
  // An hour more than the sessions of the grant, which are refused as expired for a day.
  keepWhere('oauth_grants', ({ now }) => {
    const ago = new Date(now() - DAY_MS - HOUR_MS).toISOString();
    return sql`coalesce(revoked_at, refresh_expires_at, code_expires_at) <= ${ago}::timestamptz`;
  }),
  keep('oauth_refresh_tokens', 'created_at', REFRESH_LIFETIME_MS),
  keep('account_sessions', 'expires_at'),
  keep('setup_links', 'expires_at'),
  keep('sso_requests', 'expires_at'),
  keep('failed_sign_ins', 'last_failed_at', FAILURE_RETENTION_MS),
  // Its times are always the database's own, whatever a test sets.
  keepWhere('failure_counts', () => sql`ends_at < clock_timestamp()`),
  keepWhere('request_counts', ({ now }) => sql`second < ${Math.floor((now() - COUNT_RETENTION_MS) / 1000)}`),
  keepWhere('request_log', ({ now }) => sql`first_ms < ${now() - COUNT_RETENTION_MS}`),
  keepWhere('limit_log', ({ now }) => sql`expires_ms < ${now()}`),
  keepWhere('limit_refusals', ({ now }) => sql`refused_ms < ${now() - HOUR_MS}`),
  keepWhere('output_mismatches', ({ now }) => {
    const day = new Date(now() - 10 * DAY_MS).toISOString().slice(0, 10);
    return sql`day < ${day}::date`;
  }),
  keep('request_traces', 'created_at', TRACE_RETENTION_MS),
  // Also uploads that were given up.
  keep('files', 'expires_at'),
  // A repeated call finds the file by it, as long as the file exists.
  keepWhere('upload_tickets', ({ now }) => {
    const at = new Date(now()).toISOString();
    return sql`expires_at <= ${at}::timestamptz and not exists (select from files where id = file_id)`;
  }),
  keepWhere('tasks', ({ now }) => {
    const at = new Date(now()).toISOString();
    return sql`status in ('completed', 'failed', 'cancelled') and expires_at <= ${at}::timestamptz`;
  }),
  keep('approvals', 'created_at', 30 * DAY_MS),
  keepWhere('deliveries', ({ now, config }) => {
    const ago = new Date(now() - config.retention.delivery_days * DAY_MS).toISOString();
    return sql`status <> 'pending' and created_at < ${ago}::timestamptz`;
  }),
  // Their deliveries are deleted with them.
  keep('events', 'created_at', ({ config }) => config.retention.event_days * DAY_MS),
];

/** Deletes at most a batch of the old rows of each table. Returns whether there may be more. */
export async function removeOldRows(app: App): Promise<boolean> {
  let hasMore = false;
  for (const { table, is_old } of retention) hasMore = (await deleteBatch(app.database, table, is_old(app))) || hasMore;
  return hasMore;
}
