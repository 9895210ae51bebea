// SQL of events, except for recording them (record.ts).

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../database/page.ts';
import type { Database } from '../../database/tables.ts';

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

/** Their deliveries are deleted with them. Returns how many events were deleted. */
export async function deleteEventsBefore(database: Database, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where id in (
      select id from events where created_at < ${before}::timestamptz order by created_at limit ${limit}
    )`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

type ProjectAndType = { project_id: string; type: string };

/** Returns those pairs of project and type that have an event since then. A test is none. */
export async function selectRecordedSince(
  database: Database,
  pairs: ProjectAndType[],
  since: string,
): Promise<ProjectAndType[]> {
  const { rows } = await sql<ProjectAndType>`
    select distinct project_id, type from events
    where (project_id, type) in (
        select * from unnest(${pairs.map(({ project_id }) => project_id)}::text[], ${pairs.map(({ type }) => type)}::text[])
      ) and created_at > ${since}::timestamptz and not is_test`.execute(database);
  return rows;
}
