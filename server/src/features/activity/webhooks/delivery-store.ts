// SQL of deliveries and their attempts.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database, Row } from '../../../database/tables.ts';
import { enqueueFromSelect } from '../../../queue/enqueue.ts';
import { DELIVERY, deliveryId, deliveryJobs } from '../events/record.ts';
import { type DeliveryRow, deliveryColumns } from './delivery.ts';

const ATTEMPTS_SHOWN = 100;

export type DeliveryFilter = {
  status?: DeliveryRow['status'] | undefined;
  event_type?: string | undefined;
  event_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** Found by the primary key of the attempts: one row for each delivery of a page. */
const lastAttempt = (delivery: string) =>
  sql<DeliveryRow['last_attempt']>`(
    select json_build_object('status', a.status, 'error', a.error, 'duration_ms', a.duration_ms)
    from delivery_attempts a
    where a.project_id = ${sql.ref(`${delivery}.project_id`)} and a.delivery_id = ${sql.ref(`${delivery}.id`)}
    order by a.number desc limit 1
  )`.as('last_attempt');

const isTest = sql<boolean>`(
    select e.is_test from events e where e.project_id = deliveries.project_id and e.id = deliveries.event_id
  )`.as('is_test');

export async function pageOfDeliveries(
  database: Database,
  project_id: string,
  webhook_id: string,
  { status, event_type, event_id, from, to }: DeliveryFilter,
  query: PageQuery,
) {
  let deliveries = database
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .select([lastAttempt('deliveries'), isTest])
    .where('project_id', '=', project_id)
    .where('webhook_id', '=', webhook_id);
  if (status !== undefined) deliveries = deliveries.where('status', '=', status);
  if (event_type !== undefined) deliveries = deliveries.where('event_type', '=', event_type);
  if (event_id !== undefined) deliveries = deliveries.where('event_id', '=', event_id);
  if (from !== undefined) deliveries = deliveries.where('created_at', '>=', from);
  if (to !== undefined) deliveries = deliveries.where('created_at', '<', to);
  return readPage(deliveries, 'deliveries', query);
}

export async function selectDelivery(database: Database, project_id: string, webhook_id: string, id: string) {
  return database
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select([...deliveryColumns.map((column) => `d.${column}` as const), 'e.payload as request_body'])
    .select([lastAttempt('d'), 'e.is_test'])
    .where('d.project_id', '=', project_id)
    .where('d.webhook_id', '=', webhook_id)
    .where('d.id', '=', id)
    .executeTakeFirst();
}

export async function selectAttempts(database: Database, project_id: string, delivery_id: string) {
  return database
    .selectFrom('delivery_attempts')
    .select([
      'number',
      'started_at',
      'duration_ms',
      'request_headers',
      'status',
      'error',
      'response_headers',
      'response_body',
      'truncated',
      'next_attempt_at',
    ])
    .where('project_id', '=', project_id)
    .where('delivery_id', '=', delivery_id)
    .orderBy('number', 'desc')
    .limit(ATTEMPTS_SHOWN)
    .execute();
}

/** The first attempt of a new round of the schedule is due now. */
const newRound = (now: string) =>
  sql`status = 'pending', step = 0, next_attempt_at = ${now}::timestamptz, finished_at = null`;

export async function restartDelivery(
  database: Database,
  { project_id, webhook_id }: { project_id: string; webhook_id: string },
  id: string,
  now: string,
): Promise<void> {
  await sql`
    update deliveries set ${newRound(now)}
    where project_id = ${project_id} and webhook_id = ${webhook_id} and id = ${id}`.execute(database);
}

type Recovery = { since: string; now: string; limit: number };
/** `not_before`: of older events the delivery log may be deleted, so that a delivery could be repeated. */
type MissedRecovery = Recovery & { not_before: string; event_types: string[] };

/** Restarts deliveries that failed since then. Returns how many, at most `limit`. Locks jobs before deliveries, as workers do. */
export async function restartFailed(
  database: Database,
  { project_id, webhook_id }: { project_id: string; webhook_id: string },
  { since, now, limit }: Recovery,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with failed as (
      select id, project_id, webhook_id from deliveries
      where project_id = ${project_id} and webhook_id = ${webhook_id} and status = 'failed'
        and created_at >= ${since}::timestamptz
      order by created_at, id limit ${limit}
    ), ${enqueueFromSelect(sql`
      select ${DELIVERY}::text, failed.id, p.fairness_key, webhook_id, ${now}::timestamptz
      from failed join projects p on p.id = project_id order by failed.id`)}
    update deliveries set ${newRound(now)} where id in (select subject from queued) and status = 'failed'`.execute(
    database,
  );
  return Number(numAffectedRows ?? 0n);
}

/** Creates the deliveries that this webhook missed since then because it was disabled. Returns how many. */
export async function deliverMissed(
  database: Database,
  { project_id, webhook_id }: { project_id: string; webhook_id: string },
  { since, not_before, event_types, now, limit }: MissedRecovery,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with new_deliveries as (
      insert into deliveries (id, project_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at)
      select ${sql.raw(deliveryId)}, event.project_id, webhooks.id, event.id, event.type, 'pending', ${now}::timestamptz,
        event.created_at
      from webhooks join events as event on event.project_id = webhooks.project_id
      where webhooks.project_id = ${project_id} and webhooks.id = ${webhook_id} and event.type = any(${event_types}::text[])
        and not event.is_test
        and event.created_at >= greatest(${since}::timestamptz, ${not_before}::timestamptz, webhooks.created_at)
        and not exists (select from deliveries as made where made.webhook_id = webhooks.id and made.event_id = event.id)
      order by event.created_at, event.id limit ${limit}
      on conflict do nothing
      returning id, project_id, webhook_id, created_at
    ), ${enqueueFromSelect(sql.raw(deliveryJobs))}
    select count(*) as count from queued`.execute(database);
  return rows[0]?.count ?? 0;
}

/** A delivery with what its next attempt needs beside the webhook itself (receivers.ts). */
export type Outgoing = Pick<
  Row<'deliveries'>,
  'id' | 'project_id' | 'webhook_id' | 'event_id' | 'event_type' | 'attempt_count' | 'step'
> &
  Pick<Row<'webhooks'>, 'failing_since'> &
  Pick<Row<'events'>, 'payload' | 'is_test'>;

/** For a batch. A delivery that is no longer pending is left out. */
export async function selectOutgoing(database: Database, ids: string[]): Promise<Outgoing[]> {
  const { rows } = await sql<Outgoing>`
    select d.id, d.project_id, d.webhook_id, d.event_id, d.event_type, d.attempt_count, d.step, w.failing_since, e.payload,
      e.is_test
    from deliveries d join events e on e.id = d.event_id join webhooks w on w.id = d.webhook_id
    where d.id = any(${ids}::text[]) and d.status = 'pending'`.execute(database);
  return rows;
}

export type Attempted = {
  id: string;
  status: DeliveryRow['status'];
  step: number;
  next_attempt_at: string | null;
  finished_at: string | null;
  attempt: Omit<Row<'delivery_attempts'>, 'delivery_id' | 'next_attempt_at'> | null;
};

/** Stores a batch of attempts. A delivery that was deleted meanwhile is skipped. */
export async function insertAttempts(database: Database, attempted: Attempted[]): Promise<void> {
  const list = (type: string, value: (each: Attempted) => unknown) => sql`${attempted.map(value)}::${sql.raw(type)}[]`;
  const ofAttempt = (type: string, name: keyof NonNullable<Attempted['attempt']>) =>
    list(type, ({ attempt }) => attempt?.[name] ?? null);
  await sql`
    with given as (
      select * from unnest(
        ${list('text', ({ id }) => id)}, ${list('text', ({ status }) => status)}, ${list('integer', ({ step }) => step)},
        ${list('timestamptz', (each) => each.next_attempt_at)}, ${list('timestamptz', (each) => each.finished_at)},
        ${ofAttempt('integer', 'number')}, ${ofAttempt('timestamptz', 'started_at')},
        ${ofAttempt('integer', 'duration_ms')}, ${list('text', (each) => JSON.stringify(each.attempt?.request_headers))},
        ${ofAttempt('integer', 'status')}, ${ofAttempt('text', 'error')},
        ${list('text', ({ attempt }) => attempt?.response_headers && JSON.stringify(attempt.response_headers))}, ${ofAttempt('text', 'response_body')},
        ${ofAttempt('boolean', 'truncated')}
      ) as given (id, status, step, next_attempt_at, finished_at, number, started_at, duration_ms, request_headers,
        answer_status, error, response_headers, response_body, truncated)
    ), updated as (
      update deliveries set status = given.status, step = given.step, next_attempt_at = given.next_attempt_at,
        finished_at = given.finished_at, attempt_count = attempt_count + (given.number is not null)::integer
      from given where deliveries.id = given.id
      returning deliveries.id, deliveries.project_id, deliveries.is_erased
    )
    insert into delivery_attempts (delivery_id, number, project_id, started_at, duration_ms, request_headers, status,
      error, response_headers, response_body, truncated, next_attempt_at)
    select id, number, updated.project_id, started_at, duration_ms, request_headers::json, answer_status, error,
      case when not is_erased then response_headers::json end, case when not is_erased then response_body end, truncated,
      next_attempt_at
    from given join updated using (id) where number is not null`.execute(database);
}

/** The deliveries of these events keep no response from now on. Returns their ids. */
export async function markErased(database: Database, event_ids: string[]): Promise<string[]> {
  const rows = await database
    .updateTable('deliveries')
    .set({ is_erased: true })
    .where('event_id', 'in', event_ids)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function eraseResponses(database: Database, delivery_ids: string[]): Promise<void> {
  if (delivery_ids.length === 0) return;
  await database
    .updateTable('delivery_attempts')
    .set({ response_headers: null, response_body: null })
    .where('delivery_id', 'in', delivery_ids)
    .execute();
}

/** After repeated internal errors: the delivery fails visibly, and its owner can redeliver it. */
export async function abandonDeliveries(database: Database, ids: string[], now: string): Promise<void> {
  await sql`
    with ended as (
      update deliveries set status = 'failed', next_attempt_at = null, finished_at = ${now}::timestamptz,
        attempt_count = attempt_count + 1
      where id = any(${ids}::text[]) and status = 'pending'
      returning id, project_id, attempt_count
    )
    insert into delivery_attempts (delivery_id, number, project_id, started_at, duration_ms, request_headers, error,
      truncated)
    select id, attempt_count, project_id, ${now}::timestamptz, 0, '{}', 'internal', false from ended`.execute(database);
}
