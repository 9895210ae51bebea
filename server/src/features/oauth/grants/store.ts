// SQL of grants and of their refresh tokens, except for the statement that uses one (member-sessions/mint-granted.ts).

import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import { type GrantRow, grantColumns } from './grant.ts';
import type { UsableGrant } from './usable-grant.ts';

export type NewGrant = Pick<
  GrantRow,
  | 'id'
  | 'project_id'
  | 'member_id'
  | 'provider_id'
  | 'client_kind'
  | 'client_id'
  | 'client_name'
  | 'integration_id'
  | 'scopes'
  | 'toolsets'
  | 'resource'
  | 'redirect_uri'
  | 'code_challenge'
  | 'code_hash'
  | 'code_expires_at'
  | 'created_at'
> & { claims: string };

export async function insertGrant(database: Database, grant: NewGrant): Promise<void> {
  const toolsets = grant.toolsets && JSON.stringify(grant.toolsets);
  await database
    .insertInto('oauth_grants')
    .values({ ...grant, toolsets })
    .execute();
}

/** With what its tokens depend on. Without a project: codes and tokens are credentials. */
function grantsWithMember(database: Database) {
  return database
    .selectFrom('oauth_grants as g')
    .innerJoin('members as m', 'm.id', 'g.member_id')
    .leftJoin('oauth_providers as v', 'v.id', 'g.provider_id')
    .select([
      'g.id',
      'g.project_id',
      'g.member_id',
      'm.external_id',
      'g.integration_id',
      'g.client_id',
      'g.scopes',
      'g.resource',
      'g.redirect_uri',
      'g.code_challenge',
      'g.code_used_at',
      'g.refresh_hash',
      'g.previous_refresh_hash',
      'g.refresh_expires_at',
      'g.revoked_at',
      'g.claims',
      'g.toolsets',
      'g.created_at',
      'v.permissions as grantable',
    ]);
}

export async function selectByCode(database: Database, code_hash: Buffer): Promise<UsableGrant | undefined> {
  return grantsWithMember(database).where('g.code_hash', '=', code_hash).executeTakeFirst();
}

/** Finds the grant also by a refresh token that was replaced. */
export async function selectByRefreshToken(database: Database, hash: Buffer): Promise<UsableGrant | undefined> {
  return grantsWithMember(database)
    .innerJoin('oauth_refresh_tokens as t', 't.grant_id', 'g.id')
    .where('t.hash', '=', hash)
    .executeTakeFirst();
}

export async function selectGrant(database: Database, id: string): Promise<UsableGrant | undefined> {
  return grantsWithMember(database).where('g.id', '=', id).executeTakeFirst();
}

/** Those that have a refresh token which can still be used. */
export async function pageOfGrants(
  database: Database,
  { project_id, member_id, now }: { project_id: string; member_id: string; now: string },
  query: PageQuery,
) {
  const grants = database
    .selectFrom('oauth_grants')
    .select(grantColumns)
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .where('revoked_at', 'is', null)
    .where('refresh_expires_at', '>', now);
  return readPage(grants, 'oauth_grants', query);
}

type RevokedGrants = { project_id: string; member_id: string; id?: string };

/** Returns the grants that were revoked by this. */
export async function markRevoked(database: Database, { project_id, member_id, id }: RevokedGrants, now: string) {
  return database
    .updateTable('oauth_grants')
    .set({ revoked_at: now })
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .where('revoked_at', 'is', null)
    .returning(grantColumns)
    .execute();
}

/** With their refresh tokens. Returns how many had not ended. */
export async function deleteGrantsOf(
  database: Database,
  { project_id, member_id }: { project_id: string; member_id: string },
): Promise<number> {
  const rows = await database
    .deleteFrom('oauth_grants')
    .where('project_id', '=', project_id)
    .where('member_id', '=', member_id)
    .returning('revoked_at')
    .execute();
  return rows.filter(({ revoked_at }) => revoked_at === null).length;
}
