// One SQL statement uses a code or a refresh token of a grant, and creates a session, its event and the next refresh token. Of
// concurrent uses of a code exactly one gets a session: the row of the grant is locked, and its condition is evaluated again.

import type { Scope } from '@toolgate/contract/permissions.ts';
import type pg from 'pg';
import { type Placeholders, preparedStatement } from '../../../database/prepared-statement.ts';
import { type EventParams, recordingEvent } from '../../activity/events/record-in-statement.ts';
import { isValidGrant } from './valid-grant.ts';

export type GrantedSession = {
  grant_id: string;
  /** The SHA-256 of the code or refresh token that is used. */
  presented_hash: Buffer;
  refresh_hash: Buffer;
  refresh_expires_at: string;
  session_id: string;
  session_hash: Buffer;
  scopes: Scope[];
  /** That the member sees; null: every tool. */
  toolset_ids: string[] | null;
  /** Those of the grant that the client asked for; null: all of them. */
  granted_toolset_ids: string[] | null;
  /** The toolset of the URL that the session is for; null: none. */
  url_toolset_id: string | null;
  expires_at: string;
  now: string;
} & EventParams;

type Use = (param: Placeholders<GrantedSession>, now: string) => { set: string; where: string };

const useCode: Use = ({ presented_hash }, now) => ({
  set: `code_used_at = ${now}`,
  where: `g.code_hash = ${presented_hash} and g.code_used_at is null and g.code_expires_at > ${now}`,
});

/** The token before the current one is accepted too: the response with the current one may have been lost. */
const useRefreshToken: Use = ({ presented_hash }, now) => ({
  set: `previous_refresh_hash = ${presented_hash}`,
  where: `(g.refresh_hash = ${presented_hash} or g.previous_refresh_hash = ${presented_hash})
    and g.refresh_expires_at > ${now}`,
});

const mintBy = (name: string, use: Use) =>
  preparedStatement<GrantedSession, { has_jobs: boolean }>(name, (param) => {
    const { project_id, refresh_hash } = param;
    const now = `${param.now}::timestamptz`;
    const { set, where } = use(param, now);
    const event = recordingEvent('session', param);
    return `
with used as (
  update oauth_grants g set ${set}, refresh_hash = ${refresh_hash},
    refresh_expires_at = ${param.refresh_expires_at}::timestamptz, last_used_at = ${now}
  where g.id = ${param.grant_id} and g.project_id = ${project_id} and ${where} and ${isValidGrant(now)}
    and exists (select from projects p where p.id = g.project_id and p.deleted_at is null)
  returning g.id, g.member_id, g.integration_id
), token as (
  insert into oauth_refresh_tokens (hash, project_id, grant_id, created_at)
  select ${refresh_hash}, ${project_id}, id, ${now} from used
), seen as ( -- at most once a minute
  update members m set last_seen_at = ${now} from used
  where m.id = used.member_id and m.last_seen_at < ${now} - interval '1 minute'
), session as (
  insert into member_sessions
    (id, project_id, integration_id, grant_id, scopes, hash, created_at, expires_at, member_id, toolset_ids,
      granted_toolset_ids, url_toolset_id)
  select ${param.session_id}, ${project_id}, integration_id, id, ${param.scopes}::text[], ${param.session_hash}, ${now},
    ${param.expires_at}::timestamptz, member_id, ${param.toolset_ids}::text[], ${param.granted_toolset_ids}::text[],
    ${param.url_toolset_id}::text
  from used
  returning member_id
), ${event.ctes}
select ${event.has_jobs} as has_jobs from session`;
  });

const mint = {
  code: mintBy('mint-by-code', useCode),
  refresh_token: mintBy('mint-by-refresh-token', useRefreshToken),
};

/** Returns null if the code or token cannot be used: it was used already, it expired, or its grant has ended. */
export async function mintGranted(
  pool: pg.Pool,
  kind: 'code' | 'refresh_token',
  session: GrantedSession,
): Promise<{ has_jobs: boolean } | null> {
  const [row] = await mint[kind](pool, session);
  return row ?? null;
}
