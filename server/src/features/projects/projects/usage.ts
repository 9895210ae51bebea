// How much of its hourly limit a project has used: the numbers of the rate limit headers.

import { requestsPerHour } from '@toolgate/contract/projects/plans.ts';
import type { Usage } from '@toolgate/contract/projects/project.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import { type RateLimitStatus, rateLimitStatus } from '../../../api/response-headers.ts';
import type { App } from '../../../app.ts';

/** `status` is that of the rate limit headers of the same response. */
export function usageOf({ plan }: Project, { limit, remaining, resets_at }: RateLimitStatus): Omit<Usage, 'object'> {
  const used = limit - remaining;
  const reset = used === 0 ? null : new Date(resets_at * 1000).toISOString();
  return { plan, limit, used, remaining, window_seconds: 3600, resets_at: reset };
}

/** `status` is null for the root key, whose requests are not counted. Nor are those of accounts. */
export async function readUsage(app: App, caller: Caller, status: RateLimitStatus | null): Promise<Usage> {
  const project = projectOf(caller);
  // Those of an account are the numbers of the person.
  const own = caller.kind === 'account' ? null : status;
  return { object: 'usage', ...usageOf(project, own ?? (await currentStatus(app, project))) };
}

async function currentStatus(app: App, project: Project): Promise<RateLimitStatus> {
  return rateLimitStatus(await app.limits.read(project.quota_group_id, requestsPerHour(project), app.now()));
}
