// SQL of deliveries and their attempts.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../database/page.ts';
import type { Database, Row } from '../../database/tables.ts';
import { enqueueFrom } from '../../queue/enqueue.ts';
import { type DeliveryRow, deliveryColumns } from './delivery.ts';
import { DELIVERY, deliveryId, deliveryJobs } from './fan-out.ts';

const ATTEMPTS_SHOWN = 100;

export type DeliveryFilter = {
  status?: DeliveryRow['status'] | undefined;
  event_type?: string | undefined;
  event_id?: string | undefined;
};

export async function pageOfDeliveries(
  database: Database,
  project_id: string,
  webhook_id: string,
  { status, event_type, event_id }: DeliveryFilter,
  query: PageQuery,
) {
  let deliveries = database
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('project_id', '=', project_id)
    .where('webhook_id', '=', webhook_id);
  if (status !== undefined) deliveries = deliveries.where('status', '=', status);
  if (event_type !== undefined) deliveries = deliveries.where('event_type', '=', event_type);
  if (event_id !== undefined) deliveries = deliveries.where('event_id', '=', event_id);
  return readPage(deliveries, 'deliveries', query);
}

export async function selectDelivery(database: Database, project_id: string, webhook_id: string, id: string) {
  return database
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select([...deliveryColumns.map((column) => `d.${column}` as const), 'e.payload as request_body'])
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
      'response_body',
      'is_truncated',
      'next_attempt_at',
    ])
    .where('project_id', '=', project_id)
    .where('delivery_id', '=', delivery_id)
    .orderBy('number', 'desc')
    .limit(ATTEMPTS_SHOWN)
    .execute();
}

/** A new round of the schedule, beginning now. */
const afresh = (now: string) =>
  sql`status = 'pending', step = 0, next_attempt_at = ${now}::timestamptz, finished_at = null`;

export async function restartDelivery(
  database: Database,
  { project_id, webhook_id }: { project_id: string; webhook_id: string },
  id: string,
  now: string,
): Promise<void> {
  await sql`
    update deliveries set ${afresh(now)}
    where project_id = ${project_id} and webhook_id = ${webhook_id} and id = ${id}`.execute(database);
}

type Recovery = { since: string; now: string; limit: number };
/** Of what is older the log may be gone: nobody knows any more whether it arrived. */
type BoundRecovery = Recovery & { not_before: string };

/** Sends again what failed since then. Answers how many, at most `limit`. The jobs come first: that is their order. */
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
    ), ${enqueueFrom(sql`
      select ${DELIVERY}::text, failed.id, p.quota_group_id, webhook_id, ${now}::timestamptz
      from failed join projects p on p.id = project_id order by failed.id`)}
    update deliveries set ${afresh(now)} where id in (select subject from queued) and status = 'failed'`.execute(
    database,
  );
  return Number(numAffectedRows ?? 0n);
}

/** Sends what this webhook should have got since then and was never sent, as it was off. Answers how many. */
export async function deliverMissed(
  database: Database,
  { project_id, webhook_id }: { project_id: string; webhook_id: string },
  { since, not_before, now, limit }: BoundRecovery,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with new_deliveries as (
      insert into deliveries (id, project_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at)
      select ${sql.raw(deliveryId)}, given.project_id, webhooks.id, given.id, given.type, 'pending', ${now}::timestamptz,
        given.created_at
      from webhooks join events as given on given.project_id = webhooks.project_id
      where webhooks.project_id = ${project_id} and webhooks.id = ${webhook_id} and given.type <> 'ping'
        and given.created_at >= greatest(${since}::timestamptz, ${not_before}::timestamptz, webhooks.created_at)
        and webhooks.events && array['*', split_part(given.type, '.', 1) || '.*', given.type]
        and not exists (select from deliveries as made where made.webhook_id = webhooks.id and made.event_id = given.id)
      order by given.created_at, given.id limit ${limit}
      on conflict (id) do nothing
      returning id, project_id, webhook_id, created_at
    ), ${enqueueFrom(sql.raw(deliveryJobs))}
    select count(*) as count from queued`.execute(database);
  return rows[0]?.count ?? 0;
}

export type Outgoing = Pick<
  Row<'deliveries'>,
  'id' | 'project_id' | 'webhook_id' | 'event_id' | 'event_type' | 'attempt_count' | 'step'
> &
  Pick<
    Row<'webhooks'>,
    'url' | 'events' | 'is_enabled' | 'failing_since' | 'secret' | 'previous_secret' | 'previous_secret_ends_at'
  > &
  Pick<Row<'projects'>, 'quota_group_id'> &
  Pick<Row<'events'>, 'payload'> & { is_project_deleted: boolean };

/** All that the attempts need, for a whole batch. What is no longer pending needs none. */
export async function selectOutgoing(database: Database, ids: string[]): Promise<Outgoing[]> {
  const { rows } = await sql<Outgoing>`
    select d.id, d.project_id, d.webhook_id, d.event_id, d.event_type, d.attempt_count, d.step, e.payload, w.url,
      w.events, w.is_enabled, w.failing_since, w.secret, w.previous_secret, w.previous_secret_ends_at, p.quota_group_id,
      p.deleted_at is not null as is_project_deleted
    from deliveries d join events e on e.id = d.event_id join webhooks w on w.id = d.webhook_id
      join projects p on p.id = d.project_id
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

/** Writes down a batch of attempts. A delivery that was deleted meanwhile is passed over. */
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
        ${ofAttempt('integer', 'status')}, ${ofAttempt('text', 'error')}, ${ofAttempt('text', 'response_body')},
        ${ofAttempt('boolean', 'is_truncated')}
      ) as given (id, status, step, next_attempt_at, finished_at, number, started_at, duration_ms, request_headers,
        answer_status, error, response_body, is_truncated)
    ), updated as (
      update deliveries set status = given.status, step = given.step, next_attempt_at = given.next_attempt_at,
        finished_at = given.finished_at, attempt_count = attempt_count + (given.number is not null)::integer
      from given where deliveries.id = given.id
      returning deliveries.id, deliveries.project_id
    )
    insert into delivery_attempts (delivery_id, number, project_id, started_at, duration_ms, request_headers, status,
      error, response_body, is_truncated, next_attempt_at)
    select id, number, updated.project_id, started_at, duration_ms, request_headers::json, answer_status, error,
      response_body, is_truncated, next_attempt_at
    from given join updated using (id) where number is not null`.execute(database);
}

/** We could not even try, again and again: that ends as a failure which its owner sees, and can redeliver. */
export async function abandonDeliveries(database: Database, ids: string[], now: string): Promise<void> {
  await sql`
    with ended as (
      update deliveries set status = 'failed', next_attempt_at = null, finished_at = ${now}::timestamptz,
        attempt_count = attempt_count + 1
      where id = any(${ids}::text[]) and status = 'pending'
      returning id, project_id, attempt_count
    )
    insert into delivery_attempts (delivery_id, number, project_id, started_at, duration_ms, request_headers, error,
      is_truncated)
    select id, attempt_count, project_id, ${now}::timestamptz, 0, '{}', 'internal', false from ended`.execute(database);
}

export async function removeDeliveriesBefore(database: Database, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deliveries where id in (
      select id from deliveries where status <> 'pending' and created_at < ${before}::timestamptz
      order by created_at limit ${limit}
    )`.execute(database);
  return Number(numAffectedRows ?? 0n);
}
