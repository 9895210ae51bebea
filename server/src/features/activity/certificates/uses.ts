// What connects with a certificate. Every place that has the field `certificate_id` is listed here.

import type { CertificateUse } from '@toolgate/contract/certificates/certificate.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';

export type Uses = { used_by: CertificateUse[]; use_count: number };

const MAX_SHOWN = 100;
const UNUSED: Uses = { used_by: [], use_count: 0 };

/** A URL may have a secret in its query. */
const url = sql`split_part(url, '?', 1)`;
const name = sql`name`;

const places: [type: CertificateUse['type'], table: string, name: RawBuilder<unknown>][] = [
  ['custom_tool', 'custom_tools', name],
  ['mcp_server', 'mcp_servers', name],
  ['hook', 'hooks', url],
  ['webhook', 'webhooks', url],
  ['log_stream', 'log_streams', name],
  ['oauth_provider', 'oauth_providers', name],
];

/** By the ids of the certificates. */
export async function findUses(
  database: Database,
  project_id: string,
  ids: readonly string[],
): Promise<(id: string) => Uses> {
  if (ids.length === 0) return () => UNUSED;
  const uses = places.map(
    ([type, table, shown]) => sql`
      select certificate_id, ${type}::text as type, id, ${shown} as name from ${sql.table(table)}
      where project_id = ${project_id} and certificate_id = any(${ids}::text[])
        ${table === 'oauth_providers' ? sql`and mcp_server_id is null` : sql``}`,
  );
  const { rows } = await sql<CertificateUse & { certificate_id: string; count: string }>`
    select certificate_id, type, id, name, count from (
      select *, count(*) over (partition by certificate_id) as count,
        row_number() over (partition by certificate_id order by type, name, id) as place
      from (${sql.join(uses, sql` union all `)}) as used
    ) as numbered where place <= ${MAX_SHOWN} order by certificate_id, place`.execute(database);
  const found = new Map<string, Uses>();
  for (const { certificate_id, count, ...use } of rows) {
    const { used_by } = found.get(certificate_id) ?? UNUSED;
    found.set(certificate_id, { used_by: [...used_by, use], use_count: Number(count) });
  }
  return (id) => found.get(id) ?? UNUSED;
}
