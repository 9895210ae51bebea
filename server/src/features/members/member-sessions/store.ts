// SQL of member sessions, except for the statements that create one (mint.ts, mint-granted.ts).

import { timingSafeEqual } from 'node:crypto';
import type { MemberClaims } from '@toolgate/contract/projects/toolsets-of-member.ts';
import { sql } from 'kysely';
import { grantLayer, type ScopeToolset } from '../../../access/grant-layer.ts';
import { layersOf } from '../../../access/layers.ts';
import { projectColumns } from '../../../access/project.ts';
import type { Database } from '../../../database/tables.ts';
import { isValidGrant } from './valid-grant.ts';

/**
 * Sessions whose project is valid, and their key and assertion key, or the grant of OAuth with its client and provider. Does not
 * check the expiry of the session.
 */
function validSessions(database: Database, now: string) {
  return (
    database
      .selectFrom('member_sessions as s')
      .innerJoin('members as m', 'm.id', 's.member_id')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      // Deleting an integration deletes its keys. A key that expired or was rotated ends no session (decision 14).
      .leftJoin('api_keys as k', 'k.id', 's.api_key_id')
      .leftJoin('assertion_keys as a', 'a.id', 's.assertion_key_id')
      .leftJoin('oauth_grants as g', 'g.id', 's.grant_id')
      .leftJoin('oauth_providers as v', 'v.id', 'g.provider_id')
      .leftJoin('oauth_clients as c', 'c.id', 'g.client_id')
      .leftJoin('integrations as i', 'i.id', 's.integration_id')
      .where('s.revoked_at', 'is', null)
      .where('p.deleted_at', 'is', null)
      .where((is) =>
        is.or([
          is.and([
            is('k.is_active', '=', true),
            is('k.revoked_at', 'is', null),
            // Switching a key off and on again does not restore its sessions.
            is('k.session_epoch', '=', is.ref('s.key_epoch')),
          ]),
          is.and([is('g.id', 'is not', null), hasValidGrant(now)]),
        ]),
      )
      .where((is) =>
        is.or([
          is('s.assertion_key_id', 'is', null),
          is.and([is('a.id', 'is not', null), is('a.deactivated_at', 'is', null)]),
        ]),
      )
  );
}

function hasValidGrant(now: string) {
  const [before = '', after = ''] = isValidGrant('NOW').split('NOW');
  return sql<boolean>`${sql.raw(before)} ${now}::timestamptz ${sql.raw(after)}`;
}

/** Loads the member and the project in the same query, so no later step loads them again. */
export async function selectSessionByHash(database: Database, hash: Buffer, now: string) {
  const row = await validSessions(database, now)
    .select([
      's.hash',
      's.id as session_id',
      's.api_key_id',
      's.integration_id',
      's.member_id',
      's.expires_at',
      's.grant_id',
      'g.client_id as oauth_client_id',
      's.scopes',
      's.toolset_ids as member_toolset_ids',
      's.granted_toolset_ids',
      sql<MemberClaims | null>`coalesce(s.claims, g.claims::json)`.as('claims'),
      's.url_toolset_id',
      'g.toolsets as granted_toolsets',
      'g.created_at as granted_at',
      // The toolsets that are scopes, for a session of a grant.
      sql<ScopeToolset[] | null>`case when s.grant_id is not null then (
        select json_agg(json_build_object('id', t.id, 'slug', t.slug, 'grant', t."grant"))
        from toolsets t where t.project_id = s.project_id and t."grant" <> 'never'
      ) end`.as('scope_toolsets'),
      'v.permissions as grantable',
      'k.toolset_ids as key_toolset_ids',
      'i.toolset_ids as integration_toolset_ids',
      'c.toolset_ids as client_toolset_ids',
      'v.toolset_ids as provider_toolset_ids',
      'm.external_id',
      ...projectColumns.map((column) => `p.${column}` as const),
    ])
    .where('s.hash', '=', hash)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  const { hash: _, session_id: id, api_key_id, integration_id, member_id, expires_at, external_id, ...more } = row;
  const { grant_id, oauth_client_id, claims, scopes, grantable, ...layered } = more;
  const { key_toolset_ids, integration_toolset_ids, client_toolset_ids, provider_toolset_ids, ...rest } = layered;
  const {
    member_toolset_ids,
    granted_toolset_ids,
    granted_toolsets,
    granted_at,
    scope_toolsets,
    url_toolset_id,
    ...project
  } = rest;
  const made = granted_at && { toolsets: granted_toolsets, created_at: granted_at };
  const grant = made ? grantLayer(made, scope_toolsets ?? [], granted_toolset_ids) : null;
  const layers = layersOf({
    key: key_toolset_ids,
    integration: integration_toolset_ids,
    client: client_toolset_ids,
    provider: provider_toolset_ids,
    member: member_toolset_ids,
    grant: scope_toolsets?.map(({ id }) => id) ?? null,
    url: url_toolset_id === null ? null : [url_toolset_id],
  });
  const member = { integration_id, member_id, external_id, claims: claims ?? {}, oauth_client_id };
  return {
    session: { id, api_key_id, ...member, layers, grant, expires_at, grant_id, scopes, grantable: grantable ?? [] },
    project,
  };
}

