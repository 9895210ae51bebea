// Counts a request against its project's plan and notes what is left, for the answer's headers. The root key is not limited.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { allowanceOf } from '../api/answer-headers.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { noteRateLimit } from '../features/events/note.ts';
import { requestsPerHour } from '../features/projects/plans.ts';

export function limitRate(app: App, caller: Caller, request: FastifyRequest): void {
  if (caller.kind === 'root') return;
  const now = app.now();
  const verdict = app.limits.take(caller.project.id, requestsPerHour(caller.project), now);
  const allowance = allowanceOf(verdict, now);
  request.allowance = allowance;
  if (verdict.is_news)
    noteRateLimit(app, caller.project.id, { requests_per_hour: verdict.limit, plan: caller.project.plan });
  if (!verdict.allowed) throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(allowance.reset_seconds) } });
}
