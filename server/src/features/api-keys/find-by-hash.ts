// One query finds a key and its project by the hash of the key. The key may be revoked or inactive.

import { timingSafeEqual } from 'node:crypto';
import { projectColumns } from '../../access/project.ts';
import type { Database } from '../../database/tables.ts';

export async function selectKeyByHash(database: Database, hash: Buffer) {
  const row = await database
    .selectFrom('api_keys as k')
    .innerJoin('projects as p', 'p.id', 'k.project_id')
    .select([
      'k.hash',
      'k.id as api_key_id',
      'k.integration_id',
      'k.permissions',
      'k.expires_at',
      'k.last_used_at',
      'k.is_active',
      'k.revoked_at',
      ...projectColumns.map((column) => `p.${column}` as const),
    ])
    .where('k.hash', '=', hash)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  const {
    hash: _,
    api_key_id,
    integration_id,
    permissions,
    expires_at,
    last_used_at,
    is_active,
    revoked_at,
    ...project
  } = row;
  const key = { id: api_key_id, integration_id, permissions, expires_at, last_used_at, is_active, revoked_at };
  return { key, project };
}
