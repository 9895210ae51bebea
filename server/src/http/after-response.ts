// What happens after every response: the request is counted, and its trace is recorded if it was refused. A request whose client
// disconnects before it has a response is counted too, as 499.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, TokenCaller } from '../access/caller.ts';
import type { Server } from '../api/route.ts';
import type { App } from '../app.ts';
import type { RefusedIn } from '../features/activity/analytics/failed-step.ts';
import { recordTrace } from '../features/activity/analytics/record-trace.ts';
import type { RecordRequest, RouteKind } from '../metrics/request-metrics.ts';
import { leave } from '../outbound/requester.ts';
import { endSpan } from './trace-requests.ts';

/** As nginx calls it. It is never sent: there is nobody to send it to. */
const CLIENT_CLOSED_REQUEST = 499;

export function observeResponses(server: Server, app: App): void {
  // A path that a client made up is no label.
  const recordUnmatched = app.metrics.requests.forRoute('none', 'api');
  const recorderOf = (request: FastifyRequest): RecordRequest => request.route?.record ?? recordUnmatched;
  server.decorateRequest('has_ended', false);
  server.decorateRequest('requester', null);
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (request.has_ended) return;
      observeDisconnect(app, request, reply, recorderOf(request));
      if (request.requester !== null) leave(request.requester);
    });
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    // A handler that goes on after its client has disconnected may still write a response.
    if (request.has_ended) return done();
    request.has_ended = true;
    recorderOf(request)(request.method, reply.statusCode, reply.elapsedTime / 1000);
    if (request.refusal !== null) traceRefusal(app, request, reply.statusCode);
    done();
  });
}

/** Fastify has no hook for it: `onResponse` runs when the response has been written, `onRequestAbort` only for the body. */
function observeDisconnect(app: App, request: FastifyRequest, reply: FastifyReply, record: RecordRequest): void {
  request.has_ended = true;
  // A stream ends so, and a download may: they have had their status.
  const has_status = reply.raw.headersSent && request.refusal?.code !== 'CALLER_GONE';
  const status = has_status ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
  record(request.method, status, reply.elapsedTime / 1000);
  endSpan(request, status);
  const fields = {
    request_id: request.id,
    method: request.method,
    route: request.route?.url ?? null,
    status,
    reason: 'caller_gone',
    duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
  };
  app.log.debug(fields, 'the client disconnected before the end of the response');
}

function traceRefusal(app: App, request: FastifyRequest, status: number): void {
  const { refusal, refused_caller, route } = request;
  const caller = (request.caller as Caller | null) ?? refused_caller;
  // A recorded tool call has its own row, from which its trace is made.
  if (refusal === null || refusal.call_id !== undefined || !caller?.project || !route) return;
  // The dashboard asks for a call until it is written, and for what another person has just deleted.
  if (caller.kind === 'account' && request.method === 'GET' && status === 404) return;
  const member = caller.kind === 'member' ? caller : null;
  const session = caller.kind === 'oauth_client' ? caller : member;
  const credential = caller.kind === 'api_key' ? caller : session;
  recordTrace(app, {
    project_id: caller.project.id,
    request_id: request.id,
    method: request.method,
    route: route.url.replaceAll(/:(\w+)/g, '{$1}'),
    status,
    caller_kind: caller.kind,
    api_key_id: credential?.api_key_id ?? null,
    session_id: session?.session_id ?? null,
    member_id: member?.member_id ?? null,
    integration_id: credential?.integration_id ?? null,
    account_id: caller.kind === 'account' ? caller.account_id : null,
    refusal,
    refused_in: refusedIn(refused_caller, route.kind),
  });
}

function refusedIn(refused_caller: TokenCaller | null, kind: RouteKind): RefusedIn {
  if (refused_caller !== null) return 'credential';
  return kind === 'execute' ? 'call_request' : 'request';
}

declare module 'fastify' {
  interface FastifyRequest {
    /** It has been counted. */
    has_ended: boolean;
  }
}
