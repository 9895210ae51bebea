// What happens after every response: the request is counted, and its trace is recorded if it was refused.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';
import type { RefusedIn } from '../features/analytics/failed-step.ts';
import { recordTrace } from '../features/analytics/record-trace.ts';

export function observeResponses(server: Server, app: App): void {
  // A path that a client made up is no label.
  const recordUnmatched = app.metrics.requests.forRoute('none', 'api');
  server.addHook('onResponse', (request, reply, done) => {
    const record = request.route?.record ?? recordUnmatched;
    record(request.method, reply.statusCode, reply.elapsedTime / 1000);
    if (request.refusal !== null) traceRefusal(app, request, reply.statusCode);
    done();
  });
}

function traceRefusal(app: App, request: FastifyRequest, status: number): void {
  const { refusal, refused_caller, route } = request;
  const caller = (request.caller as Caller | null) ?? refused_caller;
  // A recorded tool call has its own row, from which its trace is made.
  if (refusal === null || refusal.call_id !== null || !caller?.project || !route) return;
  const member = caller.kind === 'member' ? caller : null;
  const credential = caller.kind === 'api_key' ? caller : member;
  recordTrace(app, {
    project_id: caller.project.id,
    request_id: request.id,
    method: request.method,
    route: route.url.replaceAll(/:(\w+)/g, '{$1}'),
    status,
    caller_kind: caller.kind,
    api_key_id: credential?.api_key_id ?? null,
    session_id: member?.session_id ?? null,
    member_id: member?.member_id ?? null,
    integration_id: credential?.integration_id ?? null,
    account_id: caller.kind === 'account' ? caller.account_id : null,
    refusal,
    refused_in: refusedIn(request, route.url),
  });
}

function refusedIn({ refused_caller }: FastifyRequest, url: string): RefusedIn {
  if (refused_caller !== null) return 'credential';
  return url.endsWith('/execute') ? 'call_request' : 'request';
}
