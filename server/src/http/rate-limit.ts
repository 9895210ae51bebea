// Counts a request against its project's plan. The root key is not limited.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors.ts';
import { countRequest } from '../features/projects/count-request.ts';

/** Returns a promise when the counts have to be loaded first. */
export function limitRate(app: App, caller: Caller, request: FastifyRequest): void | Promise<void> {
  if (caller.kind === 'root') return;
  const counted = countRequest(app, caller.project, request);
  if (counted instanceof Promise) return counted.then(refuseBeyondLimit);
  refuseBeyondLimit(counted);
}

function refuseBeyondLimit({ allowed, retry_after_seconds }: Awaited<ReturnType<typeof countRequest>>): void {
  if (!allowed) throw refuse.rateLimitExceeded({ headers: { 'retry-after': String(retry_after_seconds) } });
}