export async function countActive(database: Database, project_id: string, member_ids: readonly string[], now: string) {
  return validSessions(database, now)
    .select((select) => ['s.member_id', select.fn.countAll<number>().as('count')])
    .where('s.project_id', '=', project_id)
    .where('s.member_id', 'in', member_ids)
    .where('s.expires_at', '>', now)
    .groupBy('s.member_id')
    .execute();
}

/** Which sessions of a member are meant: all, those of one grant of OAuth, or one. */
export type SessionFilter = { member_id: string; grant_id?: string; id?: string };

/** Leaves expired sessions as they are: their tokens are still refused as expired. Returns the number revoked. */
export async function markRevoked(
  database: Database,
  project_id: string,
  { member_id, grant_id, id }: SessionFilter,
  now: string,
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('member_sessions')
    .set({ revoked_at: now })
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .$if(grant_id !== undefined, (query) => query.where('grant_id', '=', grant_id as string))
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Also those that have ended. Returns how many had not. */
export async function deleteSessionRowsOf(
  database: Database,
  { project_id, member_id }: { project_id: string; member_id: string },
  now: string,
): Promise<number> {
  const rows = await database
    .deleteFrom('member_sessions')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .returning(sql<boolean>`revoked_at is null and expires_at > ${now}::timestamptz`.as('was_active'))
    .execute();
  return rows.filter(({ was_active }) => was_active).length;
}

export async function selectMemberRef(database: Database, project_id: string, id: string) {
  return database
    .selectFrom('members')
    .select(['id', 'project_id', 'external_id'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What was said of the member of a session, while the session is kept. */
export async function selectSessionClaims(
  database: Database,
  project_id: string,
  id: string,
): Promise<MemberClaims | null> {
  const row = await database
    .selectFrom('member_sessions as s')
    .leftJoin('oauth_grants as g', 'g.id', 's.grant_id')
    .select(sql<MemberClaims | null>`coalesce(s.claims, g.claims::json)`.as('claims'))
    .where('s.project_id', '=', project_id)
    .where('s.id', '=', id)
    .executeTakeFirst();
  return row?.claims ?? null;
}

/** Returns the id of the member, who is created at the first sign-in. */
export async function upsertMember(database: Database, member: NewMember, now: string): Promise<string> {
  const { id } = await database
    .insertInto('members')
    .values({ ...member, issuer: null, created_at: now, last_seen_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'external_id']).doUpdateSet({ last_seen_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type NewMember = { id: string; project_id: string; external_id: string };

/**
 * The same for a member whom an issuer names by an email address. Undefined if the member belongs to another of these issuers. One
 * statement, so that of two issuers that name a member at the same time one succeeds.
 */
export async function upsertMemberOfIssuer(
  database: Database,
  member: NewMember & { issuer: string },
  issuers: readonly string[],
  now: string,
): Promise<string | undefined> {
  const others = issuers.filter((each) => each !== member.issuer);
  const row = await database
    .insertInto('members')
    .values({ ...member, created_at: now, last_seen_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'external_id'])
        .doUpdateSet({ issuer: member.issuer, last_seen_at: now })
        .where((is) =>
          is.or([is('members.issuer', 'is', null), sql<boolean>`members.issuer <> all (${others}::text[])`]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
