// Reads the audit log of a project in the order of the chain, which is the order in which entries were bound after their commit.

import type { AuditEntry } from '@toolgate/contract/audit/audit-entry.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { AuditCursor, Database } from '../../../database/tables.ts';
import { showEntry } from './entry.ts';
import { openHead } from './head.ts';
import { selectChain, selectEntriesInOrder } from './store.ts';

/** Bounds the memory: an entry may hold a long text of the customer's. */
const PAGE_BYTES = 4_000_000;

export type AuditReader = { project_id: string; cursor: AuditCursor };

export type AuditPage = { entries: (AuditEntry & { seq: number })[]; is_complete: boolean };

export async function readEntriesInOrder(database: Database, reader: AuditReader, count: number): Promise<AuditPage> {
  const { rows, is_complete } = await selectEntriesInOrder(database, reader.project_id, reader.cursor.seq, {
    count,
    bytes: PAGE_BYTES,
  });
  return { entries: rows.map((row) => ({ ...showEntry({ ...row, count: 1 }), seq: row.seq as number })), is_complete };
}

/** For each cursor when the oldest entry after it was made, or null, in the same order. Also entries that are not bound yet. */
export async function selectOldestUnreadEntries(
  database: Database,
  readers: AuditReader[],
): Promise<(string | null)[]> {
  if (readers.length === 0) return [];
  const parts = readers.map(
    ({ project_id, cursor }, place) => sql`(select ${place}::int as place, coalesce(
      (select created_at from audit_entries where project_id = ${project_id} and seq > ${cursor.seq} order by seq limit 1),
      (select min(created_at) from (
        select created_at from audit_entries where project_id = ${project_id} and seq is null offset 0) as unbound)
    ) as created_at)`,
  );
  const { rows } = await sql<{ created_at: string | null }>`
    select created_at from (${sql.join(parts, sql` union all `)}) as unread order by place`.execute(database);
  return rows.map(({ created_at }) => created_at);
}

/** About how many bytes of JSON the unread entries are; counts no more than `limit` entries. */
export async function estimateUnreadEntries(
  database: Database,
  { project_id, cursor }: AuditReader,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from (
      select coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) + 500 as size
      from audit_entries where project_id = ${project_id} and seq > ${cursor.seq} order by seq limit ${limit}
    ) as unread`.execute(database);
  return Number(rows[0]?.bytes ?? 0);
}

/** The cursor before everything that is bound from now on. */
export async function auditCursorNow(database: Database, organization_id: string): Promise<AuditCursor> {
  return { seq: (await selectChain(database, organization_id))?.seq ?? 0 };
}

/** The end of the chain, or null if it was not signed by this service: then nothing may vouch for it. */
export async function readHead(app: App, organization_id: string): Promise<{ seq: number; hash: string } | null> {
  const chain = await selectChain(app.database, organization_id);
  if (!chain || !(await openHead(app.database, app, chain))) return null;
  return { seq: chain.seq, hash: chain.hash.toString('hex') };
}
