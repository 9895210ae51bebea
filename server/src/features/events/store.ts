// SQL of events, for reading; record.ts writes them.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../database/page.ts';
import type { Database } from '../../database/tables.ts';

const columns = ['id', 'type', 'created_at', 'payload'] as const;

export type EventFilter = {
  type?: string | undefined;
  /** Beginnings of kinds that are left out. */
  hidden: string[];
};

export async function pageOfEvents(
  database: Database,
  project_id: string,
  { type, hidden }: EventFilter,
  query: PageQuery,
) {
  let events = database.selectFrom('events').select(columns).where('project_id', '=', project_id);
  if (type !== undefined) events = events.where('type', '=', type);
  for (const prefix of hidden) events = events.where('type', 'not like', `${prefix}%`);
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

/** Their deliveries go with them. Answers how many went. */
export async function removeEventsBefore(database: Database, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where id in (
      select id from events where created_at < ${before}::timestamptz order by created_at limit ${limit}
    )`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

/** Of these projects, those whose rate limit was an event since then. */
export async function selectProjectsWithLimitEvent(
  database: Database,
  project_ids: string[],
  since: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ project_id: string }>`
    select distinct project_id from events
    where project_id = any(${project_ids}::text[]) and type = 'rate_limit.exceeded' and created_at > ${since}::timestamptz`.execute(
    database,
  );
  return new Set(rows.map(({ project_id }) => project_id));
}
