// Writes when a key was last used: at most once a minute for each key, in batches, and no request waits for it.

import type { ApiKeyCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import type { Batch } from '../../../database/batch-writer.ts';

const INTERVAL_MS = 60_000;

type Use = { project_id: string; id: string; used_at: number };

/** A key that somebody is changing is skipped until its next minute: the call log and events are written after this, and must not wait. */
const update = `
with used as (
  select project_id, id, to_timestamp(used_at / 1000) as used_at
  from unnest($1::text[], $2::text[], $3::float8[]) as uses (project_id, id, used_at)
),
due as (
  select api_keys.project_id, api_keys.id, used.used_at
  from api_keys join used using (project_id, id)
  -- Another replica may have written it already.
  where last_used_at is null or last_used_at < used.used_at - make_interval(secs => $4)
  for no key update of api_keys skip locked
)
update api_keys set last_used_at = due.used_at
from due where api_keys.project_id = due.project_id and api_keys.id = due.id`;

const uses: Batch<Use> = {
  name: 'last uses of API keys',
  write: (pool, rows) =>
    pool.query({
      name: 'update_last_used_at',
      text: update,
      values: [
        rows.map(({ project_id }) => project_id),
        rows.map(({ id }) => id),
        rows.map(({ used_at }) => used_at),
        INTERVAL_MS / 1000,
      ],
    }),
};

export const isUseDue = (last_used_at_ms: number, now: number) => now - last_used_at_ms > INTERVAL_MS;

export function recordUse(app: App, { api_key_id: id, project }: ApiKeyCaller, used_at: number): void {
  app.batch_writer.add(uses, { project_id: project.id, id, used_at });
}
