// One attempt to deliver an event to a webhook, and the consequences of its result (contract 8).

import { matchesFilters } from '@toolgate/contract/events/subscription-filter.ts';
import type { AttemptError } from '@toolgate/contract/webhooks/rules.ts';
import type { App } from '../../../app.ts';
import { type Certificate, type OutboundResponse, SendError } from '../../../outbound/messages.ts';
import type { JobDefinition } from '../../../queue/job-definition.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { namesOnlyMembers } from '../events/named-members.ts';
import { isAdminOnly } from '../events/readable.ts';
import { DELIVERY } from '../events/record.ts';
import { type Attempted, abandonDeliveries, insertAttempts, type Outgoing, selectOutgoing } from './delivery-store.ts';
import { disableWebhook } from './disable.ts';
import { findReceiver, type Receiver } from './receivers.ts';
import { responseHeaders } from './response-headers.ts';
import { nextAttemptAt, postponedUntil } from './retry-schedule.ts';
import { signatureHeaders } from './signature.ts';
import { markFailing, markHealthy } from './store.ts';
import { hideValues, redactResponse } from './stored-headers.ts';
import { targetOf } from './url.ts';

const TIMEOUT_MS = 15_000;
const KEPT_RESPONSE_BYTES = 20_000;
const GONE = 410;
const FAILING_FOR_MS = 5 * 86_400_000;

type Outcome = Attempted & { outgoing: Outgoing; isGone: boolean };
type UpstreamResponse = Pick<OutboundResponse, 'status' | 'head' | 'body' | 'truncated' | 'duration_ms' | 'headers'>;
type SendResult = { response: UpstreamResponse } | { error: AttemptError; duration_ms: number } | 'not sent';

export const deliveryJob: JobDefinition<App, Outgoing, Outcome> = {
  kind: DELIVERY,
  max_concurrent: 1000,
  max_per_fairness_key: 50,
  max_per_concurrency_key: 5,
  max_ahead: 50,
  async load(app, jobs) {
    const outgoing = await selectOutgoing(
      app.database,
      jobs.map(({ subject }) => subject),
    );
    return new Map(outgoing.map((each) => [each.id, each]));
  },
  run: attempt,
  saveResults,
  giveUp: (app, ids) => abandonDeliveries(app.database, ids, time(app.now())),
};

type Result = Outcome & { next_run_at: number | null };

async function attempt(app: App, outgoing: Outgoing): Promise<Result> {
  const receiver = await findReceiver(app, outgoing.project_id, outgoing.webhook_id);
  if (!receiver || !maySend(outgoing, receiver)) return withoutAttempt(outgoing, 'failed', app.now());
  // A member was deleted since the event was read: the next time it is read without them.
  if (!outgoing.is_test && !(await namesOnlyMembers(app, outgoing.payload)))
    return withoutAttempt(outgoing, 'pending', app.now());
  const started = app.now();
  const headers = await nullIfUnreadable(headersFor(app, outgoing, receiver, started));
  const reply = headers ? await post(app, outgoing, receiver, headers) : { error: 'secret' as const, duration_ms: 0 };
  if (reply === 'not sent') return withoutAttempt(outgoing, 'pending', app.now());

  const ended = app.now();
  const response = 'response' in reply ? reply.response : null;
  const isDelivered = response !== null && response.status >= 200 && response.status < 300;
  const isGone = response?.status === GONE;
  const step = outgoing.step + 1;
  const next_run_at =
    isDelivered || isGone ? null : nextAttemptAt({ step, at: ended, retry_after: response?.headers['retry-after'] });
  return {
    outgoing,
    isGone,
    id: outgoing.id,
    status: isDelivered ? 'succeeded' : next_run_at === null ? 'failed' : 'pending',
    step,
    next_run_at,
    next_attempt_at: time(next_run_at),
    finished_at: next_run_at === null ? time(ended) : null,
    attempt: {
      number: outgoing.attempt_count + 1,
      project_id: outgoing.project_id,
      started_at: time(started),
      duration_ms: response?.duration_ms ?? ('duration_ms' in reply ? reply.duration_ms : 0),
      request_headers: headers ? { ...headers.of_service, ...hideValues(headers.of_webhook) } : {},
      status: response?.status ?? null,
      error: 'error' in reply ? reply.error : null,
      response_headers: response && responseHeaders(response.head),
      response_body: response && storable(response.body),
      truncated: response?.truncated ?? false,
    },
  };
}

/** Checked before each attempt: days may have passed since the event. */
function maySend({ event_type, is_test }: Outgoing, { is_enabled, events, is_project_deleted }: Receiver): boolean {
  // Only the deletion of a deleted project is sent (docs/design/members.md).
  if (is_project_deleted && (is_test || event_type !== 'project.deleted')) return false;
  // A ping and a test try a webhook before it is enabled, and hold nothing that only admin may read.
  if (is_test || event_type === 'ping') return true;
  if (!is_enabled) return false;
  // If the filters no longer match, a key without admin may have changed the URL (docs/design/webhooks.md).
  return !isAdminOnly(event_type) || matchesFilters(events, event_type);
}

