// One query finds a key and its project by the hash of the key. The key may be revoked or inactive. It is a prepared statement:
// it runs for every key that is not cached, and building and planning it each time would take twice the CPU.

import { timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { layersOf } from '../../../access/layers.ts';
import { projectColumns } from '../../../access/project.ts';
import type { Row } from '../../../database/tables.ts';

const keyColumns = [
  'hash',
  'integration_id',
  'permissions',
  'toolset_ids',
  'can_approve',
  'expires_at',
  'last_used_at',
  'is_active',
  'revoked_at',
] as const;

const text = `
select k.id as api_key_id, ${keyColumns.map((column) => `k.${column}`).join(', ')},
  i.toolset_ids as integration_toolset_ids, ${projectColumns.map((column) => `p.${column}`).join(', ')}
from api_keys as k join projects as p on p.id = k.project_id left join integrations as i on i.id = k.integration_id
where k.hash = $1 and p.deleted_at is null`;

type FoundRow = { api_key_id: string; integration_toolset_ids: string[] | null } & Pick<
  Row<'api_keys'>,
  (typeof keyColumns)[number]
> &
  Pick<Row<'projects'>, (typeof projectColumns)[number]>;

export async function selectKeyByHash(pool: pg.Pool, given: Buffer) {
  const { rows } = await pool.query<FoundRow>({ name: 'select_key_by_hash', text, values: [given] });
  const [row] = rows;
  if (!row || !timingSafeEqual(row.hash, given)) return null;
  const {
    hash: _,
    api_key_id: id,
    integration_id,
    permissions,
    toolset_ids,
    can_approve,
    integration_toolset_ids,
    expires_at,
    last_used_at,
    is_active,
    revoked_at,
    ...project
  } = row;
  const layers = layersOf({ key: toolset_ids, integration: integration_toolset_ids });
  const state = { expires_at, last_used_at, is_active, revoked_at };
  return { key: { id, integration_id, permissions, can_approve, layers, ...state }, project };
}
