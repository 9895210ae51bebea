// One event → one delivery for each webhook that hears it, made by the statement that records the event. Text without
// parameters: it also becomes part of statements that are prepared once.

export const DELIVERY = 'delivery';

/** An event goes to every enabled webhook whose filter it passes, or to the one it names. */
const hears = `
  case when given.webhook_id is null
    then webhooks.is_enabled and webhooks.events && array['*', split_part(given.type, '.', 1) || '.*', given.type]
    else webhooks.id = given.webhook_id
  end`;

/** The same event to the same webhook is the same delivery, however often it is recorded. */
export const deliveryId = `
  'dlv_' || left(translate(encode(sha256(convert_to(given.id || webhooks.id, 'UTF8')), 'base64'), '+/=', ''), 22)`;

/** A part of the statement in which `given` holds the events: id, project_id, type, created_at, webhook_id. */
export const fanOut = `new_deliveries as (
  insert into deliveries (id, project_id, webhook_id, event_id, event_type, status, next_attempt_at, created_at)
  select ${deliveryId}, given.project_id, webhooks.id, given.id, given.type, 'pending', given.created_at, given.created_at
  from given join webhooks on webhooks.project_id = given.project_id
  where ${hears}
  on conflict (id) do nothing
  returning id, project_id, webhook_id, created_at
)`;

/** Its jobs: a webhook is a lane of its own, in its quota group. */
export const deliveryJobs = `
  select '${DELIVERY}'::text, made.id, projects.quota_group_id, made.webhook_id, made.created_at
  from new_deliveries as made join projects on projects.id = made.project_id`;
