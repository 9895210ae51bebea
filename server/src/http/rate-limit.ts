// Counts a request against its project's plan. The root key is not limited.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { countRequest } from '../features/projects/count-request.ts';

export function limitRate(app: App, caller: Caller, request: FastifyRequest): void {
  if (caller.kind === 'root') return;
  const { allowed, retry_after_seconds } = countRequest(app, caller.project, request);
  if (!allowed) throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(retry_after_seconds) } });
}
