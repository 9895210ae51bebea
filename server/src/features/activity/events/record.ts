// Records an event. One statement, in the transaction of the change, inserts the event, its deliveries, their jobs and the
// audit entry, so that each exists exactly if the others do (docs/design/webhooks.md).

import type { EventData, EventKinds } from '@toolgate/contract/events/event-kind.ts';
import type { EventTypeName } from '@toolgate/contract/events/rules.ts';
import { filtersMatching } from '@toolgate/contract/events/subscription-filter.ts';
import { DELETED_MEMBER } from '@toolgate/contract/members/rules.ts';
import { eventKinds } from '@toolgate/contract/resources.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { holdMember } from '../../../database/hold-member.ts';
import { newId } from '../../../database/ids.ts';
import { prepared } from '../../../database/prepared-statement.ts';
import type { Database } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { insertNewJobs, notifyIfQueued } from '../../../queue/enqueue.ts';
import { type Actor, appendEntries, newEntry } from '../audit/append.ts';

/** The kind of a job that attempts a delivery. */
export const DELIVERY = 'delivery';

export type NewEvent = {
  id: string;
  project_id: string;
  type: string;
  payload: string;
  created_at: string;
  /** The one webhook that receives it; null: all that subscribe to its type. */
  webhook_id: string | null;
  /** Nothing happened: it is the example of its type, for that webhook. */
  is_test: boolean;
  /** The subscription filters that match its type. */
  filters: string[];
};

/** Without `before` and `after` the audit entry has `data` as one of them: `before` for a deletion. Never a secret. */
type Change<Type, Data> = {
  type: Type;
  target_id: string;
  data: Data;
  before?: object | null;
  after?: object | null;
};

export type EventChange<K extends EventKinds> = { [T in keyof K & string]: Change<T, EventData<K, T>> }[keyof K &
  string];

type ProjectRef = { id: string; organization_id: string };

/**
 * The functions by which a feature records what it declared: its event kinds `K`, and changes `A` that have an audit entry
 * but no event.
 */
export function recorderOf<K extends EventKinds, A extends string = never>(kinds: K) {
  return {
    newEvent<T extends keyof K & string>(
      app: App,
      project_id: string,
      type: T,
      data: EventData<K, T>,
      webhook_id: string | null = null,
    ): NewEvent {
      return makeEvent(app, project_id, type, data as object, webhook_id);
    },

    /** For every operation that changes something, inside its transact(). `project` if it is not the caller's own. */
    recordChange(app: App, actor: Actor, change: EventChange<K> | Change<A, object>, project?: ProjectRef) {
      return recordAll(app, actor, [change as Change<string, object>], { kinds, project });
    },

    /** The same for many changes in one statement: each has its own event and audit entry. */
    recordChanges(app: App, actor: Actor, changes: (EventChange<K> | Change<A, object>)[], project?: ProjectRef) {
      return recordAll(app, actor, changes as Change<string, object>[], { kinds, project });
    },
  };
}

async function recordAll(
  app: App,
  actor: Actor,
  changes: Change<string, object>[],
  { kinds, project }: { kinds: EventKinds; project: ProjectRef | undefined },
): Promise<void> {
  const [first] = changes;
  if (!first) return;
  requireTransaction(app, first.type);
  const { id, organization_id } = project ?? projectOf(actor as Caller);
  await refuseDeletedMember(app, actor);
  const entries = changes.map((change) => {
    const { type, target_id, data } = change;
    const isDeletion = type.endsWith('.deleted');
    const { before = isDeletion ? data : null, after = isDeletion ? null : data } = change;
    return newEntry(app, actor, { id, organization_id }, { action: type, target_id, before, after });
  });
  const events = changes
    .filter(({ type }) => Object.hasOwn(kinds, type))
    .map(({ type, data }) => makeEvent(app, id, type, data, null));
  // The text of the statement is always the same for one change with its event.
  const name = entries.length === 1 && events.length === 1 ? { name: 'record_change' } : {};
  await insert(app.database, events, { entries: appendEntries(app.audit_key, entries), ...name });
  if (events.length > 0) app.job_notifier.notify(DELIVERY);
}

/** A member who was deleted since the request arrived must not be named in the entry, nor as the creator of something. */
async function refuseDeletedMember({ database }: App, actor: Actor): Promise<void> {
  if (actor === 'system' || actor.kind !== 'member' || actor.member_id === DELETED_MEMBER) return;
  if (!(await holdMember(database, actor.member_id))) throw refuse.invalidApiKey();
}

