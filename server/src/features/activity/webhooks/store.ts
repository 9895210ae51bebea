// SQL of webhooks.

import { type RawBuilder, sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import { prepared } from '../../../database/prepared-statement.ts';
import type { Change, Database, Row } from '../../../database/tables.ts';
import { type WebhookRow, webhookColumns } from './webhook.ts';

const secretColumns = ['secret', 'previous_secret', 'previous_secret_ends_at', 'headers', 'header_names'] as const;

export async function insertWebhook(
  database: Database,
  webhook: Pick<
    Row<'webhooks'>,
    | 'id'
    | 'project_id'
    | 'url'
    | 'events'
    | 'description'
    | 'is_enabled'
    | 'secret'
    | 'headers'
    | 'header_names'
    | 'certificate_id'
    | 'created_by'
  >,
): Promise<WebhookRow> {
  return database.insertInto('webhooks').values(webhook).returning(webhookColumns).executeTakeFirstOrThrow();
}

/** Webhooks of a project are created one after the other. Events can be recorded meanwhile. */
export async function lockForCreation(database: Database, project_id: string): Promise<void> {
  await database.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute();
}

export async function countWebhooks(database: Database, project_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('webhooks')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  return count;
}

export async function pageOfWebhooks(database: Database, project_id: string, query: PageQuery) {
  return readPage(
    database.selectFrom('webhooks').select(webhookColumns).where('project_id', '=', project_id),
    'webhooks',
    query,
  );
}

export async function selectWebhook(
  database: Database,
  project_id: string,
  id: string,
): Promise<WebhookRow | undefined> {
  return database
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Events can be recorded for it meanwhile: the foreign key of a delivery needs a weaker lock. */
export async function lockWebhook(database: Database, project_id: string, id: string) {
  return database
    .selectFrom('webhooks')
    .select([...webhookColumns, 'secret', 'headers'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type ReceiverRow = Pick<
  Row<'webhooks'>,
  | 'id'
  | 'url'
  | 'events'
  | 'is_enabled'
  | 'secret'
  | 'previous_secret'
  | 'previous_secret_ends_at'
  | 'headers'
  | 'certificate_id'
> &
  Pick<Row<'projects'>, 'fairness_key'> & { is_project_deleted: boolean };

export async function selectReceivers(database: Database, project_id: string): Promise<ReceiverRow[]> {
  const { rows } = await sql<ReceiverRow>`${prepared('webhook_receivers')}
    select w.id, w.url, w.events, w.is_enabled, w.secret, w.previous_secret, w.previous_secret_ends_at, w.headers, w.certificate_id,
      p.fairness_key, p.deleted_at is not null as is_project_deleted
    from webhooks w join projects p on p.id = w.project_id
    where w.project_id = ${project_id}`.execute(database);
  return rows;
}

export async function updateWebhookRow(
  database: Database,
  project_id: string,
  id: string,
  change: Change<
    'webhooks',
    | 'url'
    | 'events'
    | 'certificate_id'
    | 'description'
    | 'is_enabled'
    | 'disabled_reason'
    | 'failing_since'
    | 'last_failed_at'
  > &
    Change<'webhooks', (typeof secretColumns)[number]>,
): Promise<WebhookRow> {
  return database
    .updateTable('webhooks')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning(webhookColumns)
    .executeTakeFirstOrThrow();
}

export async function deleteWebhookRow(database: Database, project_id: string, id: string): Promise<void> {
  await database.deleteFrom('webhooks').where('project_id', '=', project_id).where('id', '=', id).execute();
}

/** After a delivery succeeded. */
export async function markHealthy(database: Database, webhook_ids: string[]): Promise<void> {
  await sql`
    update webhooks set failing_since = null, last_failed_at = null
    where id in (${locked(webhook_ids, sql`failing_since is not null`)})`.execute(database);
}

/** After a delivery failed. A failure more than 48 hours after the last one starts a new count. Returns the enabled ones. */
export async function markFailing(
  database: Database,
  webhook_ids: string[],
  now: string,
): Promise<Pick<Row<'webhooks'>, 'id' | 'project_id' | 'failing_since'>[]> {
  const { rows } = await sql<Pick<Row<'webhooks'>, 'id' | 'project_id' | 'failing_since'>>`
    update webhooks set
      failing_since = case
        when failing_since is null or last_failed_at < ${now}::timestamptz - interval '48 hours' then ${now}::timestamptz
        else failing_since
      end,
      last_failed_at = ${now}::timestamptz
    where id in (${locked(webhook_ids, sql`is_enabled`)})
    returning id, project_id, failing_since`.execute(database);
  return rows;
}

/** Locked in the order of their ids, so that two replicas that store results at the same time cannot deadlock. */
const locked = (ids: string[], condition: RawBuilder<unknown>) =>
  sql`select id from webhooks where id = any(${ids}::text[]) and ${condition} order by id for no key update`;

/** The organization of a project, also of a deleted one. */
export async function selectOrganization(database: Database, project_id: string): Promise<string> {
  const { organization_id } = await database
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow();
  return organization_id;
}
