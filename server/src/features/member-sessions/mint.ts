// One SQL statement creates a session and its event. It uses several tables on purpose: one round trip, and it is atomic.
// It checks the API key, the assertion key and the project again in its own snapshot, because the cached ones may be stale.

import type pg from 'pg';
import { insertEventRows, type NewEvent } from '../events/record.ts';

export type NewSession = {
  id: string;
  project_id: string;
  integration_id: string;
  api_key_id: string;
  /** Null outside production, for an unsigned external id. */
  assertion_key_id: string | null;
  hash: Buffer;
  now: string;
  expires_at: string;
  member: { new_id: string; external_id: string };
  /** Can be used once in a project until it expires. */
  jti: { value: string; expires_at: string } | null;
  /** Written with `new_id`; the statement replaces that in the payload if the member exists already. */
  event: Pick<NewEvent, 'id' | 'type' | 'payload' | 'created_at' | 'filters'>;
};

export type MintResult =
  | { member_id: string; has_jobs: boolean }
  | { member_id: null; reason: 'API_KEY_ENDED' | 'ASSERTION_KEY_ENDED' | 'REPLAYED' };

const text = `
with binding as materialized (
  select (
      select k.session_epoch from api_keys k join projects p on p.id = k.project_id
      where k.id = $3 and k.project_id = $1 and k.integration_id = $2
        and k.is_active and k.revoked_at is null and (k.expires_at is null or k.expires_at > $6::timestamptz)
        and p.deleted_at is null
    ) as key_epoch,
    $4::text is null or exists (
      select from assertion_keys where id = $4 and project_id = $1 and deactivated_at is null
    ) as is_assertion_key_valid
), first_use as (
  insert into used_assertion_ids (project_id, jti, expires_at)
  select $1, $11::text, $12::timestamptz from binding
  where key_epoch is not null and is_assertion_key_valid and $11::text is not null
  on conflict (project_id, jti) do update set expires_at = excluded.expires_at
    where used_assertion_ids.expires_at <= $6::timestamptz
  returning jti
), accepted as (
  select key_epoch from binding
  where key_epoch is not null and is_assertion_key_valid and ($11::text is null or exists (select from first_use))
), existing_member as (
  select id, last_seen_at from members where project_id = $1 and external_id = $10
), saved_member as ( -- inserts the member, or updates last_seen_at at most once a minute
  insert into members as m (id, project_id, external_id, created_at, last_seen_at)
  select $9, $1, $10, $6::timestamptz, $6::timestamptz from accepted
  where not exists (select from existing_member where last_seen_at > $6::timestamptz - interval '1 minute')
  on conflict (project_id, external_id) do update set last_seen_at = greatest(m.last_seen_at, excluded.last_seen_at)
  returning id
), session as (
  insert into member_sessions
    (id, project_id, integration_id, api_key_id, assertion_key_id, hash, created_at, expires_at, member_id,
      key_epoch)
  select $5, $1, $2, $3, $4, $7, $6::timestamptz, $8::timestamptz,
    coalesce((select id from existing_member), (select id from saved_member)), key_epoch
  from accepted
  returning member_id
), event_rows (id, project_id, type, payload, created_at, webhook_id, filters, is_test) as (
  select $13::text, $1::text, $14::text, replace($15, $9, member_id), $16::timestamptz, null::text, $17::text[], false
  from session
), ${insertEventRows}
select key_epoch is not null as is_api_key_valid, is_assertion_key_valid, (select member_id from session) as member_id,
  exists (select from queued) as has_jobs
from binding`;

type Row = { member_id: string | null; is_api_key_valid: boolean; is_assertion_key_valid: boolean; has_jobs: boolean };

export async function mintSession(pool: pg.Pool, session: NewSession): Promise<MintResult> {
  const { project_id, integration_id, api_key_id, assertion_key_id, id, now, hash, expires_at } = session;
  const { member, jti, event } = session;
  const { rows } = await pool.query<Row>({
    name: 'mint-session',
    text,
    values: [
      project_id,
      integration_id,
      api_key_id,
      assertion_key_id,
      id,
      now,
      hash,
      expires_at,
      member.new_id,
      member.external_id,
      jti?.value ?? null,
      jti?.expires_at ?? null,
      event.id,
      event.type,
      event.payload,
      event.created_at,
      event.filters,
    ],
  });
  const { member_id, is_api_key_valid, is_assertion_key_valid, has_jobs } = rows[0] as Row;
  if (member_id !== null) return { member_id, has_jobs };
  if (!is_api_key_valid) return { member_id, reason: 'API_KEY_ENDED' };
  return { member_id, reason: is_assertion_key_valid ? 'REPLAYED' : 'ASSERTION_KEY_ENDED' };
}
