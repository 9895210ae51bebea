// One SQL statement uses a code or a refresh token of a grant, and creates a session, its event and the next refresh token. Of
// concurrent uses of a code exactly one gets a session: the row of the grant is locked, and its condition is evaluated again.

import type pg from 'pg';
import type { Scope } from '../../access/permissions.ts';
import { insertEventRows, type NewEvent } from '../events/record.ts';
import { isValidGrant } from './valid-grant.ts';

export type GrantedSession = {
  project_id: string;
  grant_id: string;
  /** The SHA-256 of the code or refresh token that is used. */
  presented: { kind: 'code' | 'refresh_token'; hash: Buffer };
  refresh: { hash: Buffer; expires_at: string };
  session: { id: string; hash: Buffer; scopes: Scope[]; expires_at: string };
  now: string;
  event: Pick<NewEvent, 'id' | 'type' | 'payload' | 'created_at' | 'filters'>;
};

const uses = {
  code: {
    set: 'code_used_at = $4::timestamptz',
    where: 'g.code_hash = $3 and g.code_used_at is null and g.code_expires_at > $4::timestamptz',
  },
  // The token before the current one is accepted too: the answer with the current one may have been lost.
  refresh_token: {
    set: 'previous_refresh_hash = $3',
    where: '(g.refresh_hash = $3 or g.previous_refresh_hash = $3) and g.refresh_expires_at > $4::timestamptz',
  },
};

const statement = ({ set, where }: (typeof uses)['code']) => `
with used as (
  update oauth_grants g set ${set}, refresh_hash = $5, refresh_expires_at = $6::timestamptz, last_used_at = $4::timestamptz
  where g.id = $2 and g.project_id = $1 and ${where} and ${isValidGrant('$4::timestamptz')}
    and exists (select from projects p where p.id = g.project_id and p.deleted_at is null)
  returning g.id, g.member_id, g.integration_id
), token as (
  insert into oauth_refresh_tokens (hash, project_id, grant_id, created_at)
  select $5, $1, id, $4::timestamptz from used
), seen as ( -- at most once a minute
  update members m set last_seen_at = $4::timestamptz from used
  where m.id = used.member_id and m.last_seen_at < $4::timestamptz - interval '1 minute'
), session as (
  insert into member_sessions
    (id, project_id, integration_id, grant_id, scopes, hash, created_at, expires_at, member_id)
  select $7, $1, integration_id, id, $8::text[], $9, $4::timestamptz, $10::timestamptz, member_id from used
  returning member_id
), event_rows (id, project_id, type, payload, created_at, webhook_id, filters, is_test) as (
  select $11::text, $1::text, $12::text, $13::text, $14::timestamptz, null::text, $15::text[], false from session
), ${insertEventRows}
select exists (select from queued) as has_jobs from session`;

const statements = {
  code: { name: 'mint-by-code', text: statement(uses.code) },
  refresh_token: { name: 'mint-by-refresh-token', text: statement(uses.refresh_token) },
};

/** Returns null if the code or token cannot be used: it was used already, it expired, or its grant has ended. */
export async function mintGranted(pool: pg.Pool, given: GrantedSession): Promise<{ has_jobs: boolean } | null> {
  const { project_id, grant_id, presented, refresh, session, now, event } = given;
  const { rows } = await pool.query<{ has_jobs: boolean }>({
    ...statements[presented.kind],
    values: [
      project_id,
      grant_id,
      presented.hash,
      now,
      refresh.hash,
      refresh.expires_at,
      session.id,
      session.scopes,
      session.hash,
      session.expires_at,
      event.id,
      event.type,
      event.payload,
      event.created_at,
      event.filters,
    ],
  });
  return rows[0] ?? null;
}
