// One SQL statement creates a session and its event. It uses several tables on purpose: one round trip, and it is atomic.
// It checks the API key, the assertion key and the project again in its own snapshot, because the cached ones may be stale.

import type pg from 'pg';
import { preparedStatement } from '../../../database/prepared-statement.ts';
import { payloadWith, recordingEvent, type SplitEventParams } from '../../activity/events/record-in-statement.ts';

export type NewSession = {
  session_id: string;
  project_id: string;
  integration_id: string;
  api_key_id: string;
  /** Null outside production, for an unsigned external id. */
  assertion_key_id: string | null;
  hash: Buffer;
  now: string;
  expires_at: string;
  external_id: string;
  /** Of the member, unless there is one with this external id. */
  new_member_id: string;
  /** Can be used once in a project until it expires. */
  jti: string | null;
  jti_expires_at: string | null;
  /** The payload of the event lacks the id of the member. */
} & SplitEventParams;

export type MintResult =
  | { member_id: string; has_jobs: boolean }
  | { member_id: null; reason: 'API_KEY_ENDED' | 'ASSERTION_KEY_ENDED' | 'REPLAYED' };

type Row = { member_id: string | null; is_api_key_valid: boolean; is_assertion_key_valid: boolean; has_jobs: boolean };

const mint = preparedStatement<NewSession, Row>('mint-session', (param) => {
  const { project_id, integration_id, api_key_id, assertion_key_id, external_id } = param;
  const [now, jti] = [`${param.now}::timestamptz`, `${param.jti}::text`];
  const event = recordingEvent(param, { from: 'session', payload: payloadWith(param, 'member_id') });
  return `
with binding as materialized (
  select (
      select k.session_epoch from api_keys k join projects p on p.id = k.project_id
      where k.id = ${api_key_id} and k.project_id = ${project_id} and k.integration_id = ${integration_id}
        and k.is_active and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
        and p.deleted_at is null
    ) as key_epoch,
    ${assertion_key_id}::text is null or exists (
      select from assertion_keys where id = ${assertion_key_id} and project_id = ${project_id} and deactivated_at is null
    ) as is_assertion_key_valid
), first_use as (
  insert into used_assertion_ids (project_id, jti, expires_at)
  select ${project_id}, ${jti}, ${param.jti_expires_at}::timestamptz from binding
  where key_epoch is not null and is_assertion_key_valid and ${jti} is not null
  on conflict (project_id, jti) do update set expires_at = excluded.expires_at
    where used_assertion_ids.expires_at <= ${now}
  returning jti
), accepted as (
  select key_epoch from binding
  where key_epoch is not null and is_assertion_key_valid and (${jti} is null or exists (select from first_use))
), existing_member as (
  select id, last_seen_at from members where project_id = ${project_id} and external_id = ${external_id}
), saved_member as ( -- inserts the member, or updates last_seen_at at most once a minute
  insert into members as m (id, project_id, external_id, created_at, last_seen_at)
  select ${param.new_member_id}, ${project_id}, ${external_id}, ${now}, ${now} from accepted
  where not exists (select from existing_member where last_seen_at > ${now} - interval '1 minute')
  on conflict (project_id, external_id) do update set last_seen_at = greatest(m.last_seen_at, excluded.last_seen_at)
  returning id
), session as (
  insert into member_sessions
    (id, project_id, integration_id, api_key_id, assertion_key_id, hash, created_at, expires_at, member_id,
      key_epoch)
  select ${param.session_id}, ${project_id}, ${integration_id}, ${api_key_id}, ${assertion_key_id}, ${param.hash}, ${now},
    ${param.expires_at}::timestamptz, coalesce((select id from existing_member), (select id from saved_member)), key_epoch
  from accepted
  returning member_id
), ${event.ctes}
select key_epoch is not null as is_api_key_valid, is_assertion_key_valid, (select member_id from session) as member_id,
  ${event.has_jobs} as has_jobs
from binding`;
});

export async function mintSession(pool: pg.Pool, session: NewSession): Promise<MintResult> {
  const [row] = await mint(pool, session);
  const { member_id, is_api_key_valid, is_assertion_key_valid, has_jobs } = row as Row;
  if (member_id !== null) return { member_id, has_jobs };
  if (!is_api_key_valid) return { member_id, reason: 'API_KEY_ENDED' };
  return { member_id, reason: is_assertion_key_valid ? 'REPLAYED' : 'ASSERTION_KEY_ENDED' };
}
