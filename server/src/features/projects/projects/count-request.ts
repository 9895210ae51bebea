// Counts one request against the limit of its quota group, or of the person who made it. REST and MCP count here: each HTTP request, and over MCP each
// message of a batch.

import { requestsPerHour } from '@toolgate/contract/projects/plans.ts';
import type { AccountCaller, Project } from '../../../access/caller.ts';
import { type RateLimitStatus, rateLimitStatus } from '../../../api/response-headers.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import type { RateLimitDecision } from '../../../limits/limits.ts';
import { whenReady } from '../../../when-ready.ts';
import { rateLimitedCounts } from '../../activity/analytics/rate-limited-counts.ts';
import { bufferHourlyEvent } from '../../activity/events/buffer-event.ts';
import { newEvent } from './project.ts';

type CountResult = {
  allowed: boolean;
  status: RateLimitStatus;
  /** Whose limit it is, if it is not the project's. */
  reason?: 'account_requests_per_hour' | 'test_calls_per_hour';
};

/**
 * Sets `request.rate_limit`, from which the rate limit headers are written. Synchronous when the counts are in the memory of
 * this process.
 */
export function countRequest(
  app: App,
  project: Project,
  request: { rate_limit: RateLimitStatus | null },
): CountResult | Promise<CountResult> {
  const now = app.now();
  const finish = (decision: RateLimitDecision): CountResult => {
    const status = rateLimitStatus(decision);
    request.rate_limit = status;
    if (!decision.allowed) app.interval_counts.add(rateLimitedCounts, { project_id: project.id }, now);
    if (decision.is_first_refusal) {
      const data = { requests_per_hour: decision.limit, plan: project.plan };
      bufferHourlyEvent(app, newEvent(app, project.id, 'rate_limit.exceeded', data));
    }
    return { allowed: decision.allowed, status };
  };
  return whenReady(app.limits.take(project.quota_group_id, requestsPerHour(project), now), finish);
}

/** Requests in any 60 minutes. They do not count against the projects that the person looks at. */
const ACCOUNT_REQUESTS_PER_HOUR = 10_000;

export function countAccountRequest(
  app: App,
  { account_id }: AccountCaller,
  request: { rate_limit: RateLimitStatus | null },
): CountResult | Promise<CountResult> {
  const now = app.now();
  const finish = (decision: RateLimitDecision): CountResult => {
    const status = rateLimitStatus(decision);
    request.rate_limit = status;
    return { allowed: decision.allowed, status, reason: 'account_requests_per_hour' };
  };
  return whenReady(app.limits.take(account_id, ACCOUNT_REQUESTS_PER_HOUR, now), finish);
}

/** Test calls may use half of the hour that the project's plan has, counted on their own (docs/design/fair-shares.md). */
const testCallsPerHour = (project: Project) => Math.max(1, Math.floor(requestsPerHour(project) / 2));

/** Counts one test call of any person against the share of the quota group. The person's own count is another. */
export async function countTestCall(app: App, project: Project): Promise<void> {
  const key = `tests of ${project.quota_group_id}`;
  const decision = await app.limits.take(key, testCallsPerHour(project), app.now());
  refuseBeyondLimit({ allowed: decision.allowed, status: rateLimitStatus(decision), reason: 'test_calls_per_hour' });
}

export function refuseBeyondLimit({ allowed, status, reason }: CountResult): void {
  if (allowed) return;
  const { limit, reset_seconds, resets_at } = status;
  throw refuse.rateLimitExceeded({
    details: {
      ...(reason && { reason }),
      limit,
      retry_after_seconds: reset_seconds,
      resets_at: new Date(resets_at * 1000).toISOString(),
    },
    headers: { 'retry-after': String(reset_seconds) },
  });
}
