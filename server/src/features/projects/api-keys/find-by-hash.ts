// One query finds keys and their projects by the hashes of the keys. They may be revoked or inactive. It is a prepared statement:
// it runs for every key that is not cached, and building and planning it each time would take twice the CPU.

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
from unnest($1::bytea[]) as wanted (hash)
-- With a limit it is one lookup in the index for each, whatever the statistics say.
cross join lateral (select * from api_keys where hash = wanted.hash limit 1) as k
join projects as p on p.id = k.project_id left join integrations as i on i.id = k.integration_id
where p.deleted_at is null`;

type FoundRow = { api_key_id: string; integration_toolset_ids: string[] | null } & Pick<
  Row<'api_keys'>,
  (typeof keyColumns)[number]
> &
  Pick<Row<'projects'>, (typeof projectColumns)[number]>;

export type FoundKey = ReturnType<typeof toFoundKey>;

/** For each hash, in base64url, its key, or null if no key has it. */
export async function selectKeysByHash(pool: pg.Pool, hashes: string[]): Promise<(FoundKey | null)[]> {
  const values = [hashes.map((hash) => Buffer.from(hash, 'base64url'))];
  const { rows } = await pool.query<FoundRow>({ name: 'select_keys_by_hash', text, values });
  const found = new Map(rows.map((row) => [row.hash.toString('base64url'), toFoundKey(row)]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

function toFoundKey(row: FoundRow) {
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
