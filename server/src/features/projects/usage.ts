// How much of its hourly limit a project has used: the numbers of the rate limit headers.

import { z } from 'zod';
import { type Caller, type Project, projectOf } from '../../access/caller.ts';
import { timestamp } from '../../api/fields.ts';
import { type RateLimitStatus, rateLimitStatus } from '../../api/response-headers.ts';
import type { App } from '../../app.ts';
import { plans, requestsPerHour } from './plans.ts';

const usageFields = {
  plan: z.enum(plans).meta({ description: 'The plan of the project, which sets the limit' }),
  limit: z.int().meta({ description: 'Requests in any 60 minutes, for the project and its siblings together' }),
  used: z.int().meta({ description: 'Requests of the last 60 minutes, this one included' }),
  remaining: z.int().meta({ description: 'Requests that pass before the next 429' }),
  window_seconds: z.literal(3600).meta({ description: 'The limit is for any period of this length' }),
  resets_at: timestamp.nullable().meta({
    description: 'When the oldest counted request expires, or the next one passes; null when none is counted',
  }),
};

export const usageSchema = z.strictObject({ object: z.literal('usage'), ...usageFields }).meta({ id: 'Usage' });

export type Usage = {
  plan: Project['plan'];
  limit: number;
  used: number;
  remaining: number;
  window_seconds: 3600;
  resets_at: string | null;
};

/** `status` is that of the rate limit headers of the same response. */
export function usageOf({ plan }: Project, { limit, remaining, resets_at }: RateLimitStatus): Usage {
  const used = limit - remaining;
  const reset = used === 0 ? null : new Date(resets_at * 1000).toISOString();
  return { plan, limit, used, remaining, window_seconds: 3600, resets_at: reset };
}

/** `status` is null for the root key, whose requests are not counted. Nor are those of accounts. */
export async function readUsage(app: App, caller: Caller, status: RateLimitStatus | null) {
  const project = projectOf(caller);
  // Those of an account are the numbers of the person.
  const own = caller.kind === 'account' ? null : status;
  return { object: 'usage' as const, ...usageOf(project, own ?? (await currentStatus(app, project))) };
}

async function currentStatus(app: App, project: Project): Promise<RateLimitStatus> {
  return rateLimitStatus(await app.limits.read(project.quota_group_id, requestsPerHour(project), app.now()));
}
