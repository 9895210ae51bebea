// SQL of upload tickets.

import { sql } from 'kysely';
import type { Database, Row } from '../../../database/tables.ts';

export type TicketRow = Row<'upload_tickets'>;

const columns = [
  'file_id',
  'project_id',
  'owner_id',
  'member_id',
  'tool_name',
  'argument',
  'call_hash',
  'needs_sign_in',
  'used_at',
  'created_at',
  'expires_at',
] as const;

export type TicketOfCall = Pick<TicketRow, 'project_id' | 'owner_id' | 'call_hash'>;
type Owner = Pick<TicketRow, 'project_id' | 'owner_id'>;

const timeOf = (now: number) => new Date(now).toISOString();

/** Until the end of the transaction no ticket is added for this owner. */
export async function lockTickets(database: Database, { project_id, owner_id }: Owner): Promise<void> {
  const name = `uploads ${project_id} ${owner_id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(database);
}

const open = (database: Database, { project_id, owner_id }: Owner, after: number) =>
  database
    .selectFrom('upload_tickets')
    .where('project_id', '=', project_id)
    .where('owner_id', '=', owner_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', timeOf(after));

/** Not used, and valid for longer than until then. */
export const selectOpenTicket = (database: Database, call: TicketOfCall, until: number) =>
  open(database, call, until)
    .select(columns)
    .where('call_hash', '=', call.call_hash)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function countOpenTickets(database: Database, owner: Owner, now: number): Promise<number> {
  const { count } = await open(database, owner, now)
    .select((of) => of.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertTicket = (database: Database, ticket: Omit<TicketRow, 'used_at' | 'created_at'>) =>
  database.insertInto('upload_tickets').values(ticket).returning(columns).executeTakeFirstOrThrow();

/** Of the file that was uploaded for the call, the newest one. */
export const selectUsedTicket = (database: Database, call: TicketOfCall) =>
  database
    .selectFrom('upload_tickets')
    .select('file_id')
    .where('project_id', '=', call.project_id)
    .where('owner_id', '=', call.owner_id)
    .where('call_hash', '=', call.call_hash)
    .where('used_at', 'is not', null)
    .orderBy('used_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** By the id alone, which is random: the link names no project. Undefined once it has expired. */
export const selectLinkedTicket = (database: Database, file_id: string, now: number) =>
  database
    .selectFrom('upload_tickets')
    .select(columns)
    .where('file_id', '=', file_id)
    .where('expires_at', '>', timeOf(now))
    .executeTakeFirst();

/** Returns whether it could still be used. */
export async function useTicket(database: Database, { project_id, file_id }: TicketRow, now: number) {
  const row = await database
    .updateTable('upload_tickets')
    .set({ used_at: timeOf(now) })
    .where('project_id', '=', project_id)
    .where('file_id', '=', file_id)
    .where('used_at', 'is', null)
    .returning('file_id')
    .executeTakeFirst();
  return row !== undefined;
}
