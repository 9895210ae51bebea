// Counts one request against the limit of its quota group. REST and MCP count here: each HTTP request, and over MCP each
// message of a batch.

import type { Project } from '../../access/caller.ts';
import { type Allowance, allowanceOf } from '../../api/response-headers.ts';
import type { App } from '../../app.ts';
import type { Verdict } from '../../limits/request-log.ts';
import { bufferHourlyEvent } from '../events/buffer-event.ts';
import { newEvent } from './events.ts';
import { requestsPerHour } from './plans.ts';

type CountResult = { allowed: boolean; retry_after_seconds: number };

/**
 * Sets `request.allowance`, from which the rate limit headers are written. Synchronous, except for the first request of a
 * quota group: its stored counts are loaded first.
 */
export function countRequest(
  app: App,
  project: Project,
  request: { allowance: Allowance | null },
): CountResult | Promise<CountResult> {
  const now = app.now();
  const finish = (verdict: Verdict): CountResult => {
    const allowance = allowanceOf(verdict, now);
    request.allowance = allowance;
    if (verdict.is_first_refusal) {
      const data = { requests_per_hour: verdict.limit, plan: project.plan };
      bufferHourlyEvent(app, newEvent(app, project.id, 'rate_limit.exceeded', data));
    }
    return { allowed: verdict.allowed, retry_after_seconds: allowance.reset_seconds };
  };
  const verdict = app.limits.take(project.quota_group_id, requestsPerHour(project), now);
  return verdict instanceof Promise ? verdict.then(finish) : finish(verdict);
}
