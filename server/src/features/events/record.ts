// Says that something happened. A change, its event, the deliveries of that event, their jobs and the audit entry are one
// transaction, and all but the change itself one statement of it: each exists exactly if the others do.

import { type RawBuilder, sql } from 'kysely';
import { projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import type { Database } from '../../database/tables.ts';
import { enqueueText, notifyIfQueued } from '../../queue/enqueue.ts';
import { type Actor, type AuditAction, appendEntry, newEntry } from '../audit/append.ts';
import { deliveryJobs, fanOut } from '../webhooks/fan-out.ts';
import { type EventData, type EventType, isEventType } from './catalogue.ts';

type Told = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

/** Without `before` and `after` the audit log keeps the data: as what came, or as what went. Never a secret. */
export type Change = (Told | { type: AuditAction; data: object }) & {
  target_id: string;
  before?: object | null;
  after?: object | null;
};

type ProjectRef = { id: string; organization_id: string };

export type NewEvent = {
  id: string;
  project_id: string;
  type: EventType;
  payload: string;
  created_at: string;
  /** Only for this webhook; null: for all that hear its kind. */
  webhook_id: string | null;
};

/** For every verb that changes something, inside its transact(). `project` where it is not the caller's own. */
export async function recordChange(app: App, actor: Actor, change: Change, project?: ProjectRef): Promise<void> {
  const of = project ?? projectOf(actor as Exclude<Actor, 'system'>);
  const { type, target_id, data } = change;
  const isEnd = type.endsWith('.deleted');
  const { before = isEnd ? data : null, after = isEnd ? null : data } = change;
  const entry = newEntry(app, actor, of, { action: type, target_id, before, after });
  const events = isEventType(type) ? [newEvent(app, of.id, type, data)] : [];
  if (!app.database.isTransaction) throw new Error(`${type} must be recorded in the transaction of its change`);
  await write(app.database, events, appendEntry(app.audit_key, entry), sql`select`);
  if (events.length > 0) app.job_notifier.notify();
}

/** For events that no audit entry goes with. */
export async function recordEvent(app: App, event: NewEvent): Promise<void> {
  if (!app.database.isTransaction) throw new Error(`${event.type} must be recorded in the transaction of its change`);
  await write(app.database, [event], null, sql`select`);
  app.job_notifier.notify();
}

/** For many at once; recording them again changes nothing. */
export async function recordEvents(database: Database, events: NewEvent[]): Promise<void> {
  await write(database, events, null, notifyIfQueued);
}

export function newEvent(
  app: App,
  project_id: string,
  type: EventType,
  data: object,
  webhook_id: string | null = null,
): NewEvent {
  const id = newId('evt');
  const created_at = new Date(app.now()).toISOString();
  const payload = JSON.stringify({ id, type, timestamp: created_at, project_id, data });
  return { id, project_id, type, payload, created_at, webhook_id };
}

/** The parts of a statement that record the events which its part `given` holds; `queued` has the jobs that makes. */
export const recordGiven = `new_events as (
  insert into events (id, project_id, type, payload, created_at)
  select id, project_id, type, payload, created_at from given
  on conflict (id) do nothing
), ${fanOut}, ${enqueueText(deliveryJobs)}`;

async function write(
  database: Database,
  events: NewEvent[],
  entry: RawBuilder<unknown> | null,
  end: RawBuilder<unknown>,
): Promise<void> {
  const parts = entry ? [entry] : [];
  if (events.length > 0) parts.unshift(listEvents(events), sql.raw(recordGiven));
  await sql`with ${sql.join(parts)} ${end}`.execute(database);
}

function listEvents(events: NewEvent[]): RawBuilder<unknown> {
  const list = (name: keyof NewEvent) => sql`${events.map((event) => event[name])}::text[]`;
  return sql`given (id, project_id, type, payload, created_at, webhook_id) as (
    select id, project_id, type, payload, created_at::timestamptz, webhook_id
    from unnest(${list('id')}, ${list('project_id')}, ${list('type')}, ${list('payload')}, ${list('created_at')},
      ${list('webhook_id')}) as event (id, project_id, type, payload, created_at, webhook_id)
  )`;
}
