// SQL of events, except for recording them (record.ts).

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';

const columns = ['id', 'type', 'created_at', 'payload', 'is_test'] as const;

export type EventFilter = {
  type: string | undefined;
  /** Only events of these types; null: of all. */
  readable: string[] | null;
};

export async function pageOfEvents(
  database: Database,
  project_id: string,
  { type, readable }: EventFilter,
  query: PageQuery,
) {
  let events = database.selectFrom('events').select(columns).where('project_id', '=', project_id);
  if (type !== undefined) events = events.where('type', '=', type);
  if (readable !== null) events = events.where('type', 'in', readable);
  return readPage(events, 'events', query);
}

export async function selectEvent(database: Database, project_id: string, id: string) {
  return database
    .selectFrom('events')
    .select(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Events that name the member, locked; also those of other projects, which a member may have created. */
export async function lockEventsNaming(database: Database, member_id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events
    where members_named(payload) @> ${[member_id]}::text[] and payload like '%"mem\\_%'
    limit ${limit} for no key update`.execute(database);
  return rows.map(({ id }) => id);
}

export async function eraseFromPayloads(database: Database, member_id: string, ids: string[]): Promise<void> {
  await sql`
    update events set payload = without_member(payload, ${member_id}) where id = any(${ids}::text[])`.execute(database);
}

export type RecordedEvent = { project_id: string; type: string; created_at: string };

/** The events of the same projects and types, less than `within_ms` before the first or after the last of these. Test events do not count. */
export async function selectNear(
  database: Database,
  events: RecordedEvent[],
  within_ms: number,
): Promise<RecordedEvent[]> {
  const list = (name: keyof RecordedEvent) => sql`${events.map((event) => event[name])}::text[]`;
  const times = events.map(({ created_at }) => Date.parse(created_at));
  const [from, to] = [Math.min(...times) - within_ms, Math.max(...times) + within_ms];
  const { rows } = await sql<RecordedEvent>`
    select project_id, type, created_at from events
    where (project_id, type) in (select * from unnest(${list('project_id')}, ${list('type')}))
      and created_at > ${new Date(from).toISOString()}::timestamptz
      and created_at < ${new Date(to).toISOString()}::timestamptz and not is_test`.execute(database);
  return rows;
}
