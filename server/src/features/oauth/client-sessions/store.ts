// SQL of the sessions that OAuth clients have for themselves. Such a session depends on its client: it ends when the client is deleted,
// moved to another integration, or loses the grant type.

import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { type Layers, layersOf } from '../../../access/layers.ts';
import { projectColumns } from '../../../access/project.ts';
import type { Database, Row } from '../../../database/tables.ts';

type NewClientSession = Omit<Row<'client_sessions'>, 'revoked_at' | 'integration_id'>;

const IS_MACHINE = sql<boolean>`'client_credentials' = any (c.grant_types)`;

/** The client is checked again: the cached one may be stale. Returns whether there is a session. */
export async function insertClientSession(database: Database, session: NewClientSession): Promise<boolean> {
  const { id, project_id, client_id, toolset_id, hash, created_at, expires_at } = session;
  const { numAffectedRows } = await sql`
    insert into client_sessions (id, project_id, client_id, integration_id, toolset_id, hash, created_at, expires_at)
    select ${id}, c.project_id, c.id, c.integration_id, ${toolset_id}, ${hash}, ${created_at}::timestamptz,
      ${expires_at}::timestamptz
    from oauth_clients c join projects p on p.id = c.project_id
    where c.id = ${client_id} and c.project_id = ${project_id} and ${IS_MACHINE} and p.deleted_at is null`.execute(
    database,
  );
  return numAffectedRows === 1n;
}

/** Loads the project in the same query. Does not check the expiry of the session. */
export async function selectClientSessionByHash(database: Database, hash: Buffer) {
  const row = await database
    .selectFrom('client_sessions as s')
    .innerJoin('oauth_clients as c', 'c.id', 's.client_id')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .leftJoin('integrations as i', 'i.id', 's.integration_id')
    .select([
      's.hash',
      's.id as session_id',
      's.client_id',
      's.integration_id',
      's.expires_at',
      's.toolset_id',
      'c.toolset_ids as client_toolset_ids',
      'i.toolset_ids as integration_toolset_ids',
      // What `mcp` is in a project with toolsets that are scopes. A client that was given toolsets has those instead.
      sql<string[] | null>`case when c.toolset_ids is null then (
        select coalesce(array_agg(t.id) filter (where t."grant" = 'baseline'), '{}') from toolsets t
        where t.project_id = s.project_id and t."grant" <> 'never' having count(*) > 0
      ) end`.as('scope_toolset_ids'),
      ...projectColumns.map((column) => `p.${column}` as const),
    ])
    .where('s.hash', '=', hash)
    .where('s.revoked_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .whereRef('c.project_id', '=', 's.project_id')
    .where(sql<boolean>`c.integration_id is not distinct from s.integration_id`)
    .where(IS_MACHINE)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  const { hash: _, session_id: id, client_id, integration_id, expires_at, toolset_id, ...rest } = row;
  const { client_toolset_ids, integration_toolset_ids, scope_toolset_ids, ...project } = rest;
  const layers: Layers = layersOf({
    integration: integration_toolset_ids,
    client: client_toolset_ids,
    grant: scope_toolset_ids,
    url: toolset_id === null ? null : [toolset_id],
  });
  return { session: { id, client_id, integration_id, expires_at, layers }, project };
}

export async function revokeClientSession(
  database: Database,
  project_id: string,
  id: string,
  now: string,
): Promise<void> {
  await database
    .updateTable('client_sessions')
    .set({ revoked_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}
