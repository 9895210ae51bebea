// Counts a request against its project's plan and notes what is left, for the answer's headers. The root key is not limited.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { noteRateLimit } from '../features/events/note.ts';
import { requestsPerHour } from '../features/projects/plans.ts';

export function limitRate(app: App, caller: Caller, request: FastifyRequest): void {
  if (caller.kind === 'root') return;
  const now = app.now();
  const { allowed, limit, remaining, reset_ms, is_news } = app.limits.take(
    caller.project.id,
    requestsPerHour(caller.project),
    now,
  );
  const reset_seconds = Math.max(1, Math.ceil(reset_ms / 1000));
  request.allowance = { limit, remaining, reset_seconds, resets_at: Math.ceil((now + reset_ms) / 1000) };
  if (is_news) noteRateLimit(app, caller.project.id, { requests_per_hour: limit, plan: caller.project.plan });
  if (!allowed) throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(reset_seconds) } });
}