/** Nothing was sent: failed because it may not be sent any more, or postponed without using a step of the schedule. */
function withoutAttempt(outgoing: Outgoing, status: 'failed' | 'pending', now: number): Result {
  const next_run_at = status === 'failed' ? null : postponedUntil(now, outgoing.failing_since);
  return {
    outgoing,
    isGone: false,
    id: outgoing.id,
    status,
    step: outgoing.step,
    next_run_at,
    next_attempt_at: time(next_run_at),
    finished_at: next_run_at === null ? time(now) : null,
    attempt: null,
  };
}

/** A secret that cannot be opened is a failed attempt; an unreachable database is not. */
async function nullIfUnreadable<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/** Those of the webhook usually hold credentials: they are sent and not stored. With the certificate that they are sent with. */
type SentHeaders = {
  of_service: Record<string, string>;
  of_webhook: Record<string, string>;
  certificate: Certificate | null;
};

async function headersFor(app: App, outgoing: Outgoing, receiver: Receiver, now: number): Promise<SentHeaders> {
  const { secret, previous_secret, headers, certificate } = await receiver.open(app);
  const ends = receiver.previous_secret_ends_at;
  const of_service = {
    'content-type': 'application/json',
    'user-agent': 'toolgate-webhooks',
    ...(outgoing.is_test ? { 'x-webhook-test': 'true' } : {}),
    ...signatureHeaders({
      id: outgoing.event_id,
      timestamp: Math.floor(now / 1000),
      body: outgoing.payload,
      secret,
      previous_secret: ends !== null && Date.parse(ends) > now ? previous_secret : null,
    }),
  };
  return { of_service, of_webhook: headers, certificate };
}

async function post(app: App, outgoing: Outgoing, receiver: Receiver, headers: SentHeaders): Promise<SendResult> {
  const began = app.now();
  try {
    const response = await app.send({
      ...targetOf(receiver.url),
      method: 'POST',
      headers: { ...headers.of_webhook, ...headers.of_service },
      body: outgoing.payload,
      certificate: headers.certificate,
      timeout_ms: TIMEOUT_MS,
      headers_timeout_ms: TIMEOUT_MS,
      max_response_bytes: KEPT_RESPONSE_BYTES,
      // Own slots, connections and circuit breaker: a dead receiver delays neither the project's tools nor its other webhooks.
      isolation_key: receiver.fairness_key,
      isolation_part: outgoing.webhook_id,
    });
    return { response: redactResponse(response, headers.of_webhook) };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (error.kind === 'circuit_open' || error.kind === 'overloaded' || error.kind === 'aborted') return 'not sent';
    const { id: delivery_id, webhook_id, project_id } = outgoing;
    app.log.warn(
      { project_id, webhook_id, delivery_id, kind: error.kind, reason: error.reason },
      'a webhook was not reached',
    );
    // A refused, an unreachable and a forbidden address are reported alike (rules 4.9).
    return { error: error.kind === 'timeout' ? 'timeout' : 'connection', duration_ms: app.now() - began };
  }
}

/** Locks webhooks before deliveries, as the deletion of a webhook does. */
async function saveResults(app: App, outcomes: Outcome[]): Promise<void> {
  const attempted = outcomes.filter(({ attempt }) => attempt !== null);
  const ids = (some: Outcome[]) => [...new Set(some.map(({ outgoing }) => outgoing.webhook_id))];
  const healthy = ids(attempted.filter(({ status }) => status === 'succeeded'));
  const failing = ids(attempted.filter(({ status }) => status !== 'succeeded')).filter((id) => !healthy.includes(id));
  if (healthy.length > 0) await markHealthy(app.database, healthy);
  if (failing.length > 0) {
    const now = app.now();
    for (const webhook of await markFailing(app.database, failing, time(now))) {
      if (now - Date.parse(webhook.failing_since ?? '') >= FAILING_FOR_MS)
        await disableWebhook(app, webhook, 'failing');
    }
  }
  for (const { outgoing } of outcomes.filter(({ isGone }) => isGone)) {
    await disableWebhook(app, { id: outgoing.webhook_id, project_id: outgoing.project_id }, 'gone');
  }
  await insertAttempts(
    app.database,
    outcomes.map(({ outgoing: _, isGone: __, ...result }) => result),
  );
}

function time(ms: number): string;
function time(ms: number | null): string | null;
function time(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** PostgreSQL's text cannot hold NUL. */
const storable = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\u{fffd}');
