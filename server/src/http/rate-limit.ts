// Counts a request against its project's plan, or the requests of a person. The root key is not limited.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { countAccountRequest, countRequest, refuseBeyondLimit } from '../features/projects/projects/count-request.ts';
import { whenReady } from '../when-ready.ts';

/** Returns a promise when the counts have to be loaded first. */
export function limitRate(app: App, caller: Caller, request: FastifyRequest): void | Promise<void> {
  if (caller.kind === 'root') return;
  const counted =
    caller.kind === 'account' ? countAccountRequest(app, caller, request) : countRequest(app, caller.project, request);
  return whenReady(counted, refuseBeyondLimit);
}
