// One SQL statement creates the sessions that are exchanged at the same time in a project, with their members and events. It uses
// several tables on purpose: one round trip and one commit for all of them. It checks the API keys, the assertion keys and the
// project again in its own snapshot, because the cached ones may be stale. Each exchange has an outcome of its own.

import { filtersMatching } from '@toolgate/contract/events/subscription-filter.ts';
import type pg from 'pg';
import { preparedStatement } from '../../../database/prepared-statement.ts';
import type { NewEvent } from '../../activity/events/record.ts';
import { recordingEvents } from '../../activity/events/record-in-statement.ts';

const EVENT_TYPE = 'member_session.created';

export type NewSession = {
  id: string;
  integration_id: string;
  api_key_id: string;
  /** Null outside production, for an unsigned external id. */
  assertion_key_id: string | null;
  hash: Buffer;
  /** When the assertion was found valid. */
  created_at: string;
  expires_at: string;
  external_id: string;
  /** For the member, unless there is one with this external id. */
  new_member_id: string;
  /** Can be used once in a project until it expires. */
  jti: string | null;
  jti_expires_at: string | null;
  /** That the member sees; null: every tool. */
  toolset_ids: string[] | null;
  /** What the assertion says of the member; null: nothing. */
  claims: Readonly<Record<string, unknown>> | null;
  /** Made with the id of a new member; the statement replaces it. */
  event: NewEvent;
};

export type MintResult =
  | { member_id: string }
  | { member_id: null; reason: 'API_KEY_ENDED' | 'ASSERTION_KEY_ENDED' | 'REPLAYED' };

type Row = {
  id: string;
  member_id: string | null;
  is_api_key_valid: boolean;
  is_assertion_key_valid: boolean;
  has_jobs: boolean;
};

/** One list for each column of the new sessions, and what they have in common. */
type Params = {
  project_id: string;
  /** The earliest created_at: a `jti` is free again if it had expired by then. */
  first_created_at: string;
  event_type: string;
  event_filters: string[];
} & Record<(typeof columns)[number][0], unknown[]>;

const columns = [
  ['id', 'text'],
  ['integration_id', 'text'],
  ['api_key_id', 'text'],
  ['assertion_key_id', 'text'],
  ['hash', 'bytea'],
  ['created_at', 'timestamptz'],
  ['expires_at', 'timestamptz'],
  ['external_id', 'text'],
  ['new_member_id', 'text'],
  ['jti', 'text'],
  ['jti_expires_at', 'timestamptz'],
  // An array in text form: a list of lists of different lengths is no array.
  ['toolset_ids', 'text'],
  ['claims', 'json'],
  ['event_id', 'text'],
  ['event_payload', 'text'],
] as const;

/**
 * What is looked up is a subquery for each session, so that it is found by an index, whatever the planner expects. `offset 0` hides
 * the number of sessions from the planner: it would make a new plan for each number, which takes longer than the statement. Rows
 * are locked in one order (assertion ids, then members by external id), so that two replicas never wait for each other.
 */
