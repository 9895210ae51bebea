// What is stored of the response to a request with an Idempotency-Key: the response itself, sealed, up to 256 KiB and for a project
// 64 MiB in 24 hours. Beyond that only the fact that the request succeeded is stored (docs/design/storage.md).

import { sql } from 'kysely';
import type { App } from '../app.ts';

const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_PROJECT_BYTES = 64 * 2 ** 20;
/** The response to a creation may contain a secret that is shown once. Those responses are small, and are always stored. */
const ALWAYS_STORED_BYTES = 8 * 1024;
const HOUR_MS = 3_600_000;
export const RESPONSE_RETENTION_MS = 24 * HOUR_MS;

/** The row of an idempotency key, and the project whose data key seals its response. */
export type IdempotencyRow = { project_id: string | null; scope: string; key: string };

const cellOf = ({ scope, key }: IdempotencyRow) => ({
  table: 'idempotency_keys',
  column: 'answer',
  row_id: `${scope} ${key}`,
});

/** Returns the sealed response, or null when it must not be stored. */
export async function sealResponse(
  app: App,
  row: IdempotencyRow,
  text: string,
  { may_contain_secret }: { may_contain_secret: boolean },
): Promise<string | null> {
  const { project_id } = row;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_RESPONSE_BYTES) return null;
  const is_exempt = may_contain_secret && bytes <= ALWAYS_STORED_BYTES;
  if (project_id !== null && !(await countBytes(app, project_id, bytes, is_exempt))) return null;
  return app.secrets.seal(app.database, project_id, cellOf(row), text);
}

export async function openResponse(app: App, row: IdempotencyRow, response: string): Promise<string> {
  return (await app.secrets.open(app.database, row.project_id, cellOf(row), response)).toString();
}

/** Adds to the project's bytes unless the last 24 hours would exceed the limit. Returns whether it did. */
async function countBytes(app: App, project_id: string, bytes: number, is_exempt: boolean): Promise<boolean> {
  const hour = Math.floor(app.now() / HOUR_MS) * HOUR_MS;
  const [this_hour, oldest] = [hour, hour - RESPONSE_RETENTION_MS].map((time) => new Date(time).toISOString());
  const { numAffectedRows } = await sql`
    insert into idempotency_bytes (project_id, hour, bytes)
    select ${project_id}, ${this_hour}::timestamptz, ${bytes}::bigint
    where ${is_exempt}::boolean or ${MAX_PROJECT_BYTES}::bigint >= ${bytes}::bigint + (
      select coalesce(sum(bytes), 0) from idempotency_bytes
      where project_id = ${project_id} and hour >= ${oldest}::timestamptz
    )
    on conflict (project_id, hour) do update set bytes = idempotency_bytes.bytes + excluded.bytes
  `.execute(app.database);
  return numAffectedRows === 1n;
}