/** An event that tries one webhook: the example of its type, of whichever feature declares it. */
export function newTestEvent(app: App, project_id: string, type: EventTypeName, webhook_id: string): NewEvent {
  const { example } = eventKinds[type];
  return { ...makeEvent(app, project_id, type, example, webhook_id), is_test: true };
}

/** For events without an audit entry. */
export async function recordEvent(app: App, event: NewEvent): Promise<void> {
  requireTransaction(app, event.type);
  await insert(app.database, [event], { name: 'record_event' });
  app.job_notifier.notify(DELIVERY);
}

/** For a batch of events outside of a transaction. Recording the same events again changes nothing. */
export async function recordEvents(database: Database, events: NewEvent[]): Promise<void> {
  await insert(database, events, { end: notifyIfQueued(DELIVERY), name: 'record_events' });
}

function makeEvent(app: App, project_id: string, type: string, data: object, webhook_id: string | null): NewEvent {
  const id = newId('evt');
  const created_at = new Date(app.now()).toISOString();
  const payload = JSON.stringify({ id, type, timestamp: created_at, project_id, data });
  return { id, project_id, type, payload, created_at, webhook_id, is_test: false, filters: filtersMatching(type) };
}

function requireTransaction({ database }: App, type: string): void {
  if (!database.isTransaction) throw new Error(`${type} must be recorded in the transaction of its change`);
}

/** The id is derived, so that an event has at most one delivery to a webhook. For the tables `event` and `webhooks`. */
export const deliveryId = `
  'dlv_' || left(translate(encode(sha256(convert_to(event.id || webhooks.id, 'UTF8')), 'base64'), '+/=', ''), 22)`;

/** Selects the jobs of the CTE `new_deliveries`. Deliveries of one webhook share one concurrency key, and the fairness key of their project. */
export const deliveryJobs = `
  select '${DELIVERY}'::text, made.id, projects.fairness_key, made.webhook_id, made.created_at
  from new_deliveries as made join projects on projects.id = made.project_id`;

/**
 * CTEs that record the rows of the CTE `event_rows`, whose columns are those of a NewEvent. The CTE `queued` has the jobs. A member
 * who was deleted since the event happened is left out.
 * Text without parameters, so that it can be part of a prepared statement.
 */
export const insertEventRows = `new_events as (
  insert into events (id, project_id, type, payload, created_at, is_test)
  select id, project_id, type, case when is_test then payload else without_deleted_members(payload) end, created_at, is_test
  from event_rows
  on conflict do nothing
  returning id
), new_deliveries as (
  insert into deliveries (id, project_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at)
  select ${deliveryId}, event.project_id, webhooks.id, event.id, event.type, 'pending', event.created_at, event.created_at
  from new_events join event_rows as event using (id) join webhooks on webhooks.project_id = event.project_id
  where case when event.webhook_id is null
    then webhooks.is_enabled and webhooks.events && event.filters
    else webhooks.id = event.webhook_id
  end
  returning id, project_id, webhook_id, created_at
), ${insertNewJobs(deliveryJobs)}`;

async function insert(
  database: Database,
  events: NewEvent[],
  {
    entries,
    end = sql`select`,
    name,
  }: { entries?: RawBuilder<unknown>; end?: RawBuilder<unknown>; name?: string } = {},
): Promise<void> {
  const parts = events.length > 0 ? [eventRows(events), sql.raw(insertEventRows)] : [];
  if (entries) parts.push(entries);
  await sql`${name ? prepared(name) : sql``}with ${sql.join(parts)} ${end}`.execute(database);
}

function eventRows(events: NewEvent[]): RawBuilder<unknown> {
  const list = (value: (event: NewEvent) => string | null) => sql`${events.map(value)}::text[]`;
  return sql`event_rows (id, project_id, type, payload, created_at, webhook_id, filters, is_test) as (
    select id, project_id, type, payload, created_at::timestamptz, webhook_id, string_to_array(filters, ' '), is_test
    from unnest(${list(({ id }) => id)}, ${list(({ project_id }) => project_id)}, ${list(({ type }) => type)},
      ${list(({ payload }) => payload)}, ${list(({ created_at }) => created_at)},
      ${list(({ webhook_id }) => webhook_id)}, ${list(({ filters }) => filters.join(' '))},
      ${events.map(({ is_test }) => is_test)}::boolean[])
      as event (id, project_id, type, payload, created_at, webhook_id, filters, is_test)
  )`;
}