const mint = preparedStatement<Params, Row>('mint-sessions', (param) => {
  const project_id = `${param.project_id}::text`;
  const first_created_at = `${param.first_created_at}::timestamptz`;
  const event = recordingEvents('session join accepted using (id)', {
    id: 'event_id',
    project_id,
    type: param.event_type,
    payload: 'replace(event_payload, new_member_id, member_id)',
    created_at: 'created_at',
    filters: param.event_filters,
  });
  return `
with bound as materialized (
  select given.*, (
      select k.session_epoch from api_keys k
      where k.id = given.api_key_id and k.project_id = ${project_id} and k.integration_id = given.integration_id
        and k.is_active and k.revoked_at is null and (k.expires_at is null or k.expires_at > given.created_at)
        and (select p.deleted_at is null from projects p where p.id = ${project_id})
    ) as key_epoch,
    given.assertion_key_id is null or (
      select a.deactivated_at is null from assertion_keys a
      where a.id = given.assertion_key_id and a.project_id = ${project_id}
    ) is true as is_assertion_key_valid
  from (select ${columns.map(([name, type]) => `${param[name]}::${type}[] as ${name}`).join(', ')} offset 0) as list,
    unnest(${columns.map(([name]) => `list.${name}`).join(', ')}) as given (${columns.map(([name]) => name).join(', ')})
), valid as materialized (
  select bound.*, row_number() over (partition by jti) as use
  from bound where key_epoch is not null and is_assertion_key_valid
), first_use as (
  insert into used_assertion_ids (project_id, jti, expires_at)
  select ${project_id}, jti, jti_expires_at from valid where jti is not null and use = 1 order by jti
  on conflict (project_id, jti) do update set expires_at = excluded.expires_at
    where used_assertion_ids.expires_at <= ${first_created_at}
  returning jti
), accepted as materialized (
  select valid.*, known.id as known_member_id, known.last_seen_at
  from valid left join first_use on first_use.jti = valid.jti left join lateral (
    select m.id, m.last_seen_at from members m
    where m.project_id = ${project_id} and m.external_id = valid.external_id limit 1
    for key share -- a member who is being deleted is waited for, and then is none: this session creates a new one
  ) as known on true
  where valid.jti is null or (valid.use = 1 and first_use.jti is not null)
  order by valid.external_id
), new_member as (
  insert into members as m (id, project_id, external_id, created_at, last_seen_at)
  select distinct on (external_id) new_member_id, ${project_id}, external_id, created_at, created_at
  from accepted where known_member_id is null order by external_id
  on conflict (project_id, external_id) do update set last_seen_at = greatest(m.last_seen_at, excluded.last_seen_at)
  returning id, external_id
), unseen as ( -- last_seen_at is written at most once a minute; whoever has the lock writes it
  select m.id from members m
  where m.id = any (array(select known_member_id from accepted where last_seen_at <= created_at - interval '1 minute'))
  for no key update skip locked
), seen as (
  update members m set last_seen_at = greatest(m.last_seen_at, ${first_created_at}) from unseen where m.id = unseen.id
), session as (
  insert into member_sessions
    (id, project_id, integration_id, api_key_id, assertion_key_id, hash, created_at, expires_at, member_id, key_epoch,
      toolset_ids, claims)
  select accepted.id, ${project_id}, integration_id, api_key_id, assertion_key_id, hash, created_at, expires_at,
    coalesce(known_member_id, new_member.id), key_epoch, toolset_ids::text[], claims
  from accepted left join new_member using (external_id)
  returning id, member_id
), ${event.ctes}
select bound.id, key_epoch is not null as is_api_key_valid, is_assertion_key_valid, session.member_id,
  ${event.has_jobs} as has_jobs
from bound left join session using (id)`;
});

/** Returns the result of each session, in their order. */
export async function mintSessions(
  pool: pg.Pool,
  project_id: string,
  sessions: NewSession[],
): Promise<{ results: MintResult[]; has_jobs: boolean }> {
  const list = <Name extends keyof NewSession>(name: Name) => sessions.map((session) => session[name]);
  const created_at = list('created_at');
  const rows = await mint(pool, {
    project_id,
    first_created_at: created_at.reduce((first, each) => (each < first ? each : first)),
    event_type: EVENT_TYPE,
    event_filters: filtersMatching(EVENT_TYPE),
    id: list('id'),
    integration_id: list('integration_id'),
    api_key_id: list('api_key_id'),
    assertion_key_id: list('assertion_key_id'),
    hash: list('hash'),
    created_at,
    expires_at: list('expires_at'),
    external_id: list('external_id'),
    new_member_id: list('new_member_id'),
    jti: list('jti'),
    jti_expires_at: list('jti_expires_at'),
    toolset_ids: list('toolset_ids').map((ids) => ids && `{${ids.join()}}`),
    claims: list('claims').map((claims) => claims && JSON.stringify(claims)),
    event_id: sessions.map(({ event }) => event.id),
    event_payload: sessions.map(({ event }) => event.payload),
  });
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return { results: sessions.map(({ id }) => resultOf(rowOf.get(id) as Row)), has_jobs: rows[0]?.has_jobs === true };
}

function resultOf({ member_id, is_api_key_valid, is_assertion_key_valid }: Row): MintResult {
  if (member_id !== null) return { member_id };
  if (!is_api_key_valid) return { member_id, reason: 'API_KEY_ENDED' };
  return { member_id, reason: is_assertion_key_valid ? 'REPLAYED' : 'ASSERTION_KEY_ENDED' };
}
