// Counts one request against its project's plan. Every door counts here: the REST and MCP doors a request, MCP each message of a batch.

import type { Project } from '../../access/caller.ts';
import { type Allowance, allowanceOf } from '../../api/response-headers.ts';
import type { App } from '../../app.ts';
import type { Verdict } from '../../limits/request-log.ts';
import { bufferRateLimitEvent } from '../events/buffer-event.ts';
import { requestsPerHour } from './plans.ts';

type Counted = { allowed: boolean; retry_after_seconds: number };

/**
 * Puts what is left where the answer's headers take it from. `allowed` is false for one too many. At once, but for the first
 * request of a quota group, whose stored counts are read.
 */
export function countRequest(
  app: App,
  project: Project,
  request: { allowance: Allowance | null },
): Counted | Promise<Counted> {
  const now = app.now();
  const publish = (verdict: Verdict): Counted => {
    const allowance = allowanceOf(verdict, now);
    request.allowance = allowance;
    if (verdict.is_first_refusal)
      bufferRateLimitEvent(app, project.id, { requests_per_hour: verdict.limit, plan: project.plan });
    return { allowed: verdict.allowed, retry_after_seconds: allowance.reset_seconds };
  };
  const verdict = app.limits.take(project.quota_group_id, requestsPerHour(project), now);
  return verdict instanceof Promise ? verdict.then(publish) : publish(verdict);
}
